"""The archive to attach to an issue: versions, settings, findings, statistics, and nothing that identifies a person.

Only what is listed here is included. Numbers and switches identify nobody; of texts, only those that this program or
the system itself has written are included. Host name, user name, folders, addresses, networks, players and phones are
never read.
"""

from __future__ import annotations

import contextlib
import json
import logging
import platform
import queue
import zipfile
from collections import deque
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from device import config_file
from device.camera.picamera import load_focus
from device.config import Config
from device.hardware.display_choice import DisplayChoice
from device.health.machine import Machine
from device.health.machine_control import machine_probes
from device.health.probe_runner import run_probes
from device.health.probes import libraries
from device.paths import CALIBRATION, DISPLAY, FOCUS, beside, state_file, writable
from device.referee.inputs import Finding
from device.screens import fault_texts
from device.screens.language import say
from vision.tray import calibration

NAME = "cantstop-report"
"""The default name of the archive; a number is appended if it already exists."""

LEFT_OUT = "…"
"""The replacement for a text that might identify somebody."""

_HARMLESS = frozenset({"box", "python", "system"})
"""The text values of findings that identify nobody; all others, such as folders, are left out."""


LINES = 500
"""The number of lines that are kept."""


class RecentLog(logging.Handler):
    """Keeps the newest lines of what is logged in memory: the page can give them to a paired phone."""

    def __init__(self) -> None:
        """Start with no lines."""
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line; called by the logging system."""
        self._lines.append(self.format(record))

    def text(self) -> str:
        """Return the lines, oldest first."""
        return "".join(f"{line}\n" for line in self._lines)


def report(findings: Iterable[Finding], config: Config, journal: Path, *, simulated: bool = False) -> bytes:
    """Return report.json, with what is stored about the tray, the display and the camera.

    Args:
        findings: The results of the self-check.
        config: The box's settings.
        journal: The journal's file, beside which the display's controller is stored.
        simulated: Whether it is the simulated box, with a calibration of its own and no focus.
    """
    tray = None
    with contextlib.suppress(calibration.CalibrationError):
        tray = calibration.load(state_file(CALIBRATION, simulated=simulated))
    display = DisplayChoice(config.oled, beside(journal, DISPLAY)).config
    data = {
        "kind": "cantstop report",
        "version": 1,
        "machine": {
            "model": Machine().model,
            "architecture": platform.machine(),
            "kernel": platform.release(),
        },
        "libraries": libraries(),
        "display": {"type": display.type, "rotation": display.rotation},
        "settings": settings_without_texts(config),
        "findings": {each.probe: _finding(each) for each in findings},
        "calibration": tray and {"frame_size": tray.frame_size, "tray": tray.edge},
        "focus_dioptres": None if simulated else load_focus(state_file(FOCUS)),
    }
    return (json.dumps(data, indent=2) + "\n").encode()


def of_running_box(config: Config, journal: Path) -> bytes:
    """Return report.json of the box that runs this, whose camera, display and buttons are in use; takes seconds."""
    answers: queue.SimpleQueue[Finding] = queue.SimpleQueue()
    parts = machine_probes(Machine(), journal.parent, config)
    run_probes(parts, answers.put)  # each answers by its own deadline
    return report((answers.get() for _ in parts), config, journal)


def settings_without_texts(config: Config) -> dict[str, dict[str, object]]:
    """Return the settings by section and name, without those that are free texts: an address and a host's name."""
    told: dict[str, dict[str, object]] = {}
    for row in config_file.rows(type(config)):
        if row.kind is not str or row.choices:
            told.setdefault(row.section, {})[row.name] = getattr(getattr(config, row.section), row.name)
    return told


def write(text: bytes) -> Path:
    """Write report.json into an archive with an unused name in this folder, and return its path; or raise OSError.

    If the folder is not writable, it is the one for temporary files.
    """
    folder = writable(Path.cwd() / NAME).parent
    names = (f"{NAME}.zip" if number == 1 else f"{NAME}-{number}.zip" for number in count(1))
    path = next(file for name in names if not (file := folder / name).exists())
    with path.open("xb") as made, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("report.json"), text, zipfile.ZIP_DEFLATED)
    return path


def _finding(finding: Finding) -> dict[str, object]:
    values = {
        name: LEFT_OUT if isinstance(value, str) and name not in _HARMLESS else value for name, value in finding.values
    }
    text = say(fault_texts.FINDINGS[finding.what], **values)
    return {"level": finding.level.value, "what": finding.what, "text": text, **values}
