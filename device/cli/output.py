"""All output of a command: text and tables on standard output, progress and errors on standard error.

A line may contain any characters, from names of files, labels and settings: whatever a terminal cannot show, or would
execute, is escaped. If the reader has gone, the command ends silently.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from typing import TYPE_CHECKING

from device.printable import printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

LONGEST = 600
"""The longest error message; a longer one is cut in the middle, as it begins with the subject and ends with the
remedy."""


class Refused(Exception):
    """The command cannot do what it is asked for; the text says why and what to do."""


def prepare() -> None:
    """Escape characters that the standard streams cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(*lines: str) -> None:
    """Print lines; a line break within a line is escaped."""
    _write("".join(f"{printable(line)}\n" for line in lines))


def table(first: str, *headings: str, title: str = "") -> Table:
    """Return an empty table for `show`.

    Args:
        first: The heading of the first column, whose texts are folded if they are too wide.
        headings: The headings of the columns with figures.
        title: The title above the table.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    figures = Table(
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
        title=title or None,
        title_justify="left",
        title_style="bold",
    )
    figures.add_column(first, overflow="fold")
    for heading in headings:
        figures.add_column(heading, justify="right", no_wrap=True)
    return figures


def show(renderable: RenderableType) -> None:
    """Print a table or other rich renderable at the terminal's width; its texts have no markup."""
    from rich.console import Console

    console = Console(markup=False, emoji=False, highlight=False)
    with console.capture() as captured:  # rich itself writes at unpredictable moments, and hides errors
        console.print(renderable)
    _write(captured.get())


def remark(*lines: str) -> None:
    """Print progress lines on standard error."""
    with contextlib.suppress(OSError):  # then no stream is left for the message
        print(*map(printable, lines), sep="\n", file=sys.stderr, flush=True)  # noqa: T201


def complain(command: str, *problems: str | Exception, program: str = "cantstop") -> None:
    """Print problems on standard error, one line each.

    Args:
        command: The subcommand; "" for the command as a whole.
        problems: What is wrong and what to do; an error may have several lines (`problems`).
        program: The name of the program, for tools that are not subcommands.
    """
    name = f"{program} {command}".rstrip()
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
        SystemExit: If it cannot be written, with the status of a process ended by SIGPIPE if the reader has gone, as
            `head` does. No command takes that for a problem of its own.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # The data left in the stream's buffer must not be written again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(128 + signal.SIGPIPE)
        remark(f"standard output: {error.strerror}")
        sys.exit(1)
