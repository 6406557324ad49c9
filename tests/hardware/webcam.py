"""A simulated webcam in a test: see `tools/hardware/v4l2.c`."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np

DEVICES = Path("/dev/shm")
"""A folder below /dev in which a test may write."""


class Webcam:
    """A webcam that is plugged in, by the folder that controls it."""

    def __init__(self, folder: Path, shim: Path) -> None:
        self.device = folder / "video0"
        self.environment = {"CANTSTOP_WEBCAMS": str(folder), "LD_PRELOAD": str(shim)}
        self.plug_in()

    def plug_in(self) -> None:
        self.device.mkdir()
        for width, height in ((1280, 720), (640, 480)):
            self.show(np.random.default_rng(0).integers(90, 110, (height, width, 3), np.uint8))

    def unplug(self) -> None:
        shutil.rmtree(self.device)

    def is_in_use(self) -> bool:
        """Whether a program has opened it and set its focus."""
        return (self.device / "controls").exists()

    def set(self, name: str) -> None:
        (self.device / name).touch()

    def show(self, frame) -> None:
        """Deliver this picture in its size from now on."""
        height, width = frame.shape[:2]
        made = self.device / "made.tmp"
        made.write_bytes(cv2.imencode(".jpg", frame)[1].tobytes())
        made.replace(self.device / f"{width}x{height}.jpg")  # at once, as the driver may be reading it
