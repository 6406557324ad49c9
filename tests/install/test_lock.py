"""The pinned packages; `make boot` and `make fresh` test that they are available and work together."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.install.pi import PROJECT

LOCKS = PROJECT / "tools/install/lock"
PROJECT_FILE = tomllib.loads((PROJECT / "pyproject.toml").read_text())
PYTHONS = ("3.11.2", "3.12.0", "3.13.5", "3.14.0")
PLATFORMS = ({"sys_platform": "linux", "os_name": "posix"}, {"sys_platform": "darwin", "os_name": "posix"})


def entries(name: str) -> list[tuple[Requirement, list[str]]]:
    """Give each entry of a lock file, and its hashes."""
    found = []
    for entry in (LOCKS / f"{name}.txt").read_text().replace("\\\n", " ").splitlines():
        if not entry.startswith("#"):
            wanted, *hashes = re.split(r"\s+--hash=sha256:", entry)
            found.append((Requirement(wanted), hashes))
    return found


def pinned(name: str, python: str, platform: dict[str, str]) -> dict[str, str]:
    """Give the version of each package that one Python gets."""
    there = {"python_version": python.rpartition(".")[0], "python_full_version": python, **platform}
    chosen: dict[str, str] = {}
    for requirement, _ in entries(name):
        if requirement.marker is None or requirement.marker.evaluate(there):
            assert requirement.name not in chosen, f"{requirement.name} is pinned twice for {there}"
            (pin,) = requirement.specifier
            assert pin.operator == "=="
            chosen[requirement.name] = pin.version
    return chosen


def test_every_dependency_is_pinned_once_within_its_bounds_for_each_python() -> None:
    project = PROJECT_FILE["project"]
    play = [*project["dependencies"], *PROJECT_FILE["build-system"]["requires"]]
    extras = project["optional-dependencies"]
    asked = {"play": play, "dev": [*play, *extras["dev"]]}
    problems = []
    for name, requirements in asked.items():
        for python in PYTHONS:
            for platform in PLATFORMS:
                pins = pinned(name, python, platform)
                there = {"python_version": python.rpartition(".")[0], "python_full_version": python, **platform}
                for requirement in map(Requirement, requirements):
                    package = canonicalize_name(requirement.name)
                    if requirement.marker and not requirement.marker.evaluate(there):
                        continue
                    if package not in pins or not requirement.specifier.contains(pins[package]):
                        problems.append(f"{name}, Python {python}: {requirement} but {pins.get(package)}")
    assert not problems, "\n".join(["make lock", *problems])


def test_every_package_has_hashes_and_no_address() -> None:
    for name in ("play", "dev"):
        for requirement, hashes in entries(name):
            assert hashes, requirement
            assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in hashes), requirement
        text = (LOCKS / f"{name}.txt").read_text()
        assert "://" not in text
        assert "index" not in text


def test_the_tests_run_with_the_versions_that_players_get() -> None:
    for python in PYTHONS:
        for platform in PLATFORMS:
            assert pinned("play", python, platform).items() <= pinned("dev", python, platform).items()
