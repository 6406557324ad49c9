"""Loads picture files of any kind, grey, 16-bit, transparent or rotated by EXIF, as 8-bit BGR frames, and saves frames.

With Pillow, because OpenCV would fill the memory for a file of a few kilobytes that claims 20,000 x 20,000 pixels,
ignores the orientation of transparent pictures, and up to version 4.6 fills the rest of a truncated JPEG with grey.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import numpy as np
from PIL import ExifTags, Image, ImageOps

from vision.files import UnreadableFile, read_bytes
from vision.types import Frame

MOST_PIXELS = 64_000_000
"""The largest picture that is loaded, in pixels: one from a phone with 64 megapixels, 192 MB as a frame."""

MOST_BYTES = 4 * MOST_PIXELS  # largest file that is loaded, in bytes: such a picture with transparency, not compressed

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


def decode(data: bytes, name: str, most_pixels: int | None = None, near_px: int | None = None) -> Frame:
    """Decode the bytes of a picture file, as in `load`.

    Args:
        data: The file's content.
        name: Its name in error messages.
        most_pixels: The largest picture that is decoded; `MOST_PIXELS` by default.
        near_px: If both sides are at least twice as long, a JPEG is decoded at half, a quarter or an eighth of its
            size, which saves memory; its shorter side keeps this length. None for the full size.

    Raises:
        UnreadablePictureError: If the bytes are not a picture, or it is broken or too large.
    """
    most_pixels = most_pixels or MOST_PIXELS
    if not data:
        raise UnreadablePictureError(f"{name}: empty; copy the picture again")
    too_large = f"{name}: more than {most_pixels // 10**6} million pixels; make it smaller"
    # Pillow raises errors of many kinds for broken files.
    try:
        picture = Image.open(io.BytesIO(data), formats=_FORMATS)
    except Image.DecompressionBombError:
        raise UnreadablePictureError(too_large) from None
    except Exception:
        raise UnreadablePictureError(f"{name}: not a picture that can be decoded; save it as PNG or JPEG") from None
    if picture.width * picture.height > most_pixels:
        raise UnreadablePictureError(too_large)
    try:
        if near_px is not None:
            picture.draft(None, (near_px, near_px))
        return _bgr(_upright(picture))
    except Exception:
        raise UnreadablePictureError(
            f"{name}: broken or cut off; copy the picture again, or save it as PNG or JPEG"
        ) from None


_PART_ROWS = 256
"""How much is converted at a time, so that a large picture needs little memory beside itself and the frame."""


def _upright(picture: Image.Image) -> Image.Image:
    """Rotate a picture according to its EXIF data, unless they are broken, and return it."""
    picture.load()
    with contextlib.suppress(Exception):
        if picture.getexif().get(ExifTags.Base.Orientation, 1) != 1:  # it would copy a picture that is upright
            return ImageOps.exif_transpose(picture)
    return picture


def _bgr(picture: Image.Image) -> Frame:
    """Return a picture of any mode as a frame."""
    frame = np.empty((picture.height, picture.width, 3), np.uint8)
    for top in range(0, picture.height, _PART_ROWS):
        bottom = min(top + _PART_ROWS, picture.height)
        frame[top:bottom] = _part_bgr(picture.crop((0, top, picture.width, bottom)))
    return frame


def _part_bgr(part: Image.Image) -> Frame:
    """Return some rows as a frame. Floating-point pictures have the range 0 to 1, integers 16 bits."""
    if part.mode == "F" or part.mode.startswith("I"):
        levels = np.asarray(part).astype(np.float64) / (1.0 if part.mode == "F" else 65535.0)
        grey = np.rint(255.0 * np.clip(np.nan_to_num(levels, posinf=1.0, neginf=0.0), 0.0, 1.0)).astype(np.uint8)
        return np.dstack([grey] * 3)
    if "A" in part.getbands() or "transparency" in part.info:
        clear, part = part.convert("RGBA"), Image.new("RGB", part.size, "white")
        part.paste(clear, mask=clear.getchannel("A"))
    return np.asarray(part.convert("RGB"))[:, :, ::-1]


def save_png(frame: Frame, path: Path) -> None:
    """Write a frame as a PNG file, whatever the file's name.

    Raises:
        OSError: If it cannot be written.
    """
    Image.fromarray(frame[..., ::-1]).save(path, "png", compress_level=1)
