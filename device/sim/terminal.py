"""The terminal: keys in, the drawn box out, and left as it was found whatever happens."""

from __future__ import annotations

import errno
import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Mapping
from types import FrameType, TracebackType
from typing import Any, Self

from PIL import Image

from device.sim.picture_text import Colours, compose
from vision.reading import Frame

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
"""Another screen, no cursor, lines that are cut off and not wrapped, all blank."""
_LEAVE = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"

_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[O])")
"""What arrow keys, function keys and Alt with a key send; it contains letters that are no keys of ours."""
_CUT_OFF = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?$")

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

_UNTOLD = os.terminal_size((80, 24))
"""The size of a terminal that does not tell it, as over a serial line: what terminals have by custom."""

_ENDS = (signal.SIGTERM, signal.SIGHUP)


class Terminal:
    """Draws the simulated box in a terminal and reads its keys; a context manager for the main thread.

    Within the context SIGTERM and SIGHUP end the program by `SystemExit`, so that the terminal is restored and the
    game is closed; Ctrl-C is `KeyboardInterrupt` as ever. Ctrl-Z does nothing: a shell would get a bewildered terminal.
    """

    def __init__(
        self, keyboard: int | None = None, screen: int | None = None, environ: Mapping[str, str] = os.environ
    ) -> None:
        """Take a terminal; entering the context changes it.

        Args:
            keyboard: The file descriptor for keys; None for standard input.
            screen: The file descriptor to draw on; None for standard output.
            environ: Tells which colours there are (NO_COLOR, COLORTERM, TERM).
        """
        self._keyboard = sys.stdin.fileno() if keyboard is None else keyboard
        self._screen = sys.stdout.fileno() if screen is None else screen
        self._colours = colours_of(environ)
        self._lines: list[str] = []
        self._size = os.terminal_size((0, 0))
        self._unread = ""
        self._handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        """Take over the terminal."""
        self._found = termios.tcgetattr(self._keyboard)
        for number in _ENDS:
            self._handlers[number] = signal.signal(number, _end)
        self._handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        try:
            tty.setcbreak(self._keyboard)
            self._write(_ENTER)
        except BaseException:
            self._restore()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was found."""
        self._restore()

    def draw(self, oled: Image.Image, tray: Frame | None, status: str = "") -> None:
        """Draw the box; only the lines that differ from what stands there are written.

        Args:
            oled: What the OLED shows: 128x64 pixels, mode "1".
            tray: What the camera sees, uint8 (H, W, 3) in BGR; None for nothing.
            status: A line for what there is to say.

        Raises:
            OSError: If the terminal is gone.
        """
        size = os.get_terminal_size(self._screen)
        if 0 in size:
            size = _UNTOLD
        out = []
        if size != self._size:  # looked at each time, so that no signal needs to tell of it
            self._size, self._lines = size, []
            out.append("\x1b[0m\x1b[2J")
        lines = compose(oled, tray, status, size.columns, size.lines, self._colours)
        before = self._lines + [""] * (len(lines) - len(self._lines))
        lines += [""] * (len(before) - len(lines))
        out += [
            f"\x1b[{row};1H{line}{_rest(line, size.columns)}"
            for row, (line, old) in enumerate(zip(lines, before, strict=True), start=1)
            if line != old
        ]
        self._lines = lines
        if out:
            self._write("".join(out))

    def keys(self, timeout_s: float) -> list[str]:
        """Wait for keys.

        Args:
            timeout_s: How long at most, in seconds.

        Returns:
            The characters typed since the last call; none of them where nobody typed, or typed an arrow key.

        Raises:
            OSError: If the terminal is gone.
        """
        ready, _, _ = select.select([self._keyboard], [], [], timeout_s)
        if not ready:
            self._unread = ""  # an Escape by itself, not the begin of a sequence
            return []
        data = os.read(self._keyboard, 1024)
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

    def _restore(self) -> None:
        try:
            self._write(_LEAVE)
            # What was typed and not read is thrown away: it was meant for the box, not for the shell.
            termios.tcsetattr(self._keyboard, termios.TCSAFLUSH, self._found)
        except (OSError, termios.error):
            pass  # hung up: there is no terminal left to be restored
        finally:
            for number, handler in self._handlers.items():
                signal.signal(number, handler)


def colours_of(environ: Mapping[str, str]) -> Colours:
    """Tell how many colours a terminal shows; see https://no-color.org for the first of these rules.

    Args:
        environ: The environment's variables.
    """
    if environ.get("NO_COLOR") or environ.get("TERM") in {"dumb", "vt100", "vt220"}:
        return Colours.NONE
    if environ.get("COLORTERM") in {"truecolor", "24bit"}:
        return Colours.TRUE
    return Colours.CUBE


def _rest(line: str, columns: int) -> str:
    """Clear what is right of a line; behind a full one the cursor stands on its last character, which is to stay."""
    return "\x1b[K" if len(_COLOUR.sub("", line)) < columns else ""


def _end(number: int, _: FrameType | None) -> None:
    """End the program by an exception, which restores what there is to be restored, with a shell's exit status."""
    raise SystemExit(128 + number)
