"""Text forms of rolls, plays and positions; each can be parsed again.

A roll is its dice, `1-3-5-6`. A play is its pairing, `6+9`, followed by the columns that move if they are not just the
two sums: `6+10: 6` (only the 6 moves), `3+3: 3` (the second step is forfeited).

A position is one line of five fields, here with a roll that waits for a choice:

    3+leap 4:2,7:5/9:4 1 8:1,9:2 1-3-5-6

They are: columns to win, with the variants; the players' markers as column:space, in the order of play, separated by
`/`, with a `*` behind those of a player who has left; the number of the player whose turn it is; the runners; the roll.
`-` means none.
"""

from __future__ import annotations

import re
from functools import lru_cache

from engine.actions import Play
from engine.board import COLUMNS, EMPTY, Spaces, with_piece
from engine.dice import Roll, roll_of
from engine.errors import BadPosition, BadText, BadVariants, shown
from engine.position import HAS_LEFT, Position
from engine.variants import WORDS, Variants

_NAMES = {word: name for name, word in WORDS.items()}
"""The names of the variants by the words of a position's first field."""

LONGEST_ROLL = 40
"""The largest number of characters of a roll; it needs seven."""

_SUM = r"([0-9]{1,2})"
"""The pattern of a column's number, which is a sum of two dice."""


def parse_roll(text: str) -> Roll:
    """Return the roll in a text: four digits, separated by `-`, `,`, spaces or nothing.

    >>> parse_roll("6 3 1 5")
    (1, 3, 5, 6)

    Raises:
        BadText: If it is none.
    """
    if len(text) > LONGEST_ROLL or not (roll := _roll(text)):
        raise BadText(f"{shown(text)} is not a roll: write four dice of 1 to 6, as 1-3-5-6")
    return roll


@lru_cache(maxsize=256)
def _roll(text: str) -> Roll | None:
    """Return the roll in a text, or None. Cached, because the same few texts are parsed repeatedly."""
    digits = re.sub(r"[-,\s]", "", text)
    return roll_of(map(int, digits)) if re.fullmatch(r"[1-6]{4}", digits) else None


def play_text(play: Play) -> str:
    """Return a play as text.

    >>> play_text(Play((6, 10), (6,)))
    '6+10: 6'
    """
    pairing = "+".join(map(str, play.pairing))
    if play.columns == play.pairing:
        return pairing
    return f"{pairing}: {' '.join(map(str, play.columns))}"


def parse_play(text: str, legal: tuple[Play, ...]) -> Play:
    """Return the play in a text. The pairing alone is enough if only one of its plays is legal.

    Args:
        text: As `play_text` writes it.
        legal: The plays that are legal here.

    Raises:
        BadText: If it is no play, or a pairing with which several are legal.
    """
    match = re.fullmatch(rf"{_SUM}\s*\+\s*{_SUM}(?:\s*:\s*{_SUM}(?:\s+{_SUM})?)?", text.strip())
    if not match:
        raise BadText(f"{shown(text)} is not a play: write a pairing as 6+9, with one of its columns as 6+9: 6")
    low, high, *named = (int(group) for group in match.groups() if group)
    pairing = (min(low, high), max(low, high))
    if named:
        return Play(pairing, tuple(sorted(named)))
    choices = [play for play in legal if play.pairing == pairing]
    if len(choices) > 1:
        options = " or ".join(play_text(play) for play in choices)
        raise BadText(f"{shown(text)} leaves a choice: write {options}")
    return choices[0] if choices else Play(pairing, pairing)


def parse_position(text: str) -> Position:
    """Return the position in a text, after checking that a game can reach it.

    Raises:
        BadText: If the text is no position, or one that a game cannot reach; it says what is wrong.
    """
    fields = text.split()
    if len(fields) != 5:
        wanted = "five fields (variants, markers, whose turn, runners, roll)"
        raise BadText(f"a position has {wanted}, not {len(fields)}: {shown(text)}")
    rules, markers, turn, runners, roll = fields
    if not re.fullmatch(r"[1-9]", turn):
        raise BadText(f"{shown(turn)} is not a player's number: write 1 for the first player")
    variants = parse_variants(rules)
    of_players = markers.split("/")
    try:
        position = Position(
            variants,
            tuple(_parse_spaces(own.removesuffix(HAS_LEFT)) for own in of_players),
            int(turn) - 1,
            _parse_spaces(runners),
            None if roll == "-" else parse_roll(roll),
            tuple(player for player, own in enumerate(of_players) if own.endswith(HAS_LEFT)),
        )
        position.check()
    except (BadPosition, BadVariants) as error:
        raise BadText(f"this position makes no sense: {error}") from error
    return position


def _parse_spaces(text: str) -> Spaces:
    spaces = EMPTY
    if text == "-":
        return spaces
    for piece in text.split(","):
        match = re.fullmatch(rf"{_SUM}:([0-9]{{1,2}})", piece)
        if not match:
            raise BadText(f"{shown(piece)} is not a piece: write column:space, as 7:5")
        column, space = map(int, match.groups())
        if column not in COLUMNS:
            raise BadText(f"{shown(piece)}: there is no column {column}, columns are 2 to 12")
        if spaces[column]:
            raise BadText(f"{shown(piece)}: column {column} is named twice for one player")
        if not space:
            raise BadText(f"{shown(piece)}: spaces count from 1")
        spaces = with_piece(spaces, column, space)
    return spaces


def parse_variants(text: str) -> Variants:
    """Return the variants in a text, such as `5+fast+no-stop`.

    Raises:
        BadText: If it is none; it says what is wrong.
    """
    number, *words = text.split("+")
    if not re.fullmatch(r"[0-9]", number):
        raise BadText(f"{shown(text)} must begin with the number of columns to win")
    for word in words:
        if word not in _NAMES:
            raise BadText(f"{shown(text)}: unknown variant {shown(word)}; choose from: {', '.join(_NAMES)}")
    try:
        return Variants.of(int(number), [_NAMES[word] for word in words])
    except BadVariants as error:
        raise BadText(str(error)) from error
