"""The terminal: reads keys, draws the table, and restores the terminal's state whatever happens."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import select  # here, as Python may lose a Ctrl-C during an import
import signal
import sys
import termios
import tty
from types import FrameType
from typing import Any, Self

from rich.console import Console, ConsoleDimensions, RenderableType
from rich.screen import Screen

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""The sequences for the alternate screen, a hidden cursor, and no line wrapping."""
_HOME = "\x1b[H"
_LEAVE = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"

_DEFAULT_SIZE = os.terminal_size((80, 24))
"""The size of a terminal that does not report it, as over a serial line: the conventional one."""

_ENDS = (signal.SIGTERM, signal.SIGHUP)
_STOPS = signal.SIGTSTP
"""The signals that are handled."""

_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[O])")
"""The sequences of arrow keys, function keys and Alt with a key; their letters are not keys."""
_CUT_OFF = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?$")


class Terminal:
    """Draws the game in a terminal and reads its keys; a context manager for the main thread.

    Within the context SIGTERM and SIGHUP end the program by `SystemExit`, so that the terminal is restored and the game
    is closed; Ctrl-C raises `KeyboardInterrupt` as usual. Ctrl-Z has no effect: it would leave the shell a broken
    terminal.
    """

    def __init__(self, keyboard: int | None = None, screen: int | None = None) -> None:
        """Set the terminal; entering the context changes its mode. Its colours are those that the environment tells.

        Args:
            keyboard: The file descriptor for keys; None for standard input.
            screen: The file descriptor to draw on; None for standard output.
        """
        self._keys = sys.stdin.fileno() if keyboard is None else keyboard
        self._unread = ""
        self._found: list[Any] | None = None
        self._screen = sys.stdout.fileno() if screen is None else screen
        self._console = Console(force_terminal=True)
        self._handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        """Set the terminal's mode and screen, so that keys come without Enter; raise termios.error if it is none."""
        for number in (*_ENDS, _STOPS):
            self._handlers[number] = signal.signal(number, signal.SIG_IGN if number == _STOPS else _end)
        try:
            self._found = termios.tcgetattr(self._keys)
            tty.setcbreak(self._keys)
            self._write(_ENTER)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Restore the terminal."""
        try:
            with contextlib.suppress(OSError):  # hung up: the terminal is gone
                self._write(_LEAVE)
            if self._found is not None:
                with contextlib.suppress(OSError, termios.error):  # hung up: the terminal is gone
                    # Unread keys are discarded, as they were not meant for the shell.
                    termios.tcsetattr(self._keys, termios.TCSAFLUSH, self._found)
        finally:
            for number, handler in self._handlers.items():
                signal.signal(number, handler)

    def size(self) -> os.terminal_size:
        """Return its width and height in characters.

        Raises:
            OSError: If the terminal is gone.
        """
        size = os.get_terminal_size(self._screen)
        return _DEFAULT_SIZE if 0 in size else size

    def draw(self, table: RenderableType) -> None:
        """Fill the terminal.

        Args:
            table: What to draw from the top left corner; what does not fit is cut off.

        Raises:
            OSError: If the terminal is gone.
        """
        self._console.size = ConsoleDimensions(*self.size())
        with self._console.capture() as drawn:
            self._console.print(Screen(table), end="")
        self._write(_HOME + drawn.get())

    def keys(self, timeout_s: float) -> list[str]:
        """Wait for keys and return them.

        Args:
            timeout_s: The longest wait in seconds.

        Returns:
            The characters typed since the last call; arrow keys are ignored.

        Raises:
            OSError: If the terminal is gone.
        """
        ready, _, _ = select.select([self._keys], [], [], timeout_s)
        if not ready:
            self._unread = ""  # an Escape key, not the beginning of a sequence
            return []
        data = os.read(self._keys, 1024)
        if not data:
            raise OSError(errno.EIO, "the terminal was closed")
        typed = _SEQUENCE.sub("", self._unread + data.decode(errors="ignore"))
        cut = _CUT_OFF.search(typed)
        self._unread = cut.group() if cut else ""
        return list(typed[: cut.start()] if cut else typed)

    def _write(self, text: str) -> None:
        data = text.encode()
        while data:
            data = data[os.write(self._screen, data) :]


def _end(number: int, _: FrameType | None) -> None:
    """End the program by an exception with a shell's exit status, so that everything is restored."""
    raise SystemExit(128 + number)
