"""The pinned packages of install.sh; `make boot` tests that they are available and work together."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.lock import NUMPY, PROJECT, lock_file

PROJECT_FILE = tomllib.loads((PROJECT / "pyproject.toml").read_text())
SUPPORTED = sorted(NUMPY)


def pinned(python: str) -> dict[str, tuple[str, list[str]]]:
    """Give each package's version and hashes."""
    found: dict[str, tuple[str, list[str]]] = {}
    for entry in lock_file(python).read_text().replace("\\\n", " ").splitlines():
        if entry.startswith("#"):
            continue
        match = re.fullmatch(r"([a-z0-9-]+)==(\S+)((?:\s+--hash=sha256:[0-9a-f]{64})+)", entry)
        assert match, f"not a pinned package with hashes: {entry[:80]}"
        found[match[1]] = (match[2], match[3].split())
    return found


@pytest.mark.parametrize("python", SUPPORTED)
def test_every_dependency_is_pinned_within_its_bounds(python: str) -> None:
    pins = pinned(python)
    asked = [*PROJECT_FILE["project"]["dependencies"], *PROJECT_FILE["build-system"]["requires"]]
    for requirement in map(Requirement, asked):
        name = canonicalize_name(requirement.name)
        version = NUMPY[python] if name == "numpy" else pins[name][0]
        assert requirement.specifier.contains(version), f"{requirement} does not fit {version}: make lock"


@pytest.mark.parametrize("python", SUPPORTED)
def test_numpy_is_left_to_apt(python: str) -> None:
    assert "numpy" not in pinned(python)


@pytest.mark.parametrize("python", SUPPORTED)
def test_the_lock_names_no_address(python: str) -> None:
    assert "://" not in lock_file(python).read_text()
    assert "index" not in lock_file(python).read_text()


def test_packages_whose_newer_versions_may_break_or_slow_the_box_have_an_upper_bound() -> None:
    bounded = {
        requirement.name
        for requirement in map(Requirement, PROJECT_FILE["project"]["dependencies"])
        if any(bound.operator == "<" for bound in requirement.specifier)
    }
    assert bounded >= {"uvicorn", "starlette", "luma.core", "luma.oled", "gpiozero", "pillow", "opencv-python-headless"}
