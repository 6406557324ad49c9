"""A camera that plays pictures from files: each roll shows the next one after some frames of an empty tray."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from device.camera.port import FRAMES_PER_S, CameraError, Shot
from vision.pictures.load import UnreadablePictureError, load
from vision.settling.movement import grey_of
from vision.types import Frame, Grey

EMPTY_FRAMES = 12
"""The number of frames of an empty tray before a picture: 0.8 s, so that the tray is seen empty."""

LIVELY_FRAMES = 30
"""The number of frames of a picture at full rate; an unreadable picture is read more often than others."""

EMPTY_GREY = 128
"""The grey level of the empty tray, 0 to 255."""

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")


def pictures_in(paths: Sequence[Path]) -> list[Path]:
    """Return the pictures in files and folders, those of a folder sorted by name.

    Raises:
        CameraError: If a path does not exist, or there is no picture at all.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(file for file in path.iterdir() if file.suffix.lower() in SUFFIXES)
        elif path.is_file():
            found.append(path)
        else:
            raise CameraError(f"{path}: there is no such file or folder")
    if not found:
        raise CameraError(f"no picture ({' '.join(SUFFIXES)}) in {', '.join(map(str, paths))}")
    return found


class FolderCamera:
    """A camera that shows pictures from files, in a loop; implements the port `Camera`."""

    def __init__(self, pictures: Sequence[Path]) -> None:
        """Show an empty tray until the first roll, then these files, at least one, in order."""
        self._pictures = list(pictures)
        self._lock = threading.Condition()
        self._shown = 0
        self._frames = 0
        self._frame: Frame = np.full((480, 640, 3), EMPTY_GREY, np.uint8)
        self._small: Grey = grey_of(self._frame)
        self._number = 0
        self._chance = np.random.default_rng(0)

    def throw(self, dice: int = 4) -> None:
        """Show the next picture, whatever its number of dice.

        Raises:
            CameraError: If the file is not a picture.
        """
        picture = self._pictures[self._shown % len(self._pictures)]
        try:
            frame = load(picture)
        except UnreadablePictureError as error:
            raise CameraError(str(error)) from error
        with self._lock:
            self._shown += 1
            self._frames = 0
            self._frame, self._small = frame, grey_of(frame)
            self._lock.notify_all()

    def shot(self, timeout_s: float) -> Shot:
        """Return the next shot; see `Camera.shot`. Never fails."""
        with self._lock:
            if not self._shown or self._frames > EMPTY_FRAMES + LIVELY_FRAMES:
                self._lock.wait(min(1 / FRAMES_PER_S, timeout_s))
            self._frames += 1
            self._number += 1
            is_empty = not self._shown or self._frames <= EMPTY_FRAMES
            frame, small = self._frame, self._small
            if is_empty:
                frame, small = np.full_like(frame, EMPTY_GREY), np.full_like(small, EMPTY_GREY)
            # A minimum of sensor noise: without any, the picture would look like that of a frozen camera.
            noise = self._chance.integers(0, 2, small.shape, np.uint8)
            return Shot(self._number / FRAMES_PER_S, small ^ noise, lambda: frame)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    @property
    def time_s(self) -> float:
        """The time of the newest frame, by this camera's own clock."""
        return self._number / FRAMES_PER_S

    def picture(self) -> Frame | None:
        """Return the picture in view; None before the first roll."""
        return self._frame if self._shown else None
