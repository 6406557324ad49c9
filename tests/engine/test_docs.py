"""The examples in the engine's documentation."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import pkgutil
import re
import tomllib
from pathlib import Path

import engine

ROOT = Path(__file__).parents[2]


def test_the_examples_in_the_documentation_are_true():
    names = ["engine", *(module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))]
    results = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) > 0


def test_the_code_of_the_engines_page_prints_what_the_page_says():
    page = (ROOT / "docs/engine.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == page.count("```python")
    names: dict[str, object] = {}
    for code, shown in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        assert printed.getvalue() == shown


def test_the_types_are_shipped_with_each_package():
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    for package in ("engine", "vision", "device"):
        assert "py.typed" in data[package]
        assert (ROOT / package / "py.typed").is_file()
