"""Reads photographs that players take of the dice, one at a time, in a thread that may hang without harming the box."""

from __future__ import annotations

import threading
from concurrent.futures import Future

import cv2
import numpy as np

from vision.params import Params
from vision.pictures.load import decode
from vision.reader import Look, examine

READ_S = 25.0
"""The time limit for reading a photograph, in seconds; the first one on a small Pi loads the networks from its card."""
MOST_PIXELS = 16_000_000
"""The largest photograph, in pixels; the page sends smaller ones."""
LONGEST_PX = 1600
"""The longest side with which a photograph is read, in pixels."""
LOOKS_S = 2.0
"""The processor time after which no further look at a photograph begins, in seconds; there is no next frame."""


class BusyError(Exception):
    """Another photograph is being read."""


class PhotographReader:
    """Reads one photograph at a time."""

    def __init__(self) -> None:
        """Start without a photograph."""
        self._is_free = threading.Lock()

    def examine(self, data: bytes, dice: int) -> Look:
        """Read the dice in a picture file and return what was found.

        Args:
            data: The file's content.
            dice: The number of dice to expect.

        Raises:
            UnreadablePictureError: If it is not a picture, or too large.
            BusyError: If another photograph is being read, even one that takes too long.
            TimeoutError: If it takes too long.
        """
        if not self._is_free.acquire(blocking=False):
            raise BusyError
        result: Future[Look] = Future()

        def run() -> None:
            try:
                result.set_result(_examined(data, dice))
            except BaseException as error:
                result.set_exception(error)
            finally:
                self._is_free.release()

        threading.Thread(target=run, name="photograph", daemon=True).start()
        return result.result(READ_S)


def _examined(data: bytes, dice: int) -> Look:
    frame = decode(data, "the photograph", MOST_PIXELS, near_px=LONGEST_PX * 3 // 4)
    height, width = frame.shape[:2]
    scale = LONGEST_PX / max(height, width)
    if scale < 1.0:
        size = round(width * scale), round(height * scale)
        frame = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    evidence = examine(frame, None, dice, Params(deadline_s=LOOKS_S))
    _ = evidence.reading  # computed here, not where the result is awaited
    return evidence
