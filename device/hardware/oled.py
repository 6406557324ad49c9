"""The OLED: luma's driver behind one interface, with one error for everything that can go wrong on its wires.

When it dims and turns off is decided in `dimming.py`; how, in `Oled.light` here, which `ReconnectingDisplay` calls.
"""

from __future__ import annotations

import contextlib
import errno
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import luma.core.device
from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from device.config import OledConfig
from device.hardware.dimming import Brightness
from device.hardware.display import Display, DisplayError, ShownDisplay

if TYPE_CHECKING:
    from device.hardware.spi import DisplaySpi

_DRIVERS = {"ssd1306": ssd1306, "sh1106": sh1106, "sh1106 at 0": sh1106}

DEFAULT = OledConfig()

ADDRESSES = (0x3C, 0x3D)
"""The two possible I2C addresses of an OLED; a solder bridge on its back selects one."""

_NOP = 0xE3
"""The no-operation command of both controllers."""

_FROM_COLUMN_2, _FROM_COLUMN_0 = (0x02, 0x10), (0x00, 0x10)
"""The commands of an SH1106 that select the column from which a page is written."""

_DISPLAY_OFF = 0xAE

_DIM = (0x81, 0x01, 0xD9, 0x11, 0xDB, 0x00)
"""Lowest contrast, shortest precharge, lowest VCOMH: contrast alone hardly dims. Works on both controllers."""

SET_UP_AGAIN_S = 30.0
"""The interval at which an unchanged display is initialised again, in seconds. A loose wire can interrupt its power, or
a spark change a setting; the display would still acknowledge commands but stay dark."""


class _RecordingInterface:
    """luma's serial interface, which also records the commands that initialise the display.

    luma writes the pages of an SH1106 from column 2, where most modules begin; `from_column_0` changes that.
    """

    def __init__(self, serial: i2c | DisplaySpi, *, from_column_0: bool = False) -> None:
        self._serial = serial
        self._from_column_0 = from_column_0
        self.commands: list[tuple[int, ...]] | None = []
        """The recorded commands; None once recording has ended."""

    def command(self, *codes: int) -> None:
        if self._from_column_0 and codes[1:] == _FROM_COLUMN_2:
            codes = (codes[0], *_FROM_COLUMN_0)
        if self.commands is not None:
            self.commands.append(codes)
        self._serial.command(*codes)

    def data(self, data: list[int]) -> None:
        self._serial.data(data)

    def cleanup(self) -> None:
        self._serial.cleanup()


class Oled(Display):
    """An OLED of 128x64 pixels. Use it from one thread only, and discard it after a `DisplayError`."""

    def __init__(self, driver: luma.core.device.device, config: OledConfig, set_up: list[tuple[int, ...]]) -> None:
        """Wrap luma's driver, switched on and cleared by the commands in `set_up`; `open_oled` creates one."""
        self._driver = driver
        self._config = config
        # All but the first command, with which luma turns the display off during the initialisation.
        self._set_up = [codes[1:] if codes[0] == _DISPLAY_OFF else codes for codes in set_up]
        self._light = Brightness.BRIGHT
        self._image: Image.Image | None = None
        self._set_up_at = time.monotonic() + SET_UP_AGAIN_S

    def show(self, image: Image.Image) -> None:
        """Show an image.

        Args:
            image: 128x64 pixels in mode "1".

        Raises:
            DisplayError: If the display does not respond.
        """
        self._image = image.copy()
        with self._wire():
            self._driver.display(self._image)

    def light(self, light: Brightness) -> None:
        """Change the brightness, or raise `DisplayError`; the picture is kept, even while the display is off."""
        was_dark, self._light = self._light is Brightness.DARK, light
        with self._wire():
            if light is Brightness.DARK:
                self._driver.hide()
            elif was_dark or light is Brightness.BRIGHT:
                self._tell_all()
            else:
                self._driver.command(*_DIM)

    def check(self) -> None:
        """Check that the display responds, or raise `DisplayError`.

        Every `SET_UP_AGAIN_S` it is initialised again, without a visible effect.
        """
        with self._wire():
            if self._light is not Brightness.DARK and time.monotonic() >= self._set_up_at:
                self._tell_all()
            else:
                self._driver.command(_NOP)

    def close(self) -> None:
        """Turn the display off, if it still responds, and release the bus. May be called twice."""
        if not self._driver.persist:
            with contextlib.suppress(LumaError, OSError):
                self._driver.hide()
                self._driver.clear()
        self.leave()

    def _tell_all(self) -> None:
        """Initialise the display again and send its picture, without turning it off in between."""
        # The first command may be taken for the argument of a command that was cut off.
        self._driver.command(_NOP)
        for codes in self._set_up:
            self._driver.command(*codes)
        self._driver.contrast(self._config.contrast)
        if self._light is Brightness.DIM:
            self._driver.command(*_DIM)
        if self._image is not None:
            self._driver.display(self._image)
        self._set_up_at = time.monotonic() + SET_UP_AGAIN_S

    @contextlib.contextmanager
    def _wire(self) -> Iterator[None]:
        """Convert every error on the bus to `DisplayError`, after which this display must be discarded."""
        try:
            yield
        except (LumaError, OSError) as error:
            self.leave()
            raise _told(error, self._config) from error

    def leave(self) -> None:
        """Release the bus and leave the picture on the display, even after the program has ended."""
        # luma keeps every driver and cleans it up when the program ends. A driver marked as persistent does not write
        # to a display that was closed or that another driver has taken over since.
        self._driver.persist = True
        self._driver.cleanup()
        # Two tables with one number per pixel, a quarter of a megabyte: reconnecting often must not fill the memory.
        for table in ("_mask", "_offsets"):
            vars(self._driver).pop(table, None)


def open_oled(bus: object | None = None, config: OledConfig = DEFAULT) -> Display:
    """Open the OLED and clear it, or a display that only the page shows if the box has none.

    If no OLED answers at the configured I2C address, try the other of `ADDRESSES`.

    Args:
        bus: An open bus with smbus2's `write_i2c_block_data`, which stays open, or an object like `SpiDevice`. None to
            open /dev/i2c-N or /dev/spidev0.0 as configured.
        config: The display's type, wires and address.

    Raises:
        DisplayError: If no display responds or the bus does not exist; opening may be retried at any time. A display on
            SPI cannot respond.
    """
    if config.interface == "none":
        return ShownDisplay()
    try:
        return _opened(bus, config)
    except DisplayError:
        others = [each for each in ADDRESSES if each != config.address]
        if config.interface == "i2c" and config.address in ADDRESSES:
            with contextlib.suppress(DisplayError):
                return _opened(bus, replace(config, address=others[0]))
        raise


def _opened(bus: object | None, config: OledConfig) -> Oled:
    """Open the OLED at the configured address only; see `open_oled`."""
    try:
        serial = _serial(bus, config)
    except (LumaError, OSError) as error:
        raise _told(error, config) from error
    try:
        # Probe first. luma never frees a driver, not even one whose first command failed: a box that retries every two
        # seconds would leak a hundred kilobytes each time while its display is unplugged.
        serial.command(_NOP)
        noting = _RecordingInterface(serial, from_column_0=config.type == "sh1106 at 0")
        # With rotate=2 luma turns the picture by 180 degrees.
        driver = _DRIVERS[config.type](noting, rotate=config.rotation // 90)
        set_up, noting.commands = noting.commands or [], None
        driver.contrast(config.contrast)
    except (LumaError, OSError) as error:
        serial.cleanup()
        raise _told(error, config) from error
    return Oled(driver, config, set_up)


def _serial(bus: object | None, config: OledConfig) -> i2c | DisplaySpi:
    if config.interface == "i2c":
        return i2c(bus=bus, port=config.bus, address=config.address)
    from device.hardware.spi import DisplaySpi  # noqa: PLC0415 - only such a display needs gpiozero's pins this early

    return DisplaySpi(bus)


def _told(error: Exception, config: OledConfig) -> DisplayError:
    """Return an error that says in one sentence what is wrong and what to do."""
    is_i2c = config.interface == "i2c"
    bus, group = (f"/dev/i2c-{config.bus}", "i2c") if is_i2c else ("/dev/spidev0.0", "spi")
    display = f"the OLED ({config.type}) at " + (f"address 0x{config.address:02X} of {bus}" if is_i2c else bus)
    check = "check its plug, its four wires and its address" if is_i2c else "check its plug and its wires"
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, DevicePermissionError) or number in {errno.EACCES, errno.EPERM}:
        return DisplayError(f"no permission to use {bus}: add this user to the group {group} and log in again")
    if number == errno.ENOENT or (isinstance(error, DeviceNotFoundError) and "address" not in str(error)):
        return DisplayError(f"there is no {bus}: turn {group.upper()} on with raspi-config and start the Pi again")
    if isinstance(error, DeviceNotFoundError) or number in {errno.EREMOTEIO, errno.EIO, errno.ENXIO}:
        return DisplayError(f"{display} does not answer: {check}")
    return DisplayError(f"{display} failed: {error}; {check}")
