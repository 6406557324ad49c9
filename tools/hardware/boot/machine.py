"""A tree booted by systemd-nspawn, with systemd itself as process 1, controlled from outside."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from tools.hardware.trees import Tree, TreeError

PATIENCE_S = 60.0
"""The longest wait for an event, in seconds, on a busy machine."""


RESTART = 133
"""The exit status of systemd-nspawn when its tree requests a restart."""

CODE = ("opt", "usr/bin", "usr/lib")
"""The folders of a tree's programs and libraries."""


def forget(tree: Tree) -> None:
    """Remove a tree's programs from the kernel's page cache, as on a machine that was just switched on.

    A library that was just written is completely cached, and counts twice as much resident memory in its processes.
    """
    os.sync()
    for folder in CODE:
        for place, _, names in os.walk(tree.folder / folder):
            for file in (Path(place) / name for name in names):
                if file.is_file() and not file.is_symlink():
                    opened = os.open(file, os.O_RDONLY)
                    os.posix_fadvise(opened, 0, 0, os.POSIX_FADV_DONTNEED)
                    os.close(opened)


class Machine:
    """A booted tree; leaving its context switches it off."""

    up: frozenset[str] = frozenset({"running", "degraded"})
    """The states of systemd that count as booted."""

    def __init__(
        self, tree: Tree, binds: dict[Path, str], *, kernel: tuple[str, ...] = (), has_network: bool = True
    ) -> None:
        """Prepare.

        Args:
            tree: The tree to boot.
            binds: Folders of this machine and their paths in the booted one.
            kernel: Words of the kernel's command line, passed to process 1 in a container.
            has_network: Whether it is in this machine's network, or in none.
        """
        self._tree = tree
        self._binds = binds
        self._kernel = kernel
        self._has_network = has_network
        self._console = tree.folder.with_suffix(".console")

    def __enter__(self) -> Self:
        """Boot it.

        Raises:
            TreeError: If systemd does not start.
        """
        command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--console=pipe"]
        command += ["--resolv-conf=copy-host", f"--directory={self._tree.folder}"]
        command += self._tree.binds
        command += [f"--bind={here}:{there}" for here, there in self._binds.items()]
        command += [] if self._has_network else ["--private-network"]
        command += ["--boot", *self._kernel]
        forget(self._tree)
        with self._console.open("w") as console:
            self._nspawn = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=console, stderr=console, start_new_session=True
            )
        try:
            self.wait_for(self._is_up, "systemd comes up")
        except BaseException:
            self.cut_power()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.cut_power()

    def goes_off(self) -> None:
        """Wait until it has shut down by itself.

        Raises:
            TreeError: If it does not.
        """
        try:
            self._nspawn.wait(PATIENCE_S)
        except subprocess.TimeoutExpired as error:
            raise TreeError(f"it does not shut down:\n{self._console.read_text()[-2000:]}") from error

    def restarts(self) -> None:
        """Wait until it has shut down for a restart, which is left to the caller.

        Raises:
            TreeError: If it does not, or if it was switched off.
        """
        self.goes_off()
        if self._nspawn.returncode != RESTART:
            raise TreeError(f"it was switched off, not restarted:\n{self.said()}")

    def cut_power(self) -> None:
        """Kill everything in it at once, like a power cut."""
        deadline = time.monotonic() + PATIENCE_S
        while self._nspawn.poll() is None:
            # Process 1 takes all others with it; systemd-nspawn would leave some of them running.
            process = self._leader or (self._nspawn.pid if time.monotonic() > deadline else 0)
            with contextlib.suppress(ProcessLookupError):
                if process:
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.03)

    def wait_for(self, happens: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> float:
        """Wait until a condition is true, and return the seconds that it took.

        Raises:
            TreeError: If that does not happen in time.
        """
        begun = time.monotonic()
        while not happens():
            if time.monotonic() - begun > patience_s:
                raise TreeError(f"waited {patience_s:g} s in vain: {what}\n{self.said()}")
            if self._nspawn.poll() is not None:
                raise TreeError(f"the booted tree ended, while waiting: {what}\n{self._console.read_text()[-2000:]}")
            time.sleep(0.03)
        return time.monotonic() - begun

    def call(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in it and return the result."""
        enter = ["nsenter", "--target", str(self._leader), "--all", "env", "-i", "PATH=/usr/sbin:/usr/bin"]
        return subprocess.run(
            [*enter, "LC_ALL=C.UTF-8", *self._tree.settings, *command],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S * 10,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def do(self, *command: str, status: int = 0) -> str:
        """Run a command in it that must end with this status, and return its output.

        Raises:
            TreeError: If it ends with another status.
        """
        done = self.call(*command)
        if done.returncode != status:
            raise TreeError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def unit(self, what: str, name: str = "cantstop") -> str:
        """Return one of a unit's properties from systemd, such as "NRestarts"."""
        return self.do("systemctl", "show", "--value", "--property", what, name)

    def is_active(self) -> bool:
        """Whether the box is ready."""
        return self.unit("ActiveState") == "active"

    def is_another(self, than: str) -> bool:
        """Whether the box is ready, as another process."""
        return self.is_active() and self.unit("MainPID") != than

    def memory_mb(self, name: str = "cantstop") -> dict[str, float]:
        """Return a unit's memory in MB, as the kernel counts it: at most VmHWM; now VmRSS, with RssAnon and RssFile."""
        status = self.do("cat", f"/proc/{self.unit('MainPID', name)}/status")
        rows = (line.split() for line in status.splitlines())
        shown = {"VmHWM:", "VmRSS:", "RssAnon:", "RssFile:"}
        return {row[0].rstrip(":"): int(row[1]) / 1000 for row in rows if row[0] in shown}

    def said(self, lines: int = 30) -> str:
        """Return the last lines of the box's log."""
        if not self._leader:
            return self._console.read_text()[-2000:]
        return self.call("journalctl", "--no-pager", "-o", "short-precise", "-n", str(lines), "-u", "cantstop").stdout

    @property
    def _leader(self) -> int:
        """Return the tree's process 1, or 0; a restarted tree has another one.

        systemd-nspawn's first child is only an intermediate one, whose child becomes systemd.
        """
        try:
            children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children").read_text().split()
        except OSError:  # it has ended
            return 0
        return int(children[0]) if children else 0

    def _is_up(self) -> bool:
        return self._leader != 0 and self.call("systemctl", "is-system-running").stdout.strip() in self.up
