"""`make arm64`: the box installed and run as on a Pi's processor, on Debian bookworm and trixie arm64, under qemu-user.

In each tree the installer does its work with real apt and pip, and once more, which must change nothing. Then the
environment reads a picture of dice, plays a game by itself and examines the machine. This takes half an hour on an idle
machine; what was said is kept in build/arm64/SUITE.txt.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import cv2

from tools.at_rest import dice_at_rest
from tools.debs import add_archive, archive_for
from tools.trees import BUILD, TreeError, add_newer_libcamera, base_tree, check_machine, copy_of, say

HERE = BUILD / "arm64"
DICE = (1, 3, 5, 6)
GAME = ("play", "--simulate", "--auto", "--players", "1", "--seed", "250")
"""A short game, of about 22 throws: emulated, a throw is drawn and read for half a minute."""

CANTSTOP = "/usr/local/bin/cantstop"


def prove(suite: str) -> None:
    """Install and run in one suite; what was said goes to its text.

    Raises:
        TreeError: At the first thing that does not hold.
    """
    base = base_tree(suite, "arm64")
    tree = copy_of(base, HERE / suite)
    has_camera = suite == "trixie"
    add_archive(tree, archive_for(base, camera=has_camera))
    if has_camera:
        add_newer_libcamera(tree)
    tree.copy_sources()
    kept = HERE / f"{suite}.txt"
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
    cv2.imwrite(str(tree.folder / "dice.png"), dice_at_rest(DICE)[0])
    read = show("cantstop read dice.png", CANTSTOP, "read", "--json", "/dice.png")
    if tuple(json.loads(read)["values"]) != DICE:
        raise TreeError(f"the dice {DICE} were read as {read}")
    game = show(f"cantstop {' '.join(GAME)}", CANTSTOP, *GAME)
    if "result: " not in game or "unfinished" in game:
        raise TreeError(f"the game has no winner:\n{game}")
    # It examines a machine that has nothing of a box: what is missing is told, and that is its status.
    show("sudo cantstop doctor", CANTSTOP, "doctor", status=1)
    say(f"{suite}: all of it holds; {kept} has what was said")


def main() -> int:
    """Prove the suites asked for."""
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
