"""`cantstop web`: serve the table's page, in a process of its own beside the box."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from device.cli.output import complain, say
from device.config import ConfigError, load
from device.page.web_side.box_connection import wait_until_wanted
from device.page.wire import socket_file


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "web",
        help="serve the page for phones and tablets",
        description=(
            "Serve the page for phones: the board, the box's display, the camera picture for setting up, and past "
            "games. It shows what a running box publishes, as long as the page is turned on in the box's menu. Its "
            "settings are in section [web]; see docs/page.md."
        ),
    )
    command.add_argument("--config", type=Path, metavar="FILE", help="settings file to use instead of the usual one")
    command.add_argument("--socket", type=Path, metavar="FILE", help="the box's socket to use instead of the usual one")
    command.set_defaults(run=run, problems=(ConfigError, OSError))


def run(args: argparse.Namespace) -> int:
    """Serve the page until a signal ends it."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    settings = load(args.config).web
    if not settings.enabled:
        complain("web", "the page is disabled in the settings: [web] enabled = false")
        return 0
    file = args.socket or socket_file()
    while True:
        wait_until_wanted(file)
        # Loaded only now: until somebody wants the page, its process stays small.
        from device.page.web_side.server import PageServer, bound

        server = PageServer(file, bound(settings.bind, settings.port), while_wanted=True)
        say(f"The page: {server.address}")
        server.serve()
