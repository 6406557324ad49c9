"""The game with real dice on a computer: nothing of a Raspberry Pi, typed dice, hints, and a camera from a stream."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PI_ONLY = ["lgpio", "gpiozero", "luma", "picamera2", "libcamera"]
LINUX_ONLY = ["fcntl", "termios", "tty", "pwd", "grp", "resource"]
PATH = [
    "device.laptop.game",
    "device.laptop.camera_choice",
    "device.laptop.terminal_game",
    "device.cli.play",
    "device.camera.opencv",
]


@pytest.mark.parametrize("module", PATH)
def test_a_game_with_real_dice_imports_nothing_of_a_pi_or_of_linux_alone(module):
    program = f"""
        import sys
        for blocked in {PI_ONLY + LINUX_ONLY}:
            sys.modules[blocked] = None
        import {module}
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
