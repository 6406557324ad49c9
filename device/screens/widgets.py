"""Building blocks of the screens: names, lists with a cursor, running text, runners."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from device.referee.players import COLOURS
from device.referee.playing import LINES, ROWS, turns
from device.referee.states import Situation
from device.screens import texts
from device.screens.draw import EDGE, GAP, SMALL, SMALL_CHARACTERS, SMALL_LINES, WIDTH, width
from device.screens.language import beside, say
from device.screens.screen import LIST_KEYS, Line, Screen
from engine import TOP, Game, Play, Position, RunnerMove, runner_moves

ScreenOf = Callable[[Situation, Any], Screen]
"""A function that returns a state's screen. Arguments: the situation, and its state."""


def called(name: str) -> str:
    """Return a player's name within a sentence: a colour is translated, a name is unchanged."""
    return say(name) if name in COLOURS else name


def titled(name: str) -> str:
    """Return a player's name at the beginning of a line."""
    spoken = called(name)
    return spoken[:1].upper() + spoken[1:]


def message(title: str, text: str, hint: str = "") -> Screen:
    """Return a screen full of running text."""
    return Screen(title, hint=hint, text=wrapped(text, SMALL_LINES[-1]), running=True)


def wrapped(text: str, count: int) -> tuple[str, ...]:
    """Return a text wrapped to at most `count` lines of the small font; the rest is cut off."""
    return tuple(textwrap.wrap(text, SMALL_CHARACTERS)[:count])


def shortened(text: str, font: str, room: int) -> str:
    """Return a text from elsewhere, cut off where it is wider than `room` pixels."""
    if width(text, font) <= room:
        return text
    return next(cut for end in range(len(text), 0, -1) if width(cut := text[:end] + "…", font) <= room)


def back_hint(title: str) -> str:
    """Return the hint that STOP goes back, in words if they fit beside the title."""
    return hint(title, say(texts.STOP_BACK), say(texts.STOP_BACK_SHORT))


def hint(title: str, words: str, short: str = "") -> str:
    """Return a hint if it fits beside the title; otherwise `short`."""
    fits = EDGE + width(title, SMALL) + GAP + width(words, SMALL) <= WIDTH - EDGE
    return words if fits else short


def listed(title: str, options: list[str], cursor: int, notes: Sequence[str] = ()) -> Screen:
    """Return the screen of a list: three options, with the one under the cursor in the middle if possible.

    Args:
        title: The title.
        options: The options.
        cursor: The number of the chosen one, from 0.
        notes: A word beside each option, in the small font; none if empty.
    """
    first = max(0, min(cursor - 1, len(options) - LINES))
    lines = tuple(
        Line(options[number], notes[number] if notes else "", chosen=number == cursor)
        for number in range(first, min(first + LINES, len(options)))
    )
    scroll = (first, len(options)) if len(options) > LINES else None
    return Screen(title, lines, back_hint(title), scroll=scroll, keys=LIST_KEYS)


def explained(title: str, option: str, text: str, scroll: tuple[int, int]) -> Screen:
    """Return the screen of a list that shows only the option under the cursor, explained in two small lines."""
    rows = textwrap.wrap(text, SMALL_CHARACTERS - 3)[:ROWS]  # beside the keys
    lines = (Line(option, chosen=True), *(Line("", row) for row in rows))
    return Screen(title, lines, back_hint(title), scroll=scroll, keys=LIST_KEYS)


def filled(lines: list[Line]) -> list[Line]:
    """Return exactly `ROWS` lines, padded with empty ones."""
    return [*lines, *[Line()] * ROWS][:ROWS]


def pick(position: Position, play: Play) -> str:
    """Return the effect of a play on each sum of its pairing, as "7 up 1, 8 to 3" or "8 to 3, not 7"."""
    moves = runner_moves(position, play)
    unused = [column for column in dict.fromkeys(play.pairing) if column not in {move.column for move in moves}]
    done = [_told(position, move, _PICKS) for move in moves]
    return ", ".join([*done, *(say(texts.PICK_NOTHING, column=column) for column in unused)])


def runner_lines(position: Position, play: Play) -> list[Line]:
    """Return the runners to move for a play, one per line."""
    return [Line(_told(position, move, _MOVES)) for move in runner_moves(position, play)]


_PICKS = (texts.PICK_UP, texts.PICK_TO, texts.PICK_TOP)
_MOVES = (texts.MOVE_UP, texts.MOVE_TO, texts.MOVE_TOP)
_MOST_COUNTED = 2
"""A runner that goes up further, which happens only by leaping, is given a space, so that nobody has to count."""


def _told(position: Position, move: RunnerMove, wordings: tuple[str, str, str]) -> str:
    """Return a runner's move: the number of steps, or the space if it is placed, leaps far or reaches the top."""
    up, to, top = wordings
    if move.top:
        return say(top, column=move.column)
    spaces = move.space - position.runners[move.column]
    if move.brought_in or spaces > _MOST_COUNTED:
        return say(to, column=move.column, space=move.space)
    return say(up, column=move.column, spaces=spaces)


def standing_on(spaces: Sequence[int]) -> str:
    """Return where pieces stand, as "7→3 8→top", or that there are none."""
    told = beside(
        say(texts.STEP_TOP if space == TOP[column] else texts.STEP, column=column, space=space)
        for column, space in enumerate(spaces)
        if space
    )
    return told or say("none on the board")


def runners(position: Position) -> str:
    """Return where the runners are."""
    return standing_on(position.runners)


def everybody(game: Game) -> list[tuple[str, ...]]:
    """Return the whole board: each player's name, columns won and markers; at last where the runners are.

    Of a player who has left it says so behind the name.
    """
    position = game.position
    told = [
        (
            titled(name),
            *[say(texts.HAS_LEFT)] * (player in position.out),
            say(texts.WON, columns=len(position.won(player)), all=position.variants.columns_to_win),
            standing_on(position.markers[player]),
        )
        for player, name in enumerate(game.names)
    ]
    return [*told, (say(texts.RUNNERS), runners(position))]


def standing(game: Game) -> str:
    """Return how many columns the player has won, of how many; in a solo game also the number of the turn."""
    position = game.position
    won, columns = len(position.won(position.turn)), position.variants.columns_to_win
    if len(game.names) == 1:
        return say("Turn {turn}: {columns} of {all} won", turn=turns(game) + 1, columns=won, all=columns)
    return say(texts.WON, columns=won, all=columns)


def percent(chance: float) -> str:
    """Return a chance, 0 to 1, as a whole percentage: "8", and "<1" or ">99" for what is neither 0 nor 1."""
    rounded = round(100 * chance)
    if rounded == 0 and chance > 0:
        return "<1"
    return ">99" if rounded == 100 and chance < 1 else str(rounded)
