"""The units in systemd/, judged by systemd's own tools."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from device.health.machine_control import CHANGES
from tests.waiting import PATIENCE_S

UNITS = sorted((Path(__file__).parent.parent / "systemd").glob("*.*"))
ANALYZE = shutil.which("systemd-analyze")
WORST_EXPOSURE = 3.0
INSTALLER = re.compile(
    r"^ExecStart=/opt/cantstop/current/installer/install\.sh --(update|rollback) --wait$", re.MULTILINE
)
"""What the box may start as root; the unit is the installer by hand, and takes nothing from the box."""

needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="no systemd-analyze here: not a machine with systemd")


def judged(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    assert ANALYZE is not None
    return subprocess.run(
        [ANALYZE, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        env={"LC_ALL": "C"},
    )  # fmt: skip


def installed(unit: Path, folder: Path) -> Path:
    """Copy a unit as after the installation, because systemd checks that the program of a unit exists."""
    text = re.sub(
        r"(?<==)/opt/cantstop/current/(bin/cantstop|installer/install\.sh)(?= )", sys.executable, unit.read_text()
    )
    copy = folder / unit.name
    copy.write_text(text)
    return copy


@needs_systemd
def test_systemd_accepts_every_unit(tmp_path: Path) -> None:
    copies = [installed(unit, tmp_path) for unit in UNITS]
    verdict = judged("verify", "--man=no", *copies)
    # The exit status alone would not do: it is 0 even for a key that does not exist.
    about_ours = [line for line in verdict.stderr.splitlines() if any(unit.name in line for unit in UNITS)]
    assert not about_ours
    assert verdict.returncode == 0, verdict.stderr


@needs_systemd
@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: unit.name)
def test_every_service_is_hardened(unit: Path) -> None:
    if "\nUser=root" in unit.read_text():
        pytest.fail(f"{unit.name} runs as root")
    if INSTALLER.search(unit.read_text()):
        return
    verdict = judged("security", "--offline=true", "--no-pager", unit)
    found = re.search(r"Overall exposure level for \S+ ([0-9.]+)", verdict.stdout)
    assert found, verdict.stdout + verdict.stderr
    assert float(found[1]) < WORST_EXPOSURE


def test_the_box_may_start_exactly_the_services_that_its_menu_starts() -> None:
    rule = (Path(__file__).parent.parent / "tools/install/50-cantstop.rules").read_text()
    allowed = set(re.findall(r'unit == "([^"]+)"', rule))
    assert allowed == set(CHANGES.values()) == {unit.name for unit in UNITS if INSTALLER.search(unit.read_text())}
