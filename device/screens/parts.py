"""What several screens are made of: names, lists with a cursor, running text, runners."""

from __future__ import annotations

import textwrap

from device.referee.playing import LINES, turns
from device.screens import texts
from device.screens.draw import SMALL_CHARACTERS
from device.screens.language import say
from device.screens.screen import Line, Screen
from engine import TOP, Game, Play, Position, runner_moves


def called(name: str) -> str:
    """Give what a player is called within a sentence: a colour in the language spoken, a name as it is."""
    return say(texts.COLOURS[name]) if name in texts.COLOURS else name


def titled(name: str) -> str:
    """Give what a player is called at the beginning of a line."""
    spoken = called(name)
    return spoken[:1].upper() + spoken[1:]


def message(title: str, text: str) -> Screen:
    """Give a screen full of running text."""
    *lines, footer = wrapped(text, LINES + 1)
    return Screen(title, tuple(Line("", line) for line in lines), footer)


def wrapped(text: str, count: int) -> list[str]:
    """Break a text into so many lines of the small type: empty ones fill up, what is too much is left out."""
    lines = textwrap.wrap(text, SMALL_CHARACTERS)[:count]
    return lines + [""] * (count - len(lines))


def listed(title: str, options: list[str], cursor: int, footer: str) -> Screen:
    """Give the screen of a list: three options, the one under the cursor in the middle where it has both neighbours."""
    first = max(0, min(cursor - 1, len(options) - LINES))
    lines = tuple(
        Line(text, chosen=first + index == cursor) for index, text in enumerate(options[first : first + LINES])
    )
    return Screen(title, lines, footer, scroll=(first, len(options)) if len(options) > LINES else None)


def space_text(column: int, space: int) -> str:
    """Give a space as it is told: its number, or that it is the top."""
    return say(texts.TOP) if space == TOP[column] else str(space)


def steps(position: Position, play: Play) -> str:
    """Tell what a play does, as "7→3 8→top"."""
    moves = runner_moves(position, play)
    return " ".join(say(texts.STEP, column=move.column, space=space_text(move.column, move.space)) for move in moves)


def runner_lines(position: Position, play: Play) -> tuple[Line, ...]:
    """Tell which runners to move for a play, a line each."""
    return tuple(
        Line(str(move.column), say(texts.RUNNER_TO_TOP) if move.top else say(texts.RUNNER_TO, space=move.space))
        for move in runner_moves(position, play)
    )


def runners(position: Position) -> str:
    """Tell where the runners stand, as "7→3 8→top"."""
    return " ".join(
        say(texts.STEP, column=column, space=space_text(column, space)) for column, space in position.runners_out()
    )


def standing(game: Game) -> str:
    """Tell how many columns the player has won, of how many; one who plays alone also which turn it is."""
    position = game.position
    won, columns = len(position.won(position.turn)), position.variants.columns_to_win
    if len(game.names) == 1:
        return say(texts.TURN_WON, turn=turns(game) + 1, columns=won, all=columns)
    return say(texts.WON, columns=won, all=columns)


def percent(chance: float) -> str:
    """Return a chance, 0 to 1, in whole per cent: "8", and "<1" or ">99" for what is not quite never or always."""
    rounded = round(100 * chance)
    if rounded == 0 and chance > 0:
        return "<1"
    return ">99" if rounded == 100 and chance < 1 else str(rounded)
