"""Pictures of misread throws with what the dice really showed, in a folder that `cantstop score` reads as it is."""

from __future__ import annotations

import json
import logging
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device.camera.sight import Sight
from files.write import write_whole
from vision.pictures.save import save_png
from vision.scoring.score import LABELS

MOST_MISREAD = 20
"""The number of pictures that are kept, the newest; one has about 0.5 MB."""

_log = logging.getLogger(__name__)


class Misread:
    """The folder: pictures and a line for each in `labels.jsonl`, the format of `vision.scoring.score.read_labels`.

    A line also has what was read, and where each die was seen: nobody has said which of them was misread.
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder; it is made with the first picture."""
        self._folder = folder
        self._one_at_a_time = threading.Lock()

    def keep(self, sight: Sight, right: tuple[int, ...]) -> None:
        """Keep a picture and what it really shows; a disk that is full is noted in the log and harms nothing."""
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
                for old in self._folder.glob("misread-*"):  # also what was cut off, or an earlier release left
                    if old.name not in named:
                        old.unlink()
            except OSError as error:
                _log.warning("the picture of a misread throw cannot be kept: %s", error)

    def listed(self) -> list[dict[str, Any]]:
        """Return name, what was expected and what was read of each picture, the newest first."""
        return [
            {"name": label["file"], "expect": label.get("expect"), "read": label.get("read")}
            for label in reversed(self._labels())
        ]

    def files(self) -> list[tuple[str, bytes]]:
        """Return name and content of all files, for a bug report; none where there is no picture."""
        labels = self._labels()
        files = [(label["file"], (self._folder / label["file"]).read_bytes()) for label in labels]
        return [*files, (LABELS, _lines(labels))] if files else []

    def _labels(self) -> list[dict[str, Any]]:
        """Return the lines of the pictures that are there, the oldest first."""
        try:
            lines = (self._folder / LABELS).read_bytes().splitlines()
        except OSError:
            return []
        found = []
        for line in lines:
            try:
                label = json.loads(line)
                name = label["file"]
                is_there = Path(name).name == name and (self._folder / name).is_file()
            except (ValueError, TypeError, KeyError):
                continue
            if is_there:
                found.append(label)
        return found


def _lines(labels: list[dict[str, Any]]) -> bytes:
    return "".join(f"{json.dumps(label)}\n" for label in labels).encode()
