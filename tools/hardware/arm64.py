"""`make arm64`: install and run the box for a Pi's processor, on Debian bookworm and trixie arm64, under qemu-user.

In each tree the installer runs with real apt and pip, and a second time, which must change nothing. Then the installed
box reads a picture of dice, plays a game by itself and checks the machine. This takes half an hour on an idle machine;
all output is in build/arm64/SUITE.log.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from device.camera.simulated import SimulatedTray
from tools.hardware.debs import with_packages_of_a_pi
from tools.hardware.trees import BUILD, TreeError, base_tree, check_machine, install_twice, say
from vision.reader import read

HERE = BUILD / "arm64"
CANTSTOP = "/usr/local/bin/cantstop"
GAME = ("play", "--simulate", "--auto", "--players", "1", "--seed", "256")
"""A game of few rolls, as rendering one takes a minute under emulation."""


def _draw_dice(file: Path) -> tuple[int, ...]:
    """Render a picture of dice that this machine can read; return their values, sorted."""
    tray, values = SimulatedTray(4, hurried=True), (1, 3, 4, 6)
    frame = tray.frame(1.0)[1]
    while read(frame).values != values:  # leaning dice are rolled again
        tray.throw(values=values)
        while tray.still_s < 0:
            _, frame = tray.frame(1.0)
    cv2.imwrite(str(file), frame)
    return values


def prove(suite: str) -> None:
    """Install and run in one suite, such as "trixie".

    Raises:
        TreeError: At the first failed check.
    """
    has_camera = suite == "trixie"
    tree = with_packages_of_a_pi(base_tree(suite, "arm64"), HERE / suite, camera=has_camera)
    tree.copy_sources()
    install_twice(tree)
    check = "/opt/cantstop/current/installer/tools/install/check.py"
    apt = ("picamera2", "lgpio") if has_camera else ("lgpio",)
    tree.ask("/opt/cantstop/current/bin/python", "-I", check, *apt)
    say(f"{suite}: it imports what it needs")
    dice = _draw_dice(tree.folder / "dice.png")
    found = tree.ask(CANTSTOP, "read", "/dice.png")
    if f"dice.png: {' '.join(map(str, dice))} " not in found:
        raise TreeError(f"the dice {dice} were read as {found}")
    say(f"{suite}: it reads a picture of dice")
    game = tree.ask(CANTSTOP, *GAME)
    if "result: " not in game or "unfinished" in game:
        raise TreeError(f"the game has no winner:\n{game}")
    # It checks a machine without any of the box's hardware: missing parts are reported, and give this status.
    tree.ask(CANTSTOP, "doctor", status=1)
    say(f"{suite}: all checks passed; the output is in {tree.log}")


def main() -> None:
    """Test both suites."""
    try:
        check_machine(foreign=True)
        for suite in ("bookworm", "trixie"):
            prove(suite)
    except TreeError as error:
        sys.exit(f"make arm64: {error}")


if __name__ == "__main__":
    main()
