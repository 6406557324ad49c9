"""Printing times and weights from PrusaSlicer, where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

SETTINGS = {
    "nozzle-diameter": "0.4",
    "layer-height": "0.2",
    "first-layer-height": "0.2",
    "perimeters": "3",
    "fill-density": "15%",
    "fill-pattern": "grid",
    "filament-density": "1.27",
    "bed-shape": "0x0,220x0,220x220,0x220",
    "skirts": "0",
}
"""What differs from PrusaSlicer's defaults, whose speeds are slow; the density is that of PETG."""

_MINUTES = {"d": 1440, "h": 60, "m": 1, "s": 1 / 60}


def is_installed() -> bool:
    """Whether PrusaSlicer is on the path."""
    return shutil.which("prusa-slicer") is not None


def sliced(stl: Path) -> tuple[float, float]:
    """Return the minutes and the grams that printing a file takes, without supports.

    Raises:
        RuntimeError: If PrusaSlicer fails; the message is its own.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "part.gcode"
        options = [word for name, value in SETTINGS.items() for word in (f"--{name}", value)]
        command = ["prusa-slicer", *options, "-g", str(stl), "-o", str(out)]
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        if not out.exists():
            raise RuntimeError(f"PrusaSlicer cannot slice {stl}: {run.stderr.strip() or run.stdout.strip()}")
        text = out.read_text(encoding="utf-8")
    time = re.search(r"estimated printing time \(normal mode\) = (.*)", text)
    weight = re.search(r"total filament used \[g\] = ([\d.]+)", text)
    if time is None or weight is None:
        raise RuntimeError(f"PrusaSlicer reports no time and weight for {stl}.")
    minutes = sum(int(count) * _MINUTES[unit] for count, unit in re.findall(r"(\d+)([dhms])", time[1]))
    return minutes, float(weight[1])
