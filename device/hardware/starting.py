"""The first picture: on the display before anything that takes long is loaded, OpenCV above all."""

from __future__ import annotations

from collections.abc import Callable

from device.hardware.display import Display, DisplayError
from device.screens.draw import draw
from device.screens.language import speaking
from device.screens.views import starting


class FirstPicture:
    """Opens the display, says on it that the box starts, and hands it over as it is."""

    def __init__(self, open_display: Callable[[], Display], language: str) -> None:
        """Show it; without a display nothing happens, and `open` tries again.

        Args:
            open_display: Opens the display, or raises `DisplayError`.
            language: In which language.
        """
        self._open = open_display
        self._display: Display | None = None
        with speaking(language):
            picture = draw(starting())
        try:
            self._display = open_display()
            self._display.show(picture)
        except DisplayError:
            self._display = None  # it is said, and tried again, once the box runs

    def open(self) -> Display:
        """Return the display that shows the first picture, later a newly opened one.

        Raises:
            DisplayError: If it cannot be opened.
        """
        display, self._display = self._display, None
        return display if display is not None else self._open()
