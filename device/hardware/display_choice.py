"""Which controller the display has and which way up it is, as answered at the first start.

The settings' values are tried first. What was found to work is kept beside the players' preferences, together with the
settings for which it was found: once the builder changes these, they count again.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from device.config import OledConfig
from files.write import write_whole

Value = TypeVar("Value")

CONTROLLERS = ("ssd1306", "sh1106")
ROTATIONS = (0, 180)

_log = logging.getLogger(__name__)


class DisplayChoice:
    """The display's controller and rotation; one after another can be tried until one works."""

    def __init__(self, settings: OledConfig, file: Path) -> None:
        """Begin with what was kept for these settings, or with the settings themselves.

        Args:
            settings: How the display is built in, by the builder's settings.
            file: Where what worked is kept.
        """
        self._settings = settings
        self._file = file
        self.config = self._kept() or settings
        """How the display is to be opened now."""

    def try_next(self) -> None:
        """Go on to the next way of driving the display: the other controller first, then the other way up."""
        ways = [
            replace(self._settings, type=controller, rotation=rotation)
            for rotation in _first(self._settings.rotation, ROTATIONS)
            for controller in _first(self._settings.type, CONTROLLERS)
        ]
        self.config = ways[(ways.index(self.config) + 1) % len(ways)]

    def keep(self) -> None:
        """Keep the present way for the next start.

        Raises:
            OSError: If it cannot be written; what was kept before still is.
        """
        kept = {"settings": _way(self._settings), "works": _way(self.config)}
        write_whole(self._file, json.dumps(kept).encode() + b"\n")

    def _kept(self) -> OledConfig | None:
        """Return what was kept for the settings; None if nothing was, or for others, or it cannot be used."""
        try:
            kept = json.loads(self._file.read_text("utf-8"))
            settings, works = kept["settings"], kept["works"]
            controller, rotation = works["type"], works["rotation"]
            if controller not in CONTROLLERS or rotation not in ROTATIONS:
                raise ValueError(f"{works!r} is no display")  # noqa: TRY301 - handled as any damage
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            _log.warning("%s cannot be used, the settings count: %s", self._file, error)
            return None
        if settings != _way(self._settings):
            return None
        return replace(self._settings, type=controller, rotation=int(rotation))


def _first(first: Value, every: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return every value, with one of them first."""
    return (first, *(value for value in every if value != first))


def _way(config: OledConfig) -> dict[str, object]:
    return {"type": config.type, "rotation": config.rotation}
