"""The first picture, shown before anything slow is imported, OpenCV above all."""

from __future__ import annotations

from collections.abc import Callable

from device.hardware.display import Display, DisplayError
from device.screens.draw import draw
from device.screens.language import speaking
from device.screens.views import starting


class FirstPicture:
    """Opens the display, shows the start picture, and hands the open display over."""

    def __init__(self, open_display: Callable[[], Display], language: str) -> None:
        """Show the picture in this language. If `open_display` raises `DisplayError`, `open` tries again."""
        self._open = open_display
        self._display: Display | None = None
        with speaking(language):
            picture = draw(starting())
        try:
            self._display = open_display()
            self._display.show(picture)
        except DisplayError:
            self._display = None  # the box reports it and retries once it runs

    def open(self) -> Display:
        """Return the display with the first picture on it, later a newly opened one; may raise `DisplayError`."""
        display, self._display = self._display, None
        return display if display is not None else self._open()
