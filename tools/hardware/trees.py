"""Debian trees below build/trees for tests of the installer: created once by mmdebstrap, entered by systemd-nspawn.

For packages of Raspberry Pi's archive that Debian lacks (lgpio, picamera2), a tree gets packages with the same names,
made here from the releases on PyPI, in an archive of its own, so that apt works as on a Pi.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.install.archives import PROJECT, commit_time, pi_archive

BUILD = PROJECT / "build"
TREES = BUILD / "trees"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
BASE = ("systemd", "systemd-sysv", "dbus", "udev", "ca-certificates", "python3")
COMMANDS = {"mmdebstrap": "mmdebstrap", "systemd-nspawn": "systemd-container", "dpkg-deb": "dpkg"}
QEMU = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")

_begun = time.monotonic()


class TreeError(Exception):
    """A tree cannot be created or used; the message says why and what to do."""


def say(words: str) -> None:
    """Print the progress."""
    print(f"[{time.monotonic() - _begun:5.0f} s] {words}", flush=True)


def expect(holds: bool, what: str) -> None:
    """Raise an error unless a condition is true.

    Raises:
        TreeError: If it is not.
    """
    if not holds:
        raise TreeError(f"this does not hold: {what}")


def check_machine(*, foreign: bool = False) -> None:
    """Check whether trees can be created here.

    Args:
        foreign: Whether programs for another architecture are to run.

    Raises:
        TreeError: With the packages to install.
    """
    if sys.platform != "linux" or os.geteuid() != 0:
        raise TreeError("trees are made and booted by root on Linux: sudo make boot")
    missing = [package for command, package in COMMANDS.items() if shutil.which(command) is None]
    if foreign and not QEMU.exists():
        missing += ["qemu-user-static", "binfmt-support"]
    if missing:
        raise TreeError(f"missing here: sudo apt install {' '.join(missing)}")


def run(command: Iterable[str | Path], log: Path, timeout_s: float = 3000) -> None:
    """Run a command with its output in a log.

    Raises:
        TreeError: If it fails or takes too long, with the log's last lines.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    words = [str(word) for word in command]
    with log.open("a") as out:
        print("$", *words, file=out, flush=True)
        try:
            done = subprocess.run(
                words, stdout=out, stderr=out, stdin=subprocess.DEVNULL, timeout=timeout_s, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise TreeError(f"{words[0]} took longer than {timeout_s:g} s; see {log}") from error
    if done.returncode:
        last = "\n".join(f"  | {line}" for line in log.read_text(errors="replace").splitlines()[-12:])
        raise TreeError(f"{' '.join(words)[:200]} failed:\n{last}")


@dataclass(frozen=True, slots=True)
class Tree:
    """A Debian system in a folder.

    Attributes:
        folder: Its folder.
        suite: The name of the Debian suite, such as "trixie".
        architecture: Debian's name of the architecture, "amd64" or "arm64".
    """

    folder: Path
    suite: str
    architecture: str

    @property
    def log(self) -> Path:
        """The log of all commands and their output."""
        return self.folder.with_suffix(".log")

    @property
    def python(self) -> str:
        """The version of its Python."""
        return {"bookworm": "3.11", "trixie": "3.13"}[self.suite]

    @property
    def binds(self) -> list[str]:
        """The parts of this machine that are visible in it: pip's cache, and certificates, which a network may add."""
        cache = BUILD / "pip-cache"
        cache.mkdir(parents=True, exist_ok=True)
        certificates = [f"--bind-ro={CERTIFICATES}"] if CERTIFICATES.exists() else []
        return [f"--bind={cache}:/var/cache/pip", *certificates]

    @property
    def settings(self) -> list[str]:
        """The environment variables for these parts."""
        return ["DEBIAN_FRONTEND=noninteractive", "PIP_CACHE_DIR=/var/cache/pip", f"PIP_CERT={CERTIFICATES}"]

    def inside(self, *command: str | Path) -> list[str]:
        """Return the command prefix that runs a command in the tree, in this machine's network."""
        words = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--pipe", f"--directory={self.folder}"]
        words += ["--resolv-conf=copy-host", *self.binds, "--", "env", "LC_ALL=C.UTF-8", *self.settings]
        return [*words, *map(str, command)]

    def do(self, *command: str | Path, timeout_s: float = 3000) -> None:
        """Run a command in the tree, with its output in the tree's log.

        Raises:
            TreeError: If it fails.
        """
        run(self.inside(*command), self.log, timeout_s=timeout_s)

    def ask(self, *command: str | Path, status: int = 0, timeout_s: float = 3000) -> str:
        """Run a command in the tree and return its standard output.

        Raises:
            TreeError: If it ends with another status than expected.
        """
        done = subprocess.run(
            self.inside(*command),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=timeout_s,
            check=False,
        )
        with self.log.open("a") as log:
            print("$", *command, "\n", done.stdout, done.stderr, file=log)
        if done.returncode != status:
            said = (done.stdout + done.stderr)[-1500:]
            raise TreeError(f"{' '.join(map(str, command))} ended with {done.returncode}, not {status}:\n{said}")
        return done.stdout

    def copy_sources(self) -> None:
        """Unpack a release made from the current sources in the tree's /src."""
        archive, target = self.folder.with_suffix(".tar.gz"), self.folder / "src"
        pi_archive(archive, commit_time())
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        run(["tar", "-xzf", archive, "--strip-components=1", "-C", target], self.log)


def base_tree(suite: str, architecture: str, packages: Iterable[str] = BASE, *, name: str | None = None) -> Tree:
    """Return a bare system, created at the first call, which takes two minutes, and some ten under emulation.

    Args:
        suite: The name of the Debian suite.
        architecture: Debian's name of the architecture.
        packages: The packages beside those that every Debian needs.
        name: Its folder's name; None for that of the trees to install the box into.
    """
    tree = Tree(TREES / (name or f"{suite}-{architecture}"), suite, architecture)
    if not (tree.folder / "etc/debian_version").exists() or not (tree.folder / ".made").exists():
        say(f"making a Debian {suite} {architecture} in {tree.folder}")
        shutil.rmtree(tree.folder, ignore_errors=True)
        TREES.mkdir(parents=True, exist_ok=True)
        options = [f"--arch={architecture}", "--variant=minbase", f"--include={','.join(packages)}"]
        run(["mmdebstrap", *options, suite, tree.folder, f"deb {_mirror()} {suite} main"], tree.log)
        (tree.folder / ".made").touch()
    return tree


def _mirror() -> str:
    """Return the Debian archive that this machine's own apt uses: others may be unreachable.

    Raises:
        TreeError: If it uses none.
    """
    question = ["apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)", "Created-By: Packages"]
    told = subprocess.run(question, capture_output=True, text=True, check=False).stdout.split("\n")
    mirrors = sorted({line.removeprefix("Debian ") for line in told if line.startswith("Debian ")})
    if not mirrors:
        raise TreeError("this machine's apt knows no archive of Debian: sudo apt-get update, on a Debian")
    return mirrors[0]


def copy_of(tree: Tree, folder: Path) -> Tree:
    """Copy a tree."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    run(["cp", "--archive", "--reflink=auto", tree.folder, folder], folder.with_suffix(".log"))
    return Tree(folder, tree.suite, tree.architecture)


def install_twice(tree: Tree) -> None:
    """Install the box from the tree's /src.

    Raises:
        TreeError: If that fails, or if the installer's second run changes anything.
    """
    say("sudo ./install.sh")
    print(tree.ask("sh", "/src/install.sh", "--container"), end="")
    again = tree.ask("sh", "/src/install.sh", "--container")
    if "nothing was changed" not in again:
        raise TreeError(f"a second run changed something:\n{again}")
    say("a second run changed nothing")
