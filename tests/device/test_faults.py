"""Faults of the table in issue order: kills, workers, hands that mash buttons, dice that come at a bad time."""

from __future__ import annotations

import threading
import time
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device import box as box_module
from device.box import Box
from device.camera import liveness, worker
from device.camera.watcher import Watcher
from device.referee.box_care import first_start
from device.referee.inputs import Button, Press, TraySeen, TrayView
from device.referee.states import Situation, WatchingTray, Welcome
from device.referee.transition_table import step
from tests.device.box_helpers import WAITING, fake_watcher, run
from tests.device.helpers import (
    HOLD_A,
    HOLD_B,
    HOLD_STOP,
    STOP,
    A,
    B,
    C,
    dice,
    likely_inputs,
    machine_answers,
    tray,
)
from tests.waiting import PATIENCE_S, until


@pytest.fixture
def box(box_with):
    return box_with(WAITING)


def run_one_by_one(box: Box, *events) -> None:
    """Let things happen, each with all that follows from it."""
    for event in events:
        run(box, event)
    run(box)


ROLL = dice(2, 3, 4, 5)
GONE = (TrayView.EMPTY, TrayView.HAND, TrayView.ROLLING, TrayView.NO_CAMERA)
COVERED = [
    # A roll during a menu, or the entry of dice, counts once that is left
    ((HOLD_STOP, ROLL, tray(TrayView.USED), STOP), (2, 3, 4, 5), 1),
    ((HOLD_A, ROLL, STOP), (2, 3, 4, 5), 1),
    # but not if the dice were removed meanwhile, nor if it was thrown during a choice, and only once
    *(((HOLD_STOP, ROLL, TraySeen(view, "missing" * (view is GONE[-1])), STOP), None, 0) for view in GONE),
    ((ROLL, dice(1, 1, 1, 1), B, C), None, 2),
    ((HOLD_STOP, ROLL, STOP, B, HOLD_STOP, STOP), None, 2),
]
"""Inputs at the beginning of a game, and the roll and the number of steps after them."""


@pytest.mark.parametrize(("events", "roll", "steps"), COVERED)
def test_a_roll_made_while_a_screen_covers_the_game_counts_once_if_the_dice_are_left_lying(box, events, roll, steps):
    run_one_by_one(box, *events)
    assert (box.situation.played.position.roll, len(box.situation.played.steps)) == (roll, steps)


def test_a_full_queue_does_not_prevent_the_loops_checks(box, monkeypatch):
    monkeypatch.setattr(box_module, "TICK_S", 0.01)
    watcher = fake_watcher()
    deadline = time.monotonic() + PATIENCE_S

    def beat(_: str) -> None:
        box.put(HOLD_B)  # does nothing, and there is always another one
        if watcher.tend.call_count >= 3 or time.monotonic() > deadline:
            box.stop()

    box.run(watcher, beat)
    assert watcher.tend.call_count >= 3


PRESSES = [Press(button, long) for button in Button for long in (False, True)]


def is_home(situation: Situation) -> bool:
    return type(situation.beneath).__name__ in ("Waiting", "Deciding", "GameOver", "Welcome", "Choosing", "Busting")


def way_home(situation: Situation) -> int | None:
    """Return the least number of presses that lead back to the game; None if none do."""
    seen = {repr(situation)}
    front = deque([(situation, 0)])
    while front and len(seen) < 3000:
        now, presses = front.popleft()
        if is_home(now):
            return presses
        for press in PRESSES:
            outcome = step(now, press)
            if outcome is not None and repr(outcome.situation) not in seen:
                seen.add(repr(outcome.situation))
                front.append((outcome.situation, presses + 1))
    return None


@settings(max_examples=60, deadline=None)
@given(
    start=st.sampled_from([Situation(Welcome()), WAITING, Situation(first_start(signals=("light", "sound")))]),
    events=st.lists(st.one_of(likely_inputs, machine_answers), max_size=25),
)
def test_a_few_presses_lead_back_to_the_game_from_anywhere(start, events):
    now = start
    for event in events:
        outcome = step(now, event)
        now = outcome.situation if outcome is not None else now
    presses = way_home(now)
    assert presses is not None, now.state
    assert presses <= 16, f"{presses} presses from {now.state}"


def test_a_hung_worker_is_replaced_in_less_than_five_seconds():
    assert worker.STEP_S + box_module.TICK_S < 5.0
    assert liveness.FRAME_TIMEOUT_S < worker.STEP_S, "a camera that says it has no frame is no hang"


def test_a_box_whose_watcher_dies_says_so_and_accepts_dice_by_hand(box):
    def dies():
        raise SystemExit

    watcher = Watcher(dies, box.put)
    watcher.start()
    loop = threading.Thread(target=box.run, args=(watcher,))
    loop.start()
    until(lambda: isinstance(box.situation.state, WatchingTray), "the tray")
    assert box.situation.state.seen.view is TrayView.NO_CAMERA
    for press in (HOLD_A, A, A, A, A, C):
        box.put(press)
    box.stop()
    loop.join(PATIENCE_S)
    watcher.close()
    assert box.situation.played.position.roll == (1, 1, 1, 1)
