"""A simulated SPI bus: hands what luma sends over it to the display that `OledBus` decodes."""

from __future__ import annotations

from collections.abc import Callable

from device.hardware.pins import OLED_DC, OLED_RESET
from tools.sim.oled_bus import COMMAND, DATA, OledBus


class OledSpi:
    """A bus like `device.hardware.spi.SpiDevice` with a display, which receives nothing while it is held in reset."""

    max_speed_hz = 0

    def __init__(self, oled: OledBus, level: Callable[[int], float]) -> None:
        """Connect a display; `level` returns the level of the pin with a BCM number."""
        self._oled = oled
        self._level = level

    def open(self, port: int, device: int) -> None:
        """Do nothing: it is open."""

    def writebytes(self, data: list[int]) -> None:
        """Handle one transfer; an unplugged display is not noticed.

        Raises:
            ValueError: If the display would not support it, or this decoder does not.
        """
        if self._level(OLED_RESET) and not self._oled.unplugged:
            self._oled.take(self._oled.address, bytes([DATA if self._level(OLED_DC) else COMMAND, *data]))

    def close(self) -> None:
        """Do nothing."""
