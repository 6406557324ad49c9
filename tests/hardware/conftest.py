"""The requirements of the tests on the bench: gcc, and lgpio (from apt on a Pi)."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from tools.hardware.bench import Bench

SHIMS = Path(__file__).parents[2] / "build" / "hardware"


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """A bench for the tests of one file."""
    if importlib.util.find_spec("lgpio") is None:
        pytest.skip("lgpio is not installed: it has no wheel for this Python or machine")
    if shutil.which("gcc") is None:
        pytest.skip("the shims need gcc: sudo apt install gcc libc6-dev")
    with Bench(tmp_path_factory.mktemp("bench"), shims=SHIMS) as made:
        yield made
