"""What several screens are made of: names, lists with a cursor, running text."""

from __future__ import annotations

import textwrap

from device.referee.playing import LINES
from device.screens import texts
from device.screens.draw import SMALL_CHARACTERS
from device.screens.language import say
from device.screens.screen import Line, Screen


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
