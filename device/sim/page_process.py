"""Runs the page's process beside a simulated box."""

from __future__ import annotations

import select
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Self

START_S = 30.0
"""The time limit for the page's process to start, in seconds; a busy machine needs some seconds."""
END_S = 5.0


class PageProcess:
    """The page's process, served only to this machine; a context manager."""

    def __init__(self, socket_file: Path, port: int) -> None:
        """Prepare; entering the context starts it.

        Args:
            socket_file: The box's socket.
            port: The port; if it is taken, any free one.
        """
        self._command = [sys.executable, "-m", "device.cli", "web", "--socket", str(socket_file), "--with-parent"]
        self._port = port
        self.address = ""

    def __enter__(self) -> Self:
        """Start it, and wait for its address.

        Raises:
            OSError: If it does not start.
        """
        # The port is bound here and handed over, so that no other program can take it in between.
        with _listener(self._port) as listener:
            number = listener.fileno()
            self._process = subprocess.Popen(
                [*self._command, "--listener", str(number)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                pass_fds=[number],
            )
        self.pid = self._process.pid
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], START_S)
        line = self._process.stdout.readline() if ready else ""
        self.address = line.rpartition(" ")[2].strip()
        if not self.address:
            self._end()
            raise OSError(f"the page did not start: {' '.join(self._command)}")
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._end()

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


def has_desktop(environ: Mapping[str, str], platform: str) -> bool:
    """Whether a browser can open a window on this machine: not over ssh, and not without a display."""
    if environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"):
        return False
    return platform == "darwin" or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def open_in_browser(link: str) -> None:
    """Open a page in this machine's browser, without its output on the terminal."""
    nowhere = subprocess.DEVNULL
    command = [sys.executable, "-m", "webbrowser", link]
    subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)


def _listener(port: int) -> socket.socket:
    """Return a socket bound to this machine only: to the given port, or to another one if that is taken."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError:
        listener.bind(("127.0.0.1", 0))
    return listener
