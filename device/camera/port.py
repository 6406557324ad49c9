"""The port that every camera fits: one method to get a frame, one to let go."""

from __future__ import annotations

from typing import Protocol

from device.referee.inputs import CameraTrouble
from vision.reading import Frame

FRAMES_PER_S = 15.0
"""How many frames a second the box takes: enough to see a throw, and half the work of the usual 30."""


class CameraError(Exception):
    """There is no frame to be had; the message says why and what to do.

    Attributes:
        trouble: What the players are told; None where that is clear from what was asked of the camera.
    """

    def __init__(self, message: str, trouble: CameraTrouble | None = None) -> None:
        super().__init__(message)
        self.trouble = trouble


class Camera(Protocol):
    """Something that looks down into the tray."""

    def frame(self, timeout_s: float) -> tuple[float, Frame]:
        """Wait for the next frame.

        Args:
            timeout_s: How long to wait at most, in seconds.

        Returns:
            When it was taken, in seconds of the camera's own steady clock, and the frame.

        Raises:
            CameraError: If none comes in time, or the camera is gone.
        """

    def close(self) -> None:
        """Let the camera go; may be called twice."""
