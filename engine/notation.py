"""Text forms of rolls, plays and positions; each can be read back.

A roll is its dice, `1-3-5-6`. A play is its pairing, `6+9`, with the columns that move where they are not just
the two sums: `6+10: 6` (only the 6 moves), `3+3: 3` (the second step is forfeited).

A position is one line of five fields, here with a roll waiting:

    3+leap 4:2,7:5/9:4 1 8:1,9:2 1-3-5-6

They are: columns to win, with the variants; the players' markers as column:space, players in order of play divided
by `/`; the number of the player whose turn it is; the runners; the roll. `-` stands for none.
"""

from __future__ import annotations

import re

from engine.actions import Action, Bust, Corrected, Play, Rolled, SetTo, Stop
from engine.board import COLUMNS, EMPTY, Spaces, pieces, with_piece
from engine.dice import Roll, roll_of
from engine.errors import BadPosition, BadText, BadVariants
from engine.position import Position
from engine.variants import Variants

_WORDS = {
    "fast": "fast start",
    "strict": "fast start strict",
    "no-stop": "no stop on a marker",
    "leap": "leap",
}
"""Variants in a position's first field: the short word and the name."""

_SUM = r"([0-9]{1,2})"
"""The pattern of a column's number, which is a sum of two dice."""


def roll_text(roll: Roll) -> str:
    """Write a roll.

    >>> roll_text((1, 3, 5, 6))
    '1-3-5-6'
    """
    return "-".join(map(str, roll))


def parse_roll(text: str) -> Roll:
    """Read a roll: four digits, with `-`, `,` or spaces between them or nothing.

    >>> parse_roll("6 3 1 5")
    (1, 3, 5, 6)

    Raises:
        BadText: If it is none.
    """
    digits = re.sub(r"[-,\s]", "", text)
    if not re.fullmatch(r"[1-6]{4}", digits):
        raise BadText(f"{text!r} is no roll: write four dice of 1 to 6, as 1-3-5-6")
    return roll_of([int(digit) for digit in digits])


def play_text(play: Play) -> str:
    """Write a play.

    >>> play_text(Play((6, 10), (6,)))
    '6+10: 6'
    """
    pairing = "+".join(map(str, play.pairing))
    if play.columns == play.pairing:
        return pairing
    return f"{pairing}: {' '.join(map(str, play.columns))}"


def parse_play(text: str, legal: tuple[Play, ...]) -> Play:
    """Read a play; where just one is legal for a pairing, the pairing alone will do.

    Args:
        text: As `play_text` writes it.
        legal: The plays that are legal here.

    Raises:
        BadText: If it is no play, or a pairing with which several are legal.
    """
    match = re.fullmatch(rf"{_SUM}\s*\+\s*{_SUM}(?:\s*:\s*{_SUM}(?:\s+{_SUM})?)?", text.strip())
    if not match:
        raise BadText(f"{text!r} is no play: write a pairing as 6+9, with one of its columns as 6+9: 6")
    low, high, *named = (int(group) for group in match.groups() if group)
    pairing = (min(low, high), max(low, high))
    if named:
        return Play(pairing, tuple(sorted(named)))
    choices = [play for play in legal if play.pairing == pairing]
    if len(choices) > 1:
        options = " or ".join(play_text(play) for play in choices)
        raise BadText(f"{text!r} leaves a choice: write {options}")
    return choices[0] if choices else Play(pairing, pairing)


def position_text(position: Position) -> str:
    """Write a position in one line."""
    names = position.variants.names
    words = [word for word, name in _WORDS.items() if name in names]
    return " ".join(
        (
            "+".join([str(position.variants.columns_to_win), *words]),
            "/".join(map(_spaces_text, position.markers)),
            str(position.turn + 1),
            _spaces_text(position.runners),
            roll_text(position.roll) if position.roll else "-",
        )
    )


def parse_position(text: str) -> Position:
    """Read a position and check that it makes sense.

    Raises:
        BadText: If the text is no position, or one that a game cannot reach; it says what is wrong.
    """
    fields = text.split()
    if len(fields) != 5:
        raise BadText(
            f"a position has five fields (variants, markers, whose turn, runners, roll), not {len(fields)}: {text!r}"
        )
    rules, markers, turn, runners, roll = fields
    if not re.fullmatch(r"[1-9]", turn):
        raise BadText(f"{turn!r} is no player's number: write 1 for the first player")
    position = Position(
        _parse_variants(rules),
        tuple(_parse_spaces(one) for one in markers.split("/")),
        int(turn) - 1,
        _parse_spaces(runners),
        None if roll == "-" else parse_roll(roll),
    )
    try:
        position.check()
    except (BadPosition, BadVariants) as error:
        raise BadText(f"this position makes no sense: {error}") from error
    return position


def _spaces_text(spaces: Spaces) -> str:
    return ",".join(f"{column}:{space}" for column, space in pieces(spaces)) or "-"


def _parse_spaces(text: str) -> Spaces:
    spaces = EMPTY
    if text == "-":
        return spaces
    for piece in text.split(","):
        match = re.fullmatch(rf"{_SUM}:([0-9]{{1,2}})", piece)
        if not match:
            raise BadText(f"{piece!r} is no piece: write column:space, as 7:5")
        column, space = map(int, match.groups())
        if column not in COLUMNS:
            raise BadText(f"{piece!r}: there is no column {column}, columns are 2 to 12")
        if spaces[column]:
            raise BadText(f"{piece!r}: column {column} is named twice for one player")
        if not space:
            raise BadText(f"{piece!r}: spaces count from 1")
        spaces = with_piece(spaces, column, space)
    return spaces


def _parse_variants(text: str) -> Variants:
    number, *words = text.split("+")
    if not re.fullmatch(r"[0-9]", number):
        raise BadText(f"{text!r} must begin with the number of columns to win")
    for word in words:
        if word not in _WORDS:
            raise BadText(f"{text!r}: there is no variant {word!r}; there are: {', '.join(_WORDS)}")
    try:
        return Variants.of(int(number), [_WORDS[word] for word in words])
    except BadVariants as error:
        raise BadText(str(error)) from error


def action_text(action: Action) -> str:
    """Write one step of a game, as `roll 1-3-5-6`, `correct 1-3-5-5`, `play 6+9`, `stop`, `bust` or `set …`."""
    match action:
        case Rolled(dice):
            return f"roll {roll_text(dice)}"
        case Corrected(dice):
            return f"correct {roll_text(dice)}"
        case Play():
            return f"play {play_text(action)}"
        case Stop():
            return "stop"
        case Bust():
            return "bust"
        case SetTo(position):
            return f"set {position_text(position)}"


def parse_action(text: str, legal: tuple[Play, ...] = ()) -> Action:
    """Read one step of a game; `action_text` is the inverse.

    Args:
        text: The step.
        legal: The plays that are legal there, should the text name a pairing only.

    Raises:
        BadText: If it is no step.
    """
    word, _, rest = text.partition(" ")
    match word:
        case "roll":
            return Rolled(parse_roll(rest))
        case "correct":
            return Corrected(parse_roll(rest))
        case "play":
            return parse_play(rest, legal)
        case "stop" | "bust" if not rest:
            return Stop() if word == "stop" else Bust()
        case "set":
            return SetTo(parse_position(rest))
    raise BadText(f"{text!r} is no step of a game")
