"""docs/reading-evidence.md names the thresholds that the reader has now."""

from __future__ import annotations

import pkgutil
import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import vision

PAGE = (Path(vision.__file__).parents[1] / "docs/reading-evidence.md").read_text("utf-8")
MODULES = [import_module(module.name) for module in pkgutil.walk_packages(vision.__path__, "vision.")]
CLASSES = {name: each for module in MODULES for name, each in vars(module).items() if name.endswith("Params")}
NUMBERS = [
    (name.strip("_").lower(), each)
    for module in MODULES
    for name, each in vars(module).items()
    if name.isupper() and isinstance(each, int | float | tuple)
]
SECTIONS = [part for part in re.split(r"\n(?=#)|\n\n(?=New objects)", PAGE) if "| threshold | default |" in part]


def rows(section: str) -> list[tuple[list[str], list[str]]]:
    """Return the thresholds and the defaults of each row of a section's table."""
    cells = re.findall(r"^\| ([^|]*`[^|]*) \| ([^|]*) \|", section, re.MULTILINE)
    return [(re.findall(r"`([A-Za-z_]+)`", names), defaults.split(", ")) for names, defaults in cells]


def thresholds_of(section: str) -> dict[str, list[object]]:
    """Return the fields of the classes that a section names, and all constant numbers, with their defaults."""
    found: dict[str, list[object]] = {}
    classes = [CLASSES[name] for name in re.findall(r"`(\w+Params)`", section)]
    for name, default in [*NUMBERS, *((field.name, field.default) for each in classes for field in fields(each))]:
        found.setdefault(name, []).append(default)
    return found


def test_every_threshold_of_the_page_is_one_of_the_code_and_has_its_default():
    unknown, different = [], []
    for section in SECTIONS:
        known = thresholds_of(section)
        for names, defaults in rows(section):
            unknown += [name for name in names if name.lower() not in known]
            for name, default in zip(names, defaults, strict=True) if len(names) == len(defaults) else ():
                if name in known and re.fullmatch(r"[\d.]+", default) and float(default) not in known[name]:
                    different.append((name, default))
    assert SECTIONS
    assert (unknown, different) == ([], [])
