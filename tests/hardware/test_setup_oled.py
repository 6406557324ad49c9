"""oled.py of the card: its writes to a real /dev/i2c-1, decoded as by either controller."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from device.screens.draw import draw
from tests.waiting import PATIENCE_S
from tools.hardware.bench import Bench
from tools.install.card.__main__ import FILES
from tools.install.card.screens import packed, picture, screens
from tools.sim.oled_bus import OledBus

SCREEN = screens()["packages"]

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("gcc") is None, reason="the shims need Linux and gcc"
)


@pytest.fixture
def bench_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a short path, as Unix sockets want it."""
    return tmp_path_factory.mktemp("bus")


def show(folder: Path, oled: OledBus, name: str = "packages") -> int:
    file = folder / "picture"
    file.write_bytes(packed(picture(screens()[name])))
    with Bench(folder, oled) as bench:
        command = [sys.executable, "-I", FILES / "cantstop/oled.py", file]
        return subprocess.run(command, env=bench.environment(), timeout=PATIENCE_S, check=False).returncode


@pytest.mark.parametrize("address", [0x3C, 0x3D])
@pytest.mark.parametrize("kind", ["ssd1306", "sh1106"])
def test_a_picture_is_shown_on_either_controller_at_either_address(bench_folder: Path, kind: str, address: int) -> None:
    oled = OledBus(kind, address)
    assert show(bench_folder, oled) == 0
    seen, drawn = np.array(oled.picture()), np.array(draw(SCREEN))
    left = 2 if kind == "ssd1306" else 0
    assert np.array_equal(seen[:, left : left + 126], drawn[:, :126])
    assert not seen[:, :left].any()
    assert not seen[:, left + 126 :].any()


def test_a_picture_replaces_the_one_before(bench_folder: Path) -> None:
    oled = OledBus()
    show(bench_folder, oled)
    show(bench_folder, oled, "damaged")
    assert oled.picture().tobytes() == picture(screens()["damaged"]).tobytes()


def test_without_a_display_it_ends_with_1(bench_folder: Path) -> None:
    assert show(bench_folder, OledBus(address=0x10)) == 1
