"""`cantstop doctor`: check every part of the box, and say what to do about each problem."""

from __future__ import annotations

import argparse
import contextlib
import queue
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from device.camera import focus
from device.camera.picamera import PiCamera, sensors
from device.camera.port import CameraError
from device.camera.simulated import SimulatedTray
from device.camera.tray_look import TrayLook
from device.camera.worker import FRAME_TIMEOUT_S
from device.cli.output import Refused, remark, show
from device.config import ButtonsConfig, Config, ConfigError, OledConfig, load
from device.hardware.buttons import Buttons, ButtonsError
from device.hardware.display import DisplayError
from device.hardware.display_choice import DisplayChoice
from device.hardware.oled import open_oled
from device.health import issue_report
from device.health.machine import Machine, box_is_running
from device.health.machine_control import machine_probes
from device.health.probe_runner import DEADLINE_S, call_with_timeout, failure, run_probes
from device.health.probes import libraries
from device.paths import calibration_file, display_file, focus_file, journal_file
from device.referee.box_care import BUTTONS, PROBES, camera_findings
from device.referee.inputs import Button, Finding, Grade, Press, TrayMeasured
from device.screens import fault_texts, texts
from device.screens.box_views import GRADE_MARKS
from device.screens.draw import draw
from device.screens.language import say
from device.screens.screen import Screen
from device.sim.oled_bus import OledBus
from vision.tray import calibration
from vision.types import Frame

CAMERA_S = 90.0
"""The time limit for the camera, in seconds: libcamera opens, measures light and focus, and eight frames are
examined."""

PRESS_S = 15.0
"""The longest wait for each button, in seconds."""

USUAL_FILE = Path()
"""The placeholder for a default file name, if `--report` names none."""

COLOURS = {"fine": "green", "advice": "yellow", "bad": "red", "absent": "dim"}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "doctor",
        help="check every part of the box and report what to do",
        files=("settings", "journal", "simulated journal"),
        description=(
            "Check the camera, lens and light, display, buttons, I2C, storage, clock, temperature, power and versions. "
            "Each line says that a part is fine, or what to do. The same check is in the box's menu: hold STOP, then "
            "choose The box, Check the box."
        ),
        epilog="Exit status: 0 if the box can be played on, 1 if something is broken, 2 if the settings are invalid.",
    )
    command.add_argument(
        "--simulate", action="store_true", help="use a simulated tray and display instead of the real ones"
    )
    command.add_argument("--config", type=Path, metavar="FILE", help="settings file to use instead of the one below")
    command.add_argument("--journal", type=Path, metavar="FILE", help="journal to use instead of the one below")
    command.add_argument(
        "--report",
        nargs="?",
        type=Path,
        const=USUAL_FILE,
        metavar="FILE",
        help="also write an archive to attach to an issue (default: cantstop-report.zip); it contains versions, "
        "settings, findings and figures, but no names, addresses or logs",
    )
    command.set_defaults(run=run, problems=(ConfigError,))


def run(args: argparse.Namespace) -> int:
    """Check all parts; the exit status is described in the help."""
    if args.report == USUAL_FILE:
        args.report = issue_report.free_file()
    _check_report(args)
    config = Config() if args.simulate else load(args.config)
    journal = args.journal or journal_file(simulated=args.simulate)
    pictures: list[Frame] = []
    findings = _findings(config, journal, pictures, simulated=args.simulate)
    _show(findings)
    if args.report is not None:
        _report(args, config, journal, findings, pictures)
    return int(any(each.level is Grade.BAD for each in findings))


def _check_report(args: argparse.Namespace) -> None:
    """Check whether the report can be written, before all parts are checked.

    Raises:
        Refused: If not, or if options exclude each other.
    """
    if args.report is not None and args.report.exists():
        raise Refused(f"{args.report} already exists: remove it, or name another file after --report")
    if args.report is not None and not args.report.parent.is_dir():
        raise Refused(f"the folder {args.report.parent} does not exist: name a file in an existing one after --report")


def _report(
    args: argparse.Namespace, config: Config, journal: Path, findings: list[Finding], pictures: list[Frame]
) -> None:
    """Write the archive, with a picture if the user agrees.

    Raises:
        Refused: If it cannot be written.
    """
    learned = None
    with contextlib.suppress(calibration.CalibrationError):
        learned = calibration.load(calibration_file(simulated=args.simulate))
    made = issue_report.Report(
        findings=tuple(findings),
        settings=config,
        display=DisplayChoice(config.oled, display_file(journal)).config,
        machine=Machine(),
        cameras=None if args.simulate or box_is_running(journal) else _cameras(),
        calibration=learned,
        focus_dioptres=None if args.simulate else focus.load(focus_file()),
        picture=pictures[-1] if pictures and _agrees() else None,
    )
    try:
        issue_report.write(made, args.report)
    except OSError as error:
        raise Refused(f"cannot write {args.report}: {error.strerror}") from error
    picture = "report.json and picture.png" if made.picture is not None else "report.json, no picture"
    remark(f"Wrote {args.report} ({picture}). Check its contents before you attach it to an issue.")


def _agrees() -> bool:
    """Return whether the user wants the camera's picture in the archive; False without a terminal to ask on."""
    if not sys.stdin.isatty():
        return False
    remark("Include a picture of what the camera sees now? It shows everything in view. [y/N]")
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _cameras() -> tuple[str, ...]:
    """Return the names of the sensors that libcamera lists; empty if it does not answer."""
    none: tuple[str, ...] = ()
    answers: queue.Queue[tuple[str, ...]] = queue.Queue()
    call_with_timeout(DEADLINE_S, sensors, answers.put, none, lambda _: none)
    return answers.get()


def _findings(config: Config, journal: Path, pictures: list[Frame], *, simulated: bool) -> list[Finding]:
    """Return the findings of all parts, with a progress line on stderr; the camera's picture is added to `pictures`."""
    machine = Machine()
    running = box_is_running(journal)
    answers: queue.Queue[Finding] = queue.Queue()
    found: dict[str, Finding] = {}
    if running:
        held = ("buttons", "camera", "sharpness", "light", "oled")
        found = {probe: Finding(probe, Grade.ABSENT, "box is running") for probe in held}
    elif simulated or not sys.stdin.isatty() or not machine.is_pi:
        what = "only a Pi" if not (simulated or machine.is_pi) else "not asked"
        found = {"buttons": Finding("buttons", Grade.ABSENT, what)}
    else:
        found = {"buttons": _buttons(config.buttons)}
    run_probes(machine_probes(machine, journal.parent, config), answers.put)
    if not running:

        def tell(measured: TrayMeasured) -> None:
            for each in camera_findings(measured):
                answers.put(each)

        none = TrayMeasured("no camera")
        call_with_timeout(CAMERA_S, lambda: _look(config, pictures, simulated=simulated), tell, none, lambda _: none)
        oled = DisplayChoice(config.oled, display_file(journal)).config
        run_probes({"oled": lambda: _display(oled, machine, simulated=simulated)}, answers.put)
    deadline = time.monotonic() + CAMERA_S + DEADLINE_S  # each of them ends earlier, by its own deadline
    with Console(stderr=True).status("") as status:
        while missing := [probe for probe in PROBES if probe not in found]:
            status.update(f"checking {', '.join(missing)}…")
            each = answers.get(timeout=max(0.0, deadline - time.monotonic()))
            found[each.probe] = each
    return [found[probe] for probe in PROBES]


def _look(config: Config, pictures: list[Frame], *, simulated: bool) -> TrayMeasured:
    """Look at the tray once, and add the last frame to `pictures`; camera problems are printed on stderr."""
    look = TrayLook()
    try:
        tray = SimulatedTray(seed=0, hurried=True) if simulated else None
        with closing(tray or PiCamera(config.camera, focus_file())) as camera:
            measured = None
            while measured is None:  # it ends: a look takes a fixed number of frames, and each has a deadline
                with camera.shot(FRAME_TIMEOUT_S) as shot:
                    measured = look.see(frame := shot.picture(), shot.field_deg)
            pictures.append(frame)
    except CameraError as error:
        remark(f"camera: {error}")
        return TrayMeasured("no camera")
    return measured


def _display(config: OledConfig, machine: Machine, *, simulated: bool) -> Finding:
    """Return whether the display accepts a picture."""
    try:
        with closing(open_oled(bus=OledBus()) if simulated else open_oled(config=config)) as display:
            display.show(draw(Screen(texts.CHECK, text=(fault_texts.FINDINGS["display answers"],))))
    except DisplayError:
        if machine.is_pi:
            return Finding("oled", Grade.BAD, "display lost")
        return Finding("oled", Grade.ABSENT, "no display")
    return Finding("oled", Grade.FINE, "display answers")


def _buttons(config: ButtonsConfig) -> Finding:
    """Return whether all buttons work, asking for one after another."""
    presses: queue.Queue[Press] = queue.Queue()
    try:
        with closing(Buttons(config, presses.put)):
            return ask_for_buttons(presses, remark, PRESS_S)
    except ButtonsError as error:
        return failure("buttons", error)


def _show(findings: Iterable[Finding]) -> None:
    """Print a line for each part."""
    figures = Table(box=None, show_header=False, pad_edge=False)
    for each in findings:
        sign = Text(GRADE_MARKS[each.level], COLOURS[each.level])
        finding = say(fault_texts.FINDINGS[each.what], **dict(each.values))
        figures.add_row(sign, texts.PROBES[each.probe], Text(finding))
    versions = ", ".join(f"{name} {version}" for name, version in libraries().items())
    figures.add_row("", "", Text(versions, "dim"))
    show(figures)


def ask_for_buttons(presses: queue.Queue[Press], tell: Callable[[str], object], wait_s: float) -> Finding:
    """Request each button in turn; the first one that is not pressed ends the test.

    Args:
        presses: The queue of presses.
        tell: Shows an instruction.
        wait_s: How long to wait for each press, in seconds.
    """
    for button in BUTTONS:
        tell(f"press {button} (within {wait_s:.0f} s)")
        if not _comes(button, presses, tell, time.monotonic() + wait_s):
            return Finding("buttons", Grade.BAD, "not pressed", (("button", str(button)),))
    return Finding("buttons", Grade.FINE, "buttons work")


def _comes(button: Button, presses: queue.Queue[Press], tell: Callable[[str], object], deadline: float) -> bool:
    while (left := deadline - time.monotonic()) > 0:
        try:
            press = presses.get(timeout=left)
        except queue.Empty:
            return False
        if press.button is button:
            return True
        tell(f"that was {press.button}; press {button}")
    return False
