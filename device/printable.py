"""Conversion of untrusted text for a terminal or a display."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    r"""Return a text as one printable line; all other characters in it are escaped, as \x1b or \n."""
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode("ascii")
