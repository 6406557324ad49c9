"""The odds on the screens: correct, and shown only if the players want them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.referee.preferences import Preferences
from device.referee.states import Busted, Deciding, Situation, Stopped, Waiting
from device.screens.views import screen
from device.screens.widgets import percent
from engine import Play, Rolled
from engine.odds import bust_chance, loss_chance
from tests.device.helpers import STOP, C, Story, dice, game_at


def story(position: str, odds: str, steps=()) -> Story:
    game = game_at(position)
    for step in steps:
        game = game.do(step)
    return Story(Situation(Deciding(), game, 1, Preferences(odds=odds)))


SIX_SEVEN_EIGHT = "3 -/- 1 6:1,7:1,8:1 -"


def test_the_deciding_screen_shows_the_chance_of_a_bust_and_the_stake():
    shown = screen(story("3 6:10/- 1 6:11,7:1,8:1 -", "on").now)
    # The 6 is topped: a 7 or an 8 must come.
    safe = sum(any(a + b in (7, 8) for a, b in combinations(roll, 2)) for roll in product(range(1, 7), repeat=4))
    assert [line.text for line in shown.lines] == [f"Bust: {100 - round(100 * safe / 1296)}%", "Could lose 3"]
    assert shown.text == ("Roll or STOP?",)
    assert screen(story(SIX_SEVEN_EIGHT, "on").now).lines[0].text == "Bust: 8%"
    assert screen(story("3 7:13,8:11/- 1 12:3 -", "on").now).lines[0].text == "STOP wins!"


@pytest.mark.parametrize("odds", ["off", "after"])
def test_without_odds_the_deciding_screen_is_unchanged(odds):
    assert screen(story(SIX_SEVEN_EIGHT, odds).now).lines[0].text == "Roll or STOP?"


def test_if_no_stop_is_allowed_the_chance_of_a_bust_before_it_is_shown():
    forced = story("3+no-stop -/8:2 1 6:1,7:1,8:2 -", "on").now
    shown = screen(forced)
    chance = 1 - loss_chance(forced.played.position)
    assert chance < 1 - bust_chance(forced.played.position)
    assert shown.lines[0].text == f"Bust first: {100 - round(100 * chance)}%"
    assert "On another's marker" in shown.text


def told(now: Story) -> list[str]:
    """All lines of all pages after a stop."""
    lines = []
    while isinstance(now.state, Stopped):
        shown = screen(now.now)
        lines += [*shown.text, *(line.text for line in shown.lines if line.text)]
        now.do(C)
    return lines


TURN = (Rolled((2, 4, 3, 5)), Play((7, 7), (7, 7)), Rolled((2, 4, 2, 6)), Play((6, 8), (6, 8)))


@pytest.mark.parametrize("odds", ["on", "after"])
def test_after_a_stop_the_risk_taken_and_that_of_one_more_roll_are_shown(odds):
    steps = (*TURN, Rolled((2, 4, 3, 5)), Play((7, 7), (7, 7)))
    lines = told(story("3 -/- 1 - -", odds, steps).do(STOP))
    # The first roll is no choice; the second came with a free runner and the whole board; the third on 6, 7 and 8.
    assert lines[-3:] == ["Risk taken: 8%", "One more: 8% bust", "Done"]


def test_without_odds_a_stop_shows_only_the_board():
    now = story("3 -/- 1 - -", "off", TURN).do(STOP)
    assert told(now) == ["6 to 1, 7 to 2", "8 to 1", "Remove runners"]
    assert now.state == Waiting()


def test_after_a_bust_its_chance_and_cost_are_shown_but_not_on_the_first_roll():
    now = story(SIX_SEVEN_EIGHT, "after").do(dice(1, 1, 1, 1), C)
    assert now.state == Busted()
    assert screen(now.now).lines[1].text == "8% to lose 3"
    now = story("3 6:11,7:13/8:11 1 - -", "after")
    now.now = replace(now.now, state=Waiting())
    now.do(dice(3, 3, 3, 4))
    assert now.do(C).state == Busted()
    assert screen(now.now).lines[1].text == "Next: orange"


@given(st.floats(0, 1))
def test_only_never_is_called_0_and_only_always_100(chance):
    shown = percent(chance)
    assert (shown == "0") == (chance == 0)
    assert (shown == "100") == (chance == 1)
    assert (shown in ("<1", ">99")) == (chance not in (0, 1) and (chance <= 0.005 or chance >= 0.995))
    assert shown in ("<1", ">99") or abs(int(shown) - 100 * chance) <= 0.5
