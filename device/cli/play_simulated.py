"""`cantstop play --simulate`: a person plays at this computer, or the game plays itself."""

from __future__ import annotations

import argparse
import contextlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from device.camera.simulated import SimulatedTray
from device.cli import player_options
from device.cli.output import remark, say
from device.composition import known_tray
from device.config import Config
from device.hardware.speech import Speech
from device.health.machine_control import MachineControl
from device.laptop.game import play_here
from device.laptop.page_process import THIS_COMPUTER
from device.laptop.terminal_game import Controls
from device.page.box_side.publisher import publisher_opener
from device.paths import CALIBRATION, MISREAD, PREFERENCES, beside, journal_file, state_file
from device.referee.inputs import Button
from device.session import Session
from device.sim.robot import Robot, Tally
from device.sim.table import SimulatedTable
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from engine import transcript


def play_by_itself(args: argparse.Namespace, settings: Config) -> None:
    """Let the robot play a game on a box with these settings, and print it."""
    with contextlib.ExitStack() as stack:
        # An automatic game must not continue a person's game, nor leave one behind.
        file = args.journal or Path(stack.enter_context(TemporaryDirectory(prefix="cantstop-"))) / "journal.txt"
        world = SimulatedTray(args.seed, hurried=True)
        tally = Tally(world)
        if args.journal is None:
            remark("The game is not saved; use --journal FILE to save it.")
        journal = Journal(file)
        start = player_options.start(args, journal.situation())
        tray = known_tray(state_file(CALIBRATION, simulated=True))
        with SimulatedTable(journal, world, config=settings, tray=tray, start=start, observe=tally.see) as table:
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


def play_by_hand(args: argparse.Namespace, settings: Config, voice: Speech | None) -> None:
    """Play with this terminal's keys, and with `--web` on the page, until `q` or a signal ends the game.

    Args:
        args: The options.
        settings: The settings of the simulated box.
        voice: Reads the game aloud, closed at the end; None for silence.
    """
    web = replace(settings.web, enabled=True, bind=THIS_COMPUTER)
    file = args.journal or journal_file(simulated=True)
    world = SimulatedTray(args.seed)
    journal = Journal(file)

    def assemble(socket_file: Path, code: str) -> tuple[Session, Controls]:
        def throw() -> None:
            world.throw(table.box.wants_dice or 4)

        publish = publisher_opener(
            web, socket_file, file, simulated=True, throw=throw, picture=world.picture, invitation=code
        )
        table = SimulatedTable(
            journal,
            world,
            config=settings,
            speech=voice,
            tray=known_tray(state_file(CALIBRATION, simulated=True)),
            start=player_options.at_once(args, journal.situation()),
            preferences=PreferencesFile(beside(file, PREFERENCES)),
            calibration=state_file(CALIBRATION, simulated=True),
            misread=state_file(MISREAD, simulated=True),
            machine=MachineControl(file.parent, Config()),
            open_publisher=publish if args.web else None,
        )
        # Holding a button takes time, during which the terminal must be updated. One worker keeps presses in order.
        finger = ThreadPoolExecutor(1)

        def press(button: Button, long: bool) -> None:
            finger.submit(table.buttons.press, button, long=long)

        return table, Controls(table.picture, press, throw)

    play_here(file, web if args.web else None, assemble, say, with_browser=not args.no_browser)
