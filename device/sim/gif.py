"""Records a game as an animated GIF: the OLED in its bezel and the tray beside it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.types import Frame

FRAME_S = 1 / 15
"""The interval between the frames that are added, in seconds: that of the tray's camera."""
_LAST_S = 3.0
"""The duration of the last frame, before the GIF starts again, in seconds."""

_MOST_FRAMES = 1500
"""The most frames stored, of about 10 kB each; a longer game is shown with fewer frames per second."""
_STILL_LEVELS = 12
"""The largest difference between two tray pictures that count as the same, of 256 levels: averaged camera noise stays
below 8, and a die that moves by a pixel of the small picture changes it by 30 and more."""
_QUALITY = 85
"""The JPEG quality of stored trays; below 80 its blocks become visible."""
_COLOURS = 128
"""The number of the GIF's 256 colours for the tray."""

_WIDTH, _HEIGHT = 128, 64
_SCALE, _EDGE = 3, 15
"""The size of an OLED pixel, and the width of the black edge around a 0.96 inch module, in pixels."""
_WHOLE_HEIGHT = _HEIGHT * _SCALE + 2 * _EDGE
"""The height of the GIF in pixels."""
_LIT, _GLASS, _BEZEL = (196, 232, 255), (6, 8, 12), (24, 26, 30)
"""RGB of the OLED's pixels, glass and bezel."""
_OWN = (_LIT, _GLASS, _BEZEL)


@dataclass(slots=True)
class _Kept:
    """A stored frame: 1 kB of OLED and some kB of tray.

    Attributes:
        oled: The OLED's pixels, as PIL packs them.
        tray: The small tray as a JPEG; None without a picture.
        count: How many equal frames in a row it stands for.
    """

    oled: bytes
    tray: bytes | None
    count: int = 1


class GifRecorder:
    """Stores frames and writes them as an animated GIF. Its memory is bounded, however long the game."""

    def __init__(self, path: Path) -> None:
        """Start, after checking that the file can be written: the end of a long game would be too late for an error.

        Args:
            path: The file; an existing one is overwritten by `save`, not before.

        Raises:
            OSError: If the file cannot be written.
        """
        self._path = path
        self._frames: list[_Kept] = []
        self._tray: NDArray[np.uint8] | None = None
        self._least_count = 1
        existed = path.exists()
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()

    def add(self, oled: Image.Image, tray: Frame | None) -> None:
        """Add the next frame, `FRAME_S` after the one before it.

        Args:
            oled: The OLED's picture: 128x64 pixels, mode "1".
            tray: The camera's picture, uint8 (H, W, 3) in BGR; None for none.
        """
        pixels = oled.tobytes()
        small = None if tray is None else _shrunk(tray)
        last = self._frames[-1] if self._frames else None
        if last is not None and last.oled == pixels and self._is_same_tray(small):
            last.count += 1
            return
        self._tray = small
        kept = _Kept(pixels, None if small is None else _packed(small))
        if last is not None and last.count < self._least_count:
            kept.count += last.count
            self._frames[-1] = kept
        else:
            self._frames.append(kept)
        if len(self._frames) > _MOST_FRAMES:
            self._thin_out()

    def save(self) -> None:
        """Write the GIF, after at least one frame.

        Raises:
            OSError: If it cannot be written.
        """
        palette = self._palette()
        width = max((_unpacked(kept.tray).shape[1] for kept in self._frames if kept.tray is not None), default=0)
        shown = (_drawn(kept, width).quantize(palette=palette, dither=Image.Dither.NONE) for kept in self._frames)
        times_ms = [round(100 * FRAME_S * kept.count) * 10 for kept in self._frames]
        times_ms[-1] += round(1000 * _LAST_S)
        packed = io.BytesIO()  # Pillow reports a disk error as one of the picture; and half a GIF is useless
        next(shown).save(
            packed,
            format="GIF",
            save_all=True,
            append_images=shown,
            duration=times_ms,
            loop=0,
            optimize=False,
            disposal=1,
        )
        self._path.write_bytes(packed.getvalue())

    def _is_same_tray(self, small: NDArray[np.uint8] | None) -> bool:
        if small is None or self._tray is None or small.shape != self._tray.shape:
            return small is None and self._tray is None
        return int(cv2.absdiff(cv2.blur(small, (3, 3)), cv2.blur(self._tray, (3, 3))).max()) <= _STILL_LEVELS

    def _thin_out(self) -> None:
        """Drop every second frame, and show the others longer; later frames are as far apart as these."""
        kept = self._frames[::2]
        for frame, gone in zip(kept, self._frames[1::2], strict=False):
            frame.count += gone.count
        self._frames = kept
        self._least_count *= 2
        self._tray = None if kept[-1].tray is None else _unpacked(kept[-1].tray)[:, :, ::-1]

    def _palette(self) -> Image.Image:
        """Return one palette for all frames: the OLED's colours, and those that suit a few trays of the whole game."""
        trays = [kept.tray for kept in self._frames if kept.tray is not None]
        colours: list[int] = []
        if trays:
            some = [_unpacked(tray) for tray in trays[:: max(1, len(trays) // 16)]]
            chosen = Image.fromarray(np.concatenate(some, axis=1)).quantize(_COLOURS, Image.Quantize.MEDIANCUT)
            colours = (chosen.getpalette() or [])[: 3 * _COLOURS]
        own = [level for colour in _OWN for level in colour]
        palette = Image.new("P", (1, 1))
        palette.putpalette(own + colours + own[:3] * (256 - len(_OWN) - len(colours) // 3))
        return palette


def _drawn(kept: _Kept, tray_width: int) -> Image.Image:
    """Return a stored frame as a picture: the OLED in its bezel, and room for the widest tray on its right."""
    width = _WIDTH * _SCALE + 2 * _EDGE
    picture = Image.new("RGB", (width + tray_width, _WHOLE_HEIGHT), _BEZEL)
    glass = Image.new("RGB", (_WIDTH * _SCALE, _HEIGHT * _SCALE), _GLASS)
    pixels = Image.frombytes("1", (_WIDTH, _HEIGHT), kept.oled).resize(glass.size, Image.Resampling.NEAREST)
    glass.paste(_LIT, mask=pixels)
    picture.paste(glass, (_EDGE, _EDGE))
    if kept.tray is not None:
        picture.paste(Image.fromarray(_unpacked(kept.tray)), (width, 0))
    return picture


def _shrunk(tray: Frame) -> NDArray[np.uint8]:
    height, width = tray.shape[:2]
    size = (max(1, round(width * _WHOLE_HEIGHT / height)), _WHOLE_HEIGHT)
    return np.asarray(cv2.resize(tray, size, interpolation=cv2.INTER_AREA), np.uint8)


def _packed(small: NDArray[np.uint8]) -> bytes:
    _, packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return packed.tobytes()


def _unpacked(tray: bytes) -> NDArray[np.uint8]:
    """Return a stored tray, decoded: uint8 (H, W, 3) in RGB."""
    bgr = cv2.imdecode(np.frombuffer(tray, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(bgr, np.uint8)[:, :, ::-1]
