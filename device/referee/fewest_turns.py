"""The solo table: the games with the fewest turns to three columns. The journal's owner is asked for it."""

from __future__ import annotations

from dataclasses import replace

from device.referee import setup
from device.referee.inputs import FewestKnown, Press
from device.referee.outcome import Effect, Outcome
from device.referee.playing import LINES
from device.referee.states import FewestTurns, GameOver, Situation, leave, turned

BEST = 10
"""The number of games in the table; the game just played is listed below if it is not among them."""


def open_fewest(situation: Situation, *_: object) -> Outcome:
    """Open the table and request its contents."""
    return Outcome(replace(situation, state=FewestTurns(situation.state)), (Effect.ASK_FEWEST,))


def fewest_known(situation: Situation, state: FewestTurns, known: FewestKnown) -> Situation:
    """Fill the table, with the place of the game just played."""
    mine = just_played(situation, state)
    games = tuple(one for one in known.games if one.place <= BEST or one.number == mine)
    page = next((nth // LINES for nth, one in enumerate(games) if one.number == mine), 0)
    return replace(situation, state=replace(state, games=games, page=page, is_readable=known.is_readable))


def just_played(situation: Situation, state: FewestTurns) -> int:
    """Return the number of the game that has just ended; 0 if the table was opened from a menu."""
    return situation.number if isinstance(state.before, GameOver) else 0


def turn_page(situation: Situation, state: FewestTurns, press: Press) -> Situation | None:
    """Turn to another page of the table."""
    return turned(situation, state, press, -(-len(state.games or ()) // LINES))


def go_on(situation: Situation, state: FewestTurns, *_: object) -> Situation:
    """Close the table: continue with the next game, or return to the menu."""
    left = leave(situation, state)
    return setup.new_game(left) if isinstance(left.state, GameOver) else left


def after_game(situation: Situation, *_: object) -> Situation | Outcome:
    """Continue after a game; after a solo game the table comes first."""
    is_alone = len(situation.played.names) == 1
    return open_fewest(situation) if is_alone else setup.new_game(situation)
