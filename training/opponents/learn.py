"""Learn to play: first from games of the references, then by self-play with solved turns.

    python -m training.opponents.learn OUT.npy --players 2 --columns 3 --rounds 1000 --seed 11

A round is a few dozen games. What is kept is a running mean of the numbers, every ten rounds, so that it can be
interrupted at any time; `--start OUT.npy` goes on from there.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine import Variants
from training.opponents.trainer import Learner, rules_of

ROOM = 30_000
"""How many positions are remembered: what was learned from them must not be too old."""

KEEP_EVERY = 10


def main() -> None:
    """Learn, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="where the numbers go")
    parser.add_argument("--players", type=int, default=2, choices=(1, 2, 3, 4))
    parser.add_argument("--columns", type=int, default=3, choices=(3, 4, 5), help="columns to win")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--games", type=int, default=30, help="games in a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="numbers to go on from")
    parser.add_argument("--least", type=float, default=5e-3, help="nodes reached less often are not looked into")
    arguments = parser.parse_args()
    learner = Learner.new(rules_of(arguments.players, Variants(arguments.columns)), arguments.seed, ROOM)
    if arguments.start:
        learner.numbers[:] = np.load(arguments.start)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        if not arguments.start:
            # Games of the references cost next to nothing, and give values that self-play can begin with.
            for part in progress.track(range(30), description="watching"):
                batch, rate = (32, 2e-3) if part < 20 else (64, 5e-4)
                learner.watch(3000, fits=1, batch=batch, rate=rate)
        mean = learner.numbers.copy()
        began = time.process_time()
        task = progress.add_task("rounds", total=arguments.rounds)
        for number in range(arguments.rounds):
            learner.play(
                arguments.games,
                trace=0 if arguments.start else max(0.0, 0.4 - number / 100),  # how a game ended, less and less
                mixed=0.1 if arguments.players == 1 else 0.15,
                least=arguments.least,
                fits=4,
                batch=64,
                rate=4e-4 if arguments.start or number >= 150 else 7e-4,
            )
            mean += max(0.02, 1 / (number + 2)) * (learner.numbers - mean)
            progress.advance(task)
            if number % KEEP_EVERY == KEEP_EVERY - 1 or number == arguments.rounds - 1:
                np.save(arguments.out, mean)
                error, turns = learner.report()
                spent = time.process_time() - began
                progress.console.print(f"round {number + 1}: {spent:.0f} s, error {error:.5f}, {turns} turns")


if __name__ == "__main__":
    main()
