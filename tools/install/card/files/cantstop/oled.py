"""Shows a picture on the box's OLED before the box is installed.

Usage: python3 oled.py PICTURE

It needs only Python. A picture has 1,024 bytes: 8 pages of 128 columns. The commands suit both SSD1306 and SH1106, and
data is written page by page, which both understand. The exit status is 1 if no display responds.
"""

import ctypes
import fcntl
import os
import sys
from pathlib import Path

BUS = "/dev/i2c-1"
ADDRESSES = (0x3C, 0x3D)
I2C_RDWR = 0x0707
"""The ioctl that writes messages to a bus (linux/i2c-dev.h)."""
COMMAND, DATA = 0x00, 0x40
COLUMNS = 128
RAM_COLUMNS = 132
"""The width of the SH1106's memory, of which the middle 128 columns are visible."""

SET_UP = (
    *(0xAE, 0xD5, 0x80, 0xA8, 0x3F, 0xD3, 0x00, 0x40),  # dark; clock, 64 lines, no offset
    *(0x8D, 0x14, 0x20, 0x02),  # the SSD1306: charge pump on, page by page; the SH1106 takes these for other settings
    *(0xA1, 0xC8, 0xDA, 0x12, 0xD9, 0xF1, 0xDB, 0x40),  # upright; pins, precharge, VCOMH
    *(0x81, 0xCF, 0xA4, 0xA6, 0x40),  # bright, not inverse; first line (the SH1106 took 0x14 and 0x02 for columns)
)
ON = 0xAF


class Message(ctypes.Structure):
    """One message, as struct i2c_msg has it."""

    _fields_ = (
        ("address", ctypes.c_uint16),
        ("flags", ctypes.c_uint16),
        ("length", ctypes.c_uint16),
        ("data", ctypes.c_char_p),
    )


class Messages(ctypes.Structure):
    """Several messages, as struct i2c_rdwr_ioctl_data has them."""

    _fields_ = (("messages", ctypes.POINTER(Message)), ("count", ctypes.c_uint32))


def write(bus: int, address: int, content: bytes) -> None:
    """Write one message.

    Raises:
        OSError: If no device acknowledges.
    """
    message = Message(address, 0, len(content), content)
    fcntl.ioctl(bus, I2C_RDWR, Messages(ctypes.pointer(message), 1))


def show(bus: int, address: int, picture: bytes) -> None:
    """Show a picture on the display at this address.

    Raises:
        OSError: If there is none.
    """
    write(bus, address, bytes([COMMAND, *SET_UP]))
    for page in range(8):
        # The SH1106's last four columns are empty. On an SSD1306, which lacks them, the picture then overwrites them.
        write(bus, address, bytes([COMMAND, 0xB0 + page, COLUMNS & 0x0F, 0x10 + (COLUMNS >> 4)]))
        write(bus, address, bytes([DATA, *bytes(RAM_COLUMNS - COLUMNS)]))
        write(bus, address, bytes([COMMAND, 0xB0 + page, 0x00, 0x10]))
        write(bus, address, bytes([DATA, *picture[page * COLUMNS : (page + 1) * COLUMNS]]))
    write(bus, address, bytes([COMMAND, ON]))


def main(file: str) -> int:
    """Show the picture in a file on the first display that responds."""
    picture = Path(file).read_bytes()
    try:
        bus = os.open(BUS, os.O_RDWR)
    except OSError:
        return 1
    for address in ADDRESSES:
        try:
            show(bus, address, picture)
        except OSError:
            continue
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
