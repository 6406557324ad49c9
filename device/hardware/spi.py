"""A display's SPI wires for luma: /dev/spidevN.M, and the pins DC and reset through gpiozero, which has the buttons'.

luma would use spidev, which has no wheels, and RPi.GPIO, which fails on a Pi 5 (luma.core issues 268 and 303).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct

import gpiozero
from luma.core.interface.serial import spi

from device.hardware.pins import OLED_DC, OLED_RESET

SPEED_HZ = 4_000_000
"""The SH1106 takes at most 4 MHz (data sheet, "serial clock cycle"); a picture needs 2 ms."""

RESET_S = 0.001
"""How long reset is low, and the pause after it, in seconds; the controllers require some microseconds."""

_SET_SPEED = 0x40046B04
"""The ioctl SPI_IOC_WR_MAX_SPEED_HZ (linux/spi/spidev.h)."""


class SpiDevice:
    """/dev/spidevN.M, with as much of spidev's interface as luma uses."""

    max_speed_hz = SPEED_HZ
    """The clock's frequency in Hz, which luma sets again to the same one."""

    def __init__(self) -> None:
        self._file: int | None = None

    def open(self, port: int, device: int) -> None:
        """Open /dev/spidev`port`.`device`, or raise OSError."""
        self._file = os.open(f"/dev/spidev{port}.{device}", os.O_RDWR)
        fcntl.ioctl(self._file, _SET_SPEED, struct.pack("I", SPEED_HZ))

    def writebytes(self, data: list[int]) -> None:
        """Send bytes, or raise OSError."""
        if self._file is not None:
            os.write(self._file, bytes(data))

    def close(self) -> None:
        """Close it; may be called twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class _OutputPins:
    """Output pins, with as much of RPi.GPIO's interface as luma uses."""

    OUT, LOW, HIGH = "out", 0, 1

    def __init__(self) -> None:
        self._pins: dict[int, gpiozero.DigitalOutputDevice] = {}

    def setup(self, pin: int, _: str) -> None:
        """Open a pin, high: DC and reset rest there. Raise OSError if it is in use."""
        try:
            self._pins[pin] = gpiozero.DigitalOutputDevice(pin, initial_value=True)
        except Exception as error:  # lgpio's own errors are plain exceptions
            raise OSError(f"the display's pin {pin} cannot be used: {error}") from error

    def output(self, pin: int, level: int) -> None:
        """Set a pin's level."""
        self._pins[pin].value = level

    def close(self) -> None:
        """Release the pins."""
        for pin in self._pins.values():
            with contextlib.suppress(Exception):  # lgpio's own errors; the kernel releases the pin soon after
                pin.close()


class DisplaySpi(spi):  # type: ignore[misc] # luma has no types
    """luma's serial interface to the display at SPI 0, chip enable 0."""

    def __init__(self, bus: object | None = None) -> None:
        """Open bus and pins, and reset the display.

        Args:
            bus: An object like `SpiDevice`; None for the machine's.

        Raises:
            luma's Error, OSError: If the bus does not exist, or bus or pins cannot be used.
        """
        self._pins = _OutputPins()
        try:
            super().__init__(
                spi=bus or SpiDevice(),
                gpio=self._pins,
                bus_speed_hz=SPEED_HZ,
                gpio_DC=OLED_DC,
                gpio_RST=OLED_RESET,
                reset_hold_time=RESET_S,
                reset_release_time=RESET_S,
            )
        except BaseException:
            self._pins.close()
            raise

    def cleanup(self) -> None:
        """Close the bus and release the pins."""
        super().cleanup()
        self._pins.close()
