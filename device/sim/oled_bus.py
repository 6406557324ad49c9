"""An I2C bus with an OLED on it: it decodes the bytes that a driver writes, back into what a person would see.

The commands are those of the data sheets of the SSD1306 (Solomon Systech, rev. 1.1, section 9) and the SH1106 (Sino
Wealth, V2.3, "Commands"). What they mean here is what they mean on the modules that are sold: upright with segments
remapped (A1) and COM lines scanned downwards (C8).
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator
from operator import length_hint

import numpy as np
from PIL import Image

COMMAND, DATA = 0x00, 0x40
"""The control bytes that say what follows, as the register of a block write."""

_WIDTH, _HEIGHT, _PAGES = 128, 64, 8
_LONGEST_BLOCK = 32
"""The longest block that the kernel lets SMBus write, in bytes."""

_ONE_ARGUMENT = frozenset({0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB})
"""Contrast, multiplex ratio, offset, clock, precharge, COM pins, VCOMH: common to both controllers."""

_SETTLED = {0xA8: 0x3F, 0xD3: 0x00, 0xDA: 0x12}
"""Settings that change where pixels appear, and the only value of each that suits a module of 128x64."""

_HORIZONTAL, _BY_PAGE = 0, 2
"""The addressing modes that are decoded; the third of the SSD1306, vertical, is not."""


class OledBus:
    """A bus with smbus2's call for writing, and one OLED. It may be looked at while another thread writes."""

    def __init__(self, kind: str = "ssd1306", address: int = 0x3C) -> None:
        """Plug in an OLED that has just got its power: dark, its memory as if by chance.

        Args:
            kind: Its controller, "ssd1306" or "sh1106".
            address: Its I2C address; nobody answers at others.
        """
        self.address = address
        self.unplugged = False
        """While True every write fails, as with a wire of the bus off; the display keeps what it has."""
        self.breaks_after: int | None = None
        """After so many bytes more, control bytes included, a wire breaks: `unplugged` becomes True."""
        self.bytes_written = 0
        """How many command and data bytes have come, for telling whether a picture was sent at all."""
        self._is_sh1106 = kind == "sh1106"
        self._lock = threading.Lock()
        self.power_up()

    def power_up(self) -> None:
        """Return the OLED its power, anew if it had it: it is dark and knows nothing, its memory is as if by chance."""
        self.contrast = 0x80 if self._is_sh1106 else 0x7F
        # The SH1106 has memory for 132 columns, of which the modules show the middle 128.
        columns = 132 if self._is_sh1106 else _WIDTH
        self._memory = np.random.default_rng(0).integers(0, 256, (_PAGES, columns), dtype=np.uint8)
        self._on = self._inverse = self._all_on = self._is_remapped = self._scans_down = False
        # The SH1106 makes its high voltage without being told.
        self._is_powered = self._is_sh1106
        self._mode = _BY_PAGE
        self._start_line = 0
        self._column = self._page = 0
        self._columns, self._pages = (0, columns - 1), (0, _PAGES - 1)
        self._torn: bytes = b""
        """The command whose arguments had not all come when a wire broke; what comes next is taken for them."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int], /) -> None:
        """Take one write.

        Args:
            i2c_addr: To whom.
            register: 0x00 for commands, 0x40 for data.
            data: 1 to 32 bytes.

        Raises:
            OSError: EREMOTEIO, if nobody has this address or the OLED is unplugged.
            ValueError: If the OLED would not understand it, or not as this decoder does.
        """
        if not 1 <= len(data) <= _LONGEST_BLOCK:
            raise ValueError(f"a block of {len(data)} bytes; SMBus takes 1 to {_LONGEST_BLOCK}")
        self.take(i2c_addr, bytes([register, *data]))

    def take(self, i2c_addr: int, message: bytes) -> None:
        """Take one I2C message of any length.

        Args:
            i2c_addr: To whom.
            message: The control byte (0x00 for commands, 0x40 for data) and what it announces.

        Raises:
            OSError: EREMOTEIO, if nobody has this address, the OLED is unplugged, or a wire breaks before the end.
            ValueError: If the OLED would not understand it, or not as this decoder does.
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
        """Return what a person sees: 128x64 pixels in mode "1", dark while the display is off."""
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
        margin = (pixels.shape[1] - _WIDTH) // 2
        pixels = np.roll(pixels[:, margin : margin + _WIDTH], -start, axis=0)
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
        """Obey commands.

        Args:
            data: Their bytes.
            torn: Whether the first has arguments that were not meant for it; no matter what they are.

        Raises:
            ValueError: If the OLED has no such command, or its arguments do not suit.
        """
        stream = iter(data)
        self._torn = b""
        for code in stream:
            begins = len(data) - length_hint(stream) - 1
            try:
                if not (self._set(code) or self._place(code)):
                    self._adjust(code, stream)
            except _CutOffError:
                if not (torn or self.unplugged):
                    raise
                self._torn = data[begins:]
                return
            except ValueError:
                if not torn:
                    raise
            torn = False

    def _set(self, code: int) -> bool:
        """Obey a command that switches something; tell whether it was one."""
        match code:
            case 0xA0 | 0xA1:
                self._is_remapped = code == 0xA1
            case 0xA4 | 0xA5:
                self._all_on = code == 0xA5
            case 0xA6 | 0xA7:
                self._inverse = code == 0xA7
            case 0xAE | 0xAF:
                self._on = code == 0xAF
            case 0xC0 | 0xC8:
                self._scans_down = code == 0xC8
            case 0xE3:
                pass  # no operation
            case _:
                return False
        return True

    def _place(self, code: int) -> bool:
        """Obey a command of one byte that says where data go; tell whether it was one."""
        if code <= 0x0F:
            self._column = self._column & 0xF0 | code
        elif code <= 0x1F:
            self._column = self._column & 0x0F | (code & 0x0F) << 4
        elif 0x40 <= code <= 0x7F:
            self._start_line = code & 0x3F
        elif 0xB0 <= code <= 0xB7:
            self._page = code & 0x07
        else:
            return False
        return True

    def _adjust(self, code: int, stream: Iterator[int]) -> None:
        """Obey a command with arguments."""
        if code in _ONE_ARGUMENT:
            value = _argument(code, stream)
            if _SETTLED.get(code, value) != value:
                raise ValueError(f"0x{code:02X} 0x{value:02X} does not suit a module of 128x64")
            if code == 0x81:
                self.contrast = value
        elif self._is_sh1106:
            # An SSD1306's driver sends these; the SH1106 has none of them and takes the bytes that follow them as
            # commands of their own.
            if code not in {0x20, 0x21, 0x22, 0x8D}:
                raise ValueError(f"the SH1106 has no command 0x{code:02X}")
        elif code == 0x20:
            self._mode = _argument(code, stream) & 0x03  # the other bits do not matter
            if self._mode not in {_HORIZONTAL, _BY_PAGE}:
                raise ValueError(f"addressing mode {self._mode} is not decoded here")
        elif code == 0x21:
            self._columns = _range(code, stream, _WIDTH)
            self._column = self._columns[0]
        elif code == 0x22:
            self._pages = _range(code, stream, _PAGES)
            self._page = self._pages[0]
        elif code == 0x8D:
            self._is_powered = bool(_argument(code, stream) & 0x04)
        else:
            raise ValueError(f"the SSD1306 has no command 0x{code:02X}, or it is not decoded here")

    def _store(self, byte: int) -> None:
        """Store eight pixels and go on to the next column."""
        if self._is_sh1106 or self._mode == _BY_PAGE:
            if self._column < self._memory.shape[1]:  # the SH1106 stops at the last column, and so do we for both
                self._memory[self._page, self._column] = byte
                self._column += 1
            return
        self._memory[self._page, self._column] = byte
        if self._column != self._columns[1]:
            self._column += 1
            return
        self._column = self._columns[0]
        self._page = self._page + 1 if self._page != self._pages[1] else self._pages[0]


class _CutOffError(ValueError):
    """A command came without all of its arguments."""


def _argument(code: int, stream: Iterator[int]) -> int:
    value = next(stream, None)
    if value is None:
        raise _CutOffError(f"command 0x{code:02X} is cut off")
    return value


def _range(code: int, stream: Iterator[int], size: int) -> tuple[int, int]:
    first, last = _argument(code, stream), _argument(code, stream)
    if not first <= last < size:
        raise ValueError(f"0x{code:02X}: no range from {first} to {last} in {size}")
    return first, last
