"""Choosing a camera in the terminal, by its picture."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from device.camera.port import CameraError
from device.camera.sources import FoundCamera, cameras
from vision.pictures.save import save_png

NONE_FOUND = "no camera was found: plug one in, use a phone's (docs/cameras.md), or play with --no-camera"


def chosen(look: Callable[[], list[FoundCamera]] = cameras, ask: Callable[[str], str] = input) -> str:
    """Return the source of the only camera that works, or of the one that the person chooses.

    Args:
        look: Returns the cameras.
        ask: Shows a question in the terminal and returns the answer.

    Raises:
        CameraError: If none works, or there are several and nobody can be asked.
    """
    found = look()
    working = [camera for camera in found if camera.picture is not None]
    if not working:
        raise CameraError("; ".join(camera.problem for camera in found) or NONE_FOUND)
    if len(working) == 1:
        return working[0].source
    if not sys.stdin.isatty():
        raise CameraError(f"choose one of {', '.join(f'--camera {camera.source}' for camera in working)}")
    with tempfile.TemporaryDirectory(prefix="cantstop-") as folder:
        lines = []
        for number, camera in enumerate(working, start=1):
            assert camera.picture is not None
            file = Path(folder) / f"camera-{number}.png"
            save_png(camera.picture, file)
            lines.append(f"{number}: {camera.name or camera.source}, {camera.obtained}, picture: {file.as_uri()}")
        question = "\n".join([*lines, f"Which camera looks at the dice? 1 to {len(working)}: "])
        while True:
            answer = ask(question).strip()
            if answer.isdecimal() and 1 <= int(answer) <= len(working):
                return working[int(answer) - 1].source
