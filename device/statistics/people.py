"""Statistics of players: wins, luck and nerve.

Luck is the difference between the actual rolls and the expected ones, summed over all rolls: the chance of winning
after each roll minus that before it, by the strongest opponent's values (`engine.opponents.strongest`); and in simpler
terms, the number of busts minus its expected value from the exact chances. Nerve compares the decisions to stop or roll
again with those of the strongest opponent: bold players roll when it would stop, careful ones stop when it would roll;
in addition, the loss caused by these decisions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields

from engine import Bust, Corrected, Game, Roll, Rolled, Stop, may_stop
from engine.odds import bust_chance
from engine.opponents import Strategy
from engine.opponents.strongest import cost, fortune

EVEN = 1.5
"""The number of standard deviations beyond which luck is mentioned: chance alone exceeds it one time in seven."""

STEADY = 0.05
"""A player is steady if bold and careful decisions differ by less than this share of all decisions."""


@dataclass(slots=True)
class Record:
    """The statistics of one player.

    Attributes:
        name: The player's name.
        level: The level of an opponent; "" for a person.
        games: The number of finished games.
        wins: The number of games won.
        turns: The number of finished turns.
        busts: The number of turns that ended in a bust.
        expected: The expected number of busts, from the exact chance of each roll.
        decisions: The number of decisions to roll again or stop.
        bold: The number of decisions to roll when the strongest opponent stops.
        careful: The number of decisions to stop when it rolls.
        gained: Actual minus expected value of all rolls, in games won; for solo games, in turns saved.
        variance: The variance of `gained` for fair dice.
        given: The loss by decisions compared with the better alternative, in the unit of `gained`.
        alone: Whether these are solo games.
    """

    name: str
    level: str = ""
    games: int = 0
    wins: int = 0
    turns: int = 0
    busts: int = 0
    expected: float = 0.0
    decisions: int = 0
    bold: int = 0
    careful: int = 0
    gained: float = 0.0
    variance: float = 0.0
    given: float = 0.0
    alone: bool = False

    @property
    def luck_word(self) -> str:
        """Luck in a word, if it is unusual."""
        deviations = self.gained / math.sqrt(self.variance) if self.variance else 0.0
        if abs(deviations) < EVEN:
            return "as expected"
        return "lucky" if deviations > 0 else "unlucky"

    @property
    def nerve(self) -> float:
        """Bold minus careful decisions, as a share of all: 1 for always too bold, -1 for always too careful."""
        return (self.bold - self.careful) / self.decisions if self.decisions else 0.0

    @property
    def nerve_word(self) -> str:
        """Nerve in a word."""
        if not self.decisions or abs(self.nerve) < STEADY:
            return "steady" if self.decisions else "-"
        return "bold" if self.nerve > 0 else "careful"

    def add(self, other: Record) -> None:
        """Add the statistics of other games of the same player."""
        for each in fields(self):
            if each.name not in ("name", "level", "alone"):
                setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


def judge(game: Game, best: Strategy) -> list[Record]:
    """Return the statistics of one game, one record per player in the order of play.

    Args:
        game: The game, finished or not.
        best: The strategy to compare the players' decisions with.
    """
    is_alone = len(game.names) == 1
    records = [Record(name, level, alone=is_alone) for name, level in zip(game.names, game.levels, strict=True)]
    for nth, (before, step) in enumerate(zip(game.positions, game.steps, strict=False)):
        now = records[before.turn]
        if isinstance(step, Rolled):
            luck = fortune(before, corrected_roll(game, nth))
            now.expected += bust_chance(before)
            now.gained += luck.gain
            now.variance += luck.variance
        if isinstance(step, Rolled | Stop) and may_stop(before):
            would_stop, stops = best.stops(before), isinstance(step, Stop)
            now.decisions += 1
            now.bold += would_stop and not stops
            now.careful += stops and not would_stop
            now.given += cost(before, stops)
        if isinstance(step, Stop | Bust):
            now.turns += 1
            now.busts += isinstance(step, Bust)
    if game.winner is not None and not is_alone:
        for one in records:
            one.games, one.wins = 1, int(one.name == game.winner)
    return records


def corrected_roll(game: Game, step: int) -> Roll:
    """Return the correct values of a roll, from later corrections."""
    roll: Roll | None = None
    for each in game.steps[step:]:
        if not isinstance(each, Rolled | Corrected) or (roll is not None and isinstance(each, Rolled)):
            break
        roll = each.dice
    assert roll is not None
    return roll


def together(records: Iterable[Record]) -> list[Record]:
    """Return the sum of each player's records; the most active player first, and solo games last, separately.

    All opponents of one level count as one player.
    """
    sums: dict[tuple[str, str, bool], Record] = {}
    for one in records:
        key = ("" if one.level else one.name, one.level, one.alone)
        sums.setdefault(key, Record(one.name, one.level, alone=one.alone)).add(one)
    return sorted(sums.values(), key=lambda one: (one.alone, -one.games, -one.turns, one.name))
