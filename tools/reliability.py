"""Plots the reliability of the reader's confidence for docs/reading.md.

`cantstop score --scenes 10000 --confidences FILE` writes each die's reading and confidence; this plots the share of
wrong readings for groups of dice with similar confidence: `python -m tools.reliability FILE... [--out PNG]`.
"""

from __future__ import annotations

import argparse
import csv
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import numpy as np

from vision.scoring.score import wilson_interval

mpl.use("Agg")
from matplotlib import pyplot as plt

EDGES = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)
"""The limits of the groups, in stated probabilities of error."""


def read_dice(files: list[Path]) -> tuple[np.ndarray, np.ndarray]:
    """Return the stated probability of error, and whether it was read correctly, for each accepted die; (n,) each."""
    stated, right = [], []
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for line in csv.DictReader(lines):
                if line["accepted"] != "1":  # part of a picture that was refused
                    continue
                stated.append(1.0 - float(line["confidence"]))
                right.append(line["right"] == "1")
    return np.clip(np.array(stated), EDGES[0], 1.0), np.array(right, bool)


def main() -> None:
    """Write the plot and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("docs/reliability.png"))
    args = parser.parse_args()
    stated, right = read_dice(args.files)
    figure, axes = plt.subplots(figsize=(6.4, 4.6), dpi=110, layout="constrained")
    axes.plot(EDGES[::7], EDGES[::7], color="0.7", label="as sure as it says")
    print("stated chance of being wrong   dice   wrong   share (95 %)")
    for low, high in pairwise(EDGES):
        group = (stated >= low) & ((stated < high) | (high == EDGES[-1]))
        count, wrong = int(group.sum()), int((~right[group]).sum())
        if not count:
            continue
        least, most = wilson_interval(wrong, count)
        middle = float(np.exp(np.log(stated[group]).mean()))
        share = max(wrong / count, EDGES[0])
        print(f"{low:8.0e} to {high:8.0e} {count:10d} {wrong:7d}   {wrong / count:.2e} ({least:.1e} to {most:.1e})")
        axes.plot([middle, middle], [max(least, EDGES[0]), most], color="C0", linewidth=1.5)
        axes.plot(middle, share, "o" if wrong else "v", color="C0")
        axes.annotate(f"{wrong} of {count}", (middle, most), textcoords="offset points", xytext=(4, 3), fontsize=8)
    axes.set(xscale="log", yscale="log", xlim=(EDGES[0] / 2, 1.5), ylim=(EDGES[0] / 2, 1.5))
    axes.set_xlabel("stated chance that a die is wrong, 1 - confidence")
    axes.set_ylabel("share of dice that were wrong, 95 % interval")
    axes.legend(loc="upper left", frameon=False)
    figure.savefig(args.out)
    sure = stated <= 1e-3
    print(f"at 99.9 % and more: {int((~right[sure]).sum())} of {int(sure.sum())} dice wrong")


if __name__ == "__main__":
    main()
