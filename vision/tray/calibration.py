"""The result of `cantstop calibrate`, and the file that stores it.

The file is JSON with a kind and a version. Places are parts of the picture (0 to 1), so they are valid for frames of
any size from the same camera. Reading works without a calibration; with one, the tray's edge is known. Older files also
have the measured figures, which are ignored.
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
        empty: The empty tray, `EMPTY_SIZE` pixels row by row, BGR; None if it was never seen empty.
    """

    frame_size: tuple[int, int]
    tray: tuple[Point, ...]
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
        if self.empty is not None and len(self.empty) != 3 * EMPTY_SIZE[0] * EMPTY_SIZE[1]:
            raise ValueError(f"empty has {len(self.empty)} bytes, not three times {EMPTY_SIZE[0]} by {EMPTY_SIZE[1]}")

    def empty_picture(self) -> NDArray[np.uint8] | None:
        """Return the empty tray as a picture, uint8 BGR of shape (60, 80, 3); None if it was never seen empty."""
        if self.empty is None:
            return None
        return np.frombuffer(self.empty, np.uint8).reshape(EMPTY_SIZE[1], EMPTY_SIZE[0], 3)


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
    width, height = _pair("frame_size", data["frame_size"])
    return Calibration(
        frame_size=(int(width), int(height)),
        tray=tuple(_pair("tray", corner) for corner in tray),
        empty=None if empty is None else base64.b64decode(empty, validate=True),
    )


def _pair(name: str, values: object) -> tuple[float, float]:
    """Return two finite numbers; JSON's true is none, though Python's is."""
    if not isinstance(values, list) or len(values) != 2:
        raise ValueError(f"{name} is not a list of two numbers")
    if not all(type(value) in (int, float) and abs(value) < 2**31 for value in values):
        raise ValueError(f"{name} is not a valid number")
    return float(values[0]), float(values[1])


def is_convex(corners: tuple[Point, ...]) -> bool:
    """Whether corners are a convex polygon within the picture, clockwise, which winds round once."""
    if not 3 <= len(corners) <= MOST_CORNERS or not all(0 <= part <= 1 for corner in corners for part in corner):
        return False
    exact = np.rint(np.array(corners) * 1e7).astype(np.int32)
    order = cv2.convexHull(exact, clockwise=False, returnPoints=False).ravel()
    return len(order) == len(corners) and bool((np.diff(np.roll(order, -int(order.argmin()))) == 1).all())
