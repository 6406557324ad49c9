"""The command line of the tools that measure for hours."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Sequence

from device.cli import output
from device.cli.output import Refused, complain
from device.cli.parsing import Parser, whole_number


def run_tool(
    name: str,
    description: str,
    options: Callable[[argparse.ArgumentParser], None],
    run: Callable[[argparse.Namespace], int],
    problems: tuple[type[Exception], ...],
    argv: Sequence[str] | None,
) -> int:
    """Run a tool with arguments (by default the process's own).

    Args:
        name: Its module, such as "tools.score".
        description: What its help says.
        options: Adds its options to the parser.
        run: The tool; it returns the exit status.
        problems: The errors that mean invalid input, besides `Refused`.
        argv: Its arguments.

    Returns:
        The exit status, as for `device.cli.main`.
    """
    output.prepare()
    program = f"python -m {name}"
    parser = Parser(prog=program, description=description)
    options(parser)
    try:
        return run(parser.parse_args(argv))
    except SystemExit as left:  # after help or bad arguments, or if nothing can be printed
        return int(left.code or 0)
    except (Refused, *problems) as error:  # type: ignore[misc]  # mypy does not follow the star
        complain("", error, program=program)
        return 2
    except KeyboardInterrupt:
        complain("", "interrupted", program=program)
        return 128 + signal.SIGINT
    except OSError as error:
        complain("", error, program=program)
        return 1


def add_seed(command: argparse.ArgumentParser, default: int, of: str) -> None:
    """Add the option `--seed` to a subcommand.

    Args:
        command: The subcommand.
        default: The seed without the option.
        of: What the seed is for.
    """
    command.add_argument(
        "--seed",
        type=whole_number(0, 10**12),
        default=default,
        metavar="S",
        help=f"seed of {of} (default: {default})",
    )
