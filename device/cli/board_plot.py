"""A plot of the eleven columns of a position, with the odds of the next roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from device.statistics.plots import new_figure
from engine import COLUMNS, TOP, Position
from engine.odds import ALL_ROLLS, moving_rolls, odds_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLAYERS = ("#e3b505", "#e07a1f", "#2e8b57", "#1b6ca8")
"""Yellow, orange, green, blue: the markers of the printed game, in playing order."""

SPACE, SPACE_EDGE, WON, INK, QUIET = "#f3f1ec", "#b9b4a8", "#dcd7cb", "#22262b", "#8a8577"
RUNNER = "#22262b"


def board_plot(position: Position) -> Figure:
    """Return a plot of the board; above each column, the chance that the next roll can move a runner there.

    A current roll is ignored: the odds are those of the next roll from the runners' present spaces.

    Raises:
        PlotError: If matplotlib is not installed.
    """
    figure = new_figure(8, 7)
    axes = figure.add_subplot()
    line, position = str(position), position.with_roll(None)
    moves = moving_rolls(position)
    for column in COLUMNS:
        _draw_column(axes, position, column, moves.get(column))
    odds = odds_of(position)
    told = [f"bust {100 * odds.bust:.1f} %", f"a top {100 * odds.top:.1f} %", f"at stake {odds.at_stake}"]
    if position.variants.no_stop_on_marker:
        told.insert(1, f"turn lost before a stop {100 * odds.loss:.1f} %")
    axes.set_title("next roll:  " + "  ·  ".join(told), color=INK, fontsize=13)
    axes.set_xlabel(f"{line}\nabove a column that can move: how often the next roll can move its runner", color=QUIET)
    axes.set_xticks(list(COLUMNS), [str(column) for column in COLUMNS], fontsize=12, fontweight="bold", color=INK)
    axes.set_yticks([])
    axes.tick_params(length=0)
    axes.set_xlim(1.4, 12.6)
    axes.set_ylim(0.2, max(TOP) + 1.6)
    axes.set_aspect("equal")
    for side in axes.spines.values():
        side.set_visible(False)
    _legend(axes, position)
    return figure


def _draw_column(axes: Axes, position: Position, column: int, rolls: int | None) -> None:
    from matplotlib.patches import FancyBboxPatch

    owner = position.owners[column]
    rounded = "round,pad=0.03,rounding_size=0.12"
    for space in range(1, TOP[column] + 1):
        edge, width = (INK, 1.6) if space == TOP[column] else (SPACE_EDGE, 0.8)
        place = (column - 0.38, space - 0.38)
        fill = SPACE if owner is None else WON
        box = FancyBboxPatch(place, 0.76, 0.76, boxstyle=rounded, facecolor=fill, edgecolor=edge, linewidth=width)
        axes.add_patch(box)
    if owner is not None:
        axes.plot(column, TOP[column], "o", markersize=17, color=PLAYERS[owner])
        axes.text(column, TOP[column] + 0.85, "won", ha="center", va="center", color=QUIET, fontsize=10)
    else:
        for player, markers in enumerate(position.markers):
            if markers[column]:
                # Four places within a space, so that all markers on it are visible.
                across, up = ((-0.2, 0.2), (0.2, 0.2), (-0.2, -0.2), (0.2, -0.2))[player]
                axes.plot(column + across, markers[column] + up, "s", markersize=7, color=PLAYERS[player])
        if position.runners[column]:
            axes.plot(
                column, position.runners[column], "o", markersize=13, markerfacecolor="white", color=RUNNER, mew=2.5
            )
    if rolls is not None:
        chance = 100 * rolls / ALL_ROLLS
        axes.text(column, TOP[column] + 0.85, f"{chance:.0f} %", ha="center", va="center", color=INK, fontsize=11)


def _legend(axes: Axes, position: Position) -> None:
    from matplotlib.lines import Line2D

    entries = []
    for player in range(position.players):
        label = f"player {player + 1}" + (" (to roll)" if player == position.turn else "")
        entries.append(Line2D([], [], marker="s", linestyle="", color=PLAYERS[player], label=label))
    runner = Line2D(
        [], [], marker="o", linestyle="", color=RUNNER, markerfacecolor="white", markersize=9, label="runner"
    )
    runner.set_markeredgewidth(2)
    entries.append(runner)
    axes.legend(handles=entries, loc="upper left", frameon=False)
