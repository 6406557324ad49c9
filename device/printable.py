"""Text from outside in a form that a terminal or a display shows as it is."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    r"""Return a text in one line that a terminal shows as it is: anything else in it is escaped, as \x1b or \n."""
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode("ascii")
