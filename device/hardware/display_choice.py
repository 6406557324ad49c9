"""The display's controller and rotation, as confirmed at the first start.

The settings' values are tried first. The working combination is stored beside the players' preferences together with
the settings it was found for; once these settings change, it is ignored.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from device.config import OledConfig
from vision.files import read_parsed, write_whole

Value = TypeVar("Value")

CONTROLLERS = ("ssd1306", "sh1106", "sh1106 at 0")
ROTATIONS = (0, 180)

MOST_BYTES = 10_000
"""The largest file that is read, in bytes."""


class DisplayChoice:
    """The display's controller and rotation; try one combination after another until one works."""

    def __init__(self, settings: OledConfig, file: Path) -> None:
        """Start with the combination that `file` stores for these settings, or else with the settings themselves."""
        self._settings = settings
        self._file = file
        self.config = read_parsed(file, MOST_BYTES, self._works, "the settings apply") or settings
        """The settings to open the display with."""

    def try_next(self) -> None:
        """Select the next combination: first the other controller, then the other rotation."""
        ways = [
            replace(self._settings, type=controller, rotation=rotation)
            for rotation in _first(self._settings.rotation, ROTATIONS)
            for controller in _first(self._settings.type, CONTROLLERS)
        ]
        self.config = ways[(ways.index(self.config) + 1) % len(ways)]

    def keep(self) -> None:
        """Store the current combination for the next start. After an OSError the stored file is unchanged."""
        kept = {"settings": _way(self._settings), "works": _way(self.config)}
        write_whole(self._file, json.dumps(kept).encode() + b"\n")

    def _works(self, kept: Any) -> OledConfig | None:  # noqa: ANN401 - of any type
        """Return the stored combination; None if it is for other settings."""
        controller, rotation = kept["works"]["type"], kept["works"]["rotation"]
        if controller not in CONTROLLERS or rotation not in ROTATIONS:
            raise ValueError(f"{kept['works']!r} is not a display")
        if kept["settings"] != _way(self._settings):
            return None
        return replace(self._settings, type=controller, rotation=int(rotation))


def _first(first: Value, every: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return all values, beginning with the given one."""
    return (first, *(value for value in every if value != first))


def _way(config: OledConfig) -> dict[str, object]:
    return {"type": config.type, "rotation": config.rotation}
