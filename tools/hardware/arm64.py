"""`make arm64`: install and run the box for a Pi's processor, on Debian bookworm and trixie arm64, under qemu-user.

In each tree the installer runs with real apt and pip, and a second time, which must change nothing. Then the installed
box reads a picture of dice, plays a game by itself and checks the machine. This takes half an hour on an idle machine;
the output is stored in build/arm64/SUITE.txt.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path

import cv2

from device.camera.simulated import SimulatedTray
from tools.hardware.debs import with_packages_of_a_pi
from tools.hardware.trees import BUILD, TreeError, base_tree, check_machine, say
from vision.reader import read
from vision.types import Frame

HERE = BUILD / "arm64"
CANTSTOP = "/usr/local/bin/cantstop"
DICE = (1, 3, 5, 6)
ROLLS = 24
"""The number of pictures of dice rendered for the game; they are used in a loop."""

GAME = ("play", "--frames", "/rolls", "--auto", "--players", "1")
"""A game at a simulated box that emulates everything but the rendering of dice, which a Pi does not do either, and
which would take a minute per roll under emulation."""


def _dice_at_rest(values: tuple[int, ...], seed: int = 7) -> Frame:
    """Return a picture of dice with sorted values that this machine can read; leaning dice are rolled again."""
    tray = SimulatedTray(seed, hurried=True)
    while True:
        tray.throw(values=values)
        while tray.still_s < 0:
            _, frame = tray.frame(1.0)
        if read(frame).values == values:
            return frame


def _draw_rolls(folder: Path) -> None:
    """Render labelled pictures of dice."""
    folder.mkdir(exist_ok=True)
    chance = random.Random(4)
    labels = []
    for number in range(ROLLS):
        values = tuple(sorted(chance.randint(1, 6) for _ in range(4)))
        cv2.imwrite(str(folder / f"{number:02}.png"), _dice_at_rest(values, seed=number))
        labels.append(json.dumps({"file": f"{number:02}.png", "values": values}))
    (folder / "labels.jsonl").write_text("\n".join(labels))


def prove(suite: str) -> None:
    """Install and run in one suite, such as "trixie"; the output goes to its text file.

    Raises:
        TreeError: At the first failed check.
    """
    has_camera = suite == "trixie"
    kept = HERE / f"{suite}.txt"
    tree = with_packages_of_a_pi(base_tree(suite, "arm64"), HERE / suite, camera=has_camera)
    tree.copy_sources()
    kept.write_text("")

    def show(title: str, *command: str | Path, status: int = 0) -> str:
        say(f"{suite}: {title} …")
        begun = time.monotonic()
        said = tree.ask(*command, status=status)
        with kept.open("a") as file:
            file.write(f"$ {title}\n{said}[{time.monotonic() - begun:.0f} s]\n\n")
        return said

    show("uname -m; python3 --version", "sh", "-c", "uname -m; python3 --version")
    show("sudo ./install.sh", "sh", "/src/install.sh", "--container")
    again = show("sudo ./install.sh", "sh", "/src/install.sh", "--container")
    if "nothing was changed" not in again:
        raise TreeError(f"a second run changed something:\n{again}")
    check = "/opt/cantstop/current/installer/tools/install/check.py"
    apt = ("picamera2", "lgpio") if has_camera else ("lgpio",)
    show("what the environment imports", "/opt/cantstop/current/bin/python", "-I", check, *apt)
    cv2.imwrite(str(tree.folder / "dice.png"), _dice_at_rest(DICE))
    read = show("cantstop read dice.png", CANTSTOP, "read", "--json", "/dice.png")
    if tuple(json.loads(read)["values"]) != DICE:
        raise TreeError(f"the dice {DICE} were read as {read}")
    _draw_rolls(tree.folder / "rolls")
    game = show(f"cantstop {' '.join(GAME)}", CANTSTOP, *GAME)
    if "result: " not in game or "unfinished" in game:
        raise TreeError(f"the game has no winner:\n{game}")
    # It checks a machine without any of the box's hardware: missing parts are reported, and give this status.
    show("sudo cantstop doctor", CANTSTOP, "doctor", status=1)
    say(f"{suite}: all checks passed; the output is in {kept}")


def main() -> int:
    """Test the requested suites."""
    options = argparse.ArgumentParser(prog="make arm64", description=__doc__)
    options.add_argument("suites", nargs="*", default=["bookworm", "trixie"], metavar="SUITE")
    args = options.parse_args()
    try:
        check_machine(foreign=True)
        for suite in args.suites:
            prove(suite)
    except TreeError as error:
        print(f"make arm64: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
