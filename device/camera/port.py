"""The port that every camera fits: one method to get a shot, one to let go.

A shot is one moment in two pictures: a small grey one, which shows whether anything moves, and the whole one, which is
fetched only for what is to be read. Twelve times as many bytes go through a processor's memory for the whole one.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self

from device.referee.inputs import CameraTrouble
from vision.types import Frame, Grey

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


class Shot:
    """One moment as a camera saw it. What it holds of the camera it gives back at the end of its `with` block."""

    def __init__(
        self,
        time_s: float,
        small: Grey,
        fetch: Callable[[], Frame],
        give_back: Callable[[], None] = lambda: None,
        field_deg: float | None = None,
    ) -> None:
        """Take a shot's parts.

        Args:
            time_s: When it was taken, in seconds of the camera's own steady clock.
            small: The small picture, uint8 grey, shape (h, w).
            fetch: Gives the whole picture, or raises `CameraError`; called once at most, before `give_back`.
            give_back: Lets the camera have its memory again; called once.
            field_deg: The horizontal field of view of the whole picture in degrees; None where it is unknown.
        """
        self.time_s = time_s
        self.small = small
        self.field_deg = field_deg
        self._fetch = fetch
        self._give_back: Callable[[], None] | None = give_back
        self._picture: Frame | None = None

    def picture(self) -> Frame:
        """Return the whole picture, (H, W, 3) uint8 BGR, of the same moment; within the `with` block only.

        Raises:
            CameraError: If the camera was lost meanwhile.
        """
        if self._picture is None:
            self._picture = self._fetch()
            self._let_go()  # reading takes long, and a camera has few buffers
        return self._picture

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go()

    def _let_go(self) -> None:
        give_back, self._give_back = self._give_back, None
        if give_back is not None:
            give_back()


class Camera(Protocol):
    """Something that looks down into the tray."""

    def shot(self, timeout_s: float) -> Shot:
        """Wait for the next shot, to be used in a `with` block.

        Args:
            timeout_s: How long to wait at most, in seconds.

        Raises:
            CameraError: If none comes in time, or the camera is gone.
        """

    def close(self) -> None:
        """Let the camera go; may be called twice."""


def picture(camera: Camera, timeout_s: float) -> Frame:
    """Wait for a camera's next whole picture, (H, W, 3) uint8 BGR; see `Camera.shot`."""
    with camera.shot(timeout_s) as shot:
        return shot.picture()
