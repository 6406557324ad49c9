"""The keys of a terminal, each as it is typed: by termios on Linux and macOS, by msvcrt on Windows (untested)."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import select  # here, as Python may lose a Ctrl-C during an import
import sys
import time
from typing import Any

_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[O])")
"""The sequences of arrow keys, function keys and Alt with a key; their letters are not keys."""
_CUT_OFF = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?$")

_POLL_S = 0.02
"""The interval at which Windows is asked for keys, in seconds; it has no wait with a timeout for them."""


def keyboard_of(file: int) -> PosixKeyboard | WindowsKeyboard:
    """Return the keyboard of this system; `file` is the file descriptor to read from."""
    return WindowsKeyboard() if sys.platform == "win32" else PosixKeyboard(file)


class PosixKeyboard:
    """The keys of a terminal on Linux or macOS."""

    def __init__(self, file: int) -> None:
        """Prepare; `open` changes the terminal's mode.

        Args:
            file: The file descriptor to read from.
        """
        self._file = file
        self._unread = ""
        self._found: list[Any] | None = None

    def open(self) -> None:
        """Start reading keys without Enter; raises termios.error if it is no terminal."""
        import termios
        import tty

        self._found = termios.tcgetattr(self._file)
        tty.setcbreak(self._file)

    def read(self, timeout_s: float) -> list[str]:
        """Return the characters typed since the last call, after at most `timeout_s`; raise OSError if it is gone."""
        ready, _, _ = select.select([self._file], [], [], timeout_s)
        if not ready:
            self._unread = ""  # an Escape key, not the beginning of a sequence
            return []
        data = os.read(self._file, 1024)
        if not data:
            raise OSError(errno.EIO, "the terminal was closed")
        typed = _SEQUENCE.sub("", self._unread + data.decode(errors="ignore"))
        cut = _CUT_OFF.search(typed)
        self._unread = cut.group() if cut else ""
        return list(typed[: cut.start()] if cut else typed)

    def close(self) -> None:
        """Restore the terminal; unread keys are discarded, as they were not meant for the shell."""
        import termios

        if self._found is not None:
            with contextlib.suppress(OSError, termios.error):  # hung up: the terminal is gone
                termios.tcsetattr(self._file, termios.TCSAFLUSH, self._found)


class WindowsKeyboard:
    """The keys of a console on Windows. Untested."""

    def open(self) -> None:
        """Let the console understand UTF-8 and escape sequences."""
        os.system("chcp 65001 > NUL")

    def read(self, timeout_s: float) -> list[str]:
        """See `PosixKeyboard.read`."""
        import msvcrt

        until = time.monotonic() + timeout_s
        typed: list[str] = []
        while not typed and time.monotonic() < until:
            while msvcrt.kbhit():  # type: ignore[attr-defined]
                key = msvcrt.getwch()  # type: ignore[attr-defined]
                if key in "\x00\xe0":
                    msvcrt.getwch()  # type: ignore[attr-defined] # an arrow or function key
                else:
                    typed.append(key)
            if not typed:
                time.sleep(_POLL_S)
        return typed

    def close(self) -> None:
        """See `PosixKeyboard.close`."""
