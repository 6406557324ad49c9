"""Let a game play itself on a simulated box, and print it: `python -m tools.sim --help`."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from device.camera.simulated import SimulatedTray
from device.cli import player_options
from device.cli.output import Refused, remark, say
from device.cli.parsing import whole_number
from device.storage.journal import Journal, JournalError
from engine import transcript
from tools.jobs import run_tool
from tools.sim.robot import Robot, Tally
from tools.sim.table import SimulatedTable


def main(argv: Sequence[str] | None = None) -> int:
    """Play a game, and return the exit status."""
    return run_tool(
        "tools.sim",
        "Let a game play itself on a simulated box, and print it.",
        _add_options,
        _play,
        (JournalError,),
        argv,
    )


def _add_options(parser: argparse.ArgumentParser) -> None:
    player_options.add(parser)
    parser.add_argument("--seed", type=whole_number(0, 10**9), metavar="S", help="get the same dice each time")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep the game in this journal")


def _play(args: argparse.Namespace) -> int:
    """Let the robot play."""
    if problem := player_options.problem(args):
        raise Refused(problem)
    with contextlib.ExitStack() as stack:
        if args.journal is None:
            remark("The game is not saved; use --journal FILE to save it.")
        file = args.journal or Path(stack.enter_context(TemporaryDirectory(prefix="cantstop-"))) / "journal.txt"
        world = SimulatedTray(args.seed, hurried=True)
        tally = Tally(world)
        journal = Journal(file)
        start = player_options.start(args, journal.situation())
        table = stack.enter_context(SimulatedTable(journal, world, start=start, observe=tally.see))
        turn = -1

        def watch() -> None:
            """Print a line whenever another player's turn begins."""
            nonlocal turn
            table.check()
            game = table.box.situation.game
            if game is not None and game.position.turn != turn:
                turn = game.position.turn
                remark(f"{tally.throws} rolls, {game.player}'s turn")

        player = Robot(table.box, table.buttons, tally, watch, lambda: world.time_s)
        say(*transcript(player.play(args.players or 2)).splitlines(), "")
        remark(*tally.summary().splitlines())
    return 0


if __name__ == "__main__":
    sys.exit(main())
