"""The game with real dice on a computer: nothing of a Raspberry Pi, typed dice, hints, and a camera from a stream."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from device.laptop.hints import CameraHints
from device.laptop.typed_dice import TypedDice
from device.referee.inputs import DiceCorrection, DiceRead, TraySeen, TrayView
from device.referee.states import Choosing, Situation, Waiting, WatchingTray
from engine import Game, Rolled
from vision.tray.advice import Change, advise_on_dice
from vision.types import Die, Reading, Reason

REPOSITORY = Path(__file__).parents[2]
PI_ONLY = ["lgpio", "gpiozero", "luma", "picamera2", "libcamera"]
LINUX_ONLY = ["fcntl", "termios", "tty", "pwd", "grp", "resource"]
PATH = [
    "device.laptop.game",
    "device.laptop.camera_choice",
    "device.laptop.terminal_game",
    "device.cli.play",
    "device.camera.sources",
    "device.camera.watcher",
    "device.cli.calibrate",
    "device.cli.read",
]


def test_a_game_with_real_dice_imports_nothing_of_a_pi_or_of_linux_alone():
    program = f"""
        import sys
        for blocked in {PI_ONLY + LINUX_ONLY}:
            sys.modules[blocked] = None
        import {", ".join(PATH)}
        del sys.modules["luma"]  # doctor looks at a simulated display, too
        import device.cli.doctor
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def typed(keys: str, situation: Situation) -> list[object]:
    dice = TypedDice()
    return [event for key in keys if (event := dice.take(key, situation)) is not None]


def test_four_digits_are_a_roll_and_backspace_and_other_keys_take_digits_back():
    waiting = Situation(Waiting(), Game.new(("yellow", "orange")), 1)
    assert typed("5231", waiting) == [DiceRead((1, 2, 3, 5))]
    assert typed("52\x7f631", waiting) == [DiceRead((1, 3, 5, 6))]
    assert typed("52a31", waiting) == []


def test_four_digits_during_a_choice_correct_the_roll():
    choosing = Situation(Choosing(), Game.new(("yellow", "orange")).do(Rolled((1, 2, 3, 5))), 7)
    assert typed("5234", choosing) == [DiceCorrection((2, 3, 4, 5), 7, 1)]


BRIGHT = np.full((480, 640, 3), 200, np.uint8)


def reading(dice: int, side: float, reason: Reason | None = None) -> Reading:
    return Reading(tuple(Die(3, (0.0, 0.0, side, side), 0.99, 4) for _ in range(dice)), reason)


@pytest.mark.parametrize(
    ("seen", "frame", "change"),
    [
        (reading(4, 30), BRIGHT, None),
        (reading(4, 12), BRIGHT, Change.LOWER),
        (reading(4, 24), np.repeat(np.repeat(BRIGHT, 2, 0), 2, 1), Change.LOWER),  # half as wide in this picture
        (reading(4, 30), BRIGHT // 4, Change.MORE_LIGHT),
        (reading(0, 0, Reason.NEAR), BRIGHT, Change.HIGHER),
        (reading(6, 30, Reason.COUNT), BRIGHT, Change.PLAIN),
        (reading(3, 30, Reason.COUNT), BRIGHT, None),
    ],
)
def test_dice_without_a_tray_show_what_to_change_about_the_camera(seen, frame, change):
    found = advise_on_dice(seen, frame)
    assert [each.change for each in found] == ([] if change is None else [change])


def test_warnings_of_a_game_in_the_terminal_go_to_a_file_and_not_onto_the_screen(tmp_path):
    program = f"""
        import logging, pathlib, subprocess, sys
        from device.laptop.errors_file import errors_into
        with errors_into(pathlib.Path({str(tmp_path)!r}) / "warnings.txt"):
            logging.getLogger("camera").warning("camera lost")
            subprocess.run([sys.executable, "-c", "import sys; print('page lost', file=sys.stderr)"], check=True)
        print("as before", file=sys.stderr)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "as before\n")
    assert (tmp_path / "warnings.txt").read_text() == "camera lost\npage lost\n"


@pytest.mark.parametrize(
    ("seen", "hint"),
    [
        (TraySeen(TrayView.UNREADABLE, Reason.NEAR.value), "raise the camera"),
        (TraySeen(TrayView.UNREADABLE, Reason.BLURRED.value), "blurred: turn the lens or wipe it"),
        (TraySeen(TrayView.UNREADABLE, Reason.GLARE.value), "glare: move or shade the lamp"),
        (TraySeen(TrayView.UNREADABLE, Reason.COUNT.value, 6), "dots taken for dice: use plain paper"),
        (TraySeen(TrayView.UNREADABLE, Reason.COUNT.value, 3), ""),
    ],
)
def test_dice_that_could_not_be_read_give_a_hint_in_the_terminal(seen, hint):
    watching = Situation(WatchingTray(Waiting(), seen), Game.new(("yellow", "orange")), 1)
    session = SimpleNamespace(box=SimpleNamespace(situation=watching), thrown=None)
    hints = CameraHints(lambda: pytest.fail("no camera is opened"))
    assert hints.text(session) == hint
