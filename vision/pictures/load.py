"""Loads picture files of any kind, grey, 16-bit, transparent or rotated by EXIF, as 8-bit BGR frames."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from files.read import UnreadableFile, read_bytes
from vision.pictures.header import read_header
from vision.types import Frame

MOST_PIXELS = 64_000_000
"""The largest picture that is loaded, in pixels: one from a phone with 64 megapixels, 192 MB as a frame."""

MOST_BYTES = 4 * MOST_PIXELS
"""The largest file that is loaded, in bytes: such a picture with transparency, not compressed."""


class UnreadablePictureError(ValueError):
    """The file is not a picture that can be decoded; the message names the file and the remedy."""


def load(path: Path | str) -> Frame:
    """Load a picture file as a frame, rotated upright according to its EXIF data.

    Grey pictures get three equal channels, and 16-bit ones are scaled to 8 bits. Transparent parts get a white
    background, as in a viewer. Of an animation, the first picture is loaded.

    Args:
        path: A JPEG, PNG, WebP, TIFF or BMP file; with OpenCV 4.11 and later also a GIF file.

    Returns:
        (H, W, 3) uint8 in BGR order.

    Raises:
        UnreadablePictureError: If the file does not exist, cannot be opened, is not a picture, is broken, or has more
            than `MOST_PIXELS` pixels.
    """
    path = Path(path)
    try:
        data = read_bytes(path, MOST_BYTES)
    except UnreadableFile as error:
        raise UnreadablePictureError(f"{path}: {error}") from None
    return decode(data, str(path))


def decode(data: bytes, name: str) -> Frame:
    """Decode the bytes of a picture file, as in `load`; `name` is its name in error messages.

    Raises:
        UnreadablePictureError: If the bytes are not a picture, or it is broken or too large.
    """
    if not data:
        raise UnreadablePictureError(f"{name}: empty; copy the picture again")
    header = read_header(data)
    if header is None:
        raise UnreadablePictureError(f"{name}: not a picture that can be decoded; save it as PNG or JPEG")
    if header.width * header.height > MOST_PIXELS:
        size = f"{header.width} x {header.height} pixels"
        raise UnreadablePictureError(f"{name}: {size}, more than {MOST_PIXELS // 10**6} million; make it smaller")
    if not header.is_complete:
        raise UnreadablePictureError(f"{name}: cut off; copy the picture again")
    try:
        # Any flag other than UNCHANGED drops transparency. With it, the caller must apply the EXIF orientation.
        raw = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise UnreadablePictureError(f"{name}: cannot be decoded ({error.err}); save it as PNG or JPEG") from None
    if raw is None:
        raise UnreadablePictureError(f"{name}: broken, or of an unusual kind; copy it again, or save it as PNG or JPEG")
    return _upright(_colour(_eight_bits(raw)), header.orientation)


def _eight_bits(raw: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Scale a picture of any number type to 8 bits.

    It uses the range of the type, not of the picture, so a dark 16-bit picture remains dark. Floating-point pictures
    have the range 0 to 1.
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
    """Convert one channel (grey), three, or four (the last is opacity, on a white background) to three channels."""
    if picture.ndim == 2 or picture.shape[2] == 1:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 3:
        return picture
    on_white = np.empty((*picture.shape[:2], 3), np.uint8)
    # Row by row, because the intermediate numbers take five times as much memory as the picture.
    for row, target in zip(picture, on_white, strict=True):
        opacity = row[:, 3:].astype(np.float32) / np.float32(255)
        target[:] = np.rint(row[:, :3] * opacity + 255 * (1 - opacity))
    return on_white


def _upright(picture: Frame, orientation: int) -> Frame:
    """Apply an EXIF orientation, 1 to 8 (CIPA DC-008, tag Orientation); 5 to 8 exchange rows and columns."""
    if orientation >= 5:
        picture = picture.transpose(1, 0, 2)
    if orientation in (3, 4, 7, 8):
        picture = picture[::-1]
    if orientation in (2, 3, 6, 7):
        picture = picture[:, ::-1]
    return np.ascontiguousarray(picture)
