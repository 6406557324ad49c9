"""`cantstop play`: run the box, play with real dice on a computer, or simulate both."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from device.camera.port import CameraError
from device.cli import journal_options, player_options
from device.cli.output import Refused, complain, remark, say
from device.cli.parsing import whole_number
from device.composition import if_possible, run_box
from device.config import Config, ConfigError, load
from device.hardware.display import DisplayError
from device.hardware.speech import Speech
from device.health.machine import Machine
from device.referee.states import Situation
from device.storage.journal import JournalError

ON_A_COMPUTER = (
    "  cantstop play --camera 0     with your dice and a camera of this computer, or a phone's (docs/cameras.md)",
    "  cantstop play --no-camera    with your dice, which you type or tap",
    "  cantstop play --simulate     with simulated dice",
)
"""What can be played on a computer that is no box."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "play",
        help="play with real dice on this computer, on a simulated box, or on the box",
        description=(
            "Play Can't Stop: with real dice and any camera (--camera 0) or none (--no-camera), or with simulated dice "
            "(--simulate). Without options, this runs the real box (on a Raspberry Pi). The game is saved after every "
            "press: you can stop the program at any time and continue later."
        ),
    )
    world = command.add_mutually_exclusive_group()
    world.add_argument(
        "--camera",
        nargs="?",
        const="",
        metavar="SOURCE",
        help="real dice, read by a camera of this computer: 0 for the first one, /dev/video2, the address of a phone's "
        "stream (http://...) or a film file; without SOURCE, the only one, or the one that you choose on the page",
    )
    world.add_argument("--no-camera", action="store_true", help="real dice, typed as digits or tapped on the page")
    world.add_argument("--simulate", action="store_true", help="use a simulated box and tray in this terminal")
    player_options.add(command)
    command.add_argument(
        "--seed", type=whole_number(0, 10**9), metavar="S", help="with --simulate: get the same dice each time"
    )
    command.add_argument(
        "--auto",
        action="store_true",
        help="with --simulate: let the game play itself and print it; add --journal to save it",
    )
    command.add_argument(
        "--speech", action="store_true", help="read the game aloud on this computer, with espeak-ng or macOS's say"
    )
    command.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="settings file to use instead of the usual one; with --simulate, instead of the defaults",
    )
    command.add_argument("--no-browser", action="store_true", help="do not open the page in a browser")
    command.add_argument(
        "--lan", action="store_true", help="with --camera or --no-camera: let phones in this network open the page"
    )
    command.add_argument("--journal", type=Path, metavar="FILE", help="journal to use instead of the usual one")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the box."""
    if problem := _clash(args):
        raise Refused(problem)
    try:
        journal, start = partial(journal_options.journal_of, args), partial(player_options.start, args)
        if not (args.simulate or args.no_camera or args.camera is not None):
            run_box(args.config, journal, start)
            return 0
        # Nothing of a Raspberry Pi is imported, as no computer has it.
        from device.camera.simulated import SimulatedTray
        from device.laptop.game import play_here

        settings = Config() if args.simulate and args.config is None else load(args.config)
        if args.auto:
            _play_by_itself(args, settings, start)
            return 0
        play_here(
            SimulatedTray(args.seed) if args.simulate else args.camera,
            settings,
            journal(),
            start,
            say,
            voice=_voice(args, settings),
            for_phones=args.lan,
            with_browser=not args.no_browser,
        )
    except (ConfigError, JournalError, CameraError, DisplayError, OSError) as error:
        if type(error).__name__ == "ButtonsError" and not Machine().is_pi:  # its module needs gpiozero
            complain("play", "this computer is not a Raspberry Pi, so it cannot be the box. What you can play here:")
            remark(*ON_A_COMPUTER)
        else:
            complain("play", error)
        return 1
    return 0


def _play_by_itself(args: argparse.Namespace, settings: Config, start: Callable[[Situation], Situation | None]) -> None:
    """Let the game play itself, and print it. It must not continue a person's game, nor leave one behind."""
    from device.camera.simulated import SimulatedTray
    from device.laptop.robot import play_by_itself

    with contextlib.ExitStack() as stack:
        file = args.journal
        if file is None:
            remark("The game is not saved; use --journal FILE to save it.")
            file = Path(stack.enter_context(TemporaryDirectory(prefix="cantstop-"))) / "journal.txt"
        tray = SimulatedTray(args.seed, hurried=True)
        say(*play_by_itself(tray, settings, file, start).splitlines(), "")


def _voice(args: argparse.Namespace, settings: Config) -> Speech | None:
    """Return the voice; None without one, which is an error only if this command asks for it."""
    if args.speech:
        return Speech(settings.speech)
    return if_possible(lambda: Speech(settings.speech)) if settings.speech.enabled else None


def _clash(args: argparse.Namespace) -> str:
    """Return which options exclude each other; "" if there is no conflict."""
    real_dice = args.camera is not None or args.no_camera
    if args.lan and not real_dice:
        return "--lan needs --camera or --no-camera; on a real box, turn the page on in the menu (docs/page.md)"
    if args.seed is not None and not args.simulate:
        return "--seed needs --simulate"
    if args.auto and not args.simulate:
        return "--auto needs --simulate"
    if args.speech and (args.auto or not (args.simulate or real_dice)):
        return (
            "--speech needs --camera, --no-camera or --simulate, without --auto; on a real box, set "
            "enabled = true in section [speech] of its settings"
        )
    return player_options.problem(args)
