"""The whole box and its page, over real HTTP: the first start turns it on, a tray is saved, dice are corrected.

The box is the program itself, down to gpiozero and luma; only the dice, the pins and the bus are simulated.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from unittest.mock import Mock

import cv2
import pytest

from device.camera.port import CameraError
from device.camera.simulated import SimulatedTray
from device.config import Config, parse
from device.health.machine_control import MachineControl
from device.page.box_side.answers import Answers
from device.page.box_side.phone_keys import PhoneKeys
from device.page.box_side.publisher import Publisher
from device.referee import states
from device.referee.inputs import Button, CameraTrouble
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from engine import Corrected, Game, SetTo
from tests.device.camera_helpers import simulated_frame
from tests.page.helpers import Web, page_unit, until
from tools.sim.table import SimulatedTable
from vision.tray.calibration import load


class Box:
    """A simulated box with the page's process."""

    def __init__(
        self,
        folder: Path,
        start: states.Situation | None = None,
        config: Config | None = None,
        machine: MachineControl | None = None,
    ) -> None:
        self.tray = SimulatedTray(seed=3, hurried=True)
        self.calibration = folder / "calibration.json"
        self.preferences = PreferencesFile(folder / "preferences.json")
        journal = folder / "journal.txt"
        self._socket = folder / "table.sock"
        self._folder = folder
        self.journal = Journal(journal)
        keys = PhoneKeys(folder / "phones.json", shows_code=(config or Config()).its_board.has_buttons)
        answers = Answers(keys, journal, folder / "misread", wifi=None if machine is None else machine.wifi)
        self.table = SimulatedTable(
            self.journal,
            self.tray,
            start=start,
            config=config,
            preferences=self.preferences,
            calibration=self.calibration,
            machine=machine,
            publisher=Publisher(self._socket, answers),
        )

    @contextlib.contextmanager
    def on(self):
        with page_unit(self._socket, self._folder) as web, self.table:
            yield web

    @property
    def state(self):
        return self.table.box.situation.state

    def comes_to(self, state: type):
        def is_there() -> bool:
            self.table.check()
            return isinstance(self.state, state)

        until(is_there, state.__name__)
        return self.state

    def press(self, button: Button, *, long: bool = False) -> None:
        self.table.buttons.press(button, long=long)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return tmp_path


def pair(box: Box, web: Web) -> str:
    """Pair a phone by the code that the OLED shows."""
    until(
        lambda: isinstance(box.state, states.ShowingPage) and box.state.page and box.state.page.code,
        "the code on the OLED",
    )
    status, _, told = web.ask("POST", "/api/pair", {"code": box.state.page.code, "name": "Anna"})
    assert status == 200
    return str(told["key"])


def turn_on(box: Box, web: Web) -> str:
    """Turn the page on and pair a phone; return its key."""
    box.press(Button.B, long=True)
    until(lambda: isinstance(box.state, states.ShowingPage) and box.state.page, "the answer that there is no page")
    box.press(Button.A)
    key = pair(box, web)
    box.press(Button.C)
    return key


def kept(folder: Path) -> Game:
    """Return the game in the journal."""
    with contextlib.closing(Journal(folder / "journal.txt", to_write=False)) as journal:
        return journal.game(1)


def test_a_box_without_display_and_buttons_is_paired_and_begins_on_a_phone(folder):
    box = Box(folder, config=parse('[board]\nkind = "none"\n'))
    with box.on() as web:

        def paired(code: str) -> str:
            """Pair a phone, and return its key, or why it is refused."""
            until(web.answers, "the page")
            body = {"code": code, "name": "Anna"}
            status, _, told = until(lambda: (got := web.ask("POST", "/api/pair", body))[0] != 503 and got, "the box")
            return str(told["key"] if status == 200 else told["text"])

        key = paired("")
        assert "no code is valid" in paired("")
        until(lambda: web.ask("GET", "/api/me", key=key)[2].get("paired"), "the phone's key")
        code = until(lambda: web.ask("GET", "/api/phones", key=key)[2].get("code"), "the code for others")
        assert len(paired(code)) == len(key)
        until(lambda: web.ask("POST", "/api/press", {"button": "C", "long": False}, key=key)[0] == 200, "the press")
        box.comes_to(states.CalibratingTray)
    assert box.table.picture().getbbox() is None, "nothing is sent to a display that is not there"


def test_a_new_box_offers_the_page_and_a_phone_can_save_the_tray_with_it(folder):
    box = Box(folder)
    with box.on() as web:
        box.comes_to(states.ChoosingLanguage)
        box.press(Button.C)
        box.comes_to(states.TryingButtons)
        assert not web.answers()
        box.press(Button.B, long=True)
        box.comes_to(states.OfferingPage)
        box.press(Button.A)
        key = pair(box, web)
        assert box.state.page.address == f"http://127.0.0.1:{web.port}/"
        box.press(Button.C)
        box.comes_to(states.CalibratingTray)
        assert web.ask("POST", "/api/calibrate", {})[0] == 401
        assert web.ask("GET", "/api/live")[0] == 401
        live = until(lambda: web.ask("GET", "/api/live", key=key)[2].get("figures"), "a live picture with figures")
        assert 0 < live["brightness"] < 255
        status, _, told = web.ask("POST", "/api/calibrate", {}, key=key)
        assert (status, told["kept"], told["problem"]) == (200, True, "")
        assert load(box.calibration).empty is not None
        box.tray.throw(values=(1, 3, 5, 6))
        until(lambda: len(web.ask("GET", "/api/live", key=key)[2].get("dice", ())) == 4, "the dice in the live picture")
        told = web.ask("POST", "/api/calibrate", {}, key=key)[2]
        assert (told["kept"], told["problem"]) == (False, "")
    assert box.preferences.load().page


def test_corrections_from_a_paired_phone_are_recorded_in_the_journal(folder):
    box = Box(folder, states.Situation(states.Deciding(), Game.new(("yellow", "green")), 1))
    with box.on() as web:
        key = turn_on(box, web)
        box.comes_to(states.Deciding)
        box.tray.throw(values=(2, 3, 4, 5))
        box.comes_to(states.Choosing)
        shown = until(lambda: _choosing(web.ask("GET", "/api/events")[2]), "the roll on the page")
        about = {"game": shown["game"]["number"], "steps": shown["game"]["steps"]}
        assert shown["corrects"] == ["dice", "board"]

        right = {"dice": [3, 3, 4, 5], **about}
        assert web.ask("POST", "/api/dice", right)[0] == 401
        assert web.ask("POST", "/api/dice", right, key=key)[0] == 200
        until(lambda: box.table.box.situation.played.steps[-1] == Corrected((3, 3, 4, 5)), "the correction")
        late = until(lambda: _refusal(web.ask("POST", "/api/dice", right, key=key)), "the refusal of what is old")
        assert late == (409, "moved on")

        def corrected():
            game = web.ask("GET", "/api/events")[2].get("game")
            return game if game and game["steps"] != about["steps"] else None

        about = {**about, "steps": until(corrected, "the correction on the page", pause_s=0.1)["steps"]}
        markers = [[0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0], [0] * 13]
        told = {"markers": markers, "runners": [0] * 13, "turn": 0, "language": "nl", **about}
        nonsense = {**told, "runners": [0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0]}
        status, _, why = web.ask("POST", "/api/board", nonsense, key=key)
        assert (status, why["error"], why["text"]) == (400, "board", "er zijn maar 3 lopers, niet 4")
        assert web.ask("POST", "/api/board", {**told, "markers": markers[:1]}, key=key)[0] == 400
        beyond = {**told, "runners": [0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}
        status, _, why = web.ask("POST", "/api/board", beyond, key=key)
        assert (status, why["error"], why["text"]) == (400, "bad", "column 2 has no space 4, its spaces are 1 to 3")
        assert web.ask("POST", "/api/board", told)[0] == 401
        assert web.ask("POST", "/api/board", told, key=key)[0] == 200
        until(lambda: isinstance(box.table.box.situation.played.steps[-1], SetTo), "the board")
        box.press(Button.A)
        box.comes_to(states.Telling)
        steps = box.table.box.situation.played.steps
    game = kept(folder)
    assert game.steps == steps
    assert [type(step).__name__ for step in steps] == ["Rolled", "Corrected", "SetTo", "Play"]
    assert game.positions[3].markers[0][4] == 2


def test_a_box_whose_camera_has_failed_goes_on_with_photographs(folder, monkeypatch):
    no_frame = Mock(side_effect=CameraError("the camera sends no picture", CameraTrouble.SILENT))
    box = Box(folder, states.Situation(states.Deciding(), Game.new(("yellow", "green")), 1))
    with box.on() as web:
        key = turn_on(box, web)
        monkeypatch.setattr(box.tray, "frame", no_frame)
        monkeypatch.setattr(box.tray, "shot", no_frame, raising=False)
        until(lambda: web.ask("GET", "/api/events")[2].get("camera") is False, "the end of the camera")
        _, jpeg = cv2.imencode(".jpg", simulated_frame((2, 3, 4, 5)))
        photograph = {"key": key, "content_type": "image/jpeg"}
        status, _, told = web.ask("POST", "/api/photograph/once", jpeg.tobytes(), **photograph)
        assert (status, told["counts"]) == (200, True)
        box.comes_to(states.Choosing)
        assert box.table.box.situation.played.position.roll == (2, 3, 4, 5)
        box.press(Button.A)
        box.comes_to(states.Telling)
        assert web.ask("POST", "/api/photograph/once", jpeg.tobytes(), **photograph)[2]["same"]
    assert [type(step).__name__ for step in kept(folder).steps] == ["Rolled", "Play"]


def _choosing(table):
    return table if table.get("state") == "Choosing" else None


def _refusal(answer):
    """The status and kind of a refusal; None while the page has not heard of the last step."""
    status, _, told = answer
    return (status, told["error"]) if told.get("error") == "moved on" else None
