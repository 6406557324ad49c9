"""The screen as the box uses it: a display that comes back after it was lost, and rests while nobody plays."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from enum import Enum
from typing import Protocol

from PIL import Image

from device.config import OledConfig

RETRY_S = 1.0
"""How long after a failure the display is tried again; with the loop's tick it is back within two seconds."""

CHECK_S = 1.0
"""How long after something was sent to the display it is asked whether it is still there. A display that lost its
power for a moment is dark and must be set up anew, though the picture has not changed."""

SHIFTS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Where the picture is, in pixels to the right and down, one place after another. Its last column and row are lost at
times; the screens have nothing there but the ends of bars."""

_log = logging.getLogger(__name__)


class DisplayError(Exception):
    """The display cannot be reached; the message names it and the remedy."""


class Brightness(Enum):
    """How bright a display is."""

    BRIGHT = "bright"
    DIM = "dim"
    DARK = "dark"


class Display(Protocol):
    """Anything that shows pictures of 128x64 pixels. It begins bright."""

    def show(self, image: Image.Image) -> None:
        """Show an image of mode "1".

        Raises:
            DisplayError: If it cannot.
        """

    def light(self, light: Brightness) -> None:
        """Change its brightness.

        Raises:
            DisplayError: If it cannot.
        """

    def check(self) -> None:
        """Ask whether it is still there, and now and then set it up anew.

        Raises:
            DisplayError: If it is not.
        """

    def close(self) -> None:
        """Put the display out."""

    def leave(self) -> None:
        """Let the display go with its picture left on it."""


class Rest:
    """When a display is dimmed, put out and shifted: it goes by how long nobody has been there."""

    def __init__(self, config: OledConfig, clock: Callable[[], float]) -> None:
        """Begin with somebody there.

        Args:
            config: The times.
            clock: Seconds.
        """
        self._config = config
        self._clock = clock
        self._began_s = self._touched_s = clock()

    def touch(self) -> None:
        """Take note that somebody is there."""
        self._touched_s = self._clock()

    def alone_s(self) -> float:
        """Tell for how many seconds nobody has been there."""
        return self._clock() - self._touched_s

    def light(self) -> Brightness:
        """Tell how bright it should be now."""
        alone_s = self.alone_s()
        if alone_s >= self._config.off_after_s:
            return Brightness.DARK
        return Brightness.DIM if alone_s >= self._config.dim_after_s else Brightness.BRIGHT

    def shifted(self, image: Image.Image) -> Image.Image:
        """Return an image where it should be now."""
        times = int((self._clock() - self._began_s) / self._config.shift_every_s)
        right, down = SHIFTS[times % len(SHIFTS)]
        if (right, down) == (0, 0):
            return image
        moved = Image.new(image.mode, image.size)
        moved.paste(image, (right, down))
        return moved


class SteadyDisplay:
    """A display that may be unplugged at any time: it is opened anew until it is back, and the game goes on."""

    def __init__(
        self,
        open_display: Callable[[], Display],
        config: OledConfig | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare; the display is opened at the first picture.

        Args:
            open_display: Opens the display, or raises `DisplayError`.
            config: When it rests; None: as by default.
            clock: Seconds.
        """
        self._open = open_display
        self._clock = clock
        self._rest = Rest(config or OledConfig(), clock)
        self._display: Display | None = None
        self._light = Brightness.BRIGHT
        self._shown: bytes | None = None
        self._not_before = self._check_at = clock()
        self.trouble = ""

    def show(self, image: Image.Image, *, moves: bool = True) -> None:
        """Show an image, or note why that is impossible and try again at a later call.

        To be called at least every second, also with an image that has not changed: the display's rest, and whether it
        is still there, are looked after here.

        Args:
            image: 128x64 pixels in mode "1".
            moves: Whether it is moved by a pixel now and then; not if its border matters.
        """
        if self._display is None and self._clock() < self._not_before:
            return
        try:
            if self._display is None:
                self._display = self._open()
                self._light, self._shown = Brightness.BRIGHT, None
            self._tend(self._display, self._rest.shifted(image) if moves else image)
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

    @property
    def alone_s(self) -> float:
        """For how many seconds nobody has been there."""
        return self._rest.alone_s()

    def wake(self) -> bool:
        """Take note that somebody is there: the next picture is shown brightly.

        Returns:
            Whether the display was put out, so that nobody can have meant what was on it.
        """
        self._rest.touch()
        return self._display is not None and self._light is Brightness.DARK

    def reopen(self) -> None:
        """Put the display out, and open it again at the next picture: it is to be driven in another way."""
        self.close()
        self._not_before = self._clock()

    def close(self) -> None:
        """Put the display out, if there is one."""
        if self._display is not None:
            self._display.close()
            self._display = None

    def _tend(self, display: Display, image: Image.Image) -> None:
        """Bring the display to what it should be now, and see that it is there."""
        light = self._rest.light()
        pixels = image.tobytes()
        if light is Brightness.DARK:
            pixels = b""  # nothing is drawn in the dark; the first picture after it is
        elif pixels != self._shown:
            display.show(image)
        if light is not self._light:
            display.light(light)
        elif pixels == self._shown:
            if self._clock() >= self._check_at:
                display.check()
                self._check_at = self._clock() + CHECK_S
            return
        self._shown, self._light = pixels, light
        self._check_at = self._clock() + CHECK_S
