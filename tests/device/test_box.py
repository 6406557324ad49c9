"""The loop: the path of an input from the queue to the screen."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from PIL import Image

from device import box as box_module
from device.box import Box
from device.config import BuzzerConfig
from device.hardware.boards import BOARDS
from device.hardware.dimming import Brightness
from device.hardware.display import ReconnectingDisplay
from device.hardware.signals import Buzzer, Signals
from device.referee import inputs, states
from device.referee.box_care import BOX_MENU, first_start
from device.referee.preferences import Preferences
from device.screens.draw import draw
from device.screens.screen import Line
from device.screens.spoken import spoken
from device.screens.views import screen
from device.storage.journal import Journal, JournalError, JournalWarning
from device.storage.preferences_file import PreferencesFile
from tests.device.box_helpers import WAITING, fake_watcher, run
from tests.device.helpers import HOLD_A, HOLD_C, HOLD_STOP, STOP, A, B, C, dice, tray
from tests.waiting import PATIENCE_S, until


@pytest.fixture
def box(box_with):
    return box_with(WAITING)


def test_an_accepted_input_is_on_disk_before_the_screen_shows_it(box, journal, shown):
    order = []
    record, show = journal.record, shown.show
    journal.record = lambda *of: (order.append("disk"), record(*of))
    shown.show = lambda image: (order.append("screen"), show(image))
    run(box, dice(2, 3, 4, 5), B)
    assert order == ["screen", "disk", "screen", "disk", "screen"]


def test_rejected_inputs_and_the_trays_contents_are_not_recorded(box, journal):
    journal.record = pytest.fail
    run(box, C, STOP, A, dice(1, 2, 3))
    assert box.situation == WAITING
    run(box, tray(inputs.TrayView.HAND), tray(inputs.TrayView.ROLLING))
    assert isinstance(box.situation.state, states.WatchingTray)


def test_a_tray_seen_during_a_choice_is_shown_when_dice_are_awaited_again(box):
    run(box, dice(2, 3, 4, 5), tray(inputs.TrayView.HAND), B)
    assert isinstance(box.situation.state, states.WatchingTray)
    assert box.situation.state.seen.view is inputs.TrayView.HAND


def test_a_moved_camera_is_reported_until_c_confirms_that_the_tray_was_checked_and_does_nothing_else(box):
    watcher = fake_watcher()
    run(box, dice(2, 3, 4, 5), A, tray(inputs.TrayView.MOVED), watcher=watcher)
    assert screen(box.situation).lines[0].text == "Camera moved"
    assert [wanted for ((wanted,), _) in watcher.watch_for.call_args_list] == [4, 0, 4, 4]
    watcher.tray_checked.assert_not_called()
    run(box, C, watcher=watcher)
    assert (box.situation.state, watcher.tray_checked.call_count) == (states.Telling(), 1)


def test_b_asks_the_watcher_to_read_dice_that_may_be_a_missed_roll_again(box):
    watcher = fake_watcher()
    run(box, B, watcher=watcher)
    assert not watcher.read_again.called, "no dice have moved"
    run(box, inputs.TraySeen(inputs.TrayView.MISSED, values=(1, 3, 5, 6)), watcher=watcher)
    shown = screen(box.situation)
    assert (shown.lines[0].more, shown.lines[1]) == ("Count these dice?", Line("Yes", button="B"))
    run(box, B, watcher=watcher)
    assert (box.situation, watcher.read_again.call_count) == (WAITING, 1)


def test_the_game_continues_with_a_full_disk_and_the_screen_says_so(box, journal, shown, monkeypatch):

    monkeypatch.setattr(journal, "record", Mock(side_effect=JournalError("disk full")))
    run(box, dice(2, 3, 4, 5), B)
    assert len(box.situation.played.steps) == 2
    plain = draw(screen(box.situation)).tobytes()
    assert shown.pictures[-1] != plain
    monkeypatch.undo()
    run(box, C)
    assert shown.pictures[-1] == draw(screen(box.situation)).tobytes()
    assert journal.game(1) == box.situation.game


@pytest.mark.parametrize("sign", JournalWarning)
def test_the_screen_reports_the_journals_state_until_the_next_press(box, journal, shown, sign):
    journal.warning = sign
    run(box)
    assert shown.pictures[-1] != draw(screen(box.situation)).tobytes()
    run(box, dice(2, 3, 4, 5), B)
    assert shown.pictures[-1] == draw(screen(box.situation)).tobytes()


def dark(shown, journal, clock, **parts):
    """A box whose screen is dark after an hour without input."""
    display = ReconnectingDisplay(shown.open)
    box = Box(journal, display, WAITING, **parts)
    display.show(Image.new("1", (128, 64)))
    clock.now_s += 3600.0
    display.show(Image.new("1", (128, 64)))
    shown.pictures.clear()
    return box


def test_the_first_press_on_a_dark_screen_only_lights_it_and_the_second_one_counts(journal, shown, clock):
    box = dark(shown, journal, clock)
    box.put(HOLD_STOP)
    box.stop()
    box.run(fake_watcher())
    assert box.situation == WAITING
    assert shown.lights == [Brightness.DARK, Brightness.BRIGHT]
    assert shown.pictures[-1] == draw(screen(WAITING)).tobytes()
    run(box, HOLD_STOP)
    assert box.situation != WAITING


@pytest.mark.parametrize(
    ("event", "lights", "state"),
    [
        (dice(2, 3, 4, 5), True, states.Choosing),
        (tray(inputs.TrayView.HAND), True, states.WatchingTray),
        (tray(inputs.TrayView.ROLLING), True, states.WatchingTray),
        (tray(inputs.TrayView.EMPTY), False, states.Waiting),
    ],
)
def test_a_roll_or_a_hand_counts_and_lights_a_dark_screen_and_a_resting_tray_does_not(
    journal, shown, event, lights, state, clock
):
    box = dark(shown, journal, clock)
    run(box, event)
    assert isinstance(box.situation.state, state)
    assert shown.lights == [Brightness.DARK, *[Brightness.BRIGHT] * lights]


def test_a_stuck_button_is_reported_on_the_screen_and_the_others_keep_working(box_with, shown):
    box = box_with(WAITING, stuck=lambda: [inputs.Button.B])
    run(box, dice(2, 3, 4, 5))
    assert isinstance(box.situation.state, states.Choosing)
    told = replace(screen(box.situation), title="Button B is stuck", dice=())
    assert shown.pictures[-1] == draw(told).tobytes()


def test_accepted_inputs_are_passed_to_the_signals(box_with):
    signals = Mock()
    run(box_with(WAITING, signals=signals), dice(2, 3), dice(2, 3, 4, 5))
    ((before, event, after),) = [call.args for call in signals.happened.call_args_list]
    assert (type(before.state), event, type(after.state)) == (states.Waiting, dice(2, 3, 4, 5), states.Choosing)
    signals.follow.assert_called_once_with(WAITING.preferences)


def test_a_lost_display_causes_one_call_for_help(box_with, shown):
    signals = Mock()
    shown.unplugged = True
    run(box_with(WAITING, signals=signals), dice(2, 3, 4, 5), B, C)
    signals.call_for_help.assert_called_once_with()


@pytest.mark.parametrize(
    ("leaves", "waits_s", "ends"), [(True, 0.0, False), (True, 0.59, False), (True, 0.61, True), (False, 0.0, True)]
)
def test_a_stop_that_was_meant_to_leave_the_entry_of_dice_does_not_end_the_turn(
    box, monkeypatch, leaves, waits_s, ends
):
    clock = SimpleNamespace(now=100.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(box_module, "time", clock)
    run(box, dice(2, 3, 4, 5), B)
    clock.now += 1.0
    run(box, C, *[HOLD_A, STOP] * leaves)
    assert box.situation.state == states.Deciding()
    clock.now += waits_s
    run(box, STOP)
    assert (box.situation.state == states.Stopped()) == ends


def test_a_stop_that_waits_asks_the_watcher_and_is_recorded_once_the_camera_is_lost(box, journal):
    watcher = fake_watcher()
    run(box, dice(2, 3, 4, 5), B, C, watcher=watcher)
    box.put(tray(inputs.TrayView.EMPTY))
    run(box, inputs.EarlyStop(), watcher=watcher)
    watcher.await_still.assert_called_once_with()
    run(box, inputs.TraySeen(inputs.TrayView.NO_CAMERA, "hangs"), watcher=watcher)
    assert box.situation.state == states.Stopped()
    assert journal.situation() == replace(box.situation, state=states.Resume(states.Stopped()))


# Its own care: preferences, requests to camera and machine


@pytest.fixture
def machine():
    """A machine that answers at once."""
    return Mock(
        check_parts=lambda put, _: put(inputs.Finding("heat", inputs.Grade.FINE, "cool", (("degrees", 50),))),
        ask_network=lambda put, **_: put(inputs.NetworkSeen(("cantstop.local",))),
        change_version=lambda item, put, *, begin: put(
            inputs.VersionSeen("failed" if item == "update" and begin else "")
        ),
        switch_off=lambda put: put(inputs.StaysOn()),
    )


@pytest.fixture
def preferences(tmp_path):
    return PreferencesFile(tmp_path / "preferences.json")


def presses_in_box_menu(item: str) -> list:
    return [HOLD_STOP, A, A, C, *[B] * BOX_MENU.index(item), C]


def test_a_new_box_asks_about_its_lamp_and_buzzer(box_with, preferences, monkeypatch):
    monkeypatch.setattr(gpiozero.Device, "pin_factory", MockFactory(pin_class=MockPWMPin))
    signals = Signals(Buzzer(BuzzerConfig()))
    box = box_with(preferences=preferences, signals=signals)
    assert box.situation.state == first_start(signals=("sound",), with_page=False)
    signals.close()


def test_a_power_cut_while_the_language_is_chosen_does_not_skip_the_rest_of_the_first_start(
    box_with, preferences, monkeypatch
):
    with monkeypatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
        patch.setattr(Journal, "record", Mock(side_effect=KeyboardInterrupt))
        run(box_with(preferences=preferences), C, watcher=None)
    assert preferences.path.exists(), "the choice was stored already"
    again = box_with(preferences=preferences)
    assert isinstance(again.situation.state, states.ChoosingLanguage)
    run(again, C, C, watcher=None)
    assert box_with(preferences=preferences).situation.state == again.situation.state != states.Welcome()


def test_a_box_with_a_game_but_no_preferences_continues_the_game(box_with, preferences):
    run(box_with(WAITING), dice(2, 3, 4, 5))
    box = box_with(preferences=preferences)
    assert isinstance(box.situation.state, states.Resume)


def test_preferences_that_a_full_disk_rejects_apply_and_are_saved_later(box_with, preferences, monkeypatch, caplog):
    monkeypatch.setattr(box_module, "TICK_S", 0.01)
    monkeypatch.setattr(box_module, "RETRY_S", 0.0)
    box = box_with(WAITING, preferences)
    with monkeypatch.context() as patched:
        patched.setattr(preferences, "save", Mock(side_effect=OSError(28, "no space left on device")))
        run(box, *presses_in_box_menu("sound"))
        for _ in range(3):
            box._tick()
    assert box.situation.preferences.sound is False
    assert not preferences.path.exists()
    assert len(caplog.records) == 1, "not again at each try"
    loop = threading.Thread(target=box.run, args=(fake_watcher(),))
    loop.start()
    until(preferences.path.exists, "the file")
    box.stop()
    loop.join(PATIENCE_S)
    assert preferences.load().sound is False


def test_the_self_check_uses_the_machine_and_the_camera(box_with, machine):
    watcher = fake_watcher()
    box = box_with(WAITING, machine=machine)
    run(box, *presses_in_box_menu("check"), HOLD_C, watcher=watcher)
    run(box, watcher=watcher)
    watcher.measure.assert_called_once_with(learn=False)
    state = box.situation.state
    assert isinstance(state, states.Checking)
    assert {found.probe for found in state.findings} == {"buttons", "heat"}


def test_a_look_at_the_tray_without_a_camera_and_a_question_for_the_network_are_answered(box_with, machine):
    rows = (("tray", [C], states.CalibratingTray, "problem", "no camera"),
            ("network", [], states.Network, "addresses", ("cantstop.local",)))  # fmt: skip
    for item, presses, state, name, answer in rows:
        box = box_with(WAITING, machine=machine)
        run(box, *presses_in_box_menu(item), *presses, watcher=None)
        run(box, watcher=None)
        assert isinstance(box.situation.state, state)
        assert getattr(box.situation.state, name) == answer


def test_a_version_that_cannot_be_changed_and_a_box_that_cannot_be_switched_off_say_so_and_keep_the_game(
    box_with, journal, machine, tmp_path
):
    box = box_with(WAITING, machine=machine)
    run(box, *presses_in_box_menu("update"))
    run(box)
    assert box.situation.state.progress == "", "nobody has said yes"
    run(box, A)
    run(box)
    assert box.situation.state.progress == "failed"
    box = box_with(WAITING, machine=machine)
    run(box, *presses_in_box_menu("shut down"), HOLD_C)
    run(box)
    assert box.situation.state == states.SwitchingOff(states.Waiting(), failed=True)
    journal.close()
    with contextlib.closing(Journal(tmp_path / "journal.txt")) as reopened:
        assert reopened.situation().state == states.Resume(states.Waiting())


def test_a_box_without_a_display_says_where_its_page_is_until_a_phone_presses_and_with_each_code(box_with):
    def said(kind: str, start: states.Situation, *events: inputs.Press) -> list[str]:
        speech = Mock()
        run(box_with(start, board=BOARDS[kind], speech=speech, page=("cantstop.local", 8017)), *events)
        assert {call.args[1] for call in speech.say.call_args_list} == {"de"}
        return [call.args[0] for call in speech.say.call_args_list]

    page = "Öffne auf dem Handy cantstop.local, Doppelpunkt, 8017. "
    waiting = replace(WAITING, preferences=Preferences(language="de"))
    menu = states.Menu(states.Waiting())
    assert said("box", waiting, HOLD_STOP) == [spoken(waiting), spoken(replace(waiting, state=menu))]
    assert said("none", waiting, HOLD_STOP) == [
        page + spoken(waiting),
        spoken(replace(waiting, state=menu)),
    ]
    code = replace(
        waiting, state=states.ShowingPage(states.Waiting(), inputs.PageReady("http://192.168.1.7:8017/", "12345678", 1))
    )
    assert "12345678" in spoken(code)
    assert said("none", code, HOLD_A) == [page + spoken(code)]
