"""Runs `cantstop` with the real Picamera2 on the real libcamera's virtual camera, which looks into the bench's tray.

    python -m tests.hardware.virtual_camera play --journal FILE

Of libcamera's virtual camera all runs as it is but the picture itself: it would show a folder of pictures, one after
another as fast as it can. Here each buffer gets what lies in the bench's tray (`tray.py`), 15 times a second, when
Picamera2 takes it from libcamera. While the file `unplugged` is in the bench's folder no frame comes at all.
"""

from __future__ import annotations

import mmap
import os
import sys
import time
from pathlib import Path

import cv2
import libcamera
import numpy as np
from picamera2 import Picamera2
from picamera2.allocators import LibcameraAllocator
from picamera2.allocators.allocator import Sync

FOLDER = Path(os.environ["CANTSTOP_BENCH"])
FRAME_S = 1 / 15

_next_frame_s = 0.0


class Exposed(Sync):
    """A buffer whose picture is what lies in the tray."""

    def __enter__(self) -> mmap.mmap:
        buffer = super().__enter__()
        picture = as_large_as(len(buffer))
        buffer[: len(picture)] = picture
        return buffer


def as_large_as(size: int) -> bytes:
    """Give what lies in the tray as an NV12 picture of so many bytes: the whole one, or one of half its size."""
    whole = (FOLDER / "tray").read_bytes()
    if size >= len(whole):
        return whole
    grey, colours = np.frombuffer(whole, np.uint8)[: 640 * 480].reshape(480, 640), np.full(size // 3, 128, np.uint8)
    return cv2.resize(grey, (320, 240), interpolation=cv2.INTER_AREA).tobytes() + colours.tobytes()


class Allocator(LibcameraAllocator):
    """The only allocator that the virtual camera can use, as its pictures have two planes."""

    def __init__(self, camera: libcamera.Camera) -> None:
        super().__init__(camera)
        self.sync = Exposed

    def acquire(self, bufs: object) -> None:
        """Wait for the time at which a camera would have its next frame."""
        global _next_frame_s  # noqa: PLW0603 - there is one camera
        while (FOLDER / "unplugged").exists():
            time.sleep(FRAME_S)
        time.sleep(max(0.0, _next_frame_s - time.monotonic()))
        _next_frame_s = time.monotonic() + FRAME_S


class Camera(Picamera2):
    """The real Picamera2, told what the virtual camera cannot tell."""

    def __init__(self, *args: object, **settings: object) -> None:
        super().__init__(*args, **settings)
        self.allocator = Allocator(self.camera)

    def _get_raw_modes(self) -> list[dict[str, object]]:
        """List the modes of its pictures; a real sensor's are those of its raw ones, which it has none of."""
        formats = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0).formats
        return [
            {"format": str(pixels), "size": (size.width, size.height)}
            for pixels in formats.pixel_formats
            for size in formats.sizes(pixels)
        ]


if __name__ == "__main__":
    sys.modules["picamera2"].Picamera2 = Camera
    from device.cli import main

    sys.exit(main())
