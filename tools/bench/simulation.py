"""Benchmark of random games, compared with a straightforward engine: `python -m tools.bench.simulation`."""

from __future__ import annotations

import random
from time import process_time

import numpy as np
from rich.console import Console
from rich.table import Table

from engine.simulate import RandomPlay, play_games
from tools.bench.straightforward import StraightforwardGame

BATCH_GAMES = 30_000
"""The number of games that are timed in batches."""

SINGLE_GAMES = 300
"""The number of games of the straightforward engine that are timed."""

ROUNDS = 3
"""The number of measurements, of which the best is printed, as other programs run too."""


def batch_games(seed: int) -> tuple[float, float]:
    """Return games per second of one core's time in batches, and the winners' mean number of turns."""
    chance = np.random.default_rng(seed)
    began = process_time()
    outcomes = play_games([RandomPlay(chance)], [[0, 0]], BATCH_GAMES, chance)
    return BATCH_GAMES / (process_time() - began), float(outcomes.turns.mean())


def single_games(seed: int) -> tuple[float, float]:
    """Return the same for one game after the other."""
    chance = random.Random(seed)
    began = process_time()
    turns = [StraightforwardGame(2, chance).play() for _ in range(SINGLE_GAMES)]
    return SINGLE_GAMES / (process_time() - began), sum(turns) / SINGLE_GAMES


def main() -> None:
    """Measure and print."""
    batch = [batch_games(seed) for seed in range(ROUNDS)]
    single = [single_games(seed) for seed in range(ROUNDS)]
    table = Table(
        title="Random games, two players, stop after four good rolls",
        caption=f"of one core's time, the best of {ROUNDS} rounds of {BATCH_GAMES:,} and {SINGLE_GAMES:,} games",
    )
    table.add_column("engine")
    table.add_column("games a second", justify="right")
    table.add_column("turns of the winner", justify="right")
    fast, slow = max(speed for speed, _ in batch), max(speed for speed, _ in single)
    table.add_row(
        "engine.simulate, many games at once", f"{fast:,.0f}", f"{np.mean([turns for _, turns in batch]):.2f}"
    )
    table.add_row("straightforward, dictionaries", f"{slow:,.0f}", f"{np.mean([turns for _, turns in single]):.2f}")
    table.add_row("ratio", f"{fast / slow:.0f}", "")
    Console().print(table)


if __name__ == "__main__":
    main()
