"""A game as a text that people can read and write.

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

A line of a turn is a roll with its play or bust, a stop, `set` with a position that was set by hand, or a change of the
players: `leaves: Anna`, `leaves: Anna, markers stay`, `returns: Anna`, `joins: Carl, red`, the last with an opponent's
level as a third word. If a roll waits after one of these, the next line has its play or bust. Each part of a line may
be on a line of its own. `->` leads from misread dice to the real ones.

`colours` is present if players are not named after the colours of their markers, `played by` if not all are people; it
may name any level, because other programs may have their own opponents. `#` begins a comment. `turn` lines, empty lines
and indents are optional, but a `turn` line must name the player whose turn it is. The result may be missing; otherwise
it must be right, and the last line. Steps that were undone are not in a transcript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from engine.actions import Action, Bust, Corrected, Joins, Leaves, Play, Returns, Rolled, SeatChange, SetTo, Stop
from engine.dice import roll_text
from engine.errors import BadPlayers, BadText, EngineError, shown
from engine.game import PERSON, Game
from engine.notation import parse_play, parse_position, parse_roll, play_text
from engine.position import Position
from engine.rules import after, plays
from engine.variants import Variants

TITLE = "Can't Stop"
"""The first line of every transcript."""

STAYS = ", markers stay"
"""What follows the name of a player who leaves without taking the markers off."""

_DICE_AND_MADE = re.compile(r"([-, \d]*?) ?(\d{1,2} ?\+.*|[^-, \d].*)?")
"""The pattern of `6 3 5 3 9+8: 9`: the dice and the play or bust, either of which may be missing; all texts match."""


def transcript(game: Game) -> str:
    """Return a game as text."""
    variants = game.start.variants
    first = game.undo(len(game.steps))
    lines = [TITLE, f"players: {', '.join(first.names)}"]
    if first.colours != first.names:
        lines.append(f"colours: {', '.join(first.colours)}")
    if any(first.levels):
        lines.append(f"played by: {', '.join(level or PERSON for level in first.levels)}")
    lines.append(f"columns to win: {variants.columns_to_win}")
    if variants.names:
        lines.append(f"variants: {', '.join(variants.names)}")
    lines += [f"begins: {game.names[game.start.turn]}", "", *_turn_lines(game)]
    lines.append(f"result: {game.winner} wins" if game.winner else "result: unfinished")
    return "\n".join(lines) + "\n"


def _turn_lines(game: Game) -> Iterator[str]:
    """Yield the lines of the turns: one for each roll with its play or bust, each stop, each position set by hand."""
    turn = 0
    written = -1  # whose turn the last header named
    line: list[str] = []
    for before, step, last in zip(game.positions, game.steps, (None, *game.steps), strict=False):
        header = isinstance(last, Stop | Bust) or before.turn != written
        alone = isinstance(last, SetTo | SeatChange)
        # A play or bust is on the line of its roll; after a position set by hand it has its own line.
        if line and (header or alone or not isinstance(step, Play | Bust | Corrected)):
            yield "  " + "  ".join(line)
            line = []
        if header:
            turn += 1
            written = before.turn
            yield f"turn {turn}: {game.names[written]}"
        line.append(step_text(step, game.names))
    if line:
        yield "  " + "  ".join(line)


def step_text(step: Action, names: Sequence[str]) -> str:
    """Return a step as in a turn's line.

    >>> step_text(Corrected((1, 3, 5, 6)), ["Anna", "Bob"]), step_text(Leaves(1), ["Anna", "Bob"])
    ('-> 1-3-5-6', 'leaves: Bob')
    """
    match step:
        case Rolled(dice):
            return roll_text(dice)
        case Corrected(dice):
            return f"-> {roll_text(dice)}"
        case Play():
            return play_text(step)
        case Stop():
            return "stop"
        case Bust():
            return "bust"
        case SetTo(position):
            return f"set {position}"
        case Leaves(player, markers_stay):
            return f"leaves: {names[player]}{STAYS if markers_stay else ''}"
        case Returns(player):
            return f"returns: {names[player]}"
        case Joins(name, colour, level):
            return ", ".join(filter(None, (f"joins: {name}", colour, level)))


def parse_transcript(text: str) -> Game:
    """Return the game in a transcript, after checking it move by move.

    Raises:
        BadText: At the first error, with its line and the reason.
    """
    return _Reader(text).read()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, without comments, with their numbers.

    A line ends only at a line feed, as in every editor. At the other characters that Python's `splitlines` accepts, a
    step could hide in a comment.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if said := line.partition("#")[0].removesuffix("\r").replace("\t", " ").strip(" "):
            yield number, said


@contextmanager
def _errors_at(line: int) -> Iterator[None]:
    """Add a line's number to the engine's errors."""
    try:
        yield
    except EngineError as error:
        raise BadText(str(error), line) from error


class _Reader:
    """Reads the lines of a transcript, front to back."""

    def __init__(self, text: str) -> None:
        self.lines = list(_lines(text))
        self.at = 0
        self.steps: list[Action] = []
        self.positions: list[Position] = []

    @property
    def position(self) -> Position:
        return self.positions[-1]

    def read(self) -> Game:
        number, title = self._next("the title")
        if title != TITLE:
            raise BadText(f"a transcript begins with {TITLE!r}, not {shown(title)}", number)
        self.game = self._header()
        self.positions.append(self.game.start)
        ended = False
        while self.at < len(self.lines):
            number, line = self._next("")
            if ended:
                raise BadText("nothing comes after the result", number)
            key, value = _key(line)
            if key == "result":
                ended = True
                winner = self.position.winner
                expected = "unfinished" if winner is None else f"{self.game.names[winner]} wins"
                if value != expected:
                    raise BadText(f"the result is {expected!r}, not {shown(value)}", number)
            elif key and re.fullmatch(r"turn( [0-9]+)?", key):
                self._turn(number, value)
            elif key in ("leaves", "returns", "joins"):
                with _errors_at(number):
                    self._change_seats(key, value)
            else:
                with _errors_at(number):
                    self._steps(line)
        return replace(self.game, steps=tuple(self.steps), positions=tuple(self.positions))

    def _next(self, wanted: str) -> tuple[int, str]:
        """Return the next line and its number.

        Raises:
            BadText: If there is none, or it has a character that cannot be seen.
        """
        if self.at == len(self.lines):
            last = self.lines[-1][0] if self.lines else 1
            raise BadText(f"the text ends where {wanted} should be", last)
        number, line = self.lines[self.at]
        if not line.isprintable():
            odd = next(char for char in line if not char.isprintable())
            raise BadText(f"it has an invisible character, U+{ord(odd):04X}: delete it", number)
        self.at += 1
        return number, line

    def _value(self, key: str) -> tuple[int, str]:
        number, line = self._next(f"'{key}:'")
        found, value = _key(line)
        if found != key or not value:
            raise BadText(f"here should be '{key}: …', not {shown(line)}", number)
        return number, value

    def _optional(self, key: str) -> tuple[int, list[str]]:
        """Return the line and the values of an optional key; none if it is missing."""
        is_there = self.at < len(self.lines) and _key(self.lines[self.at][1])[0] == key
        if not is_there:
            return 0, []
        number, value = self._value(key)
        return number, _divided(value)

    def _header(self) -> Game:
        lines = {}
        lines["names"], players = self._value("players")
        names = _divided(players)
        lines["colours"], colours = self._optional("colours")
        lines["levels"], levels = self._optional("played by")
        if "" in levels:
            raise BadText(f"a player without a level: write {PERSON!r} for one", lines["levels"])
        columns_line, columns = self._value("columns to win")
        if not re.fullmatch(r"[0-9]", columns):
            raise BadText(f"{shown(columns)} is not a number of columns", columns_line)
        variants_line, variants = self._optional("variants")
        begins_line, begins = self._value("begins")
        # Checked one after the other, so that the error names the line to correct.
        with _errors_at(lines["names"]):
            Variants().check(len(names))
        with _errors_at(columns_line):
            Variants(int(columns)).check(len(names))
        with _errors_at(variants_line):
            agreed = Variants.of(int(columns), variants)
        if begins not in names:
            raise BadText(f"{shown(begins)} is not one of the players {shown(', '.join(names))}", begins_line)
        try:
            return Game.new(names, agreed, names.index(begins), colours=colours, levels=levels)
        except BadPlayers as error:
            raise BadText(str(error), lines[error.what]) from error

    def _change_seats(self, key: str, value: str) -> None:
        """Read a line that says who leaves, returns or joins, or raise an EngineError."""
        if key == "joins":
            if not 2 <= len(seat := _divided(value)) <= 3:
                raise BadText(f"{shown(value)} is not a new player: write a name and a colour, as 'joins: Carl, red'")
            joins = Joins(*seat)
            self._do(joins)
            self.game = self.game.joined(joins)
            return
        name = value.removesuffix(STAYS) if key == "leaves" else value
        if name not in self.game.names:
            raise BadText(f"{shown(name)} is not one of the players {shown(', '.join(self.game.names))}")
        player = self.game.names.index(name)
        self._do(Leaves(player, name != value) if key == "leaves" else Returns(player))

    def _turn(self, number: int, value: str) -> None:
        """Check that a `turn` line names the player whose turn it is; after a win, a position set by hand must come."""
        game = self.game
        is_set = self.at < len(self.lines) and self.lines[self.at][1].startswith("set ")
        if self.position.winner is not None and not is_set:
            raise BadText(f"the game is over: {game.names[self.position.winner]} has won", number)
        player = game.names[self.position.turn]
        if value != player:
            raise BadText(f"it is {player}'s turn, not that of {shown(value)}", number)

    def _do(self, action: Action) -> None:
        self.positions.append(after(self.position, action))
        self.steps.append(action)

    def _steps(self, line: str) -> None:
        """Read one line of a turn.

        Raises:
            EngineError: If it is not a step, or not allowed here.
        """
        if line == "stop":
            return self._do(Stop())
        if line.startswith("set "):
            return self._do(SetTo(parse_position(line.removeprefix("set "))))
        if not re.match(r"->|bust|\d", line):
            raise BadText(f"{shown(line)} is not a roll, 'stop', 'set …', 'turn …: …' or 'result: …'")
        *misread, last = line.split("->")
        match = _DICE_AND_MADE.fullmatch(" ".join(last.split()))
        assert match is not None
        last, made = match.groups()
        for nth, dice in enumerate([*misread, last]):
            # A line that begins with `->`, or with a play or bust, belongs to the roll that waits.
            if nth or dice:
                roll = parse_roll(dice)
                self._do(Corrected(roll) if nth else Rolled(roll))
        if made:
            self._do(Bust() if made == "bust" else parse_play(made, plays(self.position)))
        return None


def _divided(text: str) -> list[str]:
    """Split a value at its commas."""
    return [part.strip() for part in text.split(",")]


def _key(line: str) -> tuple[str, str]:
    """Split `key: value`; the key is "" if the line is not such a pair (a play, `6+10: 6`, is not)."""
    match = re.fullmatch(r"([a-z][a-z ]*(?: [0-9]+)?):\s*(.*)", line) if ":" in line else None
    return (match[1], match[2]) if match else ("", "")
