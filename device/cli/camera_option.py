"""The option --camera of the commands that look at real dice."""

from __future__ import annotations

import argparse

from device.camera.port import Camera
from device.camera.sources import open_source
from device.config import Config
from device.paths import FOCUS, state_file


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
    return open_source(args.camera or config.camera.source, config.camera, state_file(FOCUS))
