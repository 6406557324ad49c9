"""The table of those who played alone: the fewest turns to three columns. Who keeps the games is asked for it."""

from __future__ import annotations

from dataclasses import replace

from device.referee import setup
from device.referee.inputs import FewestKnown, Press
from device.referee.outcome import Effect, Outcome
from device.referee.playing import LINES
from device.referee.seat_states import FewestTurns
from device.referee.states import GameOver, Situation, leave

BEST = 10
"""How many games the table has; the one just played stands below them if it is none of these."""


def open_fewest(situation: Situation, *_: object) -> Outcome:
    """Open the table, and ask for what stands in it."""
    return Outcome(replace(situation, state=FewestTurns(situation.state)), (Effect.ASK_FEWEST,))


def fewest_known(situation: Situation, state: FewestTurns, known: FewestKnown) -> Situation:
    """Fill the table, and show where the game just played stands."""
    mine = just_played(situation, state)
    games = tuple(one for one in known.games if one.place <= BEST or one.number == mine)
    page = next((nth // LINES for nth, one in enumerate(games) if one.number == mine), 0)
    return replace(situation, state=replace(state, games=games, page=page, is_readable=known.is_readable))


def just_played(situation: Situation, state: FewestTurns) -> int:
    """Return the number of the game at whose end the table is shown; 0 where it is opened from a menu."""
    return situation.number if isinstance(state.before, GameOver) else 0


def turn_page(situation: Situation, state: FewestTurns, press: Press) -> Situation | None:
    """Turn to the page after or before, round and round."""
    pages = -(-len(state.games or ()) // LINES)
    return replace(situation, state=replace(state, page=(state.page + press.direction) % pages)) if pages > 1 else None


def go_on(situation: Situation, state: FewestTurns, *_: object) -> Situation:
    """Leave the table: after a game for the next one, else for the menu."""
    left = leave(situation, state)
    return setup.new_game(left) if isinstance(left.state, GameOver) else left


def after_game(situation: Situation, *_: object) -> Situation | Outcome:
    """Go on after a game: whoever played alone sees the table first."""
    is_alone = len(situation.played.names) == 1
    return open_fewest(situation) if is_alone else setup.new_game(situation)
