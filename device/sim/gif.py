"""Records a game as an animated GIF: the OLED in its bezel and the tray beside it."""

from __future__ import annotations

import errno
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from vision.types import Frame


@dataclass(frozen=True, slots=True)
class GifParams:
    """The parameters of the GIF.

    Attributes:
        oled_scale: The size of an OLED pixel in pixels, 2 to 4; 3 is readable in a README.
        bezel: The width of the black edge around the OLED, in pixels, 4 to 32; 15 is that of a 0.96 inch module.
        still_levels: The largest difference between two tray pictures that count as the same, 4 to 32 of 256 levels.
            Averaged camera noise stays below 8; a die that moves by a pixel of the small picture changes it by 30 and
            more.
        most_frames: The most frames stored, 100 to 5000. A frame takes about 10 kB; a longer game is shown with fewer
            frames per second.
        colours: The number of the GIF's 256 colours for the tray, 16 to 240.
        quality: The JPEG quality of stored trays, 50 to 95; below 80 its blocks become visible.
    """

    oled_scale: int = 3
    bezel: int = 15
    still_levels: int = 12
    most_frames: int = 1500
    colours: int = 128
    quality: int = 85


FRAME_S = 1 / 15
"""The default duration of a frame in seconds: that of the tray's camera."""

_SHORTEST_S = 0.02
"""The shortest duration of a frame, in seconds; viewers extend shorter ones to a tenth of a second."""
_LAST_S = 3.0
"""The duration of the last frame, before the GIF starts again, in seconds."""

_WIDTH, _HEIGHT = 128, 64
_LIT, _GLASS, _BEZEL, _TABLE = (196, 232, 255), (6, 8, 12), (24, 26, 30), (60, 62, 66)
"""RGB of the OLED's pixels, glass and bezel, and of the background."""
_OWN = (_LIT, _GLASS, _BEZEL, _TABLE)


@dataclass(slots=True)
class _Kept:
    """A stored frame: 1 kB of OLED and some kB of tray.

    Attributes:
        oled: The OLED's pixels, as PIL packs them.
        tray: The small tray as a JPEG; None without a picture.
        seconds: How long it is shown, in seconds.
    """

    oled: bytes
    tray: bytes | None
    seconds: float


class GifRecorder:
    """Stores frames and writes them as an animated GIF. Its memory is bounded, however long the game."""

    def __init__(self, path: Path, params: GifParams | None = None) -> None:
        """Start, after checking that the file can be written: the end of a long game would be too late for an error.

        Args:
            path: The file; an existing one is overwritten by `save`, not before.
            params: The parameters of the GIF.

        Raises:
            OSError: If the file cannot be written.
        """
        self._path = path
        self._params = params or GifParams()
        self._frames: list[_Kept] = []
        self._tray: NDArray[np.uint8] | None = None
        self._shortest_s = _SHORTEST_S
        existed = path.exists()
        try:
            with path.open("ab"):
                pass
        except OSError as error:
            raise OSError(error.errno, f"the picture cannot be written ({error.strerror})", str(path)) from error
        if not existed:
            path.unlink()

    def add(self, oled: Image.Image, tray: Frame | None, seconds: float = FRAME_S) -> None:
        """Add a frame.

        Args:
            oled: The OLED's picture: 128x64 pixels, mode "1".
            tray: The camera's picture, uint8 (H, W, 3) in BGR; None for none.
            seconds: How long it was visible, more than 0.
        """
        pixels = oled.tobytes()
        small = None if tray is None else self._shrunk(tray)
        last = self._frames[-1] if self._frames else None
        if last is not None and last.oled == pixels and self._is_same_tray(small):
            last.seconds += seconds
            return
        self._tray = small
        kept = _Kept(pixels, None if small is None else self._packed(small), seconds)
        if last is not None and last.seconds < self._shortest_s:
            # Too short to be shown; its duration is added to the frame that replaces it, which keeps the total.
            kept.seconds += last.seconds
            self._frames[-1] = kept
        else:
            self._frames.append(kept)
        if len(self._frames) > self._params.most_frames:
            self._thin_out()

    def save(self) -> None:
        """Write the GIF.

        Raises:
            OSError: If it cannot be written.
            ValueError: If there are no frames.
        """
        if not self._frames:
            raise ValueError("no frame was added, so there is no picture")
        palette = self._palette()
        shown = self._drawn(palette)
        times_ms = [round(100 * max(_SHORTEST_S, kept.seconds)) * 10 for kept in self._frames]
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
        try:
            self._path.write_bytes(packed.getvalue())
        except OSError as error:
            number = error.errno or errno.EIO
            raise OSError(number, f"the picture could not be written ({error.strerror})", str(self._path)) from error

    @property
    def _height(self) -> int:
        """The picture's height in pixels."""
        return _HEIGHT * self._params.oled_scale + 2 * self._params.bezel

    def _shrunk(self, tray: Frame) -> NDArray[np.uint8]:
        height, width = tray.shape[:2]
        size = (max(1, round(width * self._height / height)), self._height)
        return np.asarray(cv2.resize(tray, size, interpolation=cv2.INTER_AREA), np.uint8)

    def _is_same_tray(self, small: NDArray[np.uint8] | None) -> bool:
        if small is None or self._tray is None or small.shape != self._tray.shape:
            return small is None and self._tray is None
        return (
            int(cv2.absdiff(cv2.blur(small, (3, 3)), cv2.blur(self._tray, (3, 3))).max()) <= self._params.still_levels
        )

    def _packed(self, small: NDArray[np.uint8]) -> bytes:
        _, packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, self._params.quality])
        return packed.tobytes()

    def _thin_out(self) -> None:
        """Drop every second frame, and double the others' durations."""
        kept = self._frames[::2]
        for frame, gone in zip(kept, self._frames[1::2], strict=False):
            frame.seconds += gone.seconds
        self._frames = kept
        self._shortest_s *= 2
        self._tray = None if kept[-1].tray is None else _unpacked(kept[-1].tray)[:, :, ::-1]

    def _palette(self) -> Image.Image:
        """Return one palette for all frames: the OLED's colours, and those that suit a few trays of the whole game."""
        trays = [kept.tray for kept in self._frames if kept.tray is not None]
        colours: list[int] = []
        if trays:
            some = [_unpacked(tray) for tray in trays[:: max(1, len(trays) // 16)]]
            height = min(tray.shape[0] for tray in some)
            strip = np.concatenate([tray[:height] for tray in some], axis=1)
            chosen = Image.fromarray(strip).quantize(self._params.colours, Image.Quantize.MEDIANCUT)
            colours = (chosen.getpalette() or [])[: 3 * self._params.colours]
        own = [level for colour in _OWN for level in colour]
        palette = Image.new("P", (1, 1))
        palette.putpalette(own + colours + own[:3] * (256 - len(_OWN) - len(colours) // 3))
        return palette

    def _drawn(self, palette: Image.Image) -> Iterator[Image.Image]:
        widest = max((_unpacked(kept.tray).shape[1] for kept in self._frames if kept.tray is not None), default=0)
        for kept in self._frames:
            yield self._draw(kept, widest).quantize(palette=palette, dither=Image.Dither.NONE)

    def _draw(self, kept: _Kept, tray_width: int) -> Image.Image:
        edge, scale = self._params.bezel, self._params.oled_scale
        width = _WIDTH * scale + 2 * edge
        picture = Image.new("RGB", (width + tray_width, self._height), _TABLE)
        pen = ImageDraw.Draw(picture)
        pen.rectangle((0, 0, width - 1, self._height - 1), fill=_BEZEL)
        glass = Image.new("RGB", (_WIDTH * scale, _HEIGHT * scale), _GLASS)
        pixels = Image.frombytes("1", (_WIDTH, _HEIGHT), kept.oled).resize(glass.size, Image.Resampling.NEAREST)
        glass.paste(_LIT, mask=pixels)
        picture.paste(glass, (edge, edge))
        if kept.tray is not None:
            picture.paste(Image.fromarray(_unpacked(kept.tray)), (width, 0))
        return picture


def _unpacked(tray: bytes) -> NDArray[np.uint8]:
    """Return a stored tray, decoded: uint8 (H, W, 3) in RGB."""
    bgr = cv2.imdecode(np.frombuffer(tray, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(bgr, np.uint8)[:, :, ::-1]
