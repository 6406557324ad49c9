"""`make arm64`: install and run the box for a Pi's processor, on Debian bookworm and trixie arm64, under qemu-user.

In each tree the installer runs with real apt and pip, and a second time, which must change nothing. Then the installed
box reads a picture of dice, plays a game by itself and checks the machine. This takes half an hour on an idle machine;
all output is in build/arm64/SUITE.log.
"""

from __future__ import annotations

import shutil
import sys

from tools.hardware.debs import with_packages_of_a_pi
from tools.hardware.trees import BUILD, TreeError, base_tree, check_machine, install_twice, say
from tools.install.archives import PROJECT

HERE = BUILD / "arm64"
CANTSTOP = "/usr/local/bin/cantstop"
GAME = ("play", "--simulate", "--auto", "--players", "1", "--seed", "3027")
"""A game of few rolls, as rendering one takes a minute under emulation."""


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
    shutil.copy(PROJECT / "docs/roll.jpg", tree.folder)
    found = tree.ask(CANTSTOP, "read", "/roll.jpg")
    if "roll.jpg: 2 3 4 5 " not in found:
        raise TreeError(f"the dice were read as {found}")
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
