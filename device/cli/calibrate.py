"""`cantstop calibrate`: calibrate the tray under the camera and suggest improvements."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.progress import track

from device.camera.liveness import FRAME_TIMEOUT_S
from device.camera.picamera import forget_focus
from device.camera.port import CameraError, picture
from device.camera.simulated import SimulatedTray
from device.camera.tray_look import FRAMES
from device.cli import camera_option
from device.cli.output import Refused, complain, remark, say
from device.config import ConfigError
from device.config import load as load_settings
from device.paths import CALIBRATION, FOCUS, state_file, writable
from device.screens import fault_texts
from vision.pictures import save_png
from vision.tray.advice import Advice, advise, die_px_of, whole_px
from vision.tray.calibrate import Measured, TrayFrame, look_at, measure, measured_picture
from vision.tray.calibration import CalibrationError, save
from vision.tray.edge import CannotCalibrateError
from vision.types import Frame

WARM_UP_FRAMES = 70
"""The number of frames for a real camera to measure and lock its exposure and white balance, 4.7 s."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "calibrate",
        help="learn the tray under the camera and report what to change",
        description=(
            "Look at the empty tray: find its edge, learn its colours, lighting and sharpness, and report what to "
            "change about the camera, lens or lamp. The result is saved in a small file. Reading works without it too."
        ),
    )
    world = command.add_mutually_exclusive_group()
    world.add_argument("--simulate", action="store_true", help="use a simulated tray instead of the camera")
    camera_option.add(world)
    command.add_argument("--picture", type=Path, metavar="FILE", help="write a PNG picture of what was found")
    command.add_argument("--config", type=Path, metavar="FILE", help="settings file to use instead of the usual one")
    command.set_defaults(run=run, problems=(CameraError, ConfigError, CalibrationError, OSError))


def run(args: argparse.Namespace) -> int:
    """Calibrate; return 0 if all is fine, 1 if something prevents reading."""
    if args.picture is not None and args.picture.suffix.lower() != ".png":
        raise Refused(f"--picture writes PNG: name it {args.picture.with_suffix('.png')}")
    file = state_file(CALIBRATION, simulated=args.simulate)
    looks = _looks(args)
    try:
        measured = measure(looks)
    except CannotCalibrateError as error:
        _write_picture(looks[0].frame, args.picture)
        complain("calibrate", error)
        return 1
    advice = advise(measured)
    lines = _figures(measured)
    if args.picture is not None:
        _write_picture(measured_picture(measured), args.picture)
    if measured.has_edge:
        save(measured.tray, file)
    marks = [("* " if each.is_required else "- ") + _text(each) for each in advice]
    last = f"saved in {file}" if measured.has_edge else f"nothing saved; {file} is unchanged"
    say(*lines, *(marks or ["Fine."]), last)
    return 1 if any(each.is_required for each in advice) else 0


def _write_picture(frame: Frame, file: Path | None) -> None:
    """Write a picture where it may be written, if one is wanted.

    Raises:
        OSError: If that fails.
    """
    if file is not None:
        save_png(frame, writable(file))
        remark(f"Wrote {writable(file)}")


def _looks(args: argparse.Namespace) -> list[TrayFrame]:
    """Return the measured frames, with a progress bar.

    Raises:
        CameraError: If there is no camera, or no picture comes.
    """
    tray = SimulatedTray(seed=0, hurried=True) if args.simulate else None
    if tray is None:
        forget_focus(state_file(FOCUS))  # the distance of the tray may have changed
    looks = []
    with closing(tray or camera_option.opened(args, load_settings(args.config))) as camera:
        for _ in _bar(0 if tray else WARM_UP_FRAMES, "warming up"):
            picture(camera, FRAME_TIMEOUT_S)
        for _ in _bar(FRAMES, "empty tray"):
            with camera.shot(FRAME_TIMEOUT_S) as shot:
                looks.append(look_at(shot.picture(), field_deg=shot.field_deg))
    return looks


def _bar(frames: int, doing: str) -> Iterable[int]:
    """Yield the numbers of frames with a progress bar on stderr."""
    return track(range(frames), doing, console=Console(stderr=True), transient=True)


def _figures(measured: Measured) -> tuple[str, ...]:
    """Return the lines about what was measured."""
    width, height = measured.tray.frame_size
    die, blur = measured.die_side, measured.blur_px
    edge = f"edge with {len(measured.edge)} corners" if measured.has_edge else "no edge found"
    dice = "none seen" if die is None else f"{die * width:.0f} pixels wide"
    die_px, is_measured = die_px_of(measured)
    if measured.has_edge and not is_measured:
        dice += f"; about {whole_px(die_px)} pixels wide at a width of 640, judging by the size of the tray"
    unknown = "tilt unknown (measuring it takes a rectangular tray that is entirely in view)"
    return (
        f"tray: {edge}, in frames of {width}x{height}",
        f"dice: {dice}",
        f"light: brightness {measured.brightness:.0f} of 255, {100 * measured.glare:.1f} % overexposed",
        "blur: " + ("unknown, nothing to measure" if blur is None else f"{blur:.1f} pixels at a width of 640"),
        "empty tray: " + ("not seen" if measured.tray.empty is None else "learned"),
        "camera: " + (unknown if measured.tilt_deg is None else f"tilted by about {measured.tilt_deg:.0f} degrees"),
    )


def _text(advice: Advice) -> str:
    """Return an advice as one line: the remedy in the words of the box's screen, and what was measured."""
    remedy = fault_texts.FINDINGS[advice.change.value]
    return f"{remedy[:1].upper()}{remedy[1:]} ({advice.detail})."
