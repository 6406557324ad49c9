"""The page's process beside a simulated box."""

from __future__ import annotations

import secrets
import select
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

START_S = 30.0
"""How long the page's process may take to start; a busy machine needs some seconds."""
END_S = 5.0


class PageProcess:
    """The page's process as on a box, served to this machine alone; a context manager."""

    def __init__(self, socket_file: Path, port: int) -> None:
        """Prepare; entering the context starts it.

        Args:
            socket_file: The box's socket.
            port: The port to serve on; another one that is free where it is taken.
        """
        self._command = [sys.executable, "-m", "device.cli", "web", "--socket", str(socket_file), "--bind", "127.0.0.1"]
        self._command += ["--port", str(port if _is_free(port) else 0), "--with-parent"]
        self.address = ""

    def __enter__(self) -> Self:
        """Start it, and learn its address.

        Raises:
            OSError: If it does not start.
        """
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], START_S)
        line = self._process.stdout.readline() if ready else ""
        self.address = line.rpartition(" ")[2].strip()
        if not self.address:
            self._end()
            raise OSError(f"the page does not start: {' '.join(self._command)}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        self._end()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def invitation() -> str:
    """Make a code for whoever has started the simulated box: too long to be guessed, as it stays valid."""
    return secrets.token_hex(8).upper()


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
