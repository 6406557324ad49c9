"""Players: the rules for their names, their colours, and the settings of their game."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from engine import FEWEST_COLUMNS_TO_WIN

LONGEST = 8
"""The most letters of a name; with more, "take off …" beside a two-digit column would not fit the screen."""

LETTERS = "abcdefghijklmnopqrstuvwxyzàáâãäåæçèéêëìíîïñòóôõöøœùúûüýÿßšžčćłőű0123456789-'. "
"""The letters offered, in this order; the first of a name and of each of its parts becomes a capital."""

_PARTS = "-'. "
"""The separators of parts of a name."""


class BadName(ValueError):
    """The text is not a valid name; the message says what to change."""


def spelt(letters: str) -> str:
    """Return letters as a name: `anna-lena` as `Anna-Lena`."""
    return "".join(
        letter.upper() if (at == 0 or letters[at - 1] in _PARTS) and letter != "ß" else letter
        for at, letter in enumerate(letters)
    )


def name_of(text: str) -> str:
    """Return a text as a name, without surrounding spaces.

    Raises:
        BadName: If it is empty, too long, has letters that the box cannot show, or is a colour.
        TypeError: If it is not a string.
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not name:
        raise BadName("a name needs at least one letter")
    if len(name) > LONGEST:
        raise BadName(f"{name!r} is too long: a name has at most {LONGEST} letters")
    if strange := [letter for letter in name if letter.lower() not in LETTERS]:
        raise BadName(f"{name!r} has {strange[0]!r}, which the box cannot show: use another letter")
    if name.lower() in COLOURS:
        raise BadName(f"{name!r} is a colour of the markers: use another name")
    if not any(map(str.isalnum, name)):
        raise BadName(f"{name!r} needs a letter or a digit")
    return name


class Marker(NamedTuple):
    """How a player's marker is drawn.

    Attributes:
        rgb: Its colour, as `#rrggbb`.
        shape: Its shape on the page, for colour-blind players: a name in `assets/board.js`.
    """

    rgb: str
    shape: str


COLOURS = {
    "yellow": Marker("#f2c200", "circle"),
    "orange": Marker("#e8750a", "square"),
    "green": Marker("#2f9e44", "triangle"),
    "blue": Marker("#2a62d8", "diamond"),
    "red": Marker("#d6263a", "cross"),
    "white": Marker("#ffffff", "hexagon"),
}
"""The markers' colours in the printed editions, in the order in which they are offered. Players without a name are
called by them. Display, page and terminal take them from here; their names are translated as all texts are."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """The settings of a game, as far as they are known: players, rules, and who begins.

    Attributes:
        names: The players' names.
        columns_to_win: The number of columns.
        variants: The variants of the rules, by name.
        begins: The name of the player who begins; "" if it is open.
        colours: The colours of the players' markers.
        levels: The player of each seat: "" for a person, else an opponent's level.
    """

    names: tuple[str, ...] = ()
    columns_to_win: int = FEWEST_COLUMNS_TO_WIN
    variants: tuple[str, ...] = ()
    begins: str = ""
    colours: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
