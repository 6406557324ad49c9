"""Everything that a command prints: text and tables on standard output, remarks and complaints on standard error.

A line may hold anything, as names of files, labels and settings do: what a terminal cannot show, or would obey, is
escaped. Where nobody reads any more the command ends quietly; where the disk is full it says so.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import sys
from typing import TYPE_CHECKING

from device.printable import printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

LONGEST = 600
"""A longer complaint is shortened in its middle: its beginning names the thing and its end the remedy."""


class NobodyReads(Exception):
    """Whoever read the output has gone, as `head` does."""


class CannotPrint(Exception):
    """Standard output takes nothing; the text says why."""


def prepare() -> None:
    """Make the standard streams safe: all three are open, and what they cannot encode is escaped."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            # Otherwise the journal could become file 1 or 2, and a library's messages would be written into it.
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, closefd=False))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(PrintableLog())


def say(*lines: str) -> None:
    """Print lines; what is within one stays within one.

    Raises:
        NobodyReads: If the reader has gone.
        CannotPrint: If they cannot be written.
    """
    _write("".join(f"{printable(line)}\n" for line in lines))


def show(renderable: RenderableType) -> None:
    """Print a table, or whatever else rich renders, as wide as the terminal; its texts have no markup.

    Raises:
        NobodyReads: If the reader has gone.
        CannotPrint: If it cannot be written.
    """
    paper = _Paper()
    _console(paper).print(renderable)
    _write(paper.getvalue())


class _Paper(io.StringIO):
    """What rich prints on, in the place of standard output: it writes at moments of its own, and hides failures."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Standard output's: tables are drawn in ASCII where it needs that."""
        return sys.stdout.encoding or "ascii"

    def isatty(self) -> bool:
        """Whether standard output is a terminal, which may have colours."""
        return sys.stdout.isatty()


def remark(*lines: str) -> None:
    """Print progress lines on standard error."""
    with contextlib.suppress(OSError):  # then there is nowhere left to say it
        print(*map(printable, lines), sep="\n", file=sys.stderr, flush=True)


def complain(command: str, *problems: str | Exception) -> None:
    """Print what is wrong on standard error, each problem in one line.

    Args:
        command: The subcommand that it is about; "" for the command as a whole.
        problems: What is wrong and what to do; errors may have several lines of it (`problems`).
    """
    name = f"cantstop {command}".rstrip()
    remark(*(_shortened(f"{name}: {line}") for problem in problems for line in _lines(problem)))


def _lines(problem: str | Exception) -> list[str]:
    lines = getattr(problem, "problems", None)
    if isinstance(lines, list):
        return lines
    if isinstance(problem, OSError) and problem.strerror:
        named = "" if problem.filename is None else f"{os.fsdecode(problem.filename)}: "
        return [named + problem.strerror]
    return [str(problem)]


def _shortened(line: str) -> str:
    half = LONGEST // 2
    return line if len(line) <= LONGEST else f"{line[:half]} … {line[-half:]}"


def _write(text: str) -> None:
    """Write to standard output at once.

    Raises:
        NobodyReads: If the reader has gone.
        CannotPrint: If it cannot be written.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # What is still in the stream's buffer must not be tried again at the end of the process.
        os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise NobodyReads from None
        raise CannotPrint(f"standard output: {error.strerror}") from None


def _console(paper: _Paper) -> Console:
    """Make a console that escapes the texts in what it renders, and takes no markup from them."""
    from rich.console import Console
    from rich.text import Text

    class Plain(Console):
        def render_str(self, text: str, **options: object) -> Text:
            # Newlines are the tables' own: what comes from outside is escaped before it is put into one.
            lines = "\n".join(map(printable, text.split("\n")))
            return super().render_str(lines, **options)  # type: ignore[arg-type]

    return Plain(file=paper, markup=False, emoji=False, highlight=False)


class PrintableLog(logging.Formatter):
    """Log records in one line each, escaped like everything else."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the message."""
        return printable(record.message)
