"""The display as the box uses it: reconnects after a failure, and dims or turns off while nobody plays."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from PIL import Image

from device.config import OledConfig
from device.hardware.dimming import Brightness, brightness

RETRY_S = 1.0
"""The pause after a failure before the display is retried, in seconds; it is back within two seconds."""

CHECK_S = 1.0
"""The time after the last transfer when the display is checked, in seconds. A display that lost power for a moment is
dark and has to be initialised again even if the picture has not changed."""

SHIFTS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""The offsets of the picture against burn-in, in pixels (right, down), used in turn. The last column and row are cut
off at some of them; only the ends of bars are drawn there."""

SIZE = 128, 64
"""The size of every display, in pixels."""

_log = logging.getLogger(__name__)


class DisplayError(Exception):
    """The display cannot be reached; the message names it and the remedy."""


class Display:
    """A display that shows pictures of 128x64 pixels. It starts bright. A method that it has no use for does nothing.

    The first three methods raise `DisplayError` if it does not respond.
    """

    def show(self, image: Image.Image) -> None:
        """Show an image of mode "1"."""

    def light(self, light: Brightness) -> None:
        """Change the brightness."""

    def check(self) -> None:
        """Check that the display responds, and initialise it again from time to time."""

    def close(self) -> None:
        """Turn the display off and release it."""

    def leave(self) -> None:
        """Release the display with its picture left on it."""


class ShownDisplay(Display):
    """A display that exists only on the page and in a terminal; it never fails, and its brightness is theirs."""

    def __init__(self) -> None:
        """Start with a blank picture."""
        self.picture = Image.new("1", SIZE)
        """What it shows: 128x64 pixels, mode "1"."""

    def show(self, image: Image.Image) -> None:
        """Show an image."""
        self.picture = image

    def close(self) -> None:
        """Blank it."""
        self.picture = Image.new("1", SIZE)


class ReconnectingDisplay:
    """A display that may be unplugged at any time: it is reopened until it is back, and the game goes on."""

    def __init__(self, open_display: Callable[[], Display], config: OledConfig | None = None) -> None:
        """Prepare; the display is opened for the first picture, by a function that may raise `DisplayError`."""
        self._open = open_display
        self._config = config or OledConfig()
        self._began_s = self._touched_s = time.monotonic()
        self._display: Display | None = None
        self._light = Brightness.BRIGHT
        self._shown: bytes | None = None
        self._not_before = self._check_at = time.monotonic()
        self.trouble = ""

    def show(self, image: Image.Image, *, moves: bool = True) -> None:
        """Show an image; if that is impossible, record why and retry at a later call.

        To be called at least once a second, even if the image has not changed: each call also checks the connection and
        applies dimming.

        Args:
            image: 128x64 pixels in mode "1".
            moves: Whether the image is shifted by a pixel from time to time; False if its border matters.
        """
        if self._display is None and time.monotonic() < self._not_before:
            return
        try:
            if self._display is None:
                self._display = self._open()
                self._light, self._shown = Brightness.BRIGHT, None
            self._tend(self._display, self._shifted(image) if moves else image)
        except DisplayError as error:
            if not self.trouble:
                _log.warning("display lost: %s", error)
            self.trouble = str(error)
            self._display = None
            self._not_before = time.monotonic() + RETRY_S
        else:
            if self.trouble:
                _log.warning("display is back")
            self.trouble = ""

    @property
    def alone_s(self) -> float:
        """The time since the last activity in seconds."""
        return time.monotonic() - self._touched_s

    def wake(self) -> bool:
        """Record activity, so that the next picture is shown at full brightness.

        Returns:
            Whether the display was off, so that the press cannot have been an answer to what it showed.
        """
        self._touched_s = time.monotonic()
        return self._display is not None and self._light is Brightness.DARK

    def reopen(self) -> None:
        """Turn the display off and reopen it, possibly with another driver, at the next picture."""
        self.close()
        self._not_before = time.monotonic()

    def close(self) -> None:
        """Turn the display off if it is open."""
        if self._display is not None:
            self._display.close()
            self._display = None

    def _shifted(self, image: Image.Image) -> Image.Image:
        """Return an image shifted against burn-in."""
        times = int((time.monotonic() - self._began_s) / self._config.shift_every_s)
        moved = Image.new(image.mode, image.size)
        moved.paste(image, SHIFTS[times % len(SHIFTS)])
        return moved

    def _tend(self, display: Display, image: Image.Image) -> None:
        """Apply the current brightness and check the connection."""
        light = brightness(self.alone_s, self._config.dim_after_s, self._config.off_after_s)
        pixels = image.tobytes()
        if light is Brightness.DARK:
            pixels = b""  # nothing is drawn while the display is off, only the first picture after it
        elif pixels != self._shown:
            display.show(image)
        if light is not self._light:
            display.light(light)
        elif pixels == self._shown:
            if time.monotonic() >= self._check_at:
                display.check()
                self._check_at = time.monotonic() + CHECK_S
            return
        self._shown, self._light = pixels, light
        self._check_at = time.monotonic() + CHECK_S
