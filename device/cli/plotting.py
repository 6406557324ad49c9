"""Draws a command's plot into a file, and tells where that fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from device.cli.output import complain
from device.statistics.plots import PlotError, save

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_plot(command: str, draw: Callable[[], Figure], file: Path | None) -> int:
    """Draw and write a plot, where one is asked for.

    Args:
        command: Which command does it, for the message on stderr.
        draw: Makes the figure.
        file: Where it goes; None: no plot is asked for.

    Returns:
        The command's exit status: 1 if it failed.
    """
    if file is None:
        return 0
    try:
        save(draw(), file)
    except PlotError as error:
        complain(command, error)
        return 1
    return 0
