"""Saves frames as picture files."""

from __future__ import annotations

from pathlib import Path

import cv2

from vision.types import Frame


def save_png(frame: Frame, path: Path) -> None:
    """Write a frame as a PNG file, whatever the file's name.

    Raises:
        OSError: If it cannot be written.
    """
    _, data = cv2.imencode(".png", frame)
    path.write_bytes(data.tobytes())
