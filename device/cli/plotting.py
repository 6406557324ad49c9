"""Writes a command's plot to a file, and reports errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from device.cli.output import complain
from device.statistics.plots import PlotError, save

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_plot(command: str, draw: Callable[[], Figure], file: Path | None) -> int:
    """Write a plot, if one is requested.

    Args:
        command: The command's name, for error messages.
        draw: Creates the figure.
        file: The file; None if no plot is requested.

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
