"""Pictures of misread rolls with their correct values, in a folder that `tools.score` can read."""

from __future__ import annotations

import json
import logging
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device.camera.seen_frame import SeenFrame
from vision.files import write_whole
from vision.pictures import save_png

LABELS = "labels.jsonl"
"""The file with the values of the pictures in its folder: one JSON object a line."""

MOST_MISREAD = 20
"""The number of pictures to keep, the newest ones; each has about 0.5 MB."""

_log = logging.getLogger(__name__)


class Misread:
    """The folder: pictures, and a line for each in `labels.jsonl`, as `tools.score` reads them.

    Each line also has the values that were read and each die's place, since it is unknown which die was misread.
    """

    def __init__(self, folder: Path) -> None:
        """Set the folder, which is created with the first picture."""
        self._folder = folder
        self._one_at_a_time = threading.Lock()

    def keep(self, sight: SeenFrame, right: tuple[int, ...]) -> None:
        """Store a picture with its correct values. A full disk is logged and has no other effect."""
        assert sight.reading is not None
        with self._one_at_a_time:
            path = self._folder / f"misread-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.png"
            seen = [{"value": die.value, "box": [round(edge, 1) for edge in die.box]} for die in sight.reading.dice]
            label = {"file": path.name, "expect": right, "source": "misread"}
            label |= {"read": sight.reading.values, "seen": seen}
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                save_png(sight.frame, path)
                labels = [*self._labels(), label][-MOST_MISREAD:]
                write_whole(self._folder / LABELS, _lines(labels))
                named = {label["file"] for label in labels}
                for old in self._folder.glob("misread-*"):  # including partial files and those of earlier releases
                    if old.name not in named:
                        old.unlink()
            except OSError as error:
                _log.warning("the picture of a misread roll cannot be saved: %s", error)

    def listed(self) -> list[dict[str, Any]]:
        """Return name, correct values and values read of each picture, newest first."""
        return [
            {"name": label["file"], "expect": label.get("expect"), "read": label.get("read")}
            for label in reversed(self._labels())
        ]

    def files(self) -> list[tuple[str, bytes]]:
        """Return name and content of all files; empty if there is no picture."""
        labels = self._labels()
        files = [(label["file"], (self._folder / label["file"]).read_bytes()) for label in labels]
        return [*files, (LABELS, _lines(labels))] if files else []

    def _labels(self) -> list[dict[str, Any]]:
        """Return the label lines of existing pictures, oldest first."""
        try:
            labels = [json.loads(line) for line in (self._folder / LABELS).read_bytes().splitlines()]
        except (OSError, ValueError):  # missing, or spoilt by the card
            return []
        return [label for label in labels if (self._folder / label["file"]).is_file()]


def _lines(labels: list[dict[str, Any]]) -> bytes:
    return "".join(f"{json.dumps(label)}\n" for label in labels).encode()
