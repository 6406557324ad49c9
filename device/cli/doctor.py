"""`cantstop doctor`: check every part of the box, and say what to do about each problem."""

from __future__ import annotations

import argparse
import queue
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from device.camera.liveness import FRAME_TIMEOUT_S
from device.camera.opencv import OpenCvCamera, shown
from device.camera.port import Camera, CameraError
from device.camera.simulated import SimulatedTray
from device.camera.sources import cameras
from device.camera.tray_look import TrayLook
from device.cli import camera_option
from device.cli.output import Refused, remark, say, show
from device.config import Config, ConfigError, OledConfig, load
from device.hardware.display import DisplayError, ShownDisplay
from device.hardware.display_choice import DisplayChoice
from device.hardware.oled import open_oled
from device.health import issue_report, probes
from device.health.machine import Machine, box_is_running
from device.health.machine_control import machine_probes
from device.health.probe_runner import DEADLINE_S, ask_aside, run_probes
from device.paths import DISPLAY, beside, journal_file
from device.referee.box_care import PROBES, camera_findings
from device.referee.inputs import Finding, Grade, TrayMeasured
from device.screens import fault_texts, language, texts
from device.screens.draw import draw
from device.screens.screen import Screen
from vision.pictures import save_png

CAMERA_S = 90.0
"""The time limit for the camera, in seconds: libcamera opens, measures light and focus, and eight frames are
examined."""

SIGNS = {"fine": ("✓", "green"), "advice": ("!", "yellow"), "bad": ("X", "red"), "absent": ("-", "dim")}
"""The sign before a finding, by its grade, and the sign's colour."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "doctor",
        help="check every part of the box and report what to do",
        description=(
            "Check the camera, lens and light, display, I2C, storage, clock, temperature, power and versions. Each "
            "line says that a part is fine, or what to do. The box's menu has the same check, with the buttons: hold "
            "STOP, then choose The box, Check the box."
        ),
        epilog="Exit status: 0 if the box can be played on, 1 if something is broken, 2 if the settings are invalid.",
    )
    world = command.add_mutually_exclusive_group()
    world.add_argument("--simulate", action="store_true", help="use a simulated tray and display, not the real ones")
    camera_option.add(world)
    command.add_argument("--config", type=Path, metavar="FILE", help="settings file to use instead of the usual one")
    command.add_argument("--journal", type=Path, metavar="FILE", help="journal to use instead of the usual one")
    command.add_argument(
        "--report",
        action="store_true",
        help="also write cantstop-report.zip, to attach to an issue; it contains versions, settings, findings and "
        "figures, but no names, addresses, pictures or logs",
    )
    command.add_argument(
        "--cameras",
        action="store_true",
        help="only list the cameras of this computer, and write a picture of each in the current folder",
    )
    command.set_defaults(run=run, problems=(ConfigError,))


def run(args: argparse.Namespace) -> int:
    """Check all parts; the exit status is described in the help."""
    config = Config() if args.simulate else load(args.config)
    journal = args.journal or journal_file(simulated=args.simulate)
    if args.cameras:
        return _list_cameras(journal)
    look = _Look(lambda: SimulatedTray(seed=0, hurried=True) if args.simulate else camera_option.opened(args, config))
    findings = _findings(config, journal, look, simulated=args.simulate)
    _show(findings, look)
    if args.report:
        text = issue_report.report(findings, config, journal, simulated=args.simulate)
        try:
            remark(f"Wrote {issue_report.write(text)}. Check its contents before you attach it to an issue.")
        except OSError as error:
            raise Refused(f"cannot write the report: {error}") from error
    return int(any(each.level is Grade.BAD for each in findings))


def _findings(config: Config, journal: Path, look: _Look, *, simulated: bool) -> list[Finding]:
    """Return the findings of all parts, with a progress line on stderr."""
    machine = Machine()
    answers: queue.Queue[Finding] = queue.Queue()
    run_probes(machine_probes(machine, journal.parent, config), answers.put)
    if box_is_running(journal):
        held = ("buttons", "camera", "sharpness", "light", "oled")
        found = {probe: Finding(probe, Grade.ABSENT, "box is running") for probe in held}
    else:
        what = "not asked" if config.its_board.has_buttons else "no buttons"
        found = {"buttons": Finding("buttons", Grade.ABSENT, what)}

        def tell(measured: TrayMeasured) -> None:
            for each in camera_findings(measured):
                answers.put(each)

        ask_aside(look.measured, tell, TrayMeasured("no camera"), CAMERA_S)
        oled = DisplayChoice(config.oled, beside(journal, DISPLAY)).config
        run_probes({"oled": lambda: _display(oled, machine, simulated=simulated)}, answers.put)
    deadline = time.monotonic() + CAMERA_S + DEADLINE_S  # each of them ends earlier, by its own deadline
    with Console(stderr=True).status("") as status:
        while missing := [probe for probe in PROBES if probe not in found]:
            status.update(f"checking {', '.join(missing)}…")
            each = answers.get(timeout=max(0.0, deadline - time.monotonic()))
            found[each.probe] = each
    return [found[probe] for probe in PROBES]


class _Look:
    """One look at the tray, and what it says about the camera."""

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        self._open = open_camera
        self.problem = ""
        """Why there is no picture; "" if there is one."""
        self.obtained = ""
        """Size, rate and pixel format; "" if they are not known."""

    def measured(self) -> TrayMeasured:
        """Return the result of the look."""
        look = TrayLook()
        measured = None
        try:
            with closing(self._open()) as camera:
                if isinstance(camera, OpenCvCamera):
                    self.obtained = f"camera {shown(camera.source)}: {camera.obtained}"
                while measured is None:  # it ends: a look takes a fixed number of frames, and each has a deadline
                    with camera.shot(FRAME_TIMEOUT_S) as shot:
                        measured = look.see(shot.picture(), shot.field_deg)
        except CameraError as error:
            self.problem = str(error)
            return TrayMeasured("no camera")
        return measured


def _list_cameras(journal: Path) -> int:
    """Print the cameras that are there, and write a picture of each; return 1 if none works."""
    if box_is_running(journal):
        remark("The box is running and uses its camera. To see a picture of that one: sudo systemctl stop cantstop")
    found = cameras()
    for number, one in enumerate(found):
        say(f"--camera {one.source}  {one.name}".rstrip())
        if one.picture is None:
            say(f"    {one.problem}")
            continue
        file = Path(f"cantstop-camera-{number}.png")
        save_png(one.picture, file)
        say(f"    {one.obtained}; picture: {file}")
    if not found:
        say(
            "No camera found. Plug one in, or use a phone: install a camera app that serves a stream, such as IP "
            "Webcam, and give its address with --camera http://..."
        )
    return int(not any(one.picture is not None for one in found))


def _display(config: OledConfig, machine: Machine, *, simulated: bool) -> Finding:
    """Return whether the display accepts a picture."""
    trouble = ""
    try:
        with closing(ShownDisplay() if simulated else open_oled(config=config)) as display:
            display.show(draw(Screen(texts.CHECK, text=(fault_texts.FINDINGS["display answers"],))))
    except DisplayError as error:
        if not machine.is_pi:
            return Finding("oled", Grade.ABSENT, "no display")
        trouble = str(error)
    return probes.display(trouble, config)


def _show(findings: Iterable[Finding], look: _Look) -> None:
    """Print a line for each part."""
    figures = Table(box=None, show_header=False, pad_edge=False)
    for each in findings:
        sign = Text(*SIGNS[each.level])
        finding = language.say(fault_texts.FINDINGS[each.what], **dict(each.values))
        if each.probe == "camera" and look.problem:
            finding = look.problem  # it names the camera and the remedy, for which the box's screen has no room
        figures.add_row(sign, texts.PROBES[each.probe], Text(finding))
    versions = ", ".join(f"{name} {version}" for name, version in probes.libraries().items())
    for line in filter(None, (look.obtained, versions)):
        figures.add_row("", "", Text(line, "dim"))
    show(figures)
