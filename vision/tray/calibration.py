"""The result of `cantstop calibrate`, and the file that stores it.

The file is JSON with a kind and a version. Places are parts of the picture (0 to 1), so they are valid for frames of
any size from the same camera. Reading works without a calibration; with one, the tray's edge is known.
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import cv2
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


_MOST = {"die_side": 1.0, "brightness": 255.0, "evenness": 1.0, "glare": 1.0, "noise": 255.0, "blur_px": 640.0}
"""The figures of a calibration, with the largest that is valid; the smallest is 0."""

_UNKNOWN = ("die_side", "noise", "blur_px")
"""The figures that may be unknown (None)."""


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
        if not is_convex(self.tray):
            raise ValueError(f"tray is no convex polygon of 3 to {MOST_CORNERS} corners, clockwise, in the picture")
        for name, most in _MOST.items():
            value = getattr(self, name)
            if not (value is None and name in _UNKNOWN) and not 0 <= value <= most:
                raise ValueError(f"{name} is {value}, not from 0 to {most}")
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
    empty = None if calibration.empty is None else base64.b64encode(calibration.empty).decode("ascii")
    data = {"kind": KIND, "version": VERSION} | asdict(calibration) | {"empty": empty}
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
    if missing := [field.name for field in fields(Calibration) if field.name not in data]:
        raise ValueError(f"{missing[0]} is missing")
    tray, empty = data["tray"], data["empty"]
    if not isinstance(tray, list) or not isinstance(empty, str | None):
        raise ValueError("tray is not a list of corners, or empty not a text")  # noqa: TRY004 - it is a damaged file
    figures: dict[str, Any] = {
        name: None if data[name] is None and name in _UNKNOWN else _numbers(name, [data[name]], 1)[0] for name in _MOST
    }
    width, height = _numbers("frame_size", data["frame_size"], 2)
    return Calibration(
        frame_size=(int(width), int(height)),
        tray=tuple((x, y) for x, y in (_numbers("tray", corner, 2) for corner in tray)),
        empty=None if empty is None else base64.b64decode(empty, validate=True),
        **figures,
    )


def _numbers(name: str, values: object, count: int) -> list[float]:
    """Return a list of finite numbers; JSON's true is none, though Python's is."""
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"{name} is not a list of {count} numbers")
    if not all(type(value) in (int, float) and abs(value) < 2**31 for value in values):
        raise ValueError(f"{name} is not a valid number")
    return [float(value) for value in values]


def is_convex(corners: tuple[Point, ...]) -> bool:
    """Whether corners are a convex polygon within the picture, clockwise, which winds round once."""
    if not 3 <= len(corners) <= MOST_CORNERS or not all(0 <= part <= 1 for corner in corners for part in corner):
        return False
    exact = np.rint(np.array(corners) * 1e7).astype(np.int32)
    order = cv2.convexHull(exact, clockwise=False, returnPoints=False).ravel()
    return len(order) == len(corners) and bool((np.diff(np.roll(order, -int(order.argmin()))) == 1).all())
