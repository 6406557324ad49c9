"""Picture files of any kind as frames: grey, 16-bit, transparent or turned by EXIF, all become 8-bit BGR."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from files.read import UnreadableFile, read_bytes
from vision.pictures.header import read_header
from vision.types import Frame

MOST_PIXELS = 64_000_000
"""The largest picture that is loaded: a phone's of 64 megapixels, 192 MB as a frame."""

MOST_BYTES = 4 * MOST_PIXELS
"""The largest file that is loaded: such a picture with transparency and not compressed at all."""


class UnreadablePictureError(ValueError):
    """A file that is no picture, or none that can be decoded; the text names the file and the remedy."""


def load(path: Path | str) -> Frame:
    """Load a picture file as a frame, upright as its EXIF data say.

    Grey pictures get three equal channels; 16-bit ones are scaled to 8 bits; what is transparent is laid on
    white, as a viewer would show it; of an animation the first picture is taken.

    Args:
        path: A JPEG, PNG, WebP, TIFF, BMP or GIF file; the last where OpenCV decodes it, from version 4.11.

    Returns:
        (H, W, 3) uint8 in BGR order.

    Raises:
        UnreadablePictureError: There is no such file, it cannot be opened, it holds no picture, one that is broken, or
            one of more than `MOST_PIXELS`.
    """
    path = Path(path)
    try:
        data = read_bytes(path, MOST_BYTES)
    except UnreadableFile as error:
        raise UnreadablePictureError(f"{path}: {error}") from None
    return decode(data, str(path))


def decode(data: bytes, name: str) -> Frame:
    """Decode the bytes of a picture file; `name` is what an error calls it. See `load`.

    Raises:
        UnreadablePictureError: The bytes hold no picture, one that is broken, or one that is too large.
    """
    if not data:
        raise UnreadablePictureError(f"{name}: empty; copy the picture again")
    header = read_header(data)
    if header is None:
        raise UnreadablePictureError(f"{name}: no picture that can be decoded; save it as PNG or JPEG")
    if header.width * header.height > MOST_PIXELS:
        size = f"{header.width} x {header.height} pixels"
        raise UnreadablePictureError(f"{name}: {size}, more than {MOST_PIXELS // 10**6} million; make it smaller")
    if not header.is_complete:
        raise UnreadablePictureError(f"{name}: cut off; copy the picture again")
    try:
        # UNCHANGED, as all else drops transparency; it leaves the turning by EXIF to the caller.
        raw = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise UnreadablePictureError(f"{name}: cannot be decoded ({error.err}); save it as PNG or JPEG") from None
    if raw is None:
        raise UnreadablePictureError(f"{name}: broken, or of an unusual kind; copy it again, or save it as PNG or JPEG")
    return _upright(_colour(_eight_bits(raw)), header.orientation)


def _eight_bits(raw: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Scale a picture of any number type to 8 bits.

    By the type's range, not by the picture's own, as a dark 16-bit picture is to stay dark; floating-point
    pictures reach from 0 to 1.
    """
    if raw.dtype == np.uint8:
        return np.asarray(raw, np.uint8)
    if raw.dtype == np.uint16:
        return np.asarray(cv2.convertScaleAbs(np.asarray(raw, np.uint16), alpha=255 / 65535), np.uint8)
    if np.issubdtype(raw.dtype, np.integer):
        levels = raw.astype(np.float64) / np.iinfo(raw.dtype.name).max
    else:
        levels = np.nan_to_num(raw.astype(np.float64), posinf=1.0, neginf=0.0)
    return np.rint(255.0 * np.clip(levels, 0.0, 1.0)).astype(np.uint8)


def _colour(picture: NDArray[np.uint8]) -> Frame:
    """Make three channels of one (grey), three, or four (the last is the opacity: laid on white)."""
    if picture.ndim == 2 or picture.shape[2] == 1:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 3:
        return picture
    on_white = np.empty((*picture.shape[:2], 3), np.uint8)
    # Row by row, as the numbers in between take five times the picture's own memory.
    for row, target in zip(picture, on_white, strict=True):
        opacity = row[:, 3:].astype(np.float32) / np.float32(255)
        target[:] = np.rint(row[:, :3] * opacity + 255 * (1 - opacity))
    return on_white


def _upright(picture: Frame, orientation: int) -> Frame:
    """Turn a picture by EXIF's orientation, 1 to 8 (CIPA DC-008, tag Orientation): 5 to 8 change rows and columns."""
    if orientation >= 5:
        picture = picture.transpose(1, 0, 2)
    if orientation in (3, 4, 7, 8):
        picture = picture[::-1]
    if orientation in (2, 3, 6, 7):
        picture = picture[:, ::-1]
    return np.ascontiguousarray(picture)
