"""The machine that the box runs on, as probes see it: its files, its programs, and whether a box is running."""

from __future__ import annotations

import fcntl
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from device.paths import lock_file

PROGRAM_S = 5.0
"""The time limit for a program to answer, in seconds; those used here take well under one second."""


class NoAnswer(Exception):
    """A program is missing, fails, or does not answer in time."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine, by the root of its file system."""

    root: Path = Path("/")

    def read(self, path: str) -> bytes:
        """Return the content of a file, given by its path without the leading slash, or raise OSError."""
        return (self.root / path).read_bytes()

    def ask(self, *command: str, told: str | None = None, within_s: float = PROGRAM_S) -> str:
        """Run a program and return its output, in English; raise `NoAnswer` if it is missing, fails or takes too long.

        Args:
            command: The program and its arguments, which everybody on the machine may see, as may the log.
            told: What it reads, which nobody else sees; None for nothing.
            within_s: The time limit, in seconds.
        """
        given = {"stdin": subprocess.DEVNULL} if told is None else {"input": told}
        try:
            done = subprocess.run(
                command, capture_output=True, encoding="utf-8", check=True, timeout=within_s,
                env={**os.environ, "LC_ALL": "C.UTF-8"}, **given,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError, UnicodeError) as error:
            why = getattr(error, "stderr", None) or ""
            raise NoAnswer(f"{command[0]}: {error} {why}".strip()) from error
        return done.stdout

    @property
    def is_pi(self) -> bool:
        """Whether it is a Raspberry Pi."""
        return "Raspberry Pi" in self.model

    @property
    def model(self) -> str:
        """The name of the board's model; "" if it has none."""
        try:
            return self.read("proc/device-tree/model").decode("utf-8", "replace").strip("\0\n ")
        except OSError:
            return ""


def box_is_running(journal: Path) -> bool:
    """Return whether a box is playing with this journal's file now."""
    try:
        with lock_file(journal).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return isinstance(error, BlockingIOError)
    return False
