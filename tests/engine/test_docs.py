"""The examples in the engine's documentation."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import engine


def test_the_examples_in_the_documentation_are_true():
    names = ["engine", *(module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))]
    results = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) > 0
