"""A game as a text that a person can read and write.

    Can't Stop
    players: Anna, green
    colours: yellow, green
    played by: person, strongest
    columns to win: 3
    variants: fast start
    begins: Anna

    turn 1: Anna
      3-3-5-6  8+9
      1-4-5-5  -> 1-4-5-6  6+10: 6
      stop
    turn 2: green
      1-3-3-5  bust
    result: unfinished

A line of a turn is a roll with what was made of it, a stop, or `set` and a position that people set by hand; where
that position has a roll waiting, the next line says what was made of it. Each part of a line may have its own line.
`colours` is there where players are not called by the colours of their markers, `played by` where not all are people.
`->` leads from misread dice to the real ones. `#` begins a remark; the `turn` lines' numbers, the empty lines and
the indents are for the eye only. What was undone is not in a transcript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.actions import Action, Bust, Corrected, Play, Rolled, SetTo, Stop
from engine.errors import BadPosition, BadText, BadVariants, IllegalAction
from engine.game import Game
from engine.notation import parse_play, parse_position, parse_roll, play_text, position_text, roll_text
from engine.rules import plays
from engine.variants import PLAYERS, Variants

TITLE = "Can't Stop"
"""The first line of every transcript."""

PERSON = "person"
"""Who plays a seat that no opponent plays."""

_ROLL = r"[0-9](?:[-, ]*[0-9]){3}"
"""The pattern of four dice; whether each shows 1 to 6 is for `parse_roll` to say."""


def transcript(game: Game) -> str:
    """Write a game."""
    variants = game.start.variants
    lines = [TITLE, f"players: {', '.join(game.names)}"]
    if game.colours:
        lines.append(f"colours: {', '.join(game.colours)}")
    if game.levels:
        lines.append(f"played by: {', '.join(level or PERSON for level in game.levels)}")
    lines.append(f"columns to win: {variants.columns_to_win}")
    if variants.names:
        lines.append(f"variants: {', '.join(variants.names)}")
    lines += [f"begins: {game.names[game.start.turn]}", "", *_turn_lines(game)]
    lines.append(f"result: {game.winner} wins" if game.winner else "result: unfinished")
    return "\n".join(lines) + "\n"


def _turn_lines(game: Game) -> Iterator[str]:
    """Write the turns: a line for each roll and what was made of it, each stop, each setting by hand."""
    turn = 0
    ended = True  # whether the step before closed a turn
    written = -1  # whose turn the last header named
    line: list[str] = []
    for before, step in zip(game.positions, game.steps, strict=False):
        header = ended or before.turn != written
        # What was made of a roll stands beside it; after a position set by hand it gets a line of its own.
        if line and (header or line[0].startswith("set ") or not isinstance(step, Play | Bust | Corrected)):
            yield "  " + "  ".join(line)
            line = []
        if header:
            turn += 1
            written = before.turn
            yield f"turn {turn}: {game.names[written]}"
        ended = isinstance(step, Stop | Bust)
        line.append(_step_text(step))
    if line:
        yield "  " + "  ".join(line)


def _step_text(step: Action) -> str:
    match step:
        case Rolled(dice):
            return roll_text(dice)
        case Corrected(dice):
            return f"-> {roll_text(dice)}"
        case Play():
            return play_text(step)
        case Bust():
            return "bust"
        case Stop():
            return "stop"
        case SetTo(position):
            return f"set {position_text(position)}"


def parse_transcript(text: str) -> Game:
    """Read a transcript and check it move by move.

    Raises:
        BadText: With the line and the reason, at the first thing that is not as it should be.
    """
    numbered = [
        (number, line.split("#", 1)[0].strip())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.split("#", 1)[0].strip()
    ]
    reader = _Reader(numbered)
    return reader.read()


class _Reader:
    """Reads the numbered lines of a transcript, front to back."""

    def __init__(self, numbered: list[tuple[int, str]]) -> None:
        self.lines = numbered
        self.at = 0

    def read(self) -> Game:
        number, title = self._next("the title")
        if title != TITLE:
            raise BadText(f"a transcript begins with {TITLE!r}, not {title!r}", number)
        game = self._header()
        result: str | None = None
        while self.at < len(self.lines):
            number, line = self._next("")
            if result is not None:
                raise BadText("nothing comes after the result", number)
            key, value = _key(line)
            if key == "result":
                result = value
                expected = f"{game.winner} wins" if game.winner else "unfinished"
                if value != expected:
                    raise BadText(f"the result is {expected!r}, not {value!r}", number)
            elif key and re.fullmatch(r"turn( \d+)?", key):
                if value != game.player:
                    raise BadText(f"it is {game.player}'s turn, not {value}'s", number)
            else:
                game = self._steps(game, number, line)
        return game

    def _next(self, wanted: str) -> tuple[int, str]:
        if self.at == len(self.lines):
            last = self.lines[-1][0] if self.lines else 1
            raise BadText(f"the text ends where {wanted} should be", last)
        self.at += 1
        return self.lines[self.at - 1]

    def _value(self, key: str) -> tuple[int, str]:
        number, line = self._next(f"'{key}:'")
        found, value = _key(line)
        if found != key or not value:
            raise BadText(f"here should be '{key}: …', not {line!r}", number)
        return number, value

    def _optional(self, key: str) -> str:
        """Give the value of a line that need not be there; "" where it is not."""
        is_there = self.at < len(self.lines) and _key(self.lines[self.at][1])[0] == key
        return self._value(key)[1] if is_there else ""

    def _header(self) -> Game:
        players_line, players = self._value("players")
        names = _divided(players)
        colours = _divided(self._optional("colours"))
        levels = ["" if level == PERSON else level for level in _divided(self._optional("played by"))]
        number, columns = self._value("columns to win")
        if not re.fullmatch(r"[0-9]", columns):
            raise BadText(f"{columns!r} is no number of columns", number)
        variants = self._optional("variants")
        variants_line = self.lines[self.at - 1][0]
        begins_line, begins = self._value("begins")
        # Checked one after the other, so that the line named is the one to mend.
        if len(names) not in PLAYERS:
            raise BadText(f"2 to 4 can play, or 1 alone, not {len(names)}", players_line)
        try:
            Variants(int(columns)).check(len(names))
        except BadVariants as error:
            raise BadText(str(error), number) from error
        try:
            agreed = Variants.of(int(columns), [name for name in _divided(variants) if name])
            agreed.check(len(names))
        except BadVariants as error:
            raise BadText(str(error), variants_line) from error
        if begins not in names:
            raise BadText(f"{begins!r} is none of the players {', '.join(names)}", begins_line)
        try:
            return Game.new(names, agreed, names.index(begins), colours=colours, levels=levels)
        except ValueError as error:
            raise BadText(str(error), players_line) from error

    def _steps(self, game: Game, number: int, line: str) -> Game:
        """Read one line of a turn."""
        try:
            if line == "stop":
                return game.do(Stop())
            if line.startswith("set "):
                return game.do(SetTo(parse_position(line.removeprefix("set "))))
            if match := re.fullmatch(rf"({_ROLL})(?:\s*(->.+)|\s+(.+))?", line):
                return _made_of(game.do(Rolled(parse_roll(match[1]))), match[2] or match[3])
            if line == "bust" or line.startswith("->") or "+" in line:
                return _made_of(game, line)
        except (BadText, IllegalAction, BadPosition) as error:
            raise BadText(str(error), number) from error
        raise BadText(f"{line!r} is no roll, 'stop', 'set …', 'turn …: …' or 'result: …'", number)


def _made_of(game: Game, rest: str | None) -> Game:
    """Read what was made of a roll: corrections, then a play or a bust; nothing where the choice is still due."""
    while rest and (match := re.fullmatch(rf"->\s*({_ROLL})(?:\s*(->.+)|\s+(.+))?", rest)):
        game = game.do(Corrected(parse_roll(match[1])))
        rest = match[2] or match[3]
    if not rest:
        return game
    if rest == "bust":
        return game.do(Bust())
    return game.do(parse_play(rest, plays(game.position)))


def _divided(text: str) -> list[str]:
    """Divide a value at its commas."""
    return [part.strip() for part in text.split(",")] if text else []


def _key(line: str) -> tuple[str, str]:
    """Split `key: value`; the key is "" where the line is no such pair (a play's `6+10: 6` is none)."""
    match = re.fullmatch(r"([a-z][a-z ]*(?: \d+)?):\s*(.*)", line)
    return (match[1], match[2]) if match else ("", "")
