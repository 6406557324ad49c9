"""Picture files of any kind as frames: grey, 16-bit, transparent or turned by EXIF, all become 8-bit BGR."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Frame


class UnreadablePictureError(ValueError):
    """A file that is no picture, or none that can be decoded; the text names the file and the remedy."""


def load(path: Path | str) -> Frame:
    """Load a picture file as a frame, upright as its EXIF data say.

    Grey pictures get three equal channels; 16-bit ones are scaled to 8 bits; what is transparent is laid on
    white, as a viewer would show it.

    Args:
        path: A file in any format that OpenCV decodes: JPEG, PNG, WebP, TIFF, BMP and others.

    Returns:
        (H, W, 3) uint8 in BGR order.

    Raises:
        UnreadablePictureError: There is no such file, it cannot be opened, or it holds no picture.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except IsADirectoryError:
        raise UnreadablePictureError(f"{path}: a folder; name the pictures in it") from None
    except OSError as error:
        raise UnreadablePictureError(f"{path}: {error.strerror or error}; check the name") from None
    return decode(data, str(path))


def decode(data: bytes, name: str) -> Frame:
    """Decode the bytes of a picture file; `name` is what an error calls it. See `load`.

    Raises:
        UnreadablePictureError: The bytes hold no picture.
    """
    if not data:
        raise UnreadablePictureError(f"{name}: empty; copy the picture again")
    encoded = np.frombuffer(data, np.uint8)
    try:
        # ANYCOLOR obeys the EXIF orientation, but would drop transparency; UNCHANGED keeps it and ignores EXIF.
        upright = cv2.imdecode(encoded, cv2.IMREAD_COLOR)
        raw = cv2.imdecode(encoded, cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise UnreadablePictureError(f"{name}: cannot be decoded ({error.err}); save it as PNG or JPEG") from None
    if upright is None or raw is None:
        raise UnreadablePictureError(f"{name}: no picture that can be decoded; save it as PNG or JPEG")
    if raw.ndim == 3 and raw.shape[2] == 4:
        return _on_white(raw)
    if raw.dtype != np.uint8:
        return _eight_bits(raw)
    return np.asarray(upright, np.uint8)


def _eight_bits(raw: NDArray[np.generic]) -> Frame:
    """Scale an integer or floating-point picture of one to four channels to 8-bit BGR, the brightest to 255."""
    if np.issubdtype(raw.dtype, np.integer):
        # By the format's range, not by the picture's own: a dark 16-bit picture is to stay dark.
        levels = raw.astype(np.float32) * np.float32(255.0 / np.iinfo(raw.dtype.name).max)
    else:
        levels = np.nan_to_num(raw.astype(np.float32)) * 255.0
    eight = np.clip(np.rint(levels), 0, 255).astype(np.uint8)
    if eight.ndim == 2:
        eight = eight[:, :, None]
    if eight.shape[2] == 1:
        eight = np.repeat(eight, 3, axis=2)
    return np.ascontiguousarray(eight[:, :, :3])


def _on_white(raw: NDArray[np.generic]) -> Frame:
    """Lay a picture with an alpha channel on white."""
    top = 255.0 if raw.dtype == np.uint8 else 65535.0
    colour = raw[:, :, :3].astype(np.float32) * np.float32(255.0 / top)
    alpha = raw[:, :, 3:].astype(np.float32) / np.float32(top)
    return np.asarray(np.rint(colour * alpha + 255.0 * (1 - alpha)), np.uint8)
