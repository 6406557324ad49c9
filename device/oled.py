"""The OLED: luma's own driver behind one call, with one error for all that can go wrong on the wire."""

from __future__ import annotations

import contextlib
import errno
from typing import Protocol

import luma.core.device
from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from device.config import OledConfig
from device.display import DisplayError

_DRIVERS = {"ssd1306": ssd1306, "sh1106": sh1106}

DEFAULT = OledConfig()

_NOP = 0xE3
"""The command that does nothing, on both controllers."""


class Bus(Protocol):
    """An open I2C bus: of smbus2's calls, the one that luma makes on a bus that it is given."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int], /) -> None:
        """Write up to 32 bytes.

        Raises:
            OSError: If nobody answers.
        """


class Oled:
    """An OLED of 128x64 pixels. It is to be used from one thread, and is of no more use after a `DisplayError`."""

    def __init__(self, driver: luma.core.device.device, config: OledConfig) -> None:
        """Take over a driver; `open_oled` makes one.

        Args:
            driver: luma's, switched on.
            config: Where the display is, for messages.
        """
        self._driver = driver
        self._config = config
        self._shown: bytes | None = None

    def show(self, image: Image.Image) -> None:
        """Show an image; nothing is sent if it is shown already.

        Args:
            image: 128x64 pixels in mode "1".

        Raises:
            ValueError: If the image has another size or mode.
            DisplayError: If the display does not take it.
        """
        if image.mode != "1" or image.size != self._driver.size:
            raise ValueError(f'the OLED shows {self._driver.size} in mode "1", not {image.size} in "{image.mode}"')
        pixels = image.tobytes()
        if pixels == self._shown:
            return
        try:
            self._driver.display(image)
        except (LumaError, OSError) as error:
            self._let_go()
            raise _told(error, self._config) from error
        self._shown = pixels

    def close(self) -> None:
        """Put the display out and let the bus go; a display that is gone is out already. May be called twice."""
        if not self._driver.persist:
            with contextlib.suppress(LumaError, OSError):
                self._driver.hide()
                self._driver.clear()
        self._let_go()

    def leave(self) -> None:
        """Let the bus go and leave the picture where it is, also after the program has ended."""
        self._let_go()

    def _let_go(self) -> None:
        # luma keeps every driver until the program ends and then cleans it up once more. Marked as persistent it
        # will not write to a display that was closed, or that another driver has taken over since.
        self._driver.persist = True
        self._driver.cleanup()


def open_oled(bus: Bus | None = None, config: OledConfig = DEFAULT) -> Oled:
    """Open the OLED and clear it.

    Args:
        bus: An open bus; None for the configuration's own, /dev/i2c-N. A bus that was given stays open at the end.
        config: Which display there is, and where.

    Raises:
        DisplayError: If it does not answer, or there is no such bus; it may be tried again at any time.
    """
    try:
        serial = i2c(bus=bus, port=config.bus, address=config.address)
    except (LumaError, OSError) as error:
        raise _told(error, config) from error
    try:
        # Ask first. luma never frees a driver, not even one whose first command failed: a box that tried again every
        # two seconds would lose a hundred kilobytes each time while its display is unplugged.
        serial.command(_NOP)
        # With rotate=2 luma turns the picture by 180 degrees.
        driver = _DRIVERS[config.type](serial, rotate=config.rotation // 90)
    except (LumaError, OSError) as error:
        serial.cleanup()
        raise _told(error, config) from error
    return Oled(driver, config)


def _told(error: Exception, config: OledConfig) -> DisplayError:
    """Say in one sentence what is wrong and what to do."""
    bus = f"/dev/i2c-{config.bus}"
    display = f"the OLED ({config.type}) at address 0x{config.address:02X} of {bus}"
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, DevicePermissionError) or number in {errno.EACCES, errno.EPERM}:
        return DisplayError(f"no permission to use {bus}: add this user to the group i2c and log in again")
    if number == errno.ENOENT or (isinstance(error, DeviceNotFoundError) and "address" not in str(error)):
        return DisplayError(f"there is no {bus}: turn I2C on with raspi-config and start the Pi again")
    if isinstance(error, DeviceNotFoundError) or number in {errno.EREMOTEIO, errno.EIO, errno.ENXIO}:
        return DisplayError(f"{display} does not answer: check its plug, its four wires and its address")
    return DisplayError(f"{display} failed: {error}; check its plug, its four wires and its address")
