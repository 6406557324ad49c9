"""The screen as the box uses it: one call, and a display that comes back after it was lost."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Protocol

from PIL import Image

RETRY_S = 2.0
"""How long after a failure the display is tried again; a plug being pushed in takes about as long."""

_log = logging.getLogger(__name__)


class DisplayError(Exception):
    """The display cannot be reached; the message names it and the remedy."""


class Display(Protocol):
    """Anything that shows pictures of 128x64 pixels."""

    def show(self, image: Image.Image) -> None:
        """Show an image of mode "1".

        Raises:
            DisplayError: If it cannot.
        """

    def close(self) -> None:
        """Put the display out."""

    def leave(self) -> None:
        """Let the display go with its picture left on it."""


class SteadyDisplay:
    """A display that may be unplugged at any time: it is opened anew until it is back, and the game goes on."""

    def __init__(self, open_display: Callable[[], Display], clock: Callable[[], float] = time.monotonic) -> None:
        """Prepare; the display is opened at the first picture.

        Args:
            open_display: Opens the display, or raises `DisplayError`.
            clock: Seconds.
        """
        self._open = open_display
        self._clock = clock
        self._display: Display | None = None
        self._not_before = clock()
        self.trouble = ""

    def show(self, image: Image.Image) -> None:
        """Show an image, or note why that is impossible and try again at a later call."""
        if self._display is None and self._clock() < self._not_before:
            return
        try:
            if self._display is None:
                self._display = self._open()
            self._display.show(image)
        except DisplayError as error:
            if not self.trouble:
                _log.warning("display lost: %s", error)
            self.trouble = str(error)
            self._display = None
            self._not_before = self._clock() + RETRY_S
        else:
            if self.trouble:
                _log.warning("display is back")
            self.trouble = ""

    def close(self) -> None:
        """Put the display out, if there is one."""
        if self._display is not None:
            self._display.close()
            self._display = None
