"""Benchmark of the strongest level's decisions, in time and memory: `python -m tools.bench.strongest`.

The first roll of a game is the hardest: with one runner placed after a double, every pair of other columns is open. So
first rolls are timed, then the decisions of a game. Only what the box itself caches is kept from one decision to the
next. The time is the process's own, as other programs run too.
"""

from __future__ import annotations

import random
import resource
from time import process_time

from rich.console import Console
from rich.table import Table

from engine import Bust, Position, Stop, after, all_rolls, is_bust, may_stop, plays, roll_of
from engine.opponents import level
from engine.opponents.strongest import Strongest

HARD_ROLLS = all_rolls()[::5]
"""Every fifth of the 126 rolls."""

TABLES = {"alone": 1, "two players": 2, "four players": 4}


def first_rolls(players: int) -> list[float]:
    """Return the times for the choice for first rolls with a choice, in milliseconds."""
    position = Position.start(players)
    times = []
    for roll in HARD_ROLLS:
        if len(plays(position.with_roll(roll))) > 1:
            strongest = Strongest()
            began = process_time()
            strongest.choose(position, roll)
            times.append((process_time() - began) * 1e3)
    return times


def game(players: int, seed: int) -> list[float]:
    """Return the times for the decisions of a game, in milliseconds."""
    chance = random.Random(seed)
    strongest = Strongest()
    position = Position.start(players)
    times = []
    while position.winner is None:
        began = process_time()
        stops = strongest.stops(position)
        if may_stop(position):
            times.append((process_time() - began) * 1e3)
        if stops:
            position = after(position, Stop())
            continue
        roll = roll_of(chance.choices(range(1, 7), k=4))
        rolled = position.with_roll(roll)
        if is_bust(rolled):
            position = after(rolled, Bust())
            continue
        began = process_time()
        play = strongest.choose(position, roll)
        times.append((process_time() - began) * 1e3)
        position = after(rolled, play)
    return times


def main() -> None:
    """Print the table."""
    level("strongest").make().choose(Position.start(2), (1, 2, 3, 6))  # loads the tables
    table = Table("decision of the strongest level", "mean ms", "longest ms", "decisions")
    for name, players in TABLES.items():
        times = first_rolls(players)
        table.add_row(f"first roll, {name}", f"{sum(times) / len(times):.1f}", f"{max(times):.0f}", str(len(times)))
        times = game(players, seed=1)
        table.add_row(f"a game, {name}", f"{sum(times) / len(times):.1f}", f"{max(times):.0f}", str(len(times)))
    console = Console()
    console.print(table)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(f"Memory of this process at its peak, Python and numpy included: {peak:.0f} MB")


if __name__ == "__main__":
    main()
