"""What games tell of those who played them: wins, luck and nerve.

Luck is what was rolled beside what was to be expected, added up over every roll: the chance to win after it less that
before it, as the strongest opponent's values have it (`engine.opponents.fortune`); and more plainly the busts that came
beside the exact chances of all the rolls made. Nerve is how the decisions to stop or to roll on compare with those of
the strongest opponent: bold is who rolls where it would stop, careful who stops where it would roll; and what these
decisions gave away.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine import Bust, Corrected, Game, Position, Roll, Rolled, Stop, may_stop
from engine.odds import bust_chance
from engine.opponents import Strategy

if TYPE_CHECKING:
    from engine.opponents.fortune import Fortune

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
        decisions: How often the player could roll on or stop.
        bold: How often of these the player rolled where the strongest opponent stops.
        careful: How often the player stopped where it rolls.
        gained: What the dice gave beside what fair dice give on average, over all rolls: in games won; alone, in turns
            saved.
        variance: The variance of that, for fair dice.
        given: What decisions to stop or to roll on gave away beside the better of the two, in the same measure.
        alone: Whether these are the games that the player played alone.
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
        """Luck in a word: whether so much of it is more than the usual."""
        deviations = self.gained / math.sqrt(self.variance) if self.variance else 0.0
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
            if each not in ("name", "level", "alone")
        }
        return replace(self, **added)


def judge(
    game: Game, best: Strategy, fortune: Callable[[Position, Roll], Fortune], cost: Callable[[Position, bool], float]
) -> list[Record]:
    """Work out the figures of one game, one record a player, in the order of play.

    Args:
        game: The game, over or not.
        best: With whose decisions the players' are compared.
        fortune: Tells the luck of a roll: `engine.opponents.fortune.fortune`, which needs numpy.
        cost: Tells what a decision gives away: `engine.opponents.fortune.cost`.
    """
    levels = game.levels or ("",) * len(game.names)
    is_alone = len(game.names) == 1
    records = [Record(name, level, alone=is_alone) for name, level in zip(game.names, levels, strict=True)]
    for nth, (before, step) in enumerate(zip(game.positions, game.steps, strict=False)):
        now = records[before.turn]
        if isinstance(step, Rolled):
            luck = fortune(before, _as_it_was(game, nth))
            now = replace(
                now,
                expected=now.expected + bust_chance(before),
                gained=now.gained + luck.gain,
                variance=now.variance + luck.variance,
            )
        if isinstance(step, Rolled | Stop) and may_stop(before):
            would_stop, stops = best.stops(before), isinstance(step, Stop)
            now = replace(
                now,
                decisions=now.decisions + 1,
                bold=now.bold + (would_stop and not stops),
                careful=now.careful + (stops and not would_stop),
                given=now.given + cost(before, stops),
            )
        if isinstance(step, Stop | Bust):
            now = replace(now, turns=now.turns + 1, busts=now.busts + isinstance(step, Bust))
        records[before.turn] = now
    if game.winner is not None and not is_alone:
        records = [replace(one, games=1, wins=int(one.name == game.winner)) for one in records]
    return records


def _as_it_was(game: Game, step: int) -> Roll:
    """Return what the dice of a roll really showed: misread ones were put right by the steps after it."""
    roll: Roll | None = None
    for each in game.steps[step:]:
        if not isinstance(each, Rolled | Corrected) or (roll is not None and isinstance(each, Rolled)):
            break
        roll = each.dice
    assert roll is not None
    return roll


def together(records: Iterable[Record]) -> list[Record]:
    """Add up the records of each player; whoever played most comes first, and games alone last, each by itself.

    Opponents of a level are one player.
    """
    sums: dict[tuple[str, str, bool], Record] = {}
    for one in records:
        key = ("" if one.level else one.name, one.level, one.alone)
        sums[key] = sums[key].plus(one) if key in sums else one
    return sorted(sums.values(), key=lambda one: (one.alone, -one.games, -one.turns, one.name))
