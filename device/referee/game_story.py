"""The story of a game that is over, page by page: its luckiest roll, its boldest decision, its turning point."""

from __future__ import annotations

from dataclasses import replace

from device.referee.inputs import Press, StoryKnown
from device.referee.states import GameStory, Situation, turned


def open_story(situation: Situation, *_: object) -> Situation | None:
    """Open the story; a solo game has none, but the table of the fewest turns."""
    is_alone = len(situation.played.names) == 1
    return None if is_alone else replace(situation, state=GameStory(situation.state))


def story_known(situation: Situation, state: GameStory, known: StoryKnown) -> Situation:
    """Show the story."""
    return replace(situation, state=replace(state, moments=known.moments))


def turn_page(situation: Situation, state: GameStory, press: Press) -> Situation | None:
    """Turn to another moment."""
    return turned(situation, state, press, len(state.moments or ()))
