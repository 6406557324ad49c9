"""The plot of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from device.statistics.plots import new_figure
from vision.scoring.score import wilson_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure


DARK = 0.62
"""The distance from an even share, relative to always or never, beyond which a cell has white text."""


def matrix_plot(keys: Sequence[str], won: dict[tuple[str, str], tuple[int, int]], players: int) -> Figure:
    """Return a plot of each level's share of wins against each other; white is even, blue is more, red is less.

    Raises:
        PlotError: If matplotlib is not installed.
    """
    figure = new_figure(2.8 + 1.15 * len(keys), 1.9 + 0.85 * len(keys))
    axes = figure.add_subplot()
    even = 1 / players
    shade = np.zeros((len(keys), len(keys)))
    for (row, column), (count, games) in won.items():
        share = count / games
        # As far from white at 0 as at 1, wherever the even share lies.
        shade[keys.index(row), keys.index(column)] = (share - even) / (1 - even if share > even else even)
    axes.imshow(shade, cmap="RdBu", vmin=-1.3, vmax=1.3, aspect="auto")
    for (row, column), (count, games) in won.items():
        low, high = wilson_interval(count, games)
        place = (keys.index(column), keys.index(row))
        ink = "white" if abs(shade[place[::-1]]) > DARK else "black"
        axes.text(*place, f"{100 * count / games:.1f} %", ha="center", va="bottom", fontsize=11, color=ink)
        axes.text(*place, f"\n{100 * low:.1f} to {100 * high:.1f}", ha="center", va="center", fontsize=8, color=ink)
    axes.set_xticks(range(len(keys)), keys, rotation=20, ha="right")
    axes.set_yticks(range(len(keys)), keys)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    others = "the column's" if players == 2 else f"{players - 1} of the column's"
    axes.set_title(
        f"games that the row's level wins against {others}\n(below: 95 % interval; even: {100 * even:.0f} %)"
    )
    return figure
