"""Loads picture files of any kind, grey, 16-bit, transparent or rotated by EXIF, as 8-bit BGR frames.

With Pillow, because OpenCV would fill the memory for a file of a few kilobytes that claims 20,000 x 20,000 pixels,
ignores the orientation of transparent pictures, and up to version 4.6 fills the rest of a truncated JPEG with grey.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from files.read import UnreadableFile, read_bytes
from vision.types import Frame

MOST_PIXELS = 64_000_000
"""The largest picture that is loaded, in pixels: one from a phone with 64 megapixels, 192 MB as a frame."""

MOST_BYTES = 4 * MOST_PIXELS
"""The largest file that is loaded, in bytes: such a picture with transparency, not compressed."""

_FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF")


class UnreadablePictureError(ValueError):
    """The file is not a picture that can be decoded; the message names the file and the remedy."""


def load(path: Path | str) -> Frame:
    """Load a picture file as a frame, rotated upright according to its EXIF data.

    Grey pictures get three equal channels, and 16-bit ones are scaled to 8 bits. Transparent parts get a white
    background, as in a viewer. Of an animation, the first picture is loaded.

    Args:
        path: A JPEG, PNG, WebP, TIFF, BMP or GIF file.

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
    too_large = f"{name}: more than {MOST_PIXELS // 10**6} million pixels; make it smaller"
    # Pillow raises errors of many kinds for broken files.
    try:
        picture = Image.open(io.BytesIO(data), formats=_FORMATS)
    except Image.DecompressionBombError:
        raise UnreadablePictureError(too_large) from None
    except Exception:
        raise UnreadablePictureError(f"{name}: not a picture that can be decoded; save it as PNG or JPEG") from None
    if picture.width * picture.height > MOST_PIXELS:
        raise UnreadablePictureError(too_large)
    try:
        picture.load()
        return _bgr(_upright(picture))
    except Exception:
        broken = "broken or cut off; copy the picture again, or save it as PNG or JPEG"
        raise UnreadablePictureError(f"{name}: {broken}") from None


def _upright(picture: Image.Image) -> Image.Image:
    """Return a picture rotated according to its EXIF data; as it is if they are broken."""
    try:
        return ImageOps.exif_transpose(picture) or picture
    except Exception:
        return picture


def _bgr(picture: Image.Image) -> Frame:
    """Return a picture of any mode as a frame. Floating-point pictures have the range 0 to 1, integers 16 bits."""
    if picture.mode == "F" or picture.mode.startswith("I"):
        levels = np.asarray(picture).astype(np.float64) / (1.0 if picture.mode == "F" else 65535.0)
        grey = np.rint(255.0 * np.clip(np.nan_to_num(levels, posinf=1.0, neginf=0.0), 0.0, 1.0)).astype(np.uint8)
        return np.dstack([grey] * 3)
    if "A" in picture.getbands() or "transparency" in picture.info:
        clear, picture = picture.convert("RGBA"), Image.new("RGB", picture.size, "white")
        picture.paste(clear, mask=clear.getchannel("A"))
    return np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1])
