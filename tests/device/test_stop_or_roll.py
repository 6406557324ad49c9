"""STOP while something moves in the tray: a roll belongs to the player who rolled it, and no STOP is lost."""

from __future__ import annotations

from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.referee.box_states import TrialThrow
from device.referee.inputs import Button, CameraTrouble, DiceRead, Input, Press, TraySeen, TrayView
from device.referee.referee import Referee
from device.referee.states import Deciding, Resume, Situation, Stopped, StopPending, Telling, Welcome
from device.screens.button_labels import labels
from device.screens.views import screen
from device.storage.journal import Journal
from engine import Rolled, Stop
from tests.device.helpers import STOP, A, B, C, dice, rolls, tray, two_players

MOVING = (TrayView.HAND, TrayView.ROLLING)
STILL = tuple(view for view in TrayView if view not in (*MOVING, TrayView.NO_CAMERA))


class Table:
    """A game of two in which the first player may roll again or stop. What the referee wants next happens next."""

    def __init__(self, *events: Input) -> None:
        self.referee = Referee()
        self.now = two_players().now
        self.take(dice(2, 3, 4, 5), B, *events)

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


@given(st.booleans(), moving, st.lists(st.one_of(presses, moving), max_size=6), still)
def test_a_stop_happens_once_nothing_moves_and_nothing_was_rolled(is_told, began, events, end):
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
    assert isinstance(table.take(tray(TrayView.USED)).now.state, Stopped)


@pytest.mark.parametrize("view", STILL)
def test_a_stop_does_not_wait_while_nothing_moves(view):
    table = Table(C, TraySeen(view, "cocked", 4, (1, 1, 1, 2)))
    assert isinstance(table.take(STOP).now.beneath, Stopped)


@pytest.mark.parametrize("state", [Telling, Deciding])
def test_a_stop_that_waits_is_shown_and_offers_no_button(state):
    table = Table(*([C] if state is Deciding else [])).take(tray(TrayView.HAND), STOP)
    assert table.now.state == StopPending(state())
    shown = screen(table.now)
    assert (shown.title, shown.lines[0].text) == ("Yellow", "STOP noted")
    assert labels(table.now) == {}


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
