"""How scenes of the project's own renderer are read: `python -m bench.scenes [COUNT [FIRST_SEED]]`.

Half of the scenes show four dice that can be read, each with a seed of its own; the others must be refused: dice that
lean, a hand, another number, dice that move or lie outside, too little light.
"""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from vision.read import read
from vision.render import draw, random_scene

SPOILT = (
    {"cocked": True},
    {"hand": True},
    {"strayed": True},
    {"moving": True},
    {"dark": True},
    {"count": 3},
    {"count": 5},
)
"""The ways in which a scene cannot be read."""


def outcome(seed: int) -> tuple[str, str]:
    """Draw and read the scene of a seed; even seeds are readable.

    Returns:
        The kind of scene, and "right", "refused" or "wrong".
    """
    chance = np.random.default_rng(seed)
    if seed % 2 == 0:
        values = sorted(int(value) for value in chance.integers(1, 7, size=4))
        reading = read(draw(random_scene(chance, values), chance))
        return "readable", ("right" if list(reading.values) == values else "wrong") if reading.ok else "refused"
    spoilt = SPOILT[seed // 2 % len(SPOILT)]
    reading = read(draw(random_scene(chance, **spoilt), chance))
    return " ".join(map(str, spoilt)), "wrong" if reading.ok else "right"


def main(count: int = 400, first: int = 1_000_000) -> None:
    """Read so many scenes, over all cores, and print the table."""
    counts: Counter[tuple[str, str]] = Counter()
    with ProcessPoolExecutor() as pool:
        results = pool.map(outcome, range(first, first + count), chunksize=8)
        for one in track(results, "reading scenes", total=count, console=Console(stderr=True)):
            counts[one] += 1
    table = Table(title=f"{count} scenes, seeds from {first}")
    for head in ("scene", "right", "refused", "wrong"):
        table.add_column(head, justify="left" if head == "scene" else "right")
    for kind in sorted({kind for kind, _ in counts}):
        table.add_row(kind, *(str(counts[kind, result]) for result in ("right", "refused", "wrong")))
    Console().print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
