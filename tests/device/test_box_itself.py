"""The loop and the box's own care: preferences, the first start, requests to camera and machine."""

from __future__ import annotations

import contextlib
import threading

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device import box as box_module
from device.box import Box
from device.config import BuzzerConfig
from device.hardware.buzzer import Buzzer
from device.hardware.display import ReconnectingDisplay
from device.hardware.signals import Signals
from device.referee.box_care import BOX_MENU, first_start
from device.referee.inputs import Finding, Grade, NetworkSeen, StaysOn
from device.referee.states import CalibratingTray, Checking, Network, Resume, SwitchingOff, TryingButtons, Waiting
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from tests.device.box_helpers import WAITING, FakeWatcher, run
from tests.device.helpers import HOLD_C, HOLD_STOP, A, B, C, dice
from tests.waiting import PATIENCE_S, until


class FakeMachine:
    """A machine with canned answers that stores the requests it receives."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def check_parts(self, put) -> None:
        self.asked.append("check")
        put(Finding("heat", Grade.FINE, "cool", (("degrees", 50),)))

    def ask_network(self, put) -> None:
        self.asked.append("network")
        put(NetworkSeen(("cantstop.local",)))

    def switch_off(self, put) -> None:
        self.asked.append("switch off")
        put(StaysOn())


@pytest.fixture
def preferences(tmp_path):
    return PreferencesFile(tmp_path / "preferences.json")


def presses_in_box_menu(item: str) -> list:
    return [HOLD_STOP, A, A, C, *[B] * BOX_MENU.index(item), C]


def test_a_box_that_was_never_switched_on_begins_with_its_first_steps(journal, shown, preferences):
    box = Box(journal, ReconnectingDisplay(shown.open), preferences=preferences)
    assert box.situation.state == first_start(with_page=False)
    run(box, B, B, C, watcher=FakeWatcher())
    assert preferences.load().language == "de"
    again = Box(journal, ReconnectingDisplay(shown.open), preferences=preferences)
    assert isinstance(again.situation.state, TryingButtons)
    assert again.situation.preferences.language == "de"


def test_a_new_box_asks_about_its_lamp_and_buzzer(journal, shown, preferences):
    signals = Signals(Buzzer(BuzzerConfig(), MockFactory(pin_class=MockPWMPin)))
    box = Box(journal, ReconnectingDisplay(shown.open), preferences=preferences, signals=signals)
    assert box.situation.state == first_start(signals=("sound",), with_page=False)
    signals.close()


def test_a_box_with_a_game_but_no_preferences_continues_the_game(journal, shown, preferences):
    run(Box(journal, ReconnectingDisplay(shown.open), WAITING), dice(2, 3, 4, 5), watcher=FakeWatcher())
    box = Box(journal, ReconnectingDisplay(shown.open), preferences=preferences)
    assert isinstance(box.situation.state, Resume)


def test_preferences_are_on_disk_before_the_journal_and_the_screen(journal, shown, preferences):
    order = []
    record, save = journal.record, preferences.save
    journal.record = lambda *of: (order.append("journal"), record(*of))
    preferences.save = lambda *of: (order.append("preferences"), save(*of))
    shown.show = lambda _: order.append("screen")
    run(Box(journal, ReconnectingDisplay(shown.open), preferences=preferences), C, watcher=FakeWatcher())
    assert order[-3:] == ["preferences", "journal", "screen"]


def test_preferences_that_a_full_disk_rejects_apply_and_are_saved_later(journal, shown, preferences, monkeypatch):
    monkeypatch.setattr(box_module, "TICK_S", 0.01)
    box = Box(journal, ReconnectingDisplay(shown.open), WAITING, preferences)

    def full(*_):
        raise OSError(28, "no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(preferences, "save", full)
        run(box, *presses_in_box_menu("sound"), watcher=FakeWatcher())
    assert box.situation.preferences.sound is False
    assert not preferences.path.exists()
    loop = threading.Thread(target=box.run, args=(FakeWatcher(),))
    loop.start()
    until(preferences.path.exists, "the file")
    box.stop()
    loop.join(PATIENCE_S)
    assert preferences.load().sound is False


def test_the_self_check_uses_the_machine_and_the_camera(journal, shown):
    watcher, machine = FakeWatcher(), FakeMachine()
    box = Box(journal, ReconnectingDisplay(shown.open), WAITING, machine=machine)
    run(box, *presses_in_box_menu("check"), HOLD_C, watcher=watcher)
    run(box, watcher=watcher)
    assert (machine.asked, watcher.measured) == (["check"], [False])
    state = box.situation.state
    assert isinstance(state, Checking)
    assert {found.probe for found in state.findings} == {"buttons", "heat"}


def test_the_tray_is_learnt_by_the_camera(journal, shown):
    watcher = FakeWatcher()
    run(Box(journal, ReconnectingDisplay(shown.open), WAITING), *presses_in_box_menu("tray"), C, watcher=watcher)
    assert watcher.measured == [True]


def test_without_a_camera_a_look_at_the_tray_is_answered(journal, shown):
    box = Box(journal, ReconnectingDisplay(shown.open), WAITING)
    run(box, *presses_in_box_menu("tray"), C)
    run(box)
    state = box.situation.state
    assert isinstance(state, CalibratingTray)
    assert state.problem == "no camera"


def test_the_network_is_asked_for(journal, shown):
    box = Box(journal, ReconnectingDisplay(shown.open), WAITING, machine=FakeMachine())
    run(box, *presses_in_box_menu("network"), watcher=FakeWatcher())
    run(box, watcher=FakeWatcher())
    assert isinstance(box.situation.state, Network)
    assert box.situation.state.addresses == ("cantstop.local",)


@pytest.mark.parametrize("machine", [None, FakeMachine()])
def test_a_box_that_cannot_be_switched_off_says_so_and_keeps_the_game(journal, shown, machine, tmp_path):
    box = Box(journal, ReconnectingDisplay(shown.open), WAITING, machine=machine)
    run(box, *presses_in_box_menu("shut down"), HOLD_C, watcher=FakeWatcher())
    run(box, watcher=FakeWatcher())
    assert box.situation.state == SwitchingOff(Waiting(), failed=True)
    journal.close()
    with contextlib.closing(Journal(tmp_path / "journal.txt")) as reopened:
        assert reopened.situation().state == Resume(Waiting())
