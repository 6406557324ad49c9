"""STOP while dice are in the tray: a roll belongs to the player who rolled it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.referee.box_states import TrialThrow
from device.referee.inputs import Button, CameraTrouble, Input, Press, TraySeen, TrayView
from device.referee.referee import Referee
from device.referee.states import Deciding, Situation, Stopped, Telling, Welcome
from engine import Rolled
from tests.device.helpers import HOLD_A, STOP, A, B, C, dice, rolls, tray, two_players

LYING = (TrayView.HAND, TrayView.ROLLING, TrayView.UNREADABLE)


class Table:
    """A game of two in which the first player may roll again or stop."""

    def __init__(self, *events: Input) -> None:
        self.referee = Referee()
        self.now = two_players().now
        self.take(dice(2, 3, 4, 5), B, *events)

    def take(self, *events: Input) -> Table:
        for event in events:
            outcome = self.referee.take(self.now, event)
            self.now = outcome.situation if outcome is not None else self.now
        return self


presses = st.builds(Press, st.sampled_from(Button))
views = st.builds(tray, st.sampled_from(LYING), st.just("cocked"), st.just(4))


@given(st.booleans(), st.lists(st.one_of(presses, views), max_size=6), rolls)
def test_a_roll_counts_for_the_player_who_rolled_it_whatever_is_pressed_before_it_is_read(is_told, events, roll):
    table = Table(*([] if is_told else [C]))
    roller, steps = table.now.played.position.turn, len(table.now.played.steps)
    table.take(tray(TrayView.ROLLING), *events, dice(*roll))
    game = table.now.played
    assert game.steps[steps:] == (Rolled(roll),)
    assert game.positions[steps].turn == roller


@pytest.mark.parametrize("state", [Telling, Deciding])
@pytest.mark.parametrize(
    "end",
    [tray(TrayView.USED), tray(TrayView.EMPTY), TraySeen(TrayView.NO_CAMERA, CameraTrouble.SILENT)],
    ids=["the old dice", "no dice", "no camera"],
)
def test_stop_is_accepted_again_once_no_roll_can_lie_in_the_tray(state, end):
    table = Table(*([C] if state is Deciding else [])).take(tray(TrayView.ROLLING), STOP)
    assert isinstance(table.now.beneath, state)
    assert isinstance(table.take(end, STOP).now.beneath, Stopped)


@pytest.mark.parametrize("view", [TrayView.HAND, TrayView.UNREADABLE, TrayView.MISSED, TrayView.MOVED])
def test_stop_is_accepted_while_the_tray_holds_something_that_was_not_rolled(view):
    table = Table(C, TraySeen(view, "cocked", 4, (1, 1, 1, 2)))
    assert isinstance(table.take(STOP).now.beneath, Stopped)


def test_dice_that_cannot_be_read_and_were_entered_by_hand_do_not_prevent_a_stop():
    table = Table(C, tray(TrayView.ROLLING), tray(TrayView.UNREADABLE, "cocked", 4), HOLD_A, B, B, C, C, C)
    table.take(B, C)
    assert isinstance(table.now.beneath, Deciding)
    assert isinstance(table.take(STOP).now.beneath, Stopped)


def test_stop_leaves_a_test_roll_whatever_the_tray_shows():
    table = Table()
    table.now = Situation(TrialThrow(Welcome()))
    assert table.take(tray(TrayView.ROLLING), STOP).now.state == Welcome()


def test_pressing_stop_while_dice_roll_changes_nothing():
    table = Table(C, tray(TrayView.ROLLING))
    before = table.now
    assert table.take(STOP).now == before
    assert table.take(A).now == before
