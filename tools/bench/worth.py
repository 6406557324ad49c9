"""Benchmark of each row of the verdict: scenes are read with the whole table, and without the row that refused them."""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from tools.scenes.kinds import KINDS, READABLE, SceneToScore, draw_scene
from vision.reader import examine
from vision.verdict.all_objections import TABLE, first_objection, title

SCENES = 100
"""The number of scenes, by default."""

SEED = 8_300_000_000
"""The first scene's seed, by default: nothing was chosen on these scenes."""

OUTCOMES = ("right", "wrong", "refused")
"""The possible outcomes without the row."""

Outcomes = dict[str, Counter[str]]
"""Outcomes by the title of the row that refused the scene."""


def outcome(values: tuple[int, ...] | None, read: tuple[int, ...] | None) -> str:
    """Return the outcome of a reading, for the values that a scene shows; `read` is None if it was refused.

    A scene that must be refused has no values (None): any reading of it is wrong.
    """
    if read is None:
        return "refused"
    return "right" if read == values else "wrong"


def worth(scenes: Iterable[SceneToScore]) -> Outcomes:
    """Return, for each row that refused a scene, the outcome without it."""
    found: Outcomes = defaultdict(Counter)
    for scene in scenes:
        frame, label = draw_scene(scene)
        evidence = examine(frame, dice=KINDS[scene.kind].expected)
        if evidence.decided_by is None:
            continue
        row = evidence.decided_by[0]
        others = [check for check in TABLE if check is not row]
        read = evidence.values if first_objection(evidence, others) is None else None
        found[title(row)][outcome(label.values, read)] += 1
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench.worth", description="What each row of the verdict is worth."
    )
    parser.add_argument("--kinds", default=READABLE, metavar="K,L", help=f"kinds of scenes ({READABLE})")
    parser.add_argument("--scenes", type=int, default=SCENES, metavar="N", help=f"scenes of each kind ({SCENES})")
    parser.add_argument("--seed", type=int, default=SEED, metavar="S", help=f"seed of the first scene ({SEED})")
    args = parser.parse_args(argv)
    kinds = args.kinds.split(",")
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        parser.error(f"there is no kind {unknown[0]!r}; choose from {', '.join(KINDS)}")
    if args.scenes < 1:
        parser.error("--scenes needs at least 1")
    table = Table(title=f"Without the row that refused: {args.scenes} scenes a kind", box=SIMPLE_HEAD)
    for heading in ("scenes", "row", *OUTCOMES):
        table.add_column(heading, justify="right" if heading in OUTCOMES else "left")
    for kind in kinds:
        found = worth(SceneToScore(kind, args.seed + number) for number in range(args.scenes))
        for row in map(title, TABLE):
            if row in found:
                table.add_row(kind, row, *(str(found[row][name]) for name in OUTCOMES))
    Console().print(table)


if __name__ == "__main__":
    main()
