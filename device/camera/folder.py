"""Pictures of a folder as rolls: each throw shows the next one, after some frames of an empty tray."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from device.camera.port import FRAMES_PER_S, CameraError, Shot
from vision.pictures.load import UnreadablePictureError, load
from vision.scoring.score import LABELS, LabelsError, read_labels
from vision.settling.movement import grey_of
from vision.types import Frame, Grey

EMPTY_FRAMES = 12
"""How many frames of an empty tray come before a picture: 0.8 s, so that the tray is seen empty."""

LIVELY_FRAMES = 30
"""How many frames of a picture come without a pause; a reading needs 0.4 s, an unreadable one is tried for longer."""

EMPTY_GREY = 128
"""The grey level of the empty tray."""

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")


def pictures_in(paths: Sequence[Path]) -> list[Path]:
    """List the pictures that files and folders give, those of a folder by name.

    Raises:
        CameraError: If a path does not exist, or there is no picture in any.
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


def labels_of(pictures: Sequence[Path]) -> dict[Path, tuple[int, ...]]:
    """Return what the dice of labelled pictures show, from the labels that lie beside them.

    Raises:
        CameraError: If there are labels that cannot be used.
    """
    labels: dict[Path, tuple[int, ...]] = {}
    for folder in {picture.parent for picture in pictures}:
        if (folder / LABELS).exists():
            try:
                labels |= {label.path: label.values for label in read_labels(folder) if label.values is not None}
            except LabelsError as error:
                raise CameraError(str(error)) from error
    return labels


class FolderCamera:
    """A camera that shows pictures from files; fits the port `Camera`. After the last comes the first again."""

    def __init__(self, pictures: Sequence[Path]) -> None:
        """Show an empty tray until the first throw.

        Args:
            pictures: The files, in the order in which they are shown; at least one.
        """
        self._pictures = list(pictures)
        self._labels = labels_of(pictures)
        self._lock = threading.Condition()
        self._shown = 0
        self._frames = 0
        self._frame: Frame = np.full((480, 640, 3), EMPTY_GREY, np.uint8)
        self._small: Grey = grey_of(self._frame)
        self._number = 0
        self._chance = np.random.default_rng(0)

    def throw(self, dice: int = 4) -> tuple[int, ...] | None:
        """Show the next picture, whatever number of dice it has.

        Returns:
            What its dice show, sorted, if it is labelled.

        Raises:
            CameraError: If the file is no picture.
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
        return self._labels.get(picture)

    def shot(self, timeout_s: float) -> Shot:
        """Return the next shot; see `Camera.shot`. It never fails."""
        with self._lock:
            if not self._shown or self._frames > EMPTY_FRAMES + LIVELY_FRAMES:
                self._lock.wait(min(1 / FRAMES_PER_S, timeout_s))
            self._frames += 1
            self._number += 1
            is_empty = not self._shown or self._frames <= EMPTY_FRAMES
            frame, small = self._frame, self._small
            if is_empty:
                frame, small = np.full_like(frame, EMPTY_GREY), np.full_like(small, EMPTY_GREY)
            # The least that a sensor's noise does: without any, the picture would be that of a frozen camera.
            noise = self._chance.integers(0, 2, small.shape, np.uint8)
            return Shot(self._number / FRAMES_PER_S, small ^ noise, lambda: frame)

    def close(self) -> None:
        """Nothing needs to be let go."""

    @property
    def time_s(self) -> float:
        """When the newest frame was taken, by this camera's own clock."""
        return self._number / FRAMES_PER_S

    def picture(self) -> Frame | None:
        """Return the picture that is in view; None before the first throw."""
        return self._frame if self._shown else None
