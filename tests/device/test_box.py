"""The loop: the path of an input from the queue to the screen."""

from __future__ import annotations

import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PIL import Image

from device import box as box_module
from device.box import Box
from device.hardware.display import RETRY_S, Brightness, ReconnectingDisplay
from device.referee.inputs import Button, EarlyStop, TraySeen, TrayView
from device.referee.states import Choosing, Deciding, NewGame, Resume, Stopped, Waiting, WatchingTray
from device.screens.draw import draw
from device.screens.screen import Line
from device.screens.views import screen
from device.storage.journal import JournalError
from tests.device.box_helpers import WAITING, FakeWatcher, run
from tests.device.helpers import HOLD_A, HOLD_STOP, STOP, A, B, C, dice, tray
from tests.waiting import PATIENCE_S, until


@pytest.fixture
def box(journal, shown):
    return Box(journal, ReconnectingDisplay(shown.open), WAITING)


def test_inputs_are_handled_in_order_and_the_last_screen_is_shown(box, shown):
    run(box, dice(2, 3, 4, 5), B, C, watcher=FakeWatcher())
    assert box.situation.state == Deciding()
    assert shown.pictures[-1] == draw(screen(box.situation)).tobytes()


def test_an_accepted_input_is_on_disk_before_the_screen_shows_it(box, journal, shown):
    order = []
    record, show = journal.record, shown.show
    journal.record = lambda *of: (order.append("disk"), record(*of))
    shown.show = lambda image: (order.append("screen"), show(image))
    run(box, dice(2, 3, 4, 5), B, watcher=FakeWatcher())
    assert order == ["screen", "disk", "screen", "disk", "screen"]


def test_a_rejected_input_is_neither_recorded_nor_shown(box, journal):
    journal.record = pytest.fail
    run(box, C, STOP, A, dice(1, 2, 3), watcher=FakeWatcher())
    assert box.situation == WAITING


def test_the_trays_contents_are_shown_and_not_recorded(box, journal):
    journal.record = pytest.fail
    run(box, tray(TrayView.HAND), tray(TrayView.ROLLING), watcher=FakeWatcher())
    assert isinstance(box.situation.state, WatchingTray)


def test_a_tray_seen_during_a_choice_is_shown_when_dice_are_awaited_again(box):
    run(box, dice(2, 3, 4, 5), tray(TrayView.HAND), B, watcher=FakeWatcher())
    assert isinstance(box.situation.state, WatchingTray)
    assert box.situation.state.seen.view is TrayView.HAND


def test_a_moved_camera_is_reported_until_c_confirms_that_the_tray_was_checked(box):
    watcher = FakeWatcher()
    run(box, tray(TrayView.MOVED), watcher=watcher)
    assert screen(box.situation).lines[0].text == "Camera moved"
    assert watcher.checked == 0
    run(box, C, watcher=watcher)
    assert box.situation == WAITING
    assert watcher.checked == 1


def test_the_watcher_is_set_to_the_number_of_dice_to_look_for(journal, shown):
    watcher = FakeWatcher()
    run(Box(journal, ReconnectingDisplay(shown.open), WAITING), dice(2, 3, 4, 5), watcher=watcher)
    assert watcher.wanted == [4, 0]


def test_b_asks_the_watcher_to_read_again(box):
    watcher = FakeWatcher()
    run(box, B, watcher=watcher)
    assert watcher.asked == 0, "no dice have moved"
    run(box, TraySeen(TrayView.MISSED, values=(1, 3, 5, 6)), B, watcher=watcher)
    assert watcher.asked == 1
    assert box.situation == WAITING


def test_without_a_camera_the_screen_says_how_to_go_on(box):
    run(box)
    assert screen(box.situation).text == ("No camera in use", "Type 1 to 6")
    assert screen(box.situation).lines[0] == Line("Enter dice", button="A")


def test_the_game_continues_with_a_full_disk_and_the_screen_says_so(box, journal, shown, monkeypatch):

    def full(*_):
        raise JournalError("disk full")

    monkeypatch.setattr(journal, "record", full)
    run(box, dice(2, 3, 4, 5), B, watcher=FakeWatcher())
    assert len(box.situation.played.steps) == 2
    plain = draw(screen(box.situation)).tobytes()
    assert shown.pictures[-1] != plain
    monkeypatch.undo()
    run(box, C, watcher=FakeWatcher())
    assert shown.pictures[-1] == draw(screen(box.situation)).tobytes()
    assert journal.game(1) == box.situation.game


def test_a_reconnected_display_shows_the_latest_screen(journal, shown):
    now = [0.0]
    display = ReconnectingDisplay(shown.open, clock=lambda: now[0])
    box = Box(journal, display, WAITING)
    run(box, dice(2, 3, 4, 5), watcher=FakeWatcher())
    shown.unplugged = True
    run(box, B, watcher=FakeWatcher())
    assert len(box.situation.played.steps) == 2
    assert "does not answer" in display.trouble
    shown.unplugged = False
    run(box, C, watcher=FakeWatcher())
    assert display.trouble, "it is not tried again at once"
    now[0] += RETRY_S
    run(box, watcher=FakeWatcher())
    assert display.trouble == ""
    assert shown.pictures[-1] == draw(screen(box.situation)).tobytes()


def test_the_watcher_is_supervised_while_nothing_else_happens(box, monkeypatch):
    monkeypatch.setattr(box_module, "TICK_S", 0.01)
    watcher = FakeWatcher()
    beats = []
    loop = threading.Thread(target=box.run, args=(watcher, beats.append))
    loop.start()
    until(lambda: watcher.tended >= 3 and len(beats) >= 3, "three rounds")
    box.stop()
    loop.join(PATIENCE_S)
    assert set(beats) == {""}


def test_a_box_resumes_the_game_in_the_journal(box, journal, shown):
    run(box, dice(2, 3, 4, 5), watcher=FakeWatcher())
    again = Box(journal, ReconnectingDisplay(shown.open))
    run(again, C, watcher=FakeWatcher())
    assert isinstance(again.situation.state, Choosing)
    assert again.situation.game == box.situation.game


def test_the_first_game_of_a_new_box_begins_with_c(journal, shown):
    box = Box(journal, ReconnectingDisplay(shown.open))
    run(box, TraySeen(TrayView.EMPTY), C, watcher=FakeWatcher())
    assert isinstance(box.situation.state, NewGame)


def dark(shown, journal, **parts):
    """A box whose screen is dark after an hour without input."""
    now = [0.0]
    display = ReconnectingDisplay(shown.open, clock=lambda: now[0])
    box = Box(journal, display, WAITING, **parts)
    display.show(Image.new("1", (128, 64)))
    now[0] = 3600.0
    display.show(Image.new("1", (128, 64)))
    shown.pictures.clear()
    return box


def test_the_first_press_on_a_dark_screen_only_lights_it_and_the_second_one_counts(journal, shown):
    box = dark(shown, journal)
    box.put(HOLD_STOP)
    box.stop()
    box.run(FakeWatcher())
    assert box.situation == WAITING
    assert shown.lights == [Brightness.DARK, Brightness.BRIGHT]
    assert shown.pictures[-1] == draw(screen(WAITING)).tobytes()
    run(box, HOLD_STOP, watcher=FakeWatcher())
    assert box.situation != WAITING


def test_a_roll_counts_and_lights_a_dark_screen(journal, shown):
    box = dark(shown, journal)
    run(box, dice(2, 3, 4, 5), watcher=FakeWatcher())
    assert isinstance(box.situation.state, Choosing)
    assert shown.lights == [Brightness.DARK, Brightness.BRIGHT]


@pytest.mark.parametrize(("view", "lights"), [(TrayView.HAND, True), (TrayView.ROLLING, True), (TrayView.EMPTY, False)])
def test_a_hand_over_the_tray_lights_a_dark_screen_and_a_resting_tray_does_not(journal, shown, view, lights):
    run(dark(shown, journal), tray(view), watcher=FakeWatcher())
    assert (Brightness.BRIGHT in shown.lights) == lights


def test_a_stuck_button_is_reported_on_the_screen_and_the_others_keep_working(journal, shown):
    box = Box(journal, ReconnectingDisplay(shown.open), WAITING, stuck=lambda: [Button.B])
    run(box, dice(2, 3, 4, 5), watcher=FakeWatcher())
    assert isinstance(box.situation.state, Choosing)
    told = replace(screen(box.situation), title="Button B is stuck", dice=())
    assert shown.pictures[-1] == draw(told).tobytes()


class FakeSignals:
    """A listener that stores what it receives."""

    def __init__(self) -> None:
        self.heard = []
        self.calls = 0
        self.preferences = []

    def happened(self, before, event, after) -> None:
        self.heard.append((type(before.state), event, type(after.state)))

    def follow(self, preferences) -> None:
        self.preferences.append(preferences)

    def call_for_help(self) -> None:
        self.calls += 1


def test_accepted_inputs_are_passed_to_the_signals(journal, shown):
    signals = FakeSignals()
    box = Box(journal, ReconnectingDisplay(shown.open), WAITING, signals=signals)
    run(box, dice(2, 3), dice(2, 3, 4, 5), watcher=FakeWatcher())
    assert signals.heard == [(Waiting, dice(2, 3, 4, 5), Choosing)]
    assert signals.preferences == [WAITING.preferences]


def test_a_lost_display_causes_one_call_for_help(journal, shown):
    signals = FakeSignals()
    box = Box(journal, ReconnectingDisplay(shown.open), WAITING, signals=signals)
    shown.unplugged = True
    run(box, dice(2, 3, 4, 5), B, C, watcher=FakeWatcher())
    assert signals.calls == 1


@pytest.mark.parametrize(("waits_s", "ends"), [(0.0, False), (0.59, False), (0.61, True)])
def test_a_stop_that_was_meant_to_leave_the_entry_of_dice_does_not_end_the_turn(box, monkeypatch, waits_s, ends):
    clock = SimpleNamespace(now=100.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(box_module, "time", clock)
    run(box, dice(2, 3, 4, 5), B, C, HOLD_A, STOP, watcher=FakeWatcher())
    assert box.situation.state == Deciding()
    clock.now += waits_s
    run(box, STOP, watcher=FakeWatcher())
    assert (box.situation.state == Stopped()) == ends


def test_a_second_press_of_stop_that_was_queued_while_the_first_one_left_a_menu_does_not_end_the_turn(box):
    run(box, dice(2, 3, 4, 5), B, C, HOLD_STOP, STOP, STOP, watcher=FakeWatcher())
    assert box.situation.state == Deciding()


def test_stop_may_follow_at_once_on_the_screen_after_the_moves(box, monkeypatch):
    clock = SimpleNamespace(now=100.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(box_module, "time", clock)
    run(box, dice(2, 3, 4, 5), B, watcher=FakeWatcher())
    clock.now += 1.0
    run(box, C, STOP, watcher=FakeWatcher())
    assert box.situation.state == Stopped()


def test_a_stop_that_waits_asks_the_watcher_and_is_recorded_once_the_camera_is_lost(box, journal):
    watcher = FakeWatcher()
    run(box, dice(2, 3, 4, 5), B, C, watcher=watcher)
    box.put(tray(TrayView.EMPTY))
    run(box, EarlyStop(), watcher=watcher)
    assert watcher.awaited == 1
    run(box, TraySeen(TrayView.NO_CAMERA, "hangs"), watcher=watcher)
    assert box.situation.state == Stopped()
    assert journal.situation() == replace(box.situation, state=Resume(Stopped()))
