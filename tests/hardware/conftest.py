"""The requirements of the tests on the bench: gcc, and lgpio (from apt on a Pi)."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.hardware.webcam import DEVICES, Webcam
from tools.hardware.bench import Bench, build

SHIMS = Path(__file__).parents[2] / "build" / "hardware"


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """A bench for the tests of one file."""
    with open_bench(tmp_path_factory) as made:
        yield made


@contextlib.contextmanager
def open_bench(tmp_path_factory, oled=None, bus="i2c-1"):
    """Open a bench with a display on a bus."""
    if importlib.util.find_spec("lgpio") is None:
        pytest.skip("lgpio is not installed: it has no wheel for this Python or machine")
    if shutil.which("gcc") is None:
        pytest.skip("the shims need gcc: sudo apt install gcc libc6-dev")
    with Bench(tmp_path_factory.mktemp("bench"), oled, bus, shims=SHIMS) as made:
        yield made


@pytest.fixture
def webcam():
    """A webcam below OpenCV's V4L2 code."""
    if shutil.which("gcc") is None or not os.access(DEVICES, os.W_OK):
        pytest.skip("the simulated webcam needs gcc and /dev/shm")
    (shim,) = build(SHIMS, ("v4l2",))
    with tempfile.TemporaryDirectory(dir=DEVICES) as folder:
        yield Webcam(Path(folder), shim)
