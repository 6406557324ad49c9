"""`cantstop play`: run the box, real or simulated."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from device.cli import journals, seats
from device.cli.output import complain, remark, say
from device.cli.parsing import whole_number
from device.composition import known_tray, run_box

if TYPE_CHECKING:
    from collections.abc import Callable

    from device.camera.folder import FolderCamera
    from device.camera.simulated import SimulatedTray
    from device.hardware.display import ReconnectingDisplay
    from device.health.machine_control import MachineControl
    from device.referee.states import Situation
    from device.storage.journal import Journal
    from vision.tray.known import Tray


FILES = (
    "settings", "journal", "preferences", "calibration", "focus", "phones", "misread", "socket",
    "simulated journal", "simulated preferences", "simulated calibration",
)  # fmt: skip
"""The files that the box uses by default."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "play",
        help="play on the box, or on a simulated one in this terminal",
        files=FILES,
        description=(
            "Play Can't Stop. Without options, this runs the real box (on a Raspberry Pi). The game is saved after "
            "every press: you can stop the program at any time and continue later."
        ),
    )
    world = command.add_mutually_exclusive_group()
    world.add_argument("--simulate", action="store_true", help="use a simulated box and tray in this terminal")
    world.add_argument(
        "--frames",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="read rolls from pictures (files or folders), one after another",
    )
    seats.add(command)
    command.add_argument(
        "--first-start",
        action="store_true",
        help="with --simulate: start like a new box, with choosing the language and a check",
    )
    command.add_argument(
        "--seed", type=whole_number(0, 10**9), metavar="S", help="with --simulate: get the same dice each time"
    )
    command.add_argument(
        "--auto",
        action="store_true",
        help="with --simulate or --frames: let the game play itself and print it; add --journal to save it",
    )
    command.add_argument(
        "--games", type=whole_number(), default=1, metavar="N", help="with --auto: number of games (default: 1)"
    )
    command.add_argument("--gif", type=Path, metavar="FILE", help="with --auto: record the screens as an animated GIF")
    command.add_argument("--config", type=Path, metavar="FILE", help="settings file to use instead of the one below")
    command.add_argument(
        "--web", action="store_true", help="with --simulate or --frames: also serve the page on this computer"
    )
    command.add_argument("--no-browser", action="store_true", help="with --web: do not open a browser")
    command.add_argument("--journal", type=Path, metavar="FILE", help="journal to use instead of the one below")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the box."""
    from device.camera.port import CameraError
    from device.config import ConfigError
    from device.hardware.buttons import ButtonsError
    from device.hardware.display import DisplayError
    from device.sim.robot import Stuck
    from device.storage.journal import JournalError

    if problem := _clash(args):
        complain("play", problem)
        return 2
    try:
        if not args.simulate and not args.frames:
            run_box(args.config, lambda: journals.journal_of(args), lambda held: seats.start(args, held), _warn)
            return 0
        if args.journal:
            journals.journal_of(args)
        if args.web:
            return _with_page(args)
        if args.auto or not (sys.stdin.isatty() and sys.stdout.isatty()):
            return _by_itself(args)
        return _in_terminal(args)
    except (ConfigError, JournalError, CameraError, DisplayError, Stuck, OSError) as error:
        complain("play", error)
        if isinstance(error, ButtonsError):
            remark("To play without the hardware: cantstop play --simulate")
        return 1


def _warn(problem: str | Exception) -> None:
    complain("play", problem)


def _clash(args: argparse.Namespace) -> str:
    """Return which options exclude one another; "" if there is no conflict."""
    simulated = args.simulate or args.frames
    if args.seed is not None and not args.simulate:
        return "--seed needs --simulate"
    if not simulated and (args.auto or args.gif or args.games != 1):
        return "--auto, --games and --gif need --simulate or --frames"
    if args.first_start and (not args.simulate or args.auto or args.players or args.names or args.opponents):
        return "--first-start needs --simulate and cannot be combined with --auto or players"
    if args.web and (args.auto or args.gif):
        return "--web cannot be combined with --auto or --gif"
    if args.web and not simulated:
        return "--web needs --simulate or --frames; on a real box, turn the page on in the menu (docs/page.md)"
    if simulated and args.config:
        return "--config is for the real box only; the simulated one uses the defaults"
    return seats.problem(args)


def _by_itself(args: argparse.Namespace) -> int:
    """Let the robot play, and print the game."""
    from device.sim import robot
    from device.sim.gif import GifRecorder
    from device.sim.table import SimulatedTable
    from device.sim.tally import Tally
    from device.sim.temporary import temporary_folder
    from device.storage.journal import Journal
    from engine import transcript

    with contextlib.ExitStack() as stack:
        # An automatic game must not continue a person's game, nor leave one behind.
        journal_file = args.journal or stack.enter_context(temporary_folder()) / "journal.sqlite3"
        recorder = GifRecorder(args.gif) if args.gif else None
        world = _world(args, hurried=True)
        tally = Tally(world)
        if args.journal is None:
            remark("The games are not saved; use --journal FILE to save them.")
        journal = Journal(journal_file)
        start = seats.start(args, journal.situation())
        table = stack.enter_context(
            SimulatedTable(journal, world, tray=_world_known(args), start=start, observe=tally.see)
        )

        told = -1

        def watch() -> None:
            nonlocal told
            table.check()
            if recorder is not None:
                recorder.add(table.picture(), world.picture(), robot.LOOK_S)
            situation = table.box.situation
            if situation.game is not None and situation.game.position.turn != told:
                told = situation.game.position.turn
                remark(f"{tally.throws} rolls, {situation.game.player}'s turn")

        player = robot.Robot(table.box, table.buttons, tally, watch, lambda: world.time_s)
        for _ in range(args.games):
            say(*transcript(player.play(args.players or 2)).splitlines(), "")
        if recorder is not None:
            recorder.save()
        remark(*tally.summary().splitlines())
    return 0


def _with_page(args: argparse.Namespace) -> int:
    """Play in a browser, and also with the terminal's keys if there is one."""
    from device.cli.at_page import play_at_page

    world = _world(args, hurried=False)
    return play_at_page(
        args.journal,
        world,
        _world_known(args),
        lambda journal: _begin(args, journal, with_page=True),
        _no_machine,
        with_browser=not args.no_browser,
    )


def _in_terminal(args: argparse.Namespace) -> int:
    """Play with this terminal's keys."""
    from device.paths import calibration_file, journal_file, misread_folder, preferences_file
    from device.sim.at_terminal import play
    from device.sim.table import SimulatedTable
    from device.storage.journal import Journal
    from device.storage.preferences_file import PreferencesFile

    world = _world(args, hurried=False)
    file = args.journal or journal_file(simulated=True)
    journal = Journal(file)
    with SimulatedTable(
        journal,
        world,
        tray=_world_known(args),
        start=_begin(args, journal, with_page=False),
        preferences=PreferencesFile(preferences_file(file)),
        calibration=None if args.frames else calibration_file(simulated=True),
        misread=misread_folder(simulated=True),
        open_machine=_no_machine(file),
    ) as table:
        play(table, world)
    say("The game is saved. Run the same command to continue it.")
    return 0


def _begin(args: argparse.Namespace, journal: Journal, *, with_page: bool) -> Situation | None:
    """Return the situation that a person at a simulated box starts with; None to continue the journal's game."""
    if args.first_start:
        return seats.first_start(journal.situation(), with_page=with_page)
    return seats.at_once(args, journal.situation())


def _no_machine(journal: Path) -> Callable[[ReconnectingDisplay], MachineControl]:
    """Return the interface to a simulated box's machine: this computer, which is not to be switched off."""
    from device.config import Config
    from device.health.machine_control import MachineControl

    return lambda display: MachineControl(journal.parent, lambda: display.trouble, Config(), switch_off=_no_switch)


def _no_switch() -> None:
    """Refuse to switch off: this computer is not a box."""
    from device.health.machine import NoAnswer

    raise NoAnswer("the simulated box cannot be switched off")


def _world_known(args: argparse.Namespace) -> Tray | None:
    """Return the calibration of the simulated tray; None for trays in photographs."""
    from device.paths import calibration_file

    return None if args.frames else known_tray(calibration_file(simulated=True), _warn)


def _world(args: argparse.Namespace, *, hurried: bool) -> FolderCamera | SimulatedTray:
    """Return the source of dice: photographs, or a simulated tray."""
    from device.camera.folder import FolderCamera, pictures_in
    from device.camera.simulated import SimulatedTray

    return FolderCamera(pictures_in(args.frames)) if args.frames else SimulatedTray(args.seed, hurried=hurried)
