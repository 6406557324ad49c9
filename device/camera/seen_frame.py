"""Pictures for display outside the worker: the current one, and the one in which the last roll was read."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

import cv2
import numpy as np

from vision.types import Frame, Reading

_COMPARED_PX = (64, 48)
_CHANGED_LEVELS = 12
"""The size at which pictures are compared, and the threshold: sensor noise stays below 3 grey levels there, and a die
that moves by its own width changes a spot by 30 and more."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenFrame:
    """A frame and its reading. Neither may be changed.

    Attributes:
        frame: (H, W, 3) uint8, BGR.
        reading: The dice; None if nothing was read.
        field_deg: The horizontal field of view of the frame in degrees; None if unknown.
    """

    frame: Frame
    reading: Reading | None
    field_deg: float | None = None


def look_alike(one: Frame, other: Frame) -> bool:
    """Whether two pictures of a tray differ only by noise."""
    if one is other:
        return True
    if one.shape != other.shape:
        return False
    small = [cv2.resize(frame, _COMPARED_PX, interpolation=cv2.INTER_AREA).astype(np.int16) for frame in (one, other)]
    return bool(np.abs(small[0] - small[1]).max() < _CHANGED_LEVELS)


class FrameRequests:
    """Lets other threads request a picture from the thread that owns the camera; none is fetched without a request."""

    def __init__(self) -> None:
        """Start without requests."""
        self._waiting: set[Future[SeenFrame]] = set()

    def ask(self, timeout_s: float) -> SeenFrame | None:
        """Return a picture taken from now on; None if none comes within the timeout in seconds."""
        request: Future[SeenFrame] = Future()
        self._waiting.add(request)
        try:
            return request.result(timeout_s)
        except TimeoutError:
            return None
        finally:
            self._waiting.discard(request)

    def serve(self, look: Callable[[], SeenFrame]) -> None:
        """Hand a picture to all waiting threads, if there are any."""
        if waiting := self._waiting.copy():
            sight = look()
            for request in waiting:
                self._waiting.discard(request)
                request.set_result(sight)
