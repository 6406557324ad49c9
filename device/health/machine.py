"""The machine that the box runs on, as probes see it: its files, its programs, and whether a box is running."""

from __future__ import annotations

import fcntl
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

    def ask(self, *command: str) -> str:
        """Run a program and return its output; raise `NoAnswer` if it is missing, fails or exceeds `PROGRAM_S`."""
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, timeout=PROGRAM_S, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.SubprocessError, UnicodeError) as error:
            raise NoAnswer(f"{command[0]}: {error}") from error
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
