"""`cantstop play`: the box itself, real or simulated."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from device.cli import journals, seats
from device.cli.output import complain, printable, remark, say
from device.cli.parsing import whole_number

Part = TypeVar("Part")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from device.camera.folder import FolderCamera
    from device.camera.simulated import SimulatedTray
    from device.config import Config
    from device.doctor.caretaker import MachineCaretaker
    from device.hardware.display import Display, SteadyDisplay
    from device.hardware.display_choice import DisplayChoice
    from device.hardware.starting import FirstPicture
    from device.keeping.journal import Journal
    from device.keeping.preferences_file import PreferencesFile
    from device.referee.states import Situation
    from vision.params import Params


FILES = (
    "settings", "journal", "preferences", "calibration", "focus", "phones", "misread", "socket",
    "simulated journal", "simulated preferences", "simulated calibration",
)  # fmt: skip
"""The files that the box uses by default."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "play",
        help="play: on the box, or on a simulated one in this terminal",
        files=FILES,
        description=(
            "Play Can't Stop. Without options this runs the real box (on a Raspberry Pi). A game is kept after every "
            "press: stop the program at any time, start it again, and the game goes on."
        ),
    )
    world = command.add_mutually_exclusive_group()
    world.add_argument("--simulate", action="store_true", help="a simulated box and tray in this terminal")
    world.add_argument(
        "--frames",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="pictures (files or folders) are the rolls, one after another",
    )
    seats.add(command)
    command.add_argument(
        "--first-start",
        action="store_true",
        help="with --simulate: begin as a new box does, with its language and a check",
    )
    command.add_argument(
        "--seed", type=whole_number(0, 10**9), metavar="S", help="the same dice each time (with --simulate)"
    )
    command.add_argument(
        "--auto", action="store_true", help="the game plays itself and is only printed; --journal keeps it as well"
    )
    command.add_argument(
        "--games", type=whole_number(), default=1, metavar="N", help="with --auto: how many games (default 1)"
    )
    command.add_argument("--gif", type=Path, metavar="FILE", help="with --auto: keep what was to be seen as a picture")
    command.add_argument("--config", type=Path, metavar="FILE", help="how the box is built, if not the file below")
    command.add_argument(
        "--web", action="store_true", help="with --simulate or --frames: the table's page for a browser on this machine"
    )
    command.add_argument("--no-browser", action="store_true", help="with --web: do not open the page in a browser")
    command.add_argument(
        "--journal", type=Path, metavar="FILE", help="where the games are kept, if not in the one below"
    )
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play."""
    from device.camera.port import CameraError
    from device.config import ConfigError
    from device.hardware.buttons import ButtonsError
    from device.hardware.display import DisplayError
    from device.keeping.journal import JournalError
    from device.sim.robot import Stuck

    if problem := _clash(args):
        complain("play", problem)
        return 2
    try:
        if not args.simulate and not args.frames:
            return _real(args)
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
            remark("Without the box's hardware: cantstop play --simulate")
        return 1


def _clash(args: argparse.Namespace) -> str:
    """Say which options do not go together; "" where all do."""
    simulated = args.simulate or args.frames
    if args.seed is not None and not args.simulate:
        return "--seed goes with --simulate"
    if not simulated and (args.auto or args.gif or args.games != 1):
        return "--auto, --games and --gif go with --simulate or --frames"
    if args.first_start and (not args.simulate or args.auto or args.players or args.names or args.opponents):
        return "--first-start goes with --simulate, without --auto and without players"
    if args.web and (args.auto or args.gif):
        return "--web is for playing: it goes without --auto and --gif"
    if args.web and not simulated:
        return "--web goes with --simulate or --frames; on a box its menu turns the page on (docs/page.md)"
    if simulated and args.config:
        return "--config is for the real box; the simulated one is built as the defaults say"
    return seats.problem(args)


def _real(args: argparse.Namespace) -> int:
    """Run the box on a Raspberry Pi until it is told to end."""
    from device.config import ConfigError, load, oled_despite, told_on_oled
    from device.hardware.display_choice import DisplayChoice
    from device.hardware.oled import open_oled
    from device.hardware.starting import FirstPicture
    from device.keeping.journal import JournalError
    from device.keeping.preferences_file import PreferencesFile
    from device.paths import display_file, preferences_file

    # Another library in place of a broken lgpio would seem to work, and lose presses.
    os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
    try:
        config = load(args.config)
    except ConfigError as error:
        oled = oled_despite(error)
        with contextlib.suppress(JournalError, OSError):  # without a home there is no such file
            oled = DisplayChoice(oled, display_file(journals.journal_of(args))).config
        show_failure(lambda: open_oled(config=oled), told_on_oled(error))
        raise
    with _told_on_display(lambda: open_oled(config=config.oled)):
        file = journals.journal_of(args)
        preferences = PreferencesFile(preferences_file(file))
        displays = DisplayChoice(config.oled, display_file(file))
        first = FirstPicture(lambda: open_oled(config=displays.config), preferences.load().language)
    with _told_on_display(first.open):
        _play_on(args, config, file, preferences, first, displays)
    return 0


@contextlib.contextmanager
def _told_on_display(open_display: Callable[[], Display]) -> Iterator[None]:
    """Show on the box's own display why the box cannot start, whatever it is; the error goes on its way."""
    try:
        yield
    except Exception as error:
        show_failure(open_display, str(error) or type(error).__name__)
        raise


def _play_on(
    args: argparse.Namespace,
    config: Config,
    file: Path,
    preferences: PreferencesFile,
    first: FirstPicture,
    displays: DisplayChoice,
) -> None:
    """Run the box until it is told to end.

    Args:
        args: The command's options.
        config: How the box is built.
        file: The journal.
        preferences: What the players chose.
        first: The display, with its first picture.
        displays: How the display can be driven.
    """
    # What follows takes seconds to load on a small Pi: somebody who has just switched the box on sees that it starts.
    from device.camera.picamera import PiCamera
    from device.doctor.caretaker import MachineCaretaker
    from device.hardware.buttons import Buttons
    from device.hardware.buzzer import Buzzer
    from device.hardware.lamp import Lamp, LitCamera
    from device.hardware.signals import Signals
    from device.hardware.speech import Speech
    from device.keeping.journal import Journal
    from device.life import Life
    from device.paths import calibration_file, focus_file, misread_folder
    from device.publishing.table_page import opener
    from device.publishing.wire import socket_file
    from device.session import Session

    def open_camera() -> PiCamera:
        return PiCamera(config.camera, focus_file())

    buzzer = _if_possible(lambda: Buzzer(config.buzzer)) if config.buzzer.enabled else None
    lamp = _if_possible(lambda: Lamp(config.lamp)) if config.lamp.enabled else None
    speech = _if_possible(lambda: Speech(config.speech)) if config.speech.enabled else None
    life = Life()
    journal = Journal(file)
    params = _params(simulated=False)
    with Session(
        journal,
        first.open,
        lambda put: Buttons(config.buttons, put),
        open_camera if lamp is None else lambda: LitCamera(open_camera, lamp),
        params=params,
        start=seats.start(args, journal.situation()),
        preferences=preferences,
        calibration=calibration_file(simulated=False),
        misread=misread_folder(simulated=False),
        open_caretaker=lambda display: MachineCaretaker(file.parent, lambda: display.trouble, config),
        beat=life.beat,
        at_the_disk=life.at_the_disk,
        config=config,
        signals=Signals(buzzer, lamp),
        open_publisher=opener(config.web, socket_file(), file, params=params) if config.web.enabled else None,
        displays=displays,
        speech=speech,
    ) as session:

        def end(*_: object) -> None:
            life.stopping()
            session.box.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)
        session.wait()


def _if_possible(opens: Callable[[], Part]) -> Part | None:
    """Open a part without which the box works too."""
    try:
        return opens()
    except OSError as error:
        complain("play", f"{error}; playing without it")
        return None


def show_failure(open_display: Callable[[], Display], message: str) -> None:
    """Show on the box's own display why it cannot start, if there is a display; it stays after the program's end."""
    from device.hardware.display import DisplayError
    from device.screens.draw import draw
    from device.screens.views import failure

    with contextlib.suppress(DisplayError):
        display = open_display()
        display.show(draw(failure(printable(message))))
        display.leave()


def _by_itself(args: argparse.Namespace) -> int:
    """Let the robot play, and print what it has played."""
    from device.keeping.journal import Journal
    from device.sim import robot
    from device.sim.gif import GifRecorder
    from device.sim.table import SimulatedTable
    from device.sim.tally import Tally
    from engine import transcript

    with contextlib.ExitStack() as stack:
        # A game that plays itself must not go on with somebody's game, nor leave one behind.
        journal_file = args.journal or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "journal.sqlite3"
        recorder = GifRecorder(args.gif) if args.gif else None
        world = _world(args, hurried=True)
        tally = Tally(world)
        if args.journal is None:
            remark("What is played is not kept; use --journal FILE to keep it.")
        journal = Journal(journal_file)
        start = seats.start(args, journal.situation())
        table = stack.enter_context(
            SimulatedTable(journal, world, params=_world_params(args), start=start, observe=tally.see)
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
                remark(f"{tally.throws} throws, {situation.game.player}'s turn")

        player = robot.Robot(table.box, table.fingers, tally, watch, lambda: world.time_s)
        for _ in range(args.games):
            say(*transcript(player.play(args.players or 2)).splitlines(), "")
        if recorder is not None:
            recorder.save()
        remark(*tally.summary().splitlines())
    return 0


def _with_page(args: argparse.Namespace) -> int:
    """Let somebody play in a browser and, where this is a terminal, with its keys as well."""
    from device.cli.at_page import play_at_page

    world = _world(args, hurried=False)
    return play_at_page(
        args.journal,
        world,
        _world_params(args),
        lambda journal: _begin(args, journal, with_page=True),
        _no_machine,
        with_browser=not args.no_browser,
    )


def _in_terminal(args: argparse.Namespace) -> int:
    """Let somebody play with the keys of this terminal."""
    from device.keeping.journal import Journal
    from device.keeping.preferences_file import PreferencesFile
    from device.paths import calibration_file, journal_file, misread_folder, preferences_file
    from device.sim.at_terminal import play
    from device.sim.table import SimulatedTable

    world = _world(args, hurried=False)
    file = args.journal or journal_file(simulated=True)
    journal = Journal(file)
    with SimulatedTable(
        journal,
        world,
        params=_world_params(args),
        start=_begin(args, journal, with_page=False),
        preferences=PreferencesFile(preferences_file(file)),
        calibration=None if args.frames else calibration_file(simulated=True),
        misread=misread_folder(simulated=True),
        open_caretaker=_no_machine(file),
    ) as table:
        play(table, world)
    say("The game is kept: the same command goes on with it.")
    return 0


def _begin(args: argparse.Namespace, journal: Journal, *, with_page: bool) -> Situation | None:
    """Return what a person at a simulated box begins with; None to go on with the game that the journal holds."""
    if args.first_start:
        return seats.first_start(journal.situation(), with_page=with_page)
    return seats.at_once(args, journal.situation())


def _no_machine(journal: Path) -> Callable[[SteadyDisplay], MachineCaretaker]:
    """Give who knows a simulated box's machine: this computer, which is not to be switched off."""
    from device.config import Config
    from device.doctor.caretaker import MachineCaretaker

    return lambda display: MachineCaretaker(journal.parent, lambda: display.trouble, Config(), switch_off=_no_switch)


def _no_switch() -> None:
    """Refuse to switch off: somebody's computer is no box."""
    from device.doctor.machine import NoAnswer

    raise NoAnswer("the simulated box has no switch")


def _params(*, simulated: bool) -> Params:
    """Give the reader what `cantstop calibrate` has learnt, if it has; a file that cannot be used is told and left."""
    from device.paths import calibration_file
    from vision.calibration import CalibrationError, load
    from vision.params import Params

    file = calibration_file(simulated=simulated)
    if not file.exists():
        return Params()
    try:
        return Params(calibration=load(file))
    except CalibrationError as error:
        complain("play", f"{error}; playing without it")
        return Params()


def _world_params(args: argparse.Namespace) -> Params | None:
    """Give what is known of the simulated tray; of trays in photographs nothing is."""
    return None if args.frames else _params(simulated=True)


def _world(args: argparse.Namespace, *, hurried: bool) -> FolderCamera | SimulatedTray:
    """Give the dice: photographs, or a simulated tray."""
    from device.camera.folder import FolderCamera, pictures_in
    from device.camera.simulated import SimulatedTray

    return FolderCamera(pictures_in(args.frames)) if args.frames else SimulatedTray(args.seed, hurried=hurried)
