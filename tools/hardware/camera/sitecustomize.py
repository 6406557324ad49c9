"""Adapts libcamera's virtual camera to a Pi's camera; on the Python path of a box under test.

Picamera2 and libcamera run unchanged in all but four points. The virtual camera has no raw modes to list. Its pictures
of two planes need memory from libcamera's own allocator. It delivers only NV12, which Raspberry Pi OS's Picamera2
0.3.31 cannot convert to an array. And it would deliver its own pictures as fast as it can: here each frame shows the
bench's tray (`tray.py`), 15 times a second, and none comes while the file `unplugged` is in the bench's folder.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import mmap
import os
import sys
import time
from pathlib import Path

FOLDER = Path(os.environ["CANTSTOP_BENCH"])
FRAME_S = 1 / 15


def _fit(module) -> None:
    """Adapt Picamera2's module after it was imported."""
    import cv2  # noqa: PLC0415 - with Picamera2, not at the start of every Python
    import libcamera  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415
    from picamera2.allocators import LibcameraAllocator  # noqa: PLC0415
    from picamera2.request import Helpers  # noqa: PLC0415

    manager, camera_class = module.CameraManager, module.Picamera2
    handle_request, begin, make_array = manager.handle_request, camera_class.__init__, Helpers._make_array_shared
    next_frame_s = 0.0

    class Allocator(LibcameraAllocator):
        """Writes the tray's picture into a request's buffers when Picamera2 takes it from libcamera."""

        def acquire(self, buffers) -> None:
            nonlocal next_frame_s
            time.sleep(max(0.0, next_frame_s - time.monotonic()))
            next_frame_s = time.monotonic() + FRAME_S
            picture = np.frombuffer((FOLDER / "tray").read_bytes(), np.uint8)
            for stream, buffer in buffers.items():
                kind = stream.configuration
                _fill(buffer, _scaled(picture, kind.size.width, kind.size.height, kind.stride))

    def _scaled(picture, width: int, height: int, stride: int):
        """Return an NV12 picture of 640 by 480 pixels in another size, with rows as long as the buffer's."""
        grey, colours = picture[: 640 * 480].reshape(480, 640), picture[640 * 480 :].reshape(240, 320, 2)
        if (width, height) != (640, 480):
            grey = cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA)
            colours = cv2.resize(colours, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        rows = np.zeros((height * 3 // 2, stride), np.uint8)
        rows[:height, :width] = grey
        rows[height:, :width] = colours.reshape(height // 2, width)
        return rows

    def _fill(buffer, rows) -> None:
        planes = buffer.planes
        length = max(plane.offset + plane.length for plane in planes)
        with mmap.mmap(planes[0].fd, length) as memory:
            memory[: rows.nbytes] = rows.tobytes()

    def handle_if_plugged_in(self, flushid=None) -> None:
        """Handle libcamera's events unless the camera is unplugged; with `flushid` clean up without waiting."""
        while flushid is None and self.running and (FOLDER / "unplugged").exists():
            time.sleep(FRAME_S)
        handle_request(self, flushid)

    def begin_with_its_allocator(self, *args, **settings) -> None:
        begin(self, *args, **settings)
        self.allocator = Allocator(self.camera)

    def modes(self) -> list[dict[str, object]]:
        formats = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0).formats
        return [
            {"format": str(pixels), "size": (size.width, size.height)}
            for pixels in formats.pixel_formats
            for size in formats.sizes(pixels)
        ]

    def array_of_nv12_too(self, buffer, config):
        if config["format"] == "NV12":
            return buffer.reshape(config["size"][1] * 3 // 2, config["stride"])
        return make_array(self, buffer, config)

    manager.handle_request = handle_if_plugged_in
    camera_class.__init__ = begin_with_its_allocator
    camera_class._get_raw_modes = modes
    Helpers._make_array_shared = array_of_nv12_too


class _Watch(importlib.abc.MetaPathFinder):
    """Adapts Picamera2 as soon as it is imported."""

    def find_spec(self, name, path=None, target=None):
        if name != "picamera2.picamera2":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module

        def run_and_fit(module) -> None:
            run(module)
            _fit(module)

        spec.loader.exec_module = run_and_fit
        return spec


sys.meta_path.insert(0, _Watch())
