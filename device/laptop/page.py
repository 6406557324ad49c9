"""Serves the page beside a game on a computer, and opens it in the browser."""

from __future__ import annotations

import contextlib
import html
import subprocess
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Iterator, Mapping
from pathlib import Path

END_S = 5.0
"""The time limit for the page's end, in seconds; requests in progress get two."""
THIS_COMPUTER, EVERYONE = "127.0.0.1", "0.0.0.0"
"""The addresses to serve the page on: for this computer only, or for everyone in its networks."""
OPENS_S = 30.0
"""The time in which a browser must have read the file that leads to the page, in seconds."""


@contextlib.contextmanager
def served(socket_file: Path, port: int, bind: str = THIS_COMPUTER) -> Iterator[str]:
    """Serve the page in a thread; yields its address.

    Args:
        socket_file: The box's socket.
        port: The port; if it is taken, any free one.
        bind: The address to serve it on; by default nobody else in the network can reach it.

    Raises:
        OSError: If no port is available.
    """
    from device.page.web_side.server import PageServer, bound

    try:
        listener = bound(bind, port)
    except OSError:
        listener = bound(bind, 0)
    server = PageServer(socket_file, listener)
    thread = threading.Thread(target=server.serve, name="page", daemon=True)
    thread.start()
    try:
        yield server.address
    finally:
        server.end()
        thread.join(END_S)


def has_desktop(environ: Mapping[str, str], platform: str) -> bool:
    """Whether a browser can open a window on this machine: not over ssh, and not without a display."""
    if environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"):
        return False
    return platform == "darwin" or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def open_in_browser(link: str) -> subprocess.Popen[str]:
    """Open a page in this machine's browser, without its output on the terminal.

    Everybody on this machine can read the arguments of all programs, but the link pairs a browser. So the browser gets
    a file that only this user can read and that leads to the link; it is removed after `OPENS_S`. It is in the home
    folder, as a browser from a Snap package reads no temporary files.

    Returns:
        The program that opens the browser and removes the file; nothing needs to wait for it.
    """
    nowhere = subprocess.DEVNULL
    command = [sys.executable, "-c", f"from {__name__} import _open_from_stdin; _open_from_stdin()"]
    opener = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, text=True, start_new_session=True
    )
    assert opener.stdin is not None
    with opener.stdin as pipe:
        pipe.write(link)
    return opener


def _open_from_stdin() -> None:
    link = html.escape(sys.stdin.read())
    with tempfile.NamedTemporaryFile("w", dir=Path.home(), prefix="cantstop-", suffix=".html") as file:  # mode 0600
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={link}">')
        file.flush()
        webbrowser.open(Path(file.name).as_uri())
        time.sleep(OPENS_S)
