"""A tree booted by systemd-nspawn: systemd itself as process 1, asked and disturbed from outside."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from tools.trees import Tree, TreeError

PATIENCE_S = 60.0
"""How long to wait for what must happen, on a machine that is busy with other things."""


RESTART = 133
"""What systemd-nspawn ends with when its tree wants to be started again."""

CODE = ("opt", "usr/bin", "usr/lib")
"""Where a tree's programs and libraries are."""


def forget(tree: Tree) -> None:
    """Have the kernel hold none of a tree's programs in memory, as on a machine that was just switched on.

    Of a library that was just written it holds all, and whoever loads it has twice as much of it resident.
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
    """What systemd says of itself once it counts as booted."""

    def __init__(
        self, tree: Tree, binds: dict[Path, str], *, kernel: tuple[str, ...] = (), has_network: bool = True
    ) -> None:
        """Prepare.

        Args:
            tree: What to boot.
            binds: Folders of this machine and where they are seen in the booted one.
            kernel: Words of the kernel's command line; in a container they are process 1's.
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
            TreeError: If systemd does not come up.
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        """Wait until it has shut down to be started again, which is for the caller to do.

        Raises:
            TreeError: If it does not, or if it was switched off.
        """
        self.goes_off()
        if self._nspawn.returncode != RESTART:
            raise TreeError(f"it was switched off, not restarted:\n{self.said()}")

    def cut_power(self) -> None:
        """End everything in it at once, as a power cut does for processes."""
        deadline = time.monotonic() + PATIENCE_S
        while self._nspawn.poll() is None:
            # The tree's process 1 takes everything else with it; systemd-nspawn would leave some of it running.
            process = self._leader or (self._nspawn.pid if time.monotonic() > deadline else 0)
            with contextlib.suppress(ProcessLookupError):
                if process:
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.03)

    def wait_for(self, happens: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> float:
        """Wait until something is so, and give the seconds that it took.

        Raises:
            TreeError: If it never is.
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
        """Run a command in it."""
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
        """Run a command in it that must end with this status, and give what it says.

        Raises:
            TreeError: If it ends with another one.
        """
        done = self.call(*command)
        if done.returncode != status:
            raise TreeError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def unit(self, what: str, name: str = "cantstop") -> str:
        """Ask systemd for one of a unit's properties, such as "NRestarts"."""
        return self.do("systemctl", "show", "--value", "--property", what, name)

    def is_active(self) -> bool:
        """Whether the box has said that it plays."""
        return self.unit("ActiveState") == "active"

    def is_another(self, than: str) -> bool:
        """Whether the box has said that it plays, as another process."""
        return self.is_active() and self.unit("MainPID") != than

    def memory_mb(self, name: str = "cantstop") -> dict[str, float]:
        """Return a unit's memory, as the kernel counts it: VmRSS now, VmHWM at most, RssAnon its own."""
        status = self.do("cat", f"/proc/{self.unit('MainPID', name)}/status")
        rows = (line.split() for line in status.splitlines())
        return {row[0].rstrip(":"): int(row[1]) / 1000 for row in rows if row[0] in {"VmRSS:", "VmHWM:", "RssAnon:"}}

    def said(self, lines: int = 30) -> str:
        """Return the last lines of what the box has said."""
        if not self._leader:
            return self._console.read_text()[-2000:]
        return self.call("journalctl", "--no-pager", "-o", "short-precise", "-n", str(lines), "-u", "cantstop").stdout

    @property
    def _leader(self) -> int:
        """The tree's process 1, 0 where there is none: a restarted tree has another one.

        systemd-nspawn's first child is only a step on the way to the one that becomes systemd.
        """
        try:
            children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children").read_text().split()
        except OSError:  # it has ended
            return 0
        return int(children[0]) if children else 0

    def _is_up(self) -> bool:
        return self._leader != 0 and self.call("systemctl", "is-system-running").stdout.strip() in self.up
