"""The first start on the whole box: presses on pins, dice under a camera, and the files afterwards."""

from __future__ import annotations

from contextlib import suppress

from device.box import Box
from device.camera.simulated import SimulatedTray
from device.hardware.display import ReconnectingDisplay
from device.referee.inputs import Button, Press
from device.referee.states import CalibratingTray, ChoosingLanguage, TrialThrow, TryingButtons, Welcome
from device.screens.draw import draw
from device.screens.views import screen
from device.sim.table import SimulatedTable
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from tests.device.box_helpers import Shown
from tests.waiting import until
from vision.tray.calibration import load


def test_a_new_box_is_set_up_by_its_buttons_and_reads_a_first_roll(tmp_path):
    tray = SimulatedTray(seed=3, hurried=True)
    preferences, calibration = PreferencesFile(tmp_path / "preferences.json"), tmp_path / "calibration.json"
    journal = Journal(tmp_path / "journal.txt")
    with SimulatedTable(journal, tray, preferences=preferences, calibration=calibration) as table:

        def comes(is_so) -> None:
            until(lambda: is_so(table.box.situation.state), "the state")

        comes(lambda state: isinstance(state, ChoosingLanguage))
        table.buttons.press(Button.B)
        comes(lambda state: isinstance(state, ChoosingLanguage) and state.cursor == 1)
        table.buttons.press(Button.C)
        comes(lambda state: isinstance(state, TryingButtons))
        for number, button in enumerate(Button, start=1):
            table.buttons.press(button)
            comes(lambda state, number=number: isinstance(state, TryingButtons) and state.pressed == number)
        table.buttons.press(Button.C)
        comes(lambda state: isinstance(state, CalibratingTray))
        table.buttons.press(Button.C)
        comes(lambda state: isinstance(state, CalibratingTray) and state.advice is not None)
        table.buttons.press(Button.C)
        comes(lambda state: isinstance(state, TrialThrow))
        tray.throw(values=(1, 3, 5, 6))
        comes(lambda state: isinstance(state, TrialThrow) and bool(state.dice))
        assert table.box.situation.state == TrialThrow(Welcome(), (1, 3, 5, 6))
        table.buttons.press(Button.C)
        comes(lambda state: state == Welcome())
        expected = draw(screen(table.box.situation)).tobytes()
        until(lambda: table.picture().tobytes() == expected, "the screen")
    assert preferences.load().language == "nl"
    assert load(calibration).empty is not None


def test_a_power_cut_while_the_language_is_chosen_does_not_skip_the_rest_of_the_first_start(tmp_path, monkeypatch):
    def box() -> Box:
        journal = Journal(tmp_path / "journal.txt")
        return Box(
            journal, ReconnectingDisplay(Shown().open), preferences=PreferencesFile(tmp_path / "preferences.json")
        )

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    first = box()
    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(Journal, "record", cut)
        first.put(Press(Button.C))
        first.run()
    first._journal.close()
    assert (tmp_path / "preferences.json").exists(), "the choice was stored already"
    again = box()
    assert isinstance(again.situation.state, ChoosingLanguage)
    for _ in range(2):
        again.put(Press(Button.C))
    again.stop()
    again.run()
    again._journal.close()
    resumed = box()
    assert resumed.situation.state == again.situation.state != Welcome()
    resumed._journal.close()
