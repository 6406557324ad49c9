"""`make fresh`: follow the README in bare Debians as an ordinary user, and test the oldest and newest allowed packages.

In each suite, mmdebstrap makes a system with nothing but git, make and Python. A new user clones this commit and runs
the README's two commands. Then the tests run once more with the lowest versions that pyproject.toml allows, in the
oldest suite, and with the newest, in the newest suite: a clone gets pinned versions, but others install the package
beside what they have.
"""

from __future__ import annotations

import argparse
import sys

from tools.hardware.trees import BUILD, Tree, TreeError, base_tree, check_machine, copy_of, run, say
from tools.install.archives import PROJECT

PACKAGES = ("git", "make", "python3", "python3-venv", "ca-certificates")
USER = "newcomer"
CLONE = f"/home/{USER}/cantstop"
COMMANDS = ("make play", "make test")

# pip installs the newest versions, but has no option for the lowest ones, which uv has.
LOWEST = (
    ".venv/bin/python -m uv --no-config pip install --quiet --system-certs --python .venv-bounds/bin/python "
    "--resolution lowest-direct --only-binary :all: --no-binary cantstop-box --editable '.[dev]'"
)
NEWEST = ".venv-bounds/bin/python -m pip install --quiet --editable '.[dev]'"
SUITES = {"bookworm": LOWEST, "trixie": NEWEST}
"""The suites, and how to install other packages than the pinned ones there."""


def _system(suite: str) -> Tree:
    """Return a new bare system with a user, who has cloned this commit."""
    tree = copy_of(base_tree(suite, "amd64", PACKAGES, name=f"{suite}-bare"), BUILD / "fresh" / suite)
    tree.do("useradd", "--create-home", "--shell", "/bin/bash", USER)
    # Through a bundle: a clone of the folder itself would need its owner, and contain what it does not have committed.
    bundle = tree.folder / "home" / USER / "cantstop.bundle"
    run(["git", "-C", PROJECT, "bundle", "create", bundle, "HEAD"], tree.log)
    _as_user(tree, f"git clone --quiet ~/cantstop.bundle {CLONE}", folder="/")
    return tree


def _as_user(tree: Tree, command: str, *, folder: str = CLONE) -> None:
    """Run a command as the ordinary user, with its output in the tree's log.

    Raises:
        TreeError: If it fails.
    """
    say(f"{tree.suite}: {command[:100]}")
    own = (f"HOME=/home/{USER}", f"USER={USER}", "PIP_NO_CACHE_DIR=1")
    tree.do("runuser", "-u", USER, "--", "env", *own, "sh", "-c", f"cd {folder} && {command}")


def main() -> None:
    """Run everything, and print where the output of each system is."""
    argparse.ArgumentParser(
        prog="make fresh", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    ).parse_args()
    readme = (PROJECT / "README.md").read_text().splitlines()
    if missing := [command for command in COMMANDS if command not in readme]:
        sys.exit(f"make fresh: README.md has no line `{missing[0]}`: change COMMANDS in this tool")
    try:
        check_machine()
        for suite, other_packages in SUITES.items():
            tree = _system(suite)
            tested = ".venv-bounds/bin/python -m pytest --numprocesses auto --quiet"
            for command in (*COMMANDS, "python3 -m venv .venv-bounds", other_packages, tested):
                _as_user(tree, command)
            say(f"{suite}: all passed; its output is in {tree.log.relative_to(PROJECT)}")
    except TreeError as error:
        sys.exit(f"make fresh: {error}")


if __name__ == "__main__":
    main()
