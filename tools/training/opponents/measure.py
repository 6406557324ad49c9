"""Measures trained networks against the references, in C: wins with 95 % intervals, or solo turns.

    python -m tools.training.opponents.measure --games 20000 [--players 2] [--columns 3] [--variant leap] [--exact]

Without --numbers it uses `engine/opponents/values.npz`. Seats rotate; with three or four players, one trained player
plays against two or three of the same reference.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np
from rich.progress import track

from engine import Variants
from engine.opponents.networks import FILE
from tools.training.opponents.trainer import EVOLVED, INNER, LEARNED, OUTER, Player, match, network, rules_of

PART = 100
"""The number of games played between two steps of the progress bar."""

REFERENCES = {OUTER: "Rule of 28, outer", INNER: "Rule of 28, inner", EVOLVED: "evolved weights"}


def main() -> None:
    """Play and print, according to the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numbers", type=Path, help="a .npy of tools.training.opponents.learn")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--players", type=int, default=2, choices=(1, 2, 3, 4))
    parser.add_argument("--columns", type=int, default=3, choices=(3, 4, 5))
    parser.add_argument("--variant", action="append", default=[], help="a variant's name, several times if need be")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=math.inf, help="tell what was played after so long")
    parser.add_argument("--exact", action="store_true", help="look into every node, as the device does; slower")
    arguments = parser.parse_args()
    variants = Variants.of(arguments.columns, arguments.variant)
    variants.check(arguments.players)
    if arguments.numbers:
        numbers = np.load(arguments.numbers).astype(np.float16).astype(np.float32)
    else:
        with np.load(FILE) as file:
            numbers = file[f"{arguments.players}x{arguments.columns}"].astype(np.float32)
    rules = rules_of(arguments.players, variants)
    learned = Player(LEARNED, network(arguments.players, numbers), 0 if arguments.exact else 5e-3)
    against = REFERENCES if arguments.players > 1 else {LEARNED: "alone"}
    totals = {reference: np.zeros(4) for reference in against}
    played = 0
    ends = time.monotonic() + arguments.minutes * 60
    try:
        for part in track(range(math.ceil(arguments.games / PART)), "hundreds of games", transient=True):
            if time.monotonic() > ends:
                break
            for reference in against:
                players = [learned] + [Player(reference, None, 0)] * (arguments.players - 1)
                # The seed of a game is seed times 1,000,003 plus its number, so each part needs its own seed.
                totals[reference] += match(rules, players, PART, arguments.seed * 1_000_000 + part)
            played += PART
    except KeyboardInterrupt:
        print(f"stopped after {played} games")
    for reference, name in against.items() if played else ():
        print(_line(name, totals[reference], played, alone=arguments.players == 1))


def _line(name: str, totals: np.ndarray, played: int, *, alone: bool) -> str:
    if alone:
        mean = totals[0] / played
        half = 1.96 * math.sqrt((totals[1] / played - mean**2) / played)
        return f"alone: {mean:.3f} ± {half:.3f} turns in {played} games"
    share = totals[0] / played
    half = 1.96 * math.sqrt(share * (1 - share) / played)
    return f"{name}: {100 * share:.1f} % ± {100 * half:.1f} of {played} games"


if __name__ == "__main__":
    main()
