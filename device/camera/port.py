"""The port that every camera implements: one method to get a shot, one to close.

A shot holds two pictures of the same moment: a small grey one to detect movement, and the full one, which has twelve
times as many bytes and is fetched only if it is to be read.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self

from device.referee.inputs import CameraTrouble
from vision.types import Frame, Grey

FRAMES_PER_S = 15.0
"""The frame rate: enough to see a roll, and half the work of the usual 30."""


class CameraError(Exception):
    """No frame is available; the message says why and what to do.

    Attributes:
        trouble: What to show the players; None if the request that failed already says it.
    """

    def __init__(self, message: str, trouble: CameraTrouble | None = None) -> None:
        super().__init__(message)
        self.trouble = trouble


class Shot:
    """One moment as a camera saw it. Its camera buffers are released at the end of its `with` block."""

    def __init__(
        self,
        time_s: float,
        small: Grey,
        fetch: Callable[[], Frame],
        give_back: Callable[[], None] = lambda: None,
        field_deg: float | None = None,
    ) -> None:
        """Create a shot from its parts.

        Args:
            time_s: When it was taken, in seconds of the camera's monotonic clock.
            small: The small picture, uint8 grey, shape (h, w).
            fetch: Returns the full picture, or raises `CameraError`; called at most once, before `give_back`.
            give_back: Releases the camera's buffers; called once.
            field_deg: The horizontal field of view of the full picture in degrees; None if unknown.
        """
        self.time_s = time_s
        self.small = small
        self.field_deg = field_deg
        self._fetch = fetch
        self._give_back: Callable[[], None] | None = give_back
        self._picture: Frame | None = None

    def picture(self) -> Frame:
        """Return the full picture of the same moment, (H, W, 3) uint8 BGR; only within the `with` block.

        Raises:
            CameraError: If the camera was lost meanwhile.
        """
        if self._picture is None:
            self._picture = self._fetch()
            self._let_go()  # release early: reading takes long, and a camera has few buffers
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
    """A camera that looks down into the tray."""

    def shot(self, timeout_s: float) -> Shot:
        """Wait for the next shot, to be used in a `with` block.

        Args:
            timeout_s: The longest wait in seconds.

        Raises:
            CameraError: If no frame comes in time, or the camera is lost.
        """

    def close(self) -> None:
        """Release the camera; may be called twice."""


def picture(camera: Camera, timeout_s: float) -> Frame:
    """Return a camera's next full picture, (H, W, 3) uint8 BGR; see `Camera.shot`."""
    with camera.shot(timeout_s) as shot:
        return shot.picture()
