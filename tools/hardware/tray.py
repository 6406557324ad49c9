"""The bench's tray: the picture of a simulated tray, in a file for the virtual camera."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.simulated import SimulatedTray
from vision.types import Frame


class Tray:
    """A simulated tray whose current picture is always in the file `tray` in the bench's folder."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        """Prepare an empty one.

        Args:
            folder: The bench's folder.
            seed: The random seed of the dice's places.
        """
        self.dice = SimulatedTray(seed)
        self._file = folder / "tray"
        self._cut = folder / "unplugged"
        self._cut.unlink(missing_ok=True)
        self._is_ended = threading.Event()
        self._thread = threading.Thread(target=self._show, name="tray", daemon=True)

    def __enter__(self) -> Self:
        self._write()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_ended.set()
        self._thread.join(10)

    def unplug(self) -> None:
        """Disconnect the camera's cable."""
        self._cut.touch()

    def plug_in(self) -> None:
        """Connect it again."""
        self._cut.unlink(missing_ok=True)

    def _show(self) -> None:
        while not self._is_ended.is_set():
            self._write()

    def _write(self) -> None:
        _, frame = self.dice.frame(1.0)
        half_written = self._file.with_suffix(".new")
        half_written.write_bytes(as_nv12(frame).tobytes())
        os.replace(half_written, self._file)  # noqa: PTH105 - at once, for the camera reads it meanwhile


def as_nv12(frame: Frame) -> NDArray[np.uint8]:
    """Return a BGR picture in a camera's format: the grey picture, then the colours of each two by two pixels."""
    height, width = frame.shape[:2]
    planes = cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420).reshape(-1)
    colours = planes[height * width :].reshape(2, -1).T.reshape(-1)
    return np.concatenate([planes[: height * width], colours])
