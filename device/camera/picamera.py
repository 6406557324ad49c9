"""The Raspberry Pi's camera through Picamera2, which is imported here alone: it comes from apt, not from PyPI."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from device.camera.port import FRAMES_PER_S, CameraError
from vision.reading import Frame

SIZE = (640, 480)
"""The frame's size in pixels: at 25 cm of tray a 16 mm die is about 40 wide."""

BUFFERS = 3
"""The least with which no frame is dropped; each one costs memory that small boards lack."""


class PiCamera:
    """One camera in one fixed configuration; fits the port `Camera`."""

    def __init__(self) -> None:
        """Open the first camera and start it.

        Raises:
            CameraError: If Picamera2 is not installed, there is no camera, or another program uses it.
        """
        try:
            from picamera2 import Picamera2  # noqa: PLC0415 - see the module's docstring
        except ImportError as error:
            raise CameraError("Picamera2 is missing: sudo apt install python3-picamera2") from error
        if not Picamera2.global_camera_info():
            raise CameraError("no camera found: check the ribbon cable and its direction, then restart")
        try:
            self._camera: Any = Picamera2()
            sensor = self._camera.sensor_resolution
            # Half the sensor's resolution is its binned mode with the whole field of view; modes of other shapes
            # are crops of the middle.
            raw = {"size": (sensor[0] // 2, sensor[1] // 2)}
            configuration = self._camera.create_video_configuration(
                # Picamera2's "RGB888" has its bytes in the order blue, green, red, as OpenCV wants them.
                main={"size": SIZE, "format": "RGB888"},
                raw=raw,
                buffer_count=BUFFERS,
                controls={"FrameRate": FRAMES_PER_S},
            )
            self._camera.configure(configuration)
            self._camera.start()
        except (RuntimeError, OSError, IndexError) as error:
            raise CameraError(f"the camera does not start: {error}; is another program using it?") from error

    def frame(self, timeout_s: float) -> tuple[float, Frame]:
        """Wait for the next frame; see `Camera.frame`."""
        try:
            # Without a limit a camera that has died would block for ever.
            picture = self._camera.capture_array("main", wait=timeout_s)
        except (TimeoutError, RuntimeError, OSError) as error:
            raise CameraError(f"the camera gives no frame: {error}") from error
        return time.monotonic(), np.ascontiguousarray(picture[:, :, :3])

    def close(self) -> None:
        """Stop the camera and let it go; may be called twice."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.cancel_all_and_flush()  # a job that a dead camera never answered would block what follows
            camera.stop()
            camera.close()
