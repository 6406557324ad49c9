"""STOP while something moves in the tray: a roll belongs to the player who rolled it, and no STOP is lost."""

from __future__ import annotations

import queue
import threading
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.simulated import SimulatedTray
from device.camera.worker import Worker, WorkerRequests
from device.referee.inputs import Button, CameraTrouble, DiceRead, Input, Press, TraySeen, TrayStill, TrayView
from device.referee.referee import Referee
from device.referee.states import Deciding, Resume, Situation, Stopped, StopPending, TrialThrow, Welcome
from device.storage.journal import Journal
from engine import Game, Rolled, Stop
from tests.device.camera_helpers import Inbox, WholeCamera
from tests.device.helpers import STOP, A, B, C, dice, rolls, tray, two_players
from tests.waiting import PATIENCE_S
from vision.types import Frame

MOVING = (TrayView.HAND, TrayView.ROLLING)
STILL = tuple(view for view in TrayView if view not in (*MOVING, TrayView.NO_CAMERA))


class Table:
    """A game of two in which the first player may roll again or stop. What the referee wants next happens next.

    At first, the dice have lain in the tray for more than a second.
    """

    def __init__(self, *events: Input) -> None:
        self.referee = Referee()
        self.now = two_players().now
        self.take(dice(2, 3, 4, 5), tray(TrayView.USED), TrayStill(), B, *events)

    def take(self, *events: Input) -> Table:
        for event in events:
            outcome = self.referee.take(self.now, event)
            if outcome is not None:
                self.now = outcome.situation
                self.take(*filter(None, [outcome.then]))
        return self


presses = st.builds(Press, st.sampled_from(Button))
moving = st.builds(tray, st.sampled_from(MOVING))
still = st.one_of(
    st.builds(TraySeen, st.sampled_from(STILL), st.just("cocked"), st.just(4), rolls),
    st.builds(TraySeen, st.just(TrayView.NO_CAMERA), st.sampled_from(CameraTrouble)),
)


@given(st.booleans(), moving, st.lists(st.one_of(presses, moving), max_size=6), rolls)
def test_a_roll_counts_for_the_player_who_rolled_it_whatever_is_pressed_before_it_is_read(is_told, began, events, roll):
    table = Table(*([] if is_told else [C]))
    roller, steps = table.now.played.position.turn, len(table.now.played.steps)
    table.take(began, *events, dice(*roll))
    game = table.now.played
    assert game.steps[steps:] == (Rolled(roll),)
    assert game.positions[steps].turn == roller


looks = st.one_of(moving, still.filter(lambda seen: seen.view is not TrayView.NO_CAMERA), st.just(TrayStill()))


@given(
    st.booleans(),
    moving,
    st.lists(st.one_of(presses, looks), max_size=6),
    st.sampled_from([TrayStill(asked=True), TraySeen(TrayView.NO_CAMERA, CameraTrouble.HANGS)]),
)
def test_a_stop_happens_once_nothing_has_moved_since_for_a_second_and_nothing_was_rolled(is_told, began, events, end):
    table = Table(*([] if is_told else [C])).take(began, STOP)
    steps = table.now.played.steps
    assert isinstance(table.now.state, StopPending)
    table.take(*events)
    assert isinstance(table.now.state, StopPending)
    assert table.now.played.steps == steps, "it waits"
    table.take(end)
    assert isinstance(table.now.beneath, Stopped)
    assert table.now.played.steps == (*steps, Stop())


def test_the_dice_that_were_read_already_are_no_new_roll_even_if_they_are_read_again():
    table = Table(C, tray(TrayView.ROLLING), STOP, DiceRead((2, 3, 4, 5), asked=True))
    assert isinstance(table.now.state, StopPending)
    assert isinstance(table.take(tray(TrayView.USED), TrayStill(asked=True)).now.state, Stopped)


def test_a_stop_does_not_wait_without_a_camera_or_while_the_dice_have_lain_still_for_a_second():
    for view in (view for view in STILL if view is not TrayView.EMPTY):
        table = Table(C, TraySeen(view, "cocked", 4, (1, 1, 1, 2)))
        assert isinstance(table.take(STOP).now.beneath, Stopped)
    table = Table(C, tray(TrayView.HAND), TraySeen(TrayView.NO_CAMERA, CameraTrouble.MISSING))
    assert isinstance(table.take(STOP).now.beneath, Stopped)


@pytest.mark.parametrize("events", [[tray(TrayView.EMPTY)], [tray(TrayView.ROLLING), tray(TrayView.USED)]])
def test_a_stop_waits_while_the_dice_are_away_or_have_lain_for_less_than_a_second(events):
    table = Table(C, *events, STOP)
    assert isinstance(table.now.state, StopPending)
    assert isinstance(table.take(TrayStill(asked=True)).now.beneath, Stopped)


class SteppedCamera(WholeCamera):
    """A camera that shows the next frame only when the test asks for it."""

    def __init__(self, frames: list[tuple[float, Frame]]) -> None:
        self.frames = iter(frames)
        self.wanted: queue.Queue[bool] = queue.Queue()
        self.asks = threading.Semaphore(0)

    def frame(self, timeout_s: float) -> tuple[float, Frame]:
        self.asks.release()  # all that the frame before led to has been put
        self.wanted.get()
        return next(self.frames)


def frames_of(world: SimulatedTray, count: int) -> list[tuple[float, Frame]]:
    return [world.frame(1.0) for _ in range(count)]


@pytest.fixture(scope="module", params=["from the tray", "from a hand"])
def roll(request) -> tuple[list[tuple[float, Frame]], float]:
    """The frames of a roll with the dice of the last one, or with dice long in a hand; when they leave the hand."""
    world = SimulatedTray(7, hurried=True)
    if request.param == "from the tray":
        world.throw(4, (2, 3, 4, 5))
        frames_of(world, 30)
    frames = frames_of(world, 30)
    begins_s = world.time_s
    world.throw(4, (1, 3, 5, 6))
    frames += frames_of(world, 30)
    assert world._throw is not None
    return frames, begins_s + min(path.starts_s for path in world._throw.paths)


def watched(table: Table, frames: list[tuple[float, Frame]], press_s: float) -> Game:
    """Return the game after the frames, with STOP pressed at a time."""
    inbox, camera = Inbox(), SteppedCamera(frames)
    orders = WorkerRequests(lambda: camera, inbox.put)
    worker = Worker(orders)
    is_pressed = False
    for time_s, _ in frames:
        assert camera.asks.acquire(timeout=PATIENCE_S)
        while not inbox.inputs.empty():
            table.take(inbox.inputs.get())
        if time_s >= press_s and not is_pressed:
            is_pressed = True
            table.take(STOP)
            if isinstance(table.now.state, StopPending):
                orders.is_still_asked.set()
        camera.wanted.put(True)
    worker.let_go()
    camera.wanted.put(True)
    return table.now.played


@pytest.mark.parametrize("after_s", [-0.1, 0.1, 0.5, 0.9])
def test_a_roll_counts_for_its_player_whenever_stop_is_pressed_after_the_dice_left_the_hand(roll, after_s):
    frames, released_s = roll
    game = watched(Table(C), frames, released_s + after_s)
    assert game.steps[-1] == Rolled((1, 3, 5, 6))
    assert game.position.turn == 0


def test_a_stop_with_the_dice_in_a_hand_ends_the_turn_within_two_seconds_if_nobody_rolls():
    game = watched(Table(C), frames_of(SimulatedTray(7, hurried=True), 45), 1.0)
    assert game.steps[-1] == Stop()


def test_stop_leaves_a_test_roll_whatever_the_tray_shows():
    table = Table()
    table.now = Situation(TrialThrow(Welcome()))
    assert table.take(tray(TrayView.ROLLING), STOP).now.state == Welcome()


def test_a_stop_that_the_rules_forbid_does_not_wait_either():
    table = Table()
    table.take(STOP, C, C)  # the next player has not rolled yet
    before = table.take(tray(TrayView.ROLLING)).now
    assert table.take(STOP, A).now == before


def test_a_power_cut_loses_a_stop_that_waits_and_nothing_else(tmp_path):
    table = Table(C)
    with closing(Journal(tmp_path / "journal.db")) as journal:
        journal.record(C, table.now)
        game = table.now.game
        journal.record(STOP, table.take(tray(TrayView.ROLLING), STOP).now)
    with closing(Journal(tmp_path / "journal.db")) as journal:
        assert journal.situation() == Situation(Resume(Deciding()), game, 1)
