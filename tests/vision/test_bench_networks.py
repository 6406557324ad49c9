"""Multiply-adds of the networks, as the benchmark prints them."""

from __future__ import annotations

import lzma
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest

from tests.waiting import PATIENCE_S
from tools.bench.networks import LAYERS, counted, multiply_adds
from vision.stages import network


@pytest.mark.parametrize("name", LAYERS)
def test_the_layers_have_the_number_of_weights_in_the_file(name):
    size = len(lzma.decompress((files("vision") / "weights" / f"{name}.onnx.xz").read_bytes()))
    weights = sum(layer.weights for layer in LAYERS[name])
    assert 4 * weights < size < 4.2 * weights


def test_each_run_of_a_network_is_counted_by_its_picture():
    with counted() as counts:
        network.run("values", np.zeros((64, 64, 3), np.uint8))
        network.run("finder", np.zeros((120, 160, 3), np.uint8)[:112])
    assert counts == [multiply_adds("values", 64, 64), multiply_adds("finder", 160, 112)]
    network.run("values", np.zeros((64, 64, 3), np.uint8))
    assert len(counts) == 2


def test_help_runs_no_benchmark():
    shown = subprocess.run(
        [sys.executable, "-m", "tools.bench", "--help"], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    assert "reading dice beside the well-known recipe" in shown.stdout
    wrong = subprocess.run(
        [sys.executable, "-m", "tools.bench", "speed"], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert wrong.returncode == 2
    assert "there is no benchmark 'speed'; choose from rules, reading" in wrong.stderr
