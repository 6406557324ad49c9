"""Plots of the statistics, by matplotlib, which is loaded only for a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from device.statistics.dice_sets import DiceSet
from device.statistics.fairness import FACES, ODD, Fairness
from device.statistics.people import Record
from engine.opponents import level_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 120
INK, GRID, BAND = "#1b6ca8", "#d5d8dc", "#cfe3f2"
FACE_LINES = (
    ("#1b6ca8", "o"), ("#d1495b", "s"), ("#2e8b57", "^"), ("#e09f3e", "D"), ("#6a4c93", "v"), ("#4a4a4a", "X"),
)  # fmt: skip
"""A colour and a marker for each face: the colours are distinguishable with most forms of colour blindness."""


class PlotError(OSError):
    """The plot cannot be drawn or written; the message says why and what to do."""


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of the given size in inches; it needs no display.

    Raises:
        PlotError: If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  # takes a second, and only plots need it
    except ImportError as error:
        raise PlotError(
            "plots need matplotlib. On a Pi: sudo apt install python3-matplotlib; "
            "elsewhere: .venv/bin/pip install matplotlib"
        ) from error
    return Figure(figsize=(width, height), dpi=DPI, layout="constrained")


def save(figure: Figure, file: Path) -> None:
    """Write a figure to a file.

    Raises:
        PlotError: If it cannot be written, or not in the format of the file's suffix.
    """
    try:
        figure.savefig(file)
    except (OSError, ValueError) as error:
        raise PlotError(f"cannot write the plot {file}: {error}; give another --png, ending in .png") from error


def _most_often(share: float, rolls: int) -> int:
    """Return how often a fair face comes up at most, in this share of all series of rolls."""
    count, below = -1, 0.0
    while below < share and count < rolls:
        count += 1
        ways = math.lgamma(rolls + 1) - math.lgamma(count + 1) - math.lgamma(rolls - count + 1)
        below += math.exp(ways + count * math.log(1 / 6) + (rolls - count) * math.log(5 / 6))
    return count


def dice_plot(sets: Sequence[tuple[DiceSet, Fairness]], periods: Sequence[Sequence[int]]) -> Figure:
    """Return a plot of the faces' frequencies, one panel per set of dice, above their shares over time.

    Args:
        sets: The sets of dice; at most the first four are drawn.
        periods: The values of the first set's dice, in equal periods.

    Raises:
        PlotError: If matplotlib is not installed.
    """
    shown = sets[:4]
    figure = new_figure(max(6.4, 3.6 * len(shown)), 6.4)
    grid = figure.add_gridspec(2, len(shown))
    for index, (dice, found) in enumerate(shown):
        axes = figure.add_subplot(grid[0, index])
        low, high = (_most_often(share, found.rolls) for share in (ODD / 2, 1 - ODD / 2))
        axes.axhspan(low, high, color=BAND, label="fair dice: 19 times in 20")
        axes.axhline(found.rolls / 6, color=INK, linewidth=1)
        axes.bar(list(FACES), found.counts, color=INK, width=0.6)
        axes.set(title=f"{dice.name}: {dice.throws} rolls", xlabel="face", ylabel="how often" if index == 0 else "")
        axes.set_xticks(list(FACES))
        axes.spines[["top", "right"]].set_visible(False)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), fontsize=8, loc="outside lower left", frameon=False)
    axes = figure.add_subplot(grid[1, :])
    ends = range(1, len(periods) + 1)
    axes.axhline(100 / 6, color="0.4", linewidth=1)
    for face, (ink, marker) in zip(FACES, FACE_LINES, strict=True):
        shares = [100 * sum(value == face for value in values) / len(values) for values in periods]
        axes.plot(ends, shares, color=ink, marker=marker, markersize=5, linewidth=1.4, label=str(face))
    top = 1.08 * max(axes.get_ylim()[1], 100 / 6)
    axes.legend(title="face", loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    axes.set(
        title=f"{shown[0][0].name}: shares over time",
        xlabel=f"parts of the time, {min(map(len, periods))} dice and more in each",
        ylabel="% of the dice",
    )
    axes.set_xticks(list(ends))
    axes.set_ylim(0, top)
    axes.grid(axis="y", color=GRID)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def people_plot(records: Sequence[Record]) -> Figure:
    """Return a plot of luck and nerve of each player side by side, the most active player on top.

    Solitaire games are drawn only if there are no others: their luck is measured in turns.

    Raises:
        PlotError: If matplotlib is not installed.
    """
    shown = [one for one in records if one.turns and not one.alone] or [one for one in records if one.turns]
    unit = "turns saved by the dice" if any(one.alone for one in shown) else "games won by the dice"
    figure = new_figure(8.0, 1.6 + 0.45 * len(shown))
    left, right = figure.subplots(1, 2, sharey=True)
    places = range(len(shown))
    for axes, values, title, label in (
        (left, [one.gained for one in shown], "luck", unit),
        (right, [100 * one.nerve for one in shown], "nerve", "% of decisions: careful (-), bold (+)"),
    ):
        axes.barh(list(places), values, color=INK, height=0.6)
        axes.axvline(0, color="0.3", linewidth=1)
        axes.set(title=title, xlabel=label)
        # A minimum scale, so that tiny values do not look large.
        usual = [5.0] if axes is right else [0.5, *(one.variance**0.5 for one in shown)]
        reach = 1.1 * max(map(abs, [*values, *usual]))
        axes.set_xlim(-reach, reach)
        axes.grid(axis="x", color=GRID)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
    left.errorbar(
        [0.0] * len(shown),
        list(places),
        xerr=[one.variance**0.5 for one in shown],
        fmt="none",
        ecolor=FACE_LINES[1][0],
        capsize=3,
        label="usual (one standard deviation)",
    )
    left.set_yticks(list(places), [f"({level_name(one.level)})" if one.level else one.name for one in shown])
    left.invert_yaxis()
    figure.legend(fontsize=8, loc="outside lower left", frameon=False)
    return figure
