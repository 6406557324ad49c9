"""`cantstop play --simulate` and `--frames`: a person plays at this computer, or the game plays itself."""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from device.camera.folder import FolderCamera, pictures_in
from device.camera.port import CameraError
from device.camera.simulated import SimulatedTray
from device.cli import player_options
from device.cli.output import remark, say
from device.composition import known_tray
from device.config import Config, WebConfig
from device.hardware.display import ReconnectingDisplay
from device.health.machine import NoAnswer
from device.health.machine_control import MachineControl
from device.laptop.page_process import PageProcess, has_desktop, open_in_browser
from device.laptop.terminal_game import play
from device.page.box_side.publisher import publisher_opener
from device.paths import calibration_file, journal_file, misread_folder, preferences_file
from device.referee.states import Situation
from device.sim.robot import Robot
from device.sim.table import SimulatedTable
from device.sim.tally import Tally
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from engine import transcript
from vision.tray.known import Tray

LOOK_S = 0.5
"""The interval of checks for a failure of the box, in seconds."""

WEB = WebConfig(enabled=True, bind="127.0.0.1")


def play_by_itself(args: argparse.Namespace) -> None:
    """Let the robot play, and print the games."""
    with contextlib.ExitStack() as stack:
        # An automatic game must not continue a person's game, nor leave one behind.
        file = args.journal or Path(stack.enter_context(TemporaryDirectory(prefix="cantstop-"))) / "journal.txt"
        world, tray = _world(args, hurried=True)
        tally = Tally(world)
        if args.journal is None:
            remark("The games are not saved; use --journal FILE to save them.")
        journal = Journal(file)
        start = player_options.start(args, journal.situation())
        table = stack.enter_context(SimulatedTable(journal, world, tray=tray, start=start, observe=tally.see))

        told = -1

        def watch() -> None:
            nonlocal told
            table.check()
            situation = table.box.situation
            if situation.game is not None and situation.game.position.turn != told:
                told = situation.game.position.turn
                remark(f"{tally.throws} rolls, {situation.game.player}'s turn")

        player = Robot(table.box, table.buttons, tally, watch, lambda: world.time_s)
        for _ in range(args.games):
            say(*transcript(player.play(args.players or 2)).splitlines(), "")
        remark(*tally.summary().splitlines())


def play_by_hand(args: argparse.Namespace) -> None:
    """Play with this terminal's keys, and with `--web` on the page, until `q` or a signal ends the game.

    If the page cannot be served, the game goes on in the terminal.
    """
    file = args.journal or journal_file(simulated=True)
    world, tray = _world(args, hurried=False)
    journal = Journal(file)
    if args.first_start:
        start: Situation | None = player_options.first_start(journal.situation(), with_page=args.web)
    else:
        start = player_options.at_once(args, journal.situation())
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    notice, code = "", secrets.token_hex(8).upper()  # too long to be guessed, as it stays valid
    with contextlib.ExitStack() as stack:

        def throw() -> str:
            try:
                world.throw(table.box.wants_dice or 4)
            except CameraError as error:  # there are no more pictures
                return str(error)
            return ""

        socket_file = Path(stack.enter_context(TemporaryDirectory(prefix="cantstop-"))) / "table.sock"
        publish = publisher_opener(
            WEB, socket_file, file, simulated=True, tray=tray, throw=throw, picture=world.picture, invitation=code
        )
        table = SimulatedTable(
            journal,
            world,
            tray=tray,
            start=start,
            preferences=PreferencesFile(preferences_file(file)),
            calibration=None if args.frames else calibration_file(simulated=True),
            misread=misread_folder(simulated=True),
            open_machine=lambda display: _machine(file, display),
            open_publisher=publish if args.web else None,
        )
        stack.enter_context(table)
        if args.web:
            notice = _serve(stack, socket_file, code, with_browser=at_terminal and not args.no_browser)
            say(notice)
        if at_terminal:
            # Holding a button takes time, during which the terminal must be updated. One worker keeps presses in order.
            finger = stack.enter_context(ThreadPoolExecutor(1))
            play(
                table,
                table.picture,
                lambda button, long: finger.submit(table.buttons.press, button, long=long),
                throw,
                notice,
            )
            say("The game is saved. Run the same command to continue it.")
        else:
            _wait(table)


def _serve(stack: contextlib.ExitStack, socket_file: Path, code: str, *, with_browser: bool) -> str:
    """Serve the page until the stack is closed; return its address as a line, or why it cannot be served."""
    try:
        page = stack.enter_context(PageProcess(socket_file, WEB.port))
    except OSError as error:
        return f"The page cannot be served: {error}"
    link = f"{page.address}P/{code}"
    if with_browser and has_desktop(os.environ, sys.platform):
        open_in_browser(link)
    return f"The page: {link}"


def _wait(table: SimulatedTable) -> None:
    """Wait for a signal, or for a failure of the box."""
    ended = threading.Event()
    before = {number: signal.signal(number, lambda *_: ended.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        while not ended.wait(LOOK_S):
            table.check()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _machine(journal: Path, display: ReconnectingDisplay) -> MachineControl:
    """Return the control of a simulated box's machine: this computer, which is not to be switched off."""

    def no_switch() -> None:
        raise NoAnswer("the simulated box cannot be switched off")

    return MachineControl(journal.parent, lambda: display.trouble, Config(), switch_off=no_switch)


def _world(args: argparse.Namespace, *, hurried: bool) -> tuple[FolderCamera | SimulatedTray, Tray | None]:
    """Return the source of dice, and the calibration of the simulated tray; None for trays in photographs."""
    if args.frames:
        return FolderCamera(pictures_in(args.frames)), None
    return SimulatedTray(args.seed, hurried=hurried), known_tray(calibration_file(simulated=True))
