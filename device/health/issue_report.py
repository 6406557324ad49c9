"""The archive to attach to an issue: versions, settings, findings, statistics, and nothing that identifies a person.

Only what is listed here is included. Numbers and switches identify nobody; of texts, only those that this program or
the system itself has written are included. Host name, user name, folders, addresses, networks, players and phones are
never read.
"""

from __future__ import annotations

import contextlib
import io
import json
import platform
import queue
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import cv2

from device import config_file
from device.camera import focus
from device.config import Config, OledConfig
from device.hardware.display_choice import DisplayChoice
from device.health.machine import Machine
from device.health.machine_control import machine_probes
from device.health.probe_runner import run_probes
from device.health.probes import libraries, throttled
from device.paths import CALIBRATION, DISPLAY, FOCUS, beside, state_file, writable
from device.referee.inputs import Finding
from device.screens import fault_texts
from device.screens.language import say
from vision.tray import calibration
from vision.tray.known import Tray
from vision.types import Frame

NAME = "cantstop-report"
"""The default name of the archive; a number is appended if it already exists."""

LEFT_OUT = "…"
"""The replacement for a text that might identify somebody."""

_HARMLESS = frozenset({"box", "python", "system", "button"})
"""The text values of findings that identify nobody; all others, such as folders, are left out."""


@dataclass(frozen=True, slots=True)
class Report:
    """The contents of a report.

    Attributes:
        findings: The results of the self-check.
        settings: The box's settings.
        display: The display's controller and rotation.
        machine: The machine that the box runs on.
        cameras: The sensors that libcamera lists; None if it was not asked.
        calibration: The calibration of the tray; None before the tray is calibrated.
        focus_dioptres: The stored focus of a camera with a focus motor; None without one.
        picture: What the camera sees, (H, W, 3) uint8, BGR; None where the user did not agree to send it.
    """

    findings: tuple[Finding, ...]
    settings: Config
    display: OledConfig
    machine: Machine
    cameras: tuple[str, ...] | None = None
    calibration: Tray | None = None
    focus_dioptres: float | None = None
    picture: Frame | None = None

    def as_data(self) -> dict[str, object]:
        """Return all but the picture as plain data."""
        return {
            "kind": "cantstop report",
            "version": 1,
            "machine": {
                "model": self.machine.model,
                "architecture": platform.machine(),
                "kernel": platform.release(),
                "memory_mb": memory_mb(self.machine),
                "throttled": None if (bits := throttled(self.machine)) is None else f"{bits:#x}",
            },
            "libraries": libraries(),
            "cameras": self.cameras,
            "display": {"type": self.display.type, "rotation": self.display.rotation},
            "settings": settings_without_texts(self.settings),
            "findings": {each.probe: _finding(each) for each in self.findings},
            "calibration": self.calibration
            and {"frame_size": self.calibration.frame_size, "tray": self.calibration.edge},
            "focus_dioptres": self.focus_dioptres,
        }

    def text(self) -> bytes:
        """Return report.json."""
        return (json.dumps(self.as_data(), indent=2) + "\n").encode()

    def archive(self) -> bytes:
        """Return the archive: report.json, and picture.png if there is a picture."""
        files = {"report.json": self.text()}
        if self.picture is not None:
            # Encoded again from its pixels, so that the camera's metadata is left out.
            files["picture.png"] = cv2.imencode(".png", self.picture)[1].tobytes()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        return packed.getvalue()


def collected(
    findings: Iterable[Finding],
    config: Config,
    journal: Path,
    *,
    simulated: bool = False,
    cameras: tuple[str, ...] | None = None,
    picture: Frame | None = None,
) -> Report:
    """Return a report with what is stored about the tray, the display and the camera; the rest as for `Report`."""
    learned = None
    with contextlib.suppress(calibration.CalibrationError):
        learned = calibration.load(state_file(CALIBRATION, simulated=simulated))
    return Report(
        findings=tuple(findings),
        settings=config,
        display=DisplayChoice(config.oled, beside(journal, DISPLAY)).config,
        machine=Machine(),
        cameras=cameras,
        calibration=learned,
        focus_dioptres=None if simulated else focus.load(state_file(FOCUS)),
        picture=picture,
    )


def of_running_box(config: Config, journal: Path) -> bytes:
    """Return report.json of the box that runs this, whose camera, display and buttons are in use; takes seconds."""
    answers: queue.SimpleQueue[Finding] = queue.SimpleQueue()
    parts = machine_probes(Machine(), journal.parent, config)
    run_probes(parts, answers.put)  # each answers by its own deadline
    return collected((answers.get() for _ in parts), config, journal).text()


def settings_without_texts(config: Config) -> dict[str, dict[str, object]]:
    """Return the settings by section and name, without those that are free texts: an address and a host's name."""
    told: dict[str, dict[str, object]] = {}
    for row in config_file.rows(type(config)):
        if row.kind is not str or row.choices:
            told.setdefault(row.section, {})[row.name] = getattr(getattr(config, row.section), row.name)
    return told


def memory_mb(machine: Machine) -> int | None:
    """Return the size of the machine's memory in MB; None if unknown."""
    try:
        lines = machine.read("proc/meminfo").decode("ascii", "replace").splitlines()
        (total,) = (line.split()[1] for line in lines if line.startswith("MemTotal:"))
        return int(total) // 1000
    except (OSError, ValueError, IndexError):
        return None


def free_file() -> Path:
    """Return an unused file name in this folder, or if it is not writable, in the one for temporary files."""
    folder = writable(Path.cwd() / NAME).parent
    names = (f"{NAME}.zip" if number == 1 else f"{NAME}-{number}.zip" for number in count(1))
    return next(file for name in names if not (file := folder / name).exists())


def write(report: Report, path: Path) -> None:
    """Write the archive to a new file, or raise OSError; an existing file is left unchanged."""
    content = report.archive()
    with path.open("xb") as file:
        file.write(content)


def _finding(finding: Finding) -> dict[str, object]:
    values = {
        name: LEFT_OUT if isinstance(value, str) and name not in _HARMLESS else value for name, value in finding.values
    }
    text = say(fault_texts.FINDINGS[finding.what], **values)
    return {"level": finding.level.value, "what": finding.what, "text": text, **values}
