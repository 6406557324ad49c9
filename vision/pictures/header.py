"""Reads a picture file's header before it is decoded: its size, its orientation, whether it is complete.

OpenCV offers none of this. It would fill the memory for a file of a few kilobytes that claims 20,000 x 20,000 pixels,
it ignores the orientation of transparent pictures, and up to version 4.6 (Raspberry Pi OS Bookworm) it silently fills
the rest of a truncated JPEG with grey.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass

ORIENTATION_TAG = 0x0112
"""The orientation tag of EXIF and TIFF; its value is 1 to 8."""

UPRIGHT = 1


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a picture file.

    Attributes:
        width: Stored width in pixels, before any rotation.
        height: Stored height in pixels, before any rotation.
        orientation: EXIF orientation that is still to be applied to the decoded picture, 1 (upright) to 8.
        is_complete: False if the file is known to be truncated.
    """

    width: int
    height: int
    orientation: int = UPRIGHT
    is_complete: bool = True


def read_header(data: bytes) -> Header | None:
    """Read the header of a JPEG, PNG, WebP, TIFF, BMP or GIF file.

    Returns:
        The header; None for any other file or a broken header.
    """
    for signature, reader in _READERS:
        if signature.match(data):
            try:
                return reader(data)
            except (struct.error, IndexError):
                return None
    return None


def _jpeg(data: bytes) -> Header | None:
    """Parse a JPEG (ITU-T T.81, annex B): segments with a marker and a length; coded data follow a scan header."""
    size: tuple[int, int] | None = None
    orientation = UPRIGHT
    place = 2
    while True:
        marker = _JPEG_MARKER.search(data, place)
        if marker is not None and marker.group() == _JPEG_END:
            return None if size is None else Header(*size, orientation)
        if marker is None or marker.end() + 2 > len(data):
            return None if size is None else Header(*size, orientation, is_complete=False)
        code = marker.group()[1]
        (length,) = struct.unpack_from(">H", data, marker.end())
        body = data[marker.end() + 2 : marker.end() + length]
        if 0xC0 <= code <= 0xCF and code not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", body, 1)
            size = width, height
        elif code == 0xE1 and body.startswith(b"Exif\0\0"):
            orientation = _exif_orientation(body[6:])
        place = marker.end() + length


_JPEG_MARKER = re.compile(rb"\xff[^\x00\xff\x01\xd0-\xd8]", re.DOTALL)
"""Match a marker of a segment or of the end of the picture, not a stuffed zero or a restart marker."""


_JPEG_END = b"\xff\xd9"


def _png(data: bytes) -> Header:
    """Parse a PNG (specification, clause 5.3): chunks with a length, a type, data and a checksum, up to the chunk IEND.

    If a chunk claims to be longer than the file, OpenCV 5.0 allocates that much memory, up to 2 GB.
    """
    width, height = struct.unpack_from(">II", data, 16)
    orientation = UPRIGHT
    place = 8
    while place + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        if kind == b"eXIf":
            orientation = _exif_orientation(data[place + 8 : place + 8 + length])
        place += 12 + length
        if kind == b"IEND" and place <= len(data):
            return Header(width, height, orientation)
    return Header(width, height, orientation, is_complete=False)


def _webp(data: bytes) -> Header | None:
    """Parse a WebP (RFC 9649, section 2.7): a RIFF container of chunks: type, length, data, padded to even length."""
    size: tuple[int, int] | None = None
    orientation = UPRIGHT
    place = 12
    while place + 8 <= len(data):
        kind, length = struct.unpack_from("<4sI", data, place)
        body = data[place + 8 : place + 8 + length]
        if kind == b"VP8X":
            size = 1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")
        elif kind == b"VP8 " and size is None:
            width, height = struct.unpack_from("<HH", body, 6)
            size = width & 0x3FFF, height & 0x3FFF
        elif kind == b"VP8L" and size is None:
            (bits,) = struct.unpack_from("<I", body, 1)
            size = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        elif kind == b"EXIF":
            orientation = _exif_orientation(body.removeprefix(b"Exif\0\0"))
        place += 8 + length + length % 2
    return None if size is None else Header(*size, orientation)


def _tiff(data: bytes) -> Header | None:
    """Parse a TIFF (TIFF 6.0, section 2). OpenCV rotates these itself, so the orientation returned is upright."""
    tags = _first_directory(data)
    return Header(tags[0x0100], tags[0x0101]) if {0x0100, 0x0101} <= tags.keys() else None


def _bmp(data: bytes) -> Header:
    """Parse a BMP: sizes are 16-bit in the oldest kind, otherwise 32-bit; a negative height means top-down rows."""
    (header_size,) = struct.unpack_from("<I", data, 14)
    width, height = struct.unpack_from("<HH" if header_size == 12 else "<ii", data, 18)
    return Header(abs(width), abs(height))


def _gif(data: bytes) -> Header:
    """Parse a GIF (GIF89a, section 18): the size of the logical screen."""
    return Header(*struct.unpack_from("<HH", data, 6))


def _exif_orientation(tiff: bytes) -> int:
    """Return the orientation from EXIF data, which are a TIFF file; upright if they lack it or are broken."""
    try:
        orientation = _first_directory(tiff).get(ORIENTATION_TAG, UPRIGHT)
    except struct.error:
        return UPRIGHT
    return orientation if 1 <= orientation <= 8 else UPRIGHT


def _first_directory(tiff: bytes) -> dict[int, int]:
    """Return those tags of a TIFF file's first directory that are single 16-bit or 32-bit numbers."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return {}
    (place,) = struct.unpack_from(order + "I", tiff, 4)
    (count,) = struct.unpack_from(order + "H", tiff, place)
    tags: dict[int, int] = {}
    for index in range(count):
        entry = place + 2 + 12 * index
        tag, kind, values = struct.unpack_from(order + "HHI", tiff, entry)
        if values == 1 and kind in _TIFF_NUMBERS:
            (number,) = struct.unpack_from(order + _TIFF_NUMBERS[kind], tiff, entry + 8)
            tags.setdefault(tag, number)
    return tags


_TIFF_NUMBERS = {3: "H", 4: "I"}
"""The field types SHORT and LONG."""

_READERS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], Header | None]], ...] = (
    (re.compile(rb"\xff\xd8\xff"), _jpeg),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), _png),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), _webp),
    (re.compile(rb"II\*\0|MM\0\*"), _tiff),
    (re.compile(rb"BM"), _bmp),
    (re.compile(rb"GIF8[79]a"), _gif),
)
