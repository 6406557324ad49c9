"""The bench's tray: the picture of a simulated tray, for a webcam, or in a file for the virtual camera."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from device.camera.simulated import SimulatedTray
from vision.types import Frame


@contextmanager
def filmed_tray(show: Callable[[Frame], object]) -> Iterator[SimulatedTray]:
    """Yield a simulated tray whose current picture is shown all the time, until the context ends."""
    tray, is_ended = SimulatedTray(1), threading.Event()

    def keep_showing() -> None:
        while not is_ended.is_set():
            show(tray.frame(1.0)[1])

    show(tray.frame(1.0)[1])
    thread = threading.Thread(target=keep_showing, name="tray", daemon=True)
    thread.start()
    try:
        yield tray
    finally:
        is_ended.set()
        thread.join(10)


def write_nv12(file: Path, frame: Frame) -> None:
    """Write a BGR picture in a camera's format: the grey picture, then the colours of each two by two pixels."""
    height, width = frame.shape[:2]
    planes = cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420).reshape(-1)
    colours = planes[height * width :].reshape(2, -1).T.reshape(-1)
    half_written = file.with_suffix(".new")
    half_written.write_bytes(np.concatenate([planes[: height * width], colours]).tobytes())
    half_written.replace(file)  # at once, for the camera reads it meanwhile
