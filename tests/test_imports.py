"""Imports point one way, and each foreign library is imported in one place."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

ALLOWED = {
    "engine": {"engine", "numpy"},  # numpy in odds, opponents and simulate alone; the rules have their own test
    "vision": {"files", "vision", "numpy", "cv2"},
}


def imported(file: Path) -> set[str]:
    """The top-level names of everything that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add((node.module or "").split(".")[0])
    return names


def files_importing(name: str) -> set[str]:
    return {
        str(file.relative_to(ROOT))
        for package in ("engine", "vision", "device")
        for file in (ROOT / package).rglob("*.py")
        if name in imported(file)
    }


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_only_what_it_may(package):
    for file in (ROOT / package).rglob("*.py"):
        foreign = imported(file) - ALLOWED[package] - set(sys.stdlib_module_names)
        assert not foreign, f"{file.relative_to(ROOT)} imports {foreign}"


def test_the_rules_import_the_standard_library_only():
    for file in (ROOT / "engine").glob("*.py"):
        assert imported(file) <= {"engine", *sys.stdlib_module_names}, f"{file.name} imports more"


def test_picamera2_is_imported_in_its_adapter_alone():
    assert files_importing("picamera2") == {"device/camera/picamera.py"}


def test_luma_is_imported_in_the_oleds_adapter_alone():
    assert files_importing("luma") == {"device/hardware/oled.py"}


def test_gpiozero_is_imported_by_buttons_lamp_and_buzzer_and_by_the_finger_that_presses():
    parts = {"device/hardware/buttons.py", "device/hardware/buzzer.py", "device/hardware/lamp.py"}
    assert files_importing("gpiozero") == {*parts, "device/sim/fingers.py", "device/sim/table.py"}


def test_sqlite_is_imported_by_the_journal_and_its_parts_alone():
    assert files_importing("sqlite3") == {
        "device/storage/journal.py",
        "device/storage/rescue.py",
        "device/storage/journal_snapshot.py",
        "device/storage/tables.py",
    }
