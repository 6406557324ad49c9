"""The terminal: reads keys, draws panels, and restores the terminal's state whatever happens."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any, Self

from device.laptop.keyboard import keyboard_of
from device.laptop.layout import Rect
from device.laptop.oled_text import Colours

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""The sequences for the alternate screen, a hidden cursor, and no line wrapping."""
_BLANK = "\x1b[0m\x1b[2J"
_LEAVE = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

_DEFAULT_SIZE = os.terminal_size((80, 24))
"""The size of a terminal that does not report it, as over a serial line: the conventional one."""

_ENDS = ("SIGTERM", "SIGHUP")
_STOPS = "SIGTSTP"
"""The signals that are handled, where the system has them."""


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A part of the screen.

    Attributes:
        room: Its position and size.
        lines: Its lines, at most as many and as wide as its room; escape sequences end within their line.
    """

    room: Rect
    lines: Sequence[str] = ()


class Terminal:
    """Draws the game in a terminal and reads its keys; a context manager for the main thread.

    Within the context SIGTERM and SIGHUP end the program by `SystemExit`, so that the terminal is restored and the game
    is closed; Ctrl-C raises `KeyboardInterrupt` as usual. Ctrl-Z has no effect: it would leave the shell a broken
    terminal.
    """

    def __init__(
        self, keyboard: int | None = None, screen: int | None = None, environ: Mapping[str, str] = os.environ
    ) -> None:
        """Set the terminal; entering the context changes its mode.

        Args:
            keyboard: The file descriptor for keys; None for standard input.
            screen: The file descriptor to draw on; None for standard output.
            environ: The environment's variables for colours (NO_COLOR, COLORTERM, TERM).
        """
        self._keyboard = keyboard_of(sys.stdin.fileno() if keyboard is None else keyboard)
        self._screen = sys.stdout.fileno() if screen is None else screen
        self.colours = colours_of(environ)
        self._drawn: list[Panel] = []
        self._size = os.terminal_size((0, 0))
        self._handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        """Set the terminal's mode and screen."""
        for name in (*_ENDS, _STOPS):
            if number := getattr(signal, name, None):
                self._handlers[number] = signal.signal(number, signal.SIG_IGN if name == _STOPS else _end)
        try:
            self._keyboard.open()
            self._write(_ENTER + _BLANK)
        except BaseException:
            self._restore()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Restore the terminal."""
        self._restore()

    def size(self) -> os.terminal_size:
        """Return its width and height in characters.

        Raises:
            OSError: If the terminal is gone.
        """
        size = os.get_terminal_size(self._screen)
        return _DEFAULT_SIZE if 0 in size else size

    def draw(self, panels: Sequence[Panel]) -> None:
        """Draw the panels; only what has changed is written.

        Args:
            panels: Panels without overlap. A panel that is the same object as last time is not drawn again.

        Raises:
            OSError: If the terminal is gone.
        """
        size = self.size()
        out = []
        # The size is checked each time, so no signal is needed.
        if size != self._size or [panel.room for panel in panels] != [panel.room for panel in self._drawn]:
            self._size, self._drawn = size, []
            out.append(_BLANK)
        before: Sequence[Panel | None] = self._drawn or [None] * len(panels)
        for panel, old in zip(panels, before, strict=True):
            if panel is not old:
                out += _changed_lines(panel, old)
        self._drawn = list(panels)
        if out:
            self._write("".join(out))

    def keys(self, timeout_s: float) -> list[str]:
        """Wait for keys and return them.

        Args:
            timeout_s: The longest wait in seconds.

        Returns:
            The characters typed since the last call; arrow keys are ignored.

        Raises:
            OSError: If the terminal is gone.
        """
        return self._keyboard.read(timeout_s)

    def _write(self, text: str) -> None:
        data = text.encode()
        while data:
            data = data[os.write(self._screen, data) :]

    def _restore(self) -> None:
        try:
            with contextlib.suppress(OSError):  # hung up: the terminal is gone
                self._write(_LEAVE)
            self._keyboard.close()
        finally:
            for number, handler in self._handlers.items():
                signal.signal(number, handler)


def colours_of(environ: Mapping[str, str]) -> Colours:
    """Return the number of a terminal's colours; see https://no-color.org for the first of these rules.

    Args:
        environ: The environment's variables.
    """
    if environ.get("NO_COLOR") or environ.get("TERM") in {"dumb", "vt100", "vt220"}:
        return Colours.NONE
    if environ.get("COLORTERM") in {"truecolor", "24bit"}:
        return Colours.TRUE
    return Colours.CUBE


def _at(row: int, column: int) -> str:
    return f"\x1b[{row + 1};{column + 1}H"


def _changed_lines(panel: Panel, old: Panel | None) -> list[str]:
    """Return the sequence that writes a panel's changed lines, each padded to the panel's width."""
    before = old.lines if old is not None else ()
    out = []
    for index in range(panel.room.rows):
        line = panel.lines[index] if index < len(panel.lines) else ""
        if index < len(before) and line == before[index]:
            continue
        if not line and index >= len(before):
            continue  # blank already
        blank = " " * max(0, panel.room.columns - len(_COLOUR.sub("", line)))
        out.append(_at(panel.room.row + index, panel.room.column) + line + blank)
    return out


def _end(number: int, _: FrameType | None) -> None:
    """End the program by an exception with a shell's exit status, so that everything is restored."""
    raise SystemExit(128 + number)
