"""The option --camera of the commands that look at real dice."""

from __future__ import annotations

import argparse
from contextlib import closing

from device.camera.liveness import FRAME_TIMEOUT_S
from device.camera.opencv import OpenCvCamera
from device.camera.port import Camera, picture
from device.camera.sources import open_source
from device.config import Config
from device.paths import focus_file
from vision.types import Frame

LIGHT_FRAMES = 30
"""The number of frames in which the Pi's camera measures the light, 2 s."""


def add(command: argparse._ActionsContainer) -> None:
    """Register the option."""
    command.add_argument(
        "--camera",
        metavar="SOURCE",
        help="camera to use instead of the one in the settings: 0 for the first webcam, /dev/video2, the address of a "
        "stream (http://... or rtsp://...), or a film file",
    )


def opened(args: argparse.Namespace, config: Config) -> Camera:
    """Return the camera that the option or the settings name.

    Raises:
        CameraError: If it cannot be opened.
    """
    return open_source(args.camera or config.camera.source, config.camera, focus_file())


def picture_of(args: argparse.Namespace, config: Config) -> Frame:
    """Return a picture of that camera, (H, W, 3) uint8 BGR; the first one of a film.

    Raises:
        CameraError: If no picture comes.
    """
    with closing(opened(args, config)) as camera:
        if not isinstance(camera, OpenCvCamera):
            for _ in range(LIGHT_FRAMES):
                picture(camera, FRAME_TIMEOUT_S)
        return picture(camera, FRAME_TIMEOUT_S)
