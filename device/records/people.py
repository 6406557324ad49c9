"""What games tell of those who played them: wins, luck and nerve.

Luck is what was rolled beside what was to be expected: the busts that came, and the exact chances of all the rolls
made added up. Nerve is how the decisions to stop or to roll on compare with those of the strongest opponent: bold is
who rolls where it would stop, careful who stops where it would roll.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine import Bust, Game, Rolled, Stop, may_stop
from engine.odds import bust_chance
from engine.opponents import Strategy

EVEN = 1.5
"""Luck of so many standard deviations is called so: chance alone goes beyond it one time in seven."""

STEADY = 0.05
"""A player whose bold and careful decisions differ by less than this share of all is neither bold nor careful."""


@dataclass(frozen=True, slots=True)
class Record:
    """One player's figures.

    Attributes:
        name: What the player is called.
        level: The level, where it is an opponent; "" for people.
        games: How many games were played to their end.
        wins: How many of them the player won.
        turns: How many turns were ended.
        busts: How many of them by a bust.
        expected: How many busts the rolls made were to give, by the exact chance of each.
        variance: The variance of that number.
        decisions: How often the player could roll on or stop.
        bold: How often of these the player rolled where the strongest opponent stops.
        careful: How often the player stopped where it rolls.
    """

    name: str
    level: str = ""
    games: int = 0
    wins: int = 0
    turns: int = 0
    busts: int = 0
    expected: float = 0.0
    variance: float = 0.0
    decisions: int = 0
    bold: int = 0
    careful: int = 0

    @property
    def luck(self) -> float:
        """How many busts fewer came than were to be expected; below 0: more."""
        return self.expected - self.busts

    @property
    def luck_word(self) -> str:
        """Luck in a word: whether so much of it is more than the usual."""
        deviations = self.luck / math.sqrt(self.variance) if self.variance else 0.0
        if abs(deviations) < EVEN:
            return "as expected"
        return "lucky" if deviations > 0 else "unlucky"

    @property
    def nerve(self) -> float:
        """Bold decisions less careful ones, as a share of all: 1 always too bold, -1 always too careful."""
        return (self.bold - self.careful) / self.decisions if self.decisions else 0.0

    @property
    def nerve_word(self) -> str:
        """Nerve in a word."""
        if not self.decisions or abs(self.nerve) < STEADY:
            return "steady" if self.decisions else "-"
        return "bold" if self.nerve > 0 else "careful"

    def plus(self, other: Record) -> Record:
        """Add the figures of other games of the same player."""
        added = {
            each: getattr(self, each) + getattr(other, each)
            for each in self.__dataclass_fields__
            if each not in ("name", "level")
        }
        return replace(self, **added)


def judge(game: Game, best: Strategy) -> list[Record]:
    """Work out the figures of one game, one record a player, in the order of play.

    Args:
        game: The game, over or not.
        best: With whose decisions the players' are compared.
    """
    levels = game.levels or ("",) * len(game.names)
    records = [Record(name, level) for name, level in zip(game.names, levels, strict=True)]
    for before, step in zip(game.positions, game.steps, strict=False):
        now = records[before.turn]
        if isinstance(step, Rolled):
            chance = bust_chance(before)
            now = replace(now, expected=now.expected + chance, variance=now.variance + chance * (1 - chance))
        if isinstance(step, Rolled | Stop) and may_stop(before):
            would_stop = best.stops(before)
            now = replace(
                now,
                decisions=now.decisions + 1,
                bold=now.bold + (would_stop and isinstance(step, Rolled)),
                careful=now.careful + (not would_stop and isinstance(step, Stop)),
            )
        if isinstance(step, Stop | Bust):
            now = replace(now, turns=now.turns + 1, busts=now.busts + isinstance(step, Bust))
        records[before.turn] = now
    if game.winner is not None and len(game.names) > 1:
        records = [replace(one, games=1, wins=int(one.name == game.winner)) for one in records]
    return records


def together(records: Iterable[Record]) -> list[Record]:
    """Add up the records of each player; whoever played most comes first. Opponents of a level are one player."""
    sums: dict[tuple[str, str], Record] = {}
    for one in records:
        key = ("" if one.level else one.name, one.level)
        sums[key] = sums[key].plus(one) if key in sums else one
    return sorted(sums.values(), key=lambda one: (-one.games, -one.turns, one.name))
