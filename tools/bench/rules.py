"""Benchmark of the rules: listing the plays for a roll, and whole games of random play."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from statistics import median
from time import perf_counter, process_time

from device.cli.output import show, table
from engine import (
    Bust,
    Game,
    Position,
    Rolled,
    Stop,
    all_rolls,
    may_stop,
    parse_position,
    plays,
    roll_of,
)
from engine.odds import bust_chance, odds_of
from engine.odds.forced import _turn

ROUNDS = 25
"""The number of measurements of each figure, of which the median is printed, as other programs run too."""

GAMES = 100
"""The number of random games that are timed."""

GOOD_ROLLS = 4
"""The number of good rolls after which the random players stop, if allowed."""

POSITIONS = {
    "first roll of a game": "3 -/- 1 - -",
    "one runner free": "3 4:2,7:5,8:3/6:4,9:3 1 6:2,8:5 -",
    "no runner free": "3 4:2,7:5,8:3/6:4,9:3 1 6:2,7:7,8:5 -",
    "four players, leap": "3+leap 4:2,7:5/6:4/7:6/7:8 1 6:3 -",
    "one runner free, fast start strict": "3+strict 4:2,7:5,8:3/6:4,9:3 1 6:2,8:5 -",
}
"""The positions for listing plays: a name, and the position for each of the 126 rolls."""


def fresh(position: Position) -> list[Position]:
    """Return the position with each roll, as new objects without cached results."""
    return [replace(position, roll=roll) for roll in all_rolls()]


def listing(positions: list[Position]) -> float:
    """Return the time for listing the plays of a position, in microseconds."""
    began = perf_counter()
    for position in positions:
        plays(position)
    return (perf_counter() - began) / len(positions) * 1e6


def asking(ask: Callable[[Position], object], position: Position) -> float:
    """Return the time for a question about odds, in microseconds per position, without cached results."""
    positions = [replace(position) for _ in range(126 if ask is bust_chance else 6)]
    began = process_time()
    for one in positions:
        _turn.cache_clear()  # the earlier question about the same turn
        ask(one)
    return (process_time() - began) / len(positions) * 1e6


def random_game(chance: random.Random, game: Game) -> Game:
    """Return a finished game of random legal plays; a player stops after enough good rolls, if it is allowed."""
    good_rolls = 0
    while game.winner is None:
        position = game.position
        if position.roll is not None:
            choices = plays(position)
            good_rolls = good_rolls + 1 if choices else 0
            game = game.do(chance.choice(choices) if choices else Bust())
        elif good_rolls >= GOOD_ROLLS and may_stop(position):
            good_rolls, game = 0, game.do(Stop())
        else:
            game = game.do(Rolled(roll_of(chance.choices(range(1, 7), k=4))))
    return game


def shown(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table."""
    figures = table(*columns, title=title)
    for row in rows:
        figures.add_row(*map(str, row))
    show(figures)


def main() -> None:
    """Measure and print."""
    rows = []
    for name, line in POSITIONS.items():
        position = parse_position(line)
        known = fresh(position)
        listing(known)
        times = [median(listing(known) for _ in range(ROUNDS)), median(listing(fresh(position)) for _ in range(ROUNDS))]
        rows.append((name, *(f"{time:.1f}" for time in times)))
    title = f"Listing the legal plays for a roll, in µs: median of {ROUNDS} rounds of 126 rolls each"
    shown(title, ("position", "asked before", "fresh"), rows)

    rows = []
    for name, line in {**POSITIONS, "no stop on a marker": "3+no-stop 4:2,7:5/6:6,8:5 1 6:6,8:5 -"}.items():
        times = [median(asking(ask, parse_position(line)) for _ in range(ROUNDS)) for ask in (bust_chance, odds_of)]
        rows.append((name, f"{times[0]:.1f}", f"{times[1]:,.0f}"))
    title = f"Exact odds of the next roll, in µs: fresh positions, median of {ROUNDS} rounds"
    shown(title, ("position", "chance of a bust", "all odds"), rows)

    chance = random.Random(1)
    began = perf_counter()
    steps = [len(random_game(chance, Game.new(["yellow", "green"])).steps) for _ in range(GAMES)]
    seconds = perf_counter() - began
    figures = (f"{GAMES / seconds:.0f}", f"{sum(steps) / seconds:,.0f}", f"{median(steps):.0f}")
    columns = ("games a second", "steps a second", "steps a game, median")
    shown("Random play, two players, with every position kept for undo", columns, [figures])


if __name__ == "__main__":
    main()
