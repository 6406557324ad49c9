"""`cantstop web`: serve the table's page, in a process of its own beside the box."""

from __future__ import annotations

import argparse
import logging
import socket
import sys
from pathlib import Path

from device.cli.output import complain, say
from device.cli.parsing import whole_number
from device.config import ConfigError, load
from device.page.web_side.box_connection import wait_until_wanted
from device.page.wire import socket_file


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "web",
        help="serve the page for phones and tablets",
        files=("settings", "socket"),
        description=(
            "Serve the page for phones: the board, the box's display, the camera picture for setting up, and past "
            "games. It shows what a running box publishes, as long as the page is turned on in the box's menu. Its "
            "settings are in section [web]; see docs/page.md."
        ),
    )
    command.add_argument("--config", type=Path, metavar="FILE", help="settings file to use instead of the one below")
    command.add_argument("--socket", type=Path, metavar="FILE", help="the box's socket to use instead of the one below")
    command.add_argument(
        "--listener",
        type=whole_number(0, 65535),
        metavar="FD",
        help="file descriptor of a bound socket to serve on, regardless of the settings and the menu",
    )
    command.add_argument(
        "--with-parent", action="store_true", help="exit when standard input (a pipe from the parent program) is closed"
    )
    command.set_defaults(run=run, problems=(ConfigError, OSError))


def run(args: argparse.Namespace) -> int:
    """Serve the page until a signal ends it."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    settings = load(args.config).web
    is_wanted = args.listener is not None
    if not settings.enabled and not is_wanted:
        complain("web", "the page is disabled in the settings: [web] enabled = false")
        return 0
    file = args.socket or socket_file()
    while True:
        if not is_wanted:
            wait_until_wanted(file)
        # Loaded only now: until somebody wants the page, its process stays small.
        from device.page.web_side.server import bound, serve

        listener = socket.socket(fileno=args.listener) if is_wanted else bound(settings.bind, settings.port)
        serve(
            file,
            listener,
            lambda address: say(f"The page: {address}"),
            while_wanted=not is_wanted,
            while_open=sys.stdin.fileno() if args.with_parent else None,
        )
        if is_wanted:
            return 0
