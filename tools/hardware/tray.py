"""The bench's tray: the picture of a simulated tray, in a file for the virtual camera."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.simulated import SimulatedTray
from vision.types import Frame


@contextmanager
def filmed_tray(folder: Path) -> Iterator[SimulatedTray]:
    """Yield a simulated tray whose current picture is always in the file `tray` in the bench's folder."""
    tray, file, is_ended = SimulatedTray(1), folder / "tray", threading.Event()

    def write() -> None:
        half_written = file.with_suffix(".new")
        half_written.write_bytes(as_nv12(tray.frame(1.0)[1]).tobytes())
        half_written.replace(file)  # at once, for the camera reads it meanwhile

    def keep_writing() -> None:
        while not is_ended.is_set():
            write()

    write()
    thread = threading.Thread(target=keep_writing, name="tray", daemon=True)
    thread.start()
    try:
        yield tray
    finally:
        is_ended.set()
        thread.join(10)


def as_nv12(frame: Frame) -> NDArray[np.uint8]:
    """Return a BGR picture in a camera's format: the grey picture, then the colours of each two by two pixels."""
    height, width = frame.shape[:2]
    planes = cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420).reshape(-1)
    colours = planes[height * width :].reshape(2, -1).T.reshape(-1)
    return np.concatenate([planes[: height * width], colours])
