"""A simulated I2C bus with an OLED: decodes the bytes that a driver writes into the visible picture.

The commands follow the data sheets of the SSD1306 (Solomon Systech, rev. 1.1, section 9) and the SH1106 (Sino Wealth,
V2.3, "Commands"), with the orientation of the modules on the market: upright with segments remapped (A1) and COM lines
scanned downwards (C8).
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable

import numpy as np
from PIL import Image

from device.hardware.pins import OLED_DC, OLED_RESET

COMMAND, DATA = 0x00, 0x40
"""The control bytes that announce commands or data, as the register of a block write."""

_WIDTH, _HEIGHT, _PAGES = 128, 64, 8
_LONGEST_BLOCK = 32
"""The longest block of an SMBus write in the kernel, in bytes."""

_ONE_ARGUMENT = frozenset({0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB})
"""Contrast, multiplex ratio, offset, clock, precharge, COM pins, VCOMH: the same on both controllers."""

_SSD1306_ONLY = {0x20: 1, 0x21: 2, 0x22: 2, 0x8D: 1}
"""Commands of the SSD1306 alone, with their number of arguments. Drivers send them to the SH1106 too, which ignores
them, and takes the bytes that follow as separate commands."""

_FLAGS = {0xA0: "_is_remapped", 0xA4: "_all_on", 0xA6: "_inverse", 0xAE: "_on"}
"""What commands switch off; each plus one switches it on."""

_SETTLED = {0xA8: 0x3F, 0xD3: 0x00, 0xDA: 0x12}
"""Settings that move pixels, and for each the only value that suits a module of 128x64."""

_HORIZONTAL, _BY_PAGE = 0, 2
"""The addressing modes that are decoded; vertical, the third of the SSD1306, is not."""


class OledBus:
    """A bus with smbus2's write call, and one OLED. May be inspected while another thread writes."""

    def __init__(self, kind: str = "ssd1306", address: int = 0x3C) -> None:
        """Connect an OLED after power-up: dark, with random memory.

        Args:
            kind: Its controller, "ssd1306", "sh1106", or "sh1106 at 0" for a module that shows the columns from 0.
            address: Its I2C address; others do not acknowledge.
        """
        self.address = address
        self.unplugged = False
        """While True every write fails, as with a disconnected wire; the display keeps its picture."""
        self.breaks_after: int | None = None
        """The number of further bytes, control bytes included, after which a wire breaks: `unplugged` becomes True."""
        self.bytes_written = 0
        """The number of command and data bytes received, which shows whether a picture was sent at all."""
        self._is_sh1106 = kind != "ssd1306"
        self._first_column = 2 if kind == "sh1106" else 0
        self._lock = threading.Lock()
        self.power_up()

    def power_up(self) -> None:
        """Power the OLED up again: it is dark, not initialised, and its memory is random."""
        self.contrast = 0x80 if self._is_sh1106 else 0x7F
        # The SH1106 has memory for 132 columns, of which the modules show the middle 128.
        columns = 132 if self._is_sh1106 else _WIDTH
        self._memory = np.random.default_rng(0).integers(0, 256, (_PAGES, columns), dtype=np.uint8)
        self._on = self._inverse = self._all_on = self._is_remapped = self._scans_down = False
        # The SH1106 enables its charge pump by itself.
        self._is_powered = self._is_sh1106
        self._mode = _BY_PAGE
        self._start_line = 0
        self._column = self._page = 0
        self._columns, self._pages = (0, columns - 1), (0, _PAGES - 1)
        self._torn: bytes = b""
        """The command that was incomplete when a wire broke; the next bytes are taken for its arguments."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int], /) -> None:
        """Handle one write.

        Args:
            i2c_addr: The address.
            register: 0x00 for commands, 0x40 for data.
            data: 1 to 32 bytes.

        Raises:
            OSError: EREMOTEIO, if no device has this address or the OLED is unplugged.
            ValueError: If the OLED would not support it, or this decoder does not.
        """
        if not 1 <= len(data) <= _LONGEST_BLOCK:
            raise ValueError(f"a block of {len(data)} bytes; SMBus takes 1 to {_LONGEST_BLOCK}")
        self.take(i2c_addr, bytes([register, *data]))

    def take(self, i2c_addr: int, message: bytes) -> None:
        """Handle one I2C message of any length.

        Args:
            i2c_addr: The address.
            message: The control byte (0x00 for commands, 0x40 for data) and its payload.

        Raises:
            OSError: EREMOTEIO, if no device has this address, the OLED is unplugged, or a wire breaks before the end.
            ValueError: If the OLED would not support it, or this decoder does not.
        """
        with self._lock:
            if self.unplugged or i2c_addr != self.address:
                raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
            if self.breaks_after is not None:
                self.unplugged = self.breaks_after < len(message)
                message = message[: self.breaks_after]
                self.breaks_after = None if self.unplugged else self.breaks_after - len(message)
            if len(message) > 1:
                self._understand(message[0], message[1:])
            if self.unplugged:
                raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))

    def picture(self) -> Image.Image:
        """Return the visible picture: 128x64 pixels in mode "1", black while the display is off."""
        with self._lock:
            if not (self._on and self._is_powered):
                return Image.new("1", (_WIDTH, _HEIGHT))
            if self._all_on:
                return Image.new("1", (_WIDTH, _HEIGHT), 1)
            # Each byte is a column of eight pixels, its lowest bit on top.
            bits = np.unpackbits(self._memory[:, np.newaxis, :], axis=1, bitorder="little")
            inverse = self._inverse
            is_mirrored, is_flipped, start = not self._is_remapped, not self._scans_down, self._start_line
        pixels = bits.reshape(_HEIGHT, -1)
        first = self._first_column
        pixels = np.roll(pixels[:, first : first + _WIDTH], -start, axis=0)
        if is_mirrored:
            pixels = pixels[:, ::-1]
        if is_flipped:
            pixels = pixels[::-1]
        return Image.fromarray(np.where(pixels != inverse, 255, 0).astype(np.uint8)).convert("1")

    def _understand(self, register: int, data: bytes) -> None:
        self.bytes_written += len(data)
        if register == COMMAND:
            self._obey(self._torn + data, torn=bool(self._torn))
        elif register == DATA:
            for byte in data:
                self._store(byte)
        else:
            raise ValueError(f"control byte 0x{register:02X} is neither command nor data")

    def _obey(self, data: bytes, *, torn: bool) -> None:
        """Execute commands.

        Args:
            data: Their bytes.
            torn: Whether the first one has unintended arguments, which are then not checked.

        Raises:
            ValueError: If the OLED does not have such a command, or its arguments are invalid.
        """
        self._torn = b""
        while data:
            code, size = data[0], 1 + self._arguments(data[0])
            command, data = data[:size], data[size:]
            if len(command) < size:
                if not (torn or self.unplugged):
                    raise ValueError(f"command 0x{code:02X} is cut off")
                self._torn = command
                return
            try:
                if not (self._is_sh1106 and code in _SSD1306_ONLY):
                    self._do(code, command[1:])
            except ValueError:
                if not torn:
                    raise
            torn = False

    def _arguments(self, code: int) -> int:
        """Return how many bytes follow a command."""
        if code in _ONE_ARGUMENT:
            return 1
        return 0 if self._is_sh1106 else _SSD1306_ONLY.get(code, 0)

    def _do(self, code: int, arguments: bytes) -> None:
        """Execute a command; raise ValueError if it is unknown or its arguments are invalid."""
        if code in _SETTLED and arguments[0] != _SETTLED[code]:
            raise ValueError(f"0x{code:02X} 0x{arguments[0]:02X} does not suit a module of 128x64")
        match code:
            case 0x20:
                self._mode = arguments[0] & 0x03  # the other bits do not matter
                if self._mode not in {_HORIZONTAL, _BY_PAGE}:
                    raise ValueError(f"addressing mode {self._mode} is not decoded here")
            case 0x21 | 0x22:
                (first, last), size = arguments, _WIDTH if code == 0x21 else _PAGES
                if not first <= last < size:
                    raise ValueError(f"0x{code:02X}: no range from {first} to {last} in {size}")
                if code == 0x21:
                    self._columns, self._column = (first, last), first
                else:
                    self._pages, self._page = (first, last), first
            case 0x81:
                self.contrast = arguments[0]
            case 0x8D:
                self._is_powered = bool(arguments[0] & 0x04)
            case 0xC0 | 0xC8:
                self._scans_down = code == 0xC8
            case _ if flag := _FLAGS.get(code & 0xFE):
                setattr(self, flag, bool(code & 0x01))
            case _ if code not in _ONE_ARGUMENT:  # the rest changes no pixel
                self._place(code)

    def _place(self, code: int) -> None:
        """Execute a command that sets the position of data or picture; raise ValueError for any other."""
        if code <= 0x0F:
            self._column = self._column & 0xF0 | code
        elif code <= 0x1F:
            self._column = self._column & 0x0F | (code & 0x0F) << 4
        elif 0x40 <= code <= 0x7F:
            self._start_line = code & 0x3F
        elif 0xB0 <= code <= 0xB7:
            self._page = code & 0x07
        elif code != 0xE3:  # no operation
            kind = "SH1106" if self._is_sh1106 else "SSD1306"
            raise ValueError(f"the {kind} has no command 0x{code:02X}, or it is not decoded here")

    def _store(self, byte: int) -> None:
        """Store eight pixels and go to the next column."""
        if self._is_sh1106 or self._mode == _BY_PAGE:
            if self._column < self._memory.shape[1]:  # the SH1106 stops at the last column; done for both
                self._memory[self._page, self._column] = byte
                self._column += 1
            return
        self._memory[self._page, self._column] = byte
        if self._column != self._columns[1]:
            self._column += 1
            return
        self._column = self._columns[0]
        self._page = self._page + 1 if self._page != self._pages[1] else self._pages[0]


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
