"""The calibration file: what is known about a tray.

The file is JSON with a kind and a version. Places are parts of the picture (0 to 1), so they are valid for frames of
any size from the same camera. Older files have no pose, and measured figures, which are ignored. A tray that was seen
empty but never calibrated has no edge.
"""

from __future__ import annotations

import base64
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.files import UnreadableFile, read_bytes, text_of, write_whole
from vision.tray.edge import Point
from vision.tray.known import EMPTY_SIZE, Tray
from vision.types import Pose

VERSION = 2
"""The version of the file format. Since version 2 the empty tray is stored in colour."""

KIND = "cantstop calibration"  # the file's kind, which distinguishes it from other JSON files
MOST_CORNERS = 64  # largest number of corners that a valid file may have; `cantstop calibrate` writes fewer than 20
MOST_BYTES = 1 << 20  # largest size of a valid file in bytes; usually it has about 20 kB


class CalibrationError(Exception):
    """A calibration file that cannot be read or written; the message names the file and the remedy."""


def save(tray: Tray, path: Path) -> None:
    """Write a calibration file, and create its folder if it is missing.

    The file is replaced atomically: a power cut leaves the old one or the new one.

    Raises:
        CalibrationError: If it cannot be written; the old file remains.
    """
    empty = None if tray.empty is None else _as_text(tray.empty)
    data = {"kind": KIND, "version": VERSION, "frame_size": tray.frame_size, "tray": tray.edge, "empty": empty}
    if tray.edge is None and tray.inside is not None:
        data["inside"] = _as_text(np.packbits(tray.inside))
    if tray.pose is not None:
        data["pose"] = (*tray.pose.up, tray.pose.per_px)
    try:
        write_whole(path, json.dumps(data, indent=1).encode() + b"\n")
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be written ({error.strerror})") from error


def load(path: Path) -> Tray:
    """Read a calibration file.

    Raises:
        CalibrationError: If the file is missing, damaged, of another kind or of an unknown version.
    """
    try:
        text = read_bytes(path, MOST_BYTES)
    except UnreadableFile as error:
        raise CalibrationError(f"{path}: {error}, or run cantstop calibrate again") from error
    try:
        data = json.loads(text_of(text))
        version = _version_of(data)
        if version == VERSION:
            return _from_data(data)
    except (ValueError, RecursionError) as error:
        raise CalibrationError(f"{path} is not a calibration ({error}); run cantstop calibrate again") from error
    raise CalibrationError(
        f"{path} was written by another version of the box (layout {repr(version)[:20]}, this one knows {VERSION}); "
        "update this one, or run cantstop calibrate again"
    )


def _version_of(data: object) -> object:
    """Return the version of a calibration's data; raises ValueError if they are of another kind."""
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise ValueError(f"its kind is not {KIND!r}")
    return data.get("version")


def _from_data(data: dict[str, Any]) -> Tray:
    """Return the tray that a file's data describe.

    Raises:
        ValueError: If a value is missing, of the wrong type or out of range.
    """
    if missing := [name for name in ("frame_size", "tray", "empty") if name not in data]:
        raise ValueError(f"{missing[0]} is missing")
    corners, empty = data["tray"], data["empty"]
    if not isinstance(corners, list | None) or not isinstance(empty, str | None):
        raise ValueError("tray is not a list of corners, or empty not a text")  # noqa: TRY004 - it is a damaged file
    width, height = (int(side) for side in _numbers("frame_size", data["frame_size"], 2))
    if min(width, height) < 1:
        raise ValueError(f"frame_size is {width}x{height}, not a width and a height from 1 on")
    picture = None if empty is None else _from_text(empty).reshape(*EMPTY_SIZE[::-1], 3)
    if corners is None:
        inside = np.unpackbits(_from_text(data.get("inside"))).reshape(EMPTY_SIZE[::-1]) > 0
        tray = Tray((width, height), None, picture, np.asarray(inside, np.bool_))
    else:
        edge = tuple((x, y) for x, y in (_numbers("tray", corner, 2) for corner in corners))
        if not is_convex(edge):
            raise ValueError(f"tray is no convex polygon of 3 to {MOST_CORNERS} corners, clockwise, in the picture")
        tray = Tray.learnt((width, height), edge, picture)
    return replace(tray, pose=_pose(data.get("pose"), (width, height)))


def _as_text(pixels: NDArray[np.uint8]) -> str:
    return base64.b64encode(pixels.tobytes()).decode("ascii")


def _from_text(text: object) -> NDArray[np.uint8]:
    """Return bytes that were stored as text, (n,); raises ValueError if they were not."""
    if not isinstance(text, str):
        raise ValueError("inside is not a text")  # noqa: TRY004 - it is a damaged file
    return np.frombuffer(base64.b64decode(text, validate=True), np.uint8)


def _pose(data: object, frame_size: tuple[int, int]) -> Pose | None:
    """Return the camera's pose that a file's data describe; None if it is unknown.

    Raises:
        ValueError: If a value is missing, of the wrong type or out of range.
    """
    if data is None:
        return None
    up_x, up_y, per_px = _numbers("pose", data, 3)
    if math.hypot(up_x, up_y) >= 1 or per_px < 0:
        raise ValueError("pose is not that of a camera above a tray")
    return Pose.centred((up_x, up_y), per_px, frame_size)


def _numbers(name: str, values: object, count: int) -> tuple[float, ...]:
    """Return finite numbers; JSON's true is none, though Python's is."""
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"{name} is not a list of {count} numbers")
    if not all(type(value) in (int, float) and abs(value) < 2**31 for value in values):
        raise ValueError(f"{name} is not a valid number")
    return tuple(map(float, values))


def is_convex(corners: tuple[Point, ...]) -> bool:
    """Whether corners are a convex polygon within the picture, clockwise, which winds round once."""
    if not 3 <= len(corners) <= MOST_CORNERS or not all(0 <= part <= 1 for corner in corners for part in corner):
        return False
    exact = np.rint(np.array(corners) * 1e7).astype(np.int32)
    order = cv2.convexHull(exact, clockwise=False, returnPoints=False).ravel()
    return len(order) == len(corners) and bool((np.diff(np.roll(order, -int(order.argmin()))) == 1).all())
