"""The result of `cantstop calibrate`, and the file that stores it.

The file is JSON with a kind and a version. Places are parts of the picture (0 to 1), so they are valid for frames of
any size from the same camera. Reading works without a calibration; with one, the tray's edge is known.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from files.read import UnreadableFile, read_bytes, text_of
from files.write import write_whole

VERSION = 2
"""The version of the file format. Since version 2 the empty tray is stored in colour."""

KIND = "cantstop calibration"
"""The file's kind, which distinguishes it from other JSON files."""

EMPTY_SIZE = (80, 60)
"""Width and height of the picture of the empty tray, pixels."""

MOST_CORNERS = 64
"""The largest number of corners that a valid file may have; `cantstop calibrate` writes at most 24."""

MOST_BYTES = 1 << 20
"""The largest size of a valid file in bytes; usually it has about 20 kB."""

SAME_SHAPE = 0.02
"""The relative difference in width / height up to which frames have the same shape."""

Point = tuple[float, float]
"""A place in the picture: (x, y) as parts of its width and height, 0 to 1 from the left and the top."""


class CalibrationError(Exception):
    """A calibration file that cannot be read or written; the message names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The stored data about a tray under a camera.

    Attributes:
        frame_size: Width and height of the measured frames in pixels.
        tray: Edge of the inside of the tray, a convex polygon, clockwise as seen in the picture.
        die_side: Side of a die as a part of the picture's width; None if no dice were seen.
        brightness: Mean grey level of the inside, 0 to 255.
        evenness: Ratio of the dimmest ninth of the inside to the brightest, by median grey level, 0 to 1.
        glare: Part of the inside that is burnt out to white, 0 to 1.
        noise: Standard deviation of the noise in a frame, grey levels; None if there was only one frame.
        blur_px: Standard deviation of the blur, in pixels of a frame 640 wide; None if no edge could be measured.
        empty: The empty tray, `EMPTY_SIZE` pixels row by row, BGR; None if it was never seen empty.
    """

    frame_size: tuple[int, int]
    tray: tuple[Point, ...]
    die_side: float | None
    brightness: float
    evenness: float
    glare: float
    noise: float | None
    blur_px: float | None
    empty: bytes | None

    def __post_init__(self) -> None:
        """Check it.

        Raises:
            ValueError: If a value is out of range.
        """
        if min(self.frame_size) < 1:
            raise ValueError(f"frame_size is {self.frame_size}, not a width and a height from 1 on")
        _check_edge(self.tray)
        _check_range("die_side", self.die_side, 0, 1)
        _check_range("brightness", self.brightness, 0, 255)
        _check_range("evenness", self.evenness, 0, 1)
        _check_range("glare", self.glare, 0, 1)
        _check_range("noise", self.noise, 0, 255)
        _check_range("blur_px", self.blur_px, 0, 640)
        if self.empty is not None and len(self.empty) != 3 * EMPTY_SIZE[0] * EMPTY_SIZE[1]:
            raise ValueError(f"empty has {len(self.empty)} bytes, not three times {EMPTY_SIZE[0]} by {EMPTY_SIZE[1]}")

    def fits(self, frame_size: tuple[int, int]) -> bool:
        """Whether frames of this width and height have the shape of the calibrated ones."""
        return same_shape(frame_size, self.frame_size)

    def empty_picture(self) -> NDArray[np.uint8] | None:
        """Return the empty tray as a picture, uint8 BGR of shape (60, 80, 3); None if it was never seen empty."""
        if self.empty is None:
            return None
        return np.frombuffer(self.empty, np.uint8).reshape(EMPTY_SIZE[1], EMPTY_SIZE[0], 3)


def same_shape(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether frames of these widths and heights have the same shape, whatever their size."""
    return abs(one[0] * other[1] / (one[1] * other[0]) - 1.0) < SAME_SHAPE


def save(calibration: Calibration, path: Path) -> None:
    """Write a calibration file, and create its folder if it is missing.

    The file is replaced atomically: a power cut leaves the old one or the new one.

    Raises:
        CalibrationError: If it cannot be written; the old file remains.
    """
    data: dict[str, Any] = {
        "kind": KIND,
        "version": VERSION,
        "frame_size": list(calibration.frame_size),
        "tray": [list(point) for point in calibration.tray],
        "die_side": calibration.die_side,
        "brightness": calibration.brightness,
        "evenness": calibration.evenness,
        "glare": calibration.glare,
        "noise": calibration.noise,
        "blur_px": calibration.blur_px,
        "empty": None if calibration.empty is None else base64.b64encode(calibration.empty).decode("ascii"),
    }
    try:
        write_whole(path, json.dumps(data, indent=1).encode() + b"\n")
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be written ({error.strerror}); give another --file") from error


def load(path: Path) -> Calibration:
    """Read a calibration file.

    Raises:
        CalibrationError: If the file is missing, damaged, of another kind or of an unknown version.
    """
    try:
        text = read_bytes(path, MOST_BYTES)
    except UnreadableFile as error:
        raise CalibrationError(f"{path}: {error}, or run cantstop calibrate again") from error
    try:
        data = _parsed(text)
        version = data.get("version")
        if version == VERSION:
            return _from_data(data)
    except (ValueError, RecursionError) as error:
        raise CalibrationError(f"{path} is not a calibration ({error}); run cantstop calibrate again") from error
    raise CalibrationError(
        f"{path} was written by another version of the box (layout {repr(version)[:20]}, this one knows {VERSION}); "
        "update this one, or run cantstop calibrate again"
    )


def _parsed(text: bytes) -> dict[str, Any]:
    """Parse the file's JSON object.

    Raises:
        ValueError: If it is not an object, or not that of a calibration.
        RecursionError: If it is nested too deeply.
    """
    data = json.loads(text_of(text))
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise ValueError(f"its kind is not {KIND!r}")
    return data


def _from_data(data: dict[str, Any]) -> Calibration:
    """Return the calibration that a file's data describe.

    Raises:
        ValueError: If a value is missing, of the wrong type or out of range.
    """
    width, height = _numbers(data, "frame_size", 2)
    tray = data.get("tray")
    if not isinstance(tray, list):
        raise ValueError("tray is not a list of corners")  # noqa: TRY004 - one kind of error for a damaged file
    corners = [_numbers({"tray": corner}, "tray", 2) for corner in tray]
    return Calibration(
        frame_size=(int(width), int(height)),
        tray=tuple((x, y) for x, y in corners),
        die_side=_number_or_none(data, "die_side"),
        brightness=_number(data, "brightness"),
        evenness=_number(data, "evenness"),
        glare=_number(data, "glare"),
        noise=_number_or_none(data, "noise"),
        blur_px=_number_or_none(data, "blur_px"),
        empty=_bytes_or_none(data, "empty"),
    )


def _as_number(name: str, value: object) -> float:
    """Return a finite number; JSON's true is not a number, although Python's is."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**31:
        raise ValueError(f"{name} is not a valid number")
    return float(value)


def _number(data: dict[str, Any], name: str) -> float:
    return _as_number(name, data.get(name))


def _number_or_none(data: dict[str, Any], name: str) -> float | None:
    if name not in data:
        raise ValueError(f"{name} is missing")
    return None if data[name] is None else _number(data, name)


def _numbers(data: dict[str, Any], name: str, count: int) -> list[float]:
    values = data.get(name)
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"{name} is not a list of {count} numbers")
    return [_as_number(name, value) for value in values]


def _bytes_or_none(data: dict[str, Any], name: str) -> bytes | None:
    if name not in data:
        raise ValueError(f"{name} is missing")
    text = data[name]
    if text is None:
        return None
    if not isinstance(text, str):
        raise ValueError(f"{name} is not a text")  # noqa: TRY004 - one kind of error for a damaged file
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"{name} is not valid base64") from error


def _check_range(name: str, value: float | None, low: float, high: float) -> None:
    if value is not None and not low <= value <= high:
        raise ValueError(f"{name} is {value}, not from {low} to {high}")


def _check_edge(corners: tuple[Point, ...]) -> None:
    """Reject anything but a convex polygon within the picture.

    Raises:
        ValueError: If it is anything else; the message says what is wrong.
    """
    if not 3 <= len(corners) <= MOST_CORNERS:
        raise ValueError(f"tray has {len(corners)} corners, not from 3 to {MOST_CORNERS}")
    if not all(0 <= part <= 1 for corner in corners for part in corner):
        raise ValueError("tray has a corner outside the picture")
    turned = 0.0
    for here in range(len(corners)):
        (x0, y0), (x1, y1), (x2, y2) = (corners[(here + step) % len(corners)] for step in range(3))
        way, following = (x1 - x0, y1 - y0), (x2 - x1, y2 - y1)
        cross = way[0] * following[1] - way[1] * following[0]
        if cross <= 0:
            raise ValueError("tray is not convex, with its corners clockwise")
        turned += math.atan2(cross, way[0] * following[0] + way[1] * following[1])
    if turned > 3 * math.pi:
        raise ValueError("tray winds round more than once")
