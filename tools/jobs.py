"""The tools that measure for hours: their command line, and their work on the machines of a Dask cluster."""

from __future__ import annotations

import argparse
import hashlib
import signal
import socket
from collections.abc import Callable, Generator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import cv2
import numpy as np

from device.cli import output
from device.cli.output import Refused, complain, remark
from device.cli.parsing import Parser, whole_number

if TYPE_CHECKING:
    from distributed import Client, Future

Piece = TypeVar("Piece")
Result = TypeVar("Result")

CONNECT_S = 10.0
"""The longest wait for the scheduler, and for its first worker."""

SILENCE_S = 10.0
"""After this time without a result, the cluster is asked whether it still has workers."""


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


def add_cluster(command: argparse.ArgumentParser) -> None:
    """Add the option `--cluster` to a tool."""
    command.add_argument(
        "--cluster",
        metavar="tcp://HOST:PORT",
        help="run on the workers of the Dask scheduler at this address instead of on this machine's cores",
    )


def on_cluster(
    do_one: Callable[[Piece], Result], pieces: Sequence[Piece], address: str | None
) -> Generator[Result, None, None] | None:
    """Return the results in the order of the pieces, for `work_through`; None without an address.

    If the cluster is lost, the generator prints an error and ends early. Closing it cancels the remaining pieces. It
    raises `Refused` if there is no usable cluster at the address, and whatever `do_one` raises.

    Args:
        do_one: Processes one piece; must be importable on the workers (no closure).
        pieces: The pieces.
        address: The scheduler's address, such as tcp://192.168.1.20:8786.
    """
    return None if address is None else _results(do_one, pieces, address)


def _results(do_one: Callable[[Piece], Result], pieces: Sequence[Piece], address: str) -> Generator[Result, None, None]:
    with _connected(address) as client:
        _check(client, address)
        for future in client.map(partial(_on_one_thread, do_one), pieces, pure=False):
            if not _is_done(future, client):
                remark(f"{address}: the scheduler or all workers have gone; start them and try again")
                return
            yield future.result()


def _connected(address: str) -> Client:
    """Return a client of the scheduler.

    Raises:
        Refused: If Dask is not installed, or no scheduler answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise Refused("--cluster needs Dask: pip install 'cantstop-box[cluster]'") from None
    try:
        _check_speaks(address)
        return Client(address, timeout=CONNECT_S)
    except Exception as error:  # whatever a foreign program's answer leads to
        why = str(error) if isinstance(error, OSError | ValueError) else ""
        raise Refused(f"--cluster {address}: {why or 'not a Dask scheduler'}; start one with: dask scheduler") from None


def _check_speaks(address: str) -> None:
    """Check that the program at a port speaks first, as Dask does; otherwise Dask's client waits forever.

    Raises:
        OSError: If nobody listens there, or says nothing.
        ValueError: If the address has no port.
    """
    parts = urlsplit(address)
    if parts.hostname is None or parts.port is None:
        raise ValueError("missing port number")
    with socket.create_connection((parts.hostname, parts.port), timeout=CONNECT_S) as connection:
        connection.recv(1)


def _check(client: Client, address: str) -> None:
    """Reject a cluster without workers, or whose workers might return other results than this machine.

    Raises:
        Refused: With the remedy.
    """
    try:
        client.wait_for_workers(1, timeout=CONNECT_S)
    except TimeoutError:
        raise Refused(f"--cluster {address}: no workers; start some with: dask worker {address}") from None
    found = client.run(_code_version, on_error="return")
    here = _code_version()
    if different := sorted(worker for worker, there in found.items() if there != here):
        raise Refused(
            f"--cluster {address}: {', '.join(different)} lack this version of the project, NumPy or OpenCV; "
            "install the same versions there"
        )


def _code_version() -> str:
    """Return a hash of what results depend on: the project's files, NumPy and OpenCV."""
    digest = hashlib.sha256(f"{np.__version__} {cv2.__version__}".encode())
    for folder in ("engine", "vision", "device", "tools"):
        for file in sorted((Path(__file__).parents[1] / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.read_bytes())
    return digest.hexdigest()


def _is_done(future: Future[Result], client: Client) -> bool:
    """Wait for a piece. Return whether it is done; false if the scheduler or all workers have gone."""
    from distributed import CancelledError, wait

    try:
        while future.status not in ("finished", "error", "cancelled"):
            try:
                wait(future, timeout=SILENCE_S)
            except TimeoutError:
                if not client.nthreads():
                    return False
    except (OSError, CancelledError):
        return False
    return future.status != "cancelled"


def _on_one_thread(do_one: Callable[[Piece], Result], piece: Piece) -> Result:
    """Process a piece with one thread of OpenCV, as the workers share the machine's cores."""
    cv2.setNumThreads(1)
    return do_one(piece)
