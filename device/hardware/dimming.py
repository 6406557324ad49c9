"""When a display dims and turns off while nobody plays; the settings (`device/config.py`) can override the times."""

from __future__ import annotations

from enum import Enum

DIM_AFTER_S, OFF_AFTER_S = 60.0, 300.0
"""The times without a press or a roll, in seconds. A display that is off does not burn in."""


class Brightness(Enum):
    """The brightness levels of a display."""

    BRIGHT = "bright"
    DIM = "dim"
    DARK = "dark"


def brightness(alone_s: float, dim_after_s: float, off_after_s: float) -> Brightness:
    """Return the level after a time without activity; all times in seconds."""
    if alone_s >= off_after_s:
        return Brightness.DARK
    return Brightness.DIM if alone_s >= dim_after_s else Brightness.BRIGHT
