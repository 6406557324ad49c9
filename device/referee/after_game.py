"""After a game: its story, and the solo table of the games with the fewest turns."""

from __future__ import annotations

from dataclasses import replace

from device.referee import setup, states
from device.referee.inputs import FewestKnown, StoryKnown
from device.referee.outcome import Effect, Outcome
from device.referee.playing import LINES
from device.referee.states import Situation, leave

BEST = 10
"""The number of games in the solo table; the game just played is listed below if it is not among them."""


def open_fewest(situation: Situation, *_: object) -> Outcome:
    """Open the solo table: the games with the fewest turns."""
    return Outcome(replace(situation, state=states.FewestTurns(situation.state)), (Effect.ASK_FEWEST,))


def fewest_known(situation: Situation, state: states.FewestTurns, known: FewestKnown) -> Situation:
    """Fill the table, with the place of the game just played."""
    mine = just_played(situation, state)
    games = tuple(one for one in known.games if one.place <= BEST or one.number == mine)
    page = next((nth // LINES for nth, one in enumerate(games) if one.number == mine), 0)
    return replace(situation, state=replace(state, games=games, page=page, is_readable=known.is_readable))


def just_played(situation: Situation, state: states.FewestTurns) -> int:
    """Return the number of the game that has just ended; 0 if the table was opened from a menu."""
    return situation.number if isinstance(state.before, states.GameOver) else 0


def close_fewest(situation: Situation, state: states.FewestTurns, *_: object) -> Situation:
    """Close the table: continue with the next game, or return to the menu."""
    left = leave(situation, state)
    return setup.new_game(left) if isinstance(left.state, states.GameOver) else left


def after_game(situation: Situation, *_: object) -> Situation | Outcome:
    """Continue after a game; after a solo game the table comes first."""
    is_alone = len(situation.played.names) == 1
    return open_fewest(situation) if is_alone else setup.new_game(situation)


def open_story(situation: Situation, *_: object) -> Outcome | None:
    """Open the story of the game; a solo game has none, but the table."""
    if len(situation.played.names) == 1:
        return None
    return Outcome(replace(situation, state=states.GameStory(situation.state)), (Effect.ASK_STORY,))


def story_known(situation: Situation, state: states.GameStory, known: StoryKnown) -> Situation:
    """Show the story."""
    return replace(situation, state=replace(state, moments=known.moments))
