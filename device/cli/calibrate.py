"""`cantstop calibrate`: calibrate the tray under the camera and suggest improvements."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from device.cli.output import complain, remark, say
from device.cli.parsing import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from device.camera.port import Camera
    from vision.tray.advice import Advice
    from vision.tray.calibrate import Measured, TrayFrame
    from vision.tray.calibration import Calibration

T = TypeVar("T")

FRAMES = 8
"""The number of frames to examine: enough to average out the noise; they take half a second."""

WARM_UP_FRAMES = 70
"""The number of frames for a real camera to measure and lock its exposure and white balance, 4.7 s."""

ROLLING_FRAMES = 60
"""The number of frames for the simulated dice to come to rest, 4 s."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "calibrate",
        help="learn the tray under the camera and report what to change",
        files=("settings", "calibration", "focus", "simulated calibration"),
        description=(
            "Look at the empty tray: find its edge, learn its colours, lighting and sharpness, and report what to "
            "change about the camera, lens or lamp. The result is saved in a small file. Reading works without it too."
        ),
    )
    world = command.add_mutually_exclusive_group()
    world.add_argument("--simulate", action="store_true", help="use a simulated tray instead of the camera")
    world.add_argument(
        "--folder", type=Path, metavar="DIR", help="use pictures from this folder; those with dice give the scale"
    )
    deed = command.add_mutually_exclusive_group()
    deed.add_argument("--show", action="store_true", help="print the saved calibration without using the camera")
    deed.add_argument("--forget", action="store_true", help="delete the saved calibration")
    deed.add_argument("--dice", action="store_true", help="after the empty tray, look at dice in it to get the scale")
    command.add_argument(
        "--frames",
        type=whole_number(1, 200),
        default=FRAMES,
        metavar="N",
        help=f"number of frames to look at (default: {FRAMES})",
    )
    command.add_argument("--picture", type=Path, metavar="FILE", help="write a PNG picture of what was found")
    command.add_argument("--config", type=Path, metavar="FILE", help="settings file to use instead of the one below")
    command.add_argument("--file", type=Path, metavar="FILE", help="calibration file to use instead of the one below")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrate; return 0 if all is fine, 1 if something prevents reading, 2 without a camera or file."""
    from device.camera.port import CameraError
    from device.config import ConfigError
    from device.paths import calibration_file
    from vision.pictures.load import UnreadablePictureError
    from vision.tray.calibration import CalibrationError

    file: Path = args.file or calibration_file(simulated=args.simulate)
    try:
        if problem := _clash(args):
            complain("calibrate", problem)
            return 2
        if args.forget:
            return _forget(file)
        if args.show:
            return _show(file, args)
        return _calibrate(file, args)
    except (CameraError, ConfigError, CalibrationError, UnreadablePictureError, OSError) as error:
        complain("calibrate", error)
        return 2


def _clash(args: argparse.Namespace) -> str:
    """Return which options exclude one another; "" if there is no conflict."""
    if args.picture is not None and args.picture.suffix.lower() != ".png":
        return f"--picture writes PNG: name it {args.picture.with_suffix('.png')}"
    if args.folder is not None and (args.dice or args.show or args.forget):
        return "--folder cannot be combined with --dice, --show or --forget: it finds its pictures with dice by itself"
    if args.dice and not args.simulate and not sys.stdin.isatty():
        return "--dice waits for you to put dice into the tray: run it in a terminal"
    return ""


def _forget(file: Path) -> int:
    if not file.exists():
        say(f"No calibration saved in {file}.")
        return 0
    file.unlink()
    say(f"Deleted {file}. Reading works without it.")
    return 0


def _show(file: Path, args: argparse.Namespace) -> int:
    from vision.pictures.save import save_png
    from vision.tray.calibration import load
    from vision.tray.picture import kept_picture

    calibration = load(file)
    lines = _figures(calibration)
    if args.picture is not None:
        save_png(kept_picture(calibration, lines), args.picture)
    if args.json:
        say(json.dumps({"file": str(file)} | _as_json(calibration)))
    else:
        say(*lines, f"saved in {file}")
    return 0


def _calibrate(file: Path, args: argparse.Namespace) -> int:
    from vision.pictures.save import save_png
    from vision.tray.advice import advise
    from vision.tray.calibrate import measure
    from vision.tray.calibration import save
    from vision.tray.edge import CannotCalibrateError
    from vision.tray.picture import failed_picture, measured_picture

    looks = _looks(args)
    try:
        measured = measure(looks)
    except CannotCalibrateError as error:
        if args.picture is not None:
            save_png(failed_picture(looks[0], str(error)), args.picture)
        complain("calibrate", error)
        return 1
    advice = advise(measured)
    lines = (*_figures(measured.calibration, has_edge=measured.has_edge), *_seen(measured))
    if args.picture is not None:
        save_png(measured_picture(measured, [(_text(each), each.is_required) for each in advice], lines), args.picture)
    if measured.has_edge:
        save(measured.calibration, file)
    if args.json:
        # Without an outline nothing was stored.
        kept = {"file": str(file) if measured.has_edge else None}
        say(json.dumps(kept | _as_json(measured.calibration) | _told(measured, advice)))
    else:
        marks = [("* " if each.is_required else "- ") + _text(each) for each in advice]
        closing = f"saved in {file}" if measured.has_edge else f"nothing saved; {file} is unchanged"
        say(*lines, *(marks or ["Fine."]), closing)
    return 1 if any(each.is_required for each in advice) else 0


def _looks(args: argparse.Namespace) -> list[TrayFrame]:
    """Return the measured frames, with a progress bar.

    Raises:
        CameraError: If there is no camera, folder or picture.
        UnreadablePictureError: If a file in the folder is not a picture.
    """
    from device.camera.folder import pictures_in
    from vision.pictures.load import load
    from vision.tray.calibrate import look_at

    if args.folder is not None:
        pictures = pictures_in([args.folder])
        return [look_at(load(picture)) for picture in _bar(pictures, "pictures")]
    return _simulated(args) if args.simulate else _from_camera(args)


def _simulated(args: argparse.Namespace) -> list[TrayFrame]:
    from device.camera.simulated import SimulatedTray
    from device.camera.worker import FRAME_TIMEOUT_S

    tray = SimulatedTray(seed=0, hurried=True)
    looks = [_look_through(tray) for _ in _bar(range(args.frames), "empty tray")]
    if args.dice:
        tray.throw()
        for _ in range(ROLLING_FRAMES):
            tray.frame(FRAME_TIMEOUT_S)
        looks += [_look_through(tray) for _ in _bar(range(args.frames), "dice")]
    return looks


def _from_camera(args: argparse.Namespace) -> list[TrayFrame]:
    from contextlib import closing

    from device.camera import focus
    from device.camera.picamera import PiCamera
    from device.camera.port import picture
    from device.camera.worker import FRAME_TIMEOUT_S
    from device.config import load
    from device.paths import focus_file

    settings = load(args.config).camera
    focus.forget(focus_file())  # the distance of the tray may have changed
    with closing(PiCamera(settings, focus_file())) as camera:
        for _ in _bar(range(WARM_UP_FRAMES), "warming up"):
            picture(camera, FRAME_TIMEOUT_S)
        looks = [_look_through(camera) for _ in _bar(range(args.frames), "empty tray")]
        if args.dice:
            remark("Put some dice flat into the tray, take your hand away and press Enter.")
            sys.stdin.readline()
            for _ in range(WARM_UP_FRAMES):  # frames from before may still be queued
                picture(camera, FRAME_TIMEOUT_S)
            looks += [_look_through(camera) for _ in _bar(range(args.frames), "dice")]
    return looks


def _look_through(camera: Camera) -> TrayFrame:
    """Return the measurements of a camera's next picture."""
    from device.camera.worker import FRAME_TIMEOUT_S
    from vision.tray.calibrate import look_at

    with camera.shot(FRAME_TIMEOUT_S) as shot:
        return look_at(shot.picture(), field_deg=shot.field_deg)


def _bar(things: Sequence[T], doing: str) -> Iterator[T]:
    """Yield items with a progress bar on stderr."""
    from rich.console import Console
    from rich.progress import track

    return iter(track(things, doing, console=Console(stderr=True), transient=True))


def _figures(calibration: Calibration, *, has_edge: bool = True) -> tuple[str, ...]:
    """Return the lines about the values that are stored."""
    width, height = calibration.frame_size
    die, noise, blur = calibration.die_side, calibration.noise, calibration.blur_px
    edge = f"edge with {len(calibration.tray)} corners" if has_edge else "no edge found"
    return (
        f"tray: {edge}, in frames of {width}x{height}",
        "dice: " + ("none seen" if die is None else f"{die * width:.0f} pixels wide"),
        f"light: brightness {calibration.brightness:.0f} of 255, the darkest part has "
        f"{100 * calibration.evenness:.0f} % of the brightest, {100 * calibration.glare:.1f} % overexposed, "
        + ("noise unknown (only one frame)" if noise is None else f"noise {noise:.1f}"),
        "blur: " + ("unknown, nothing to measure" if blur is None else f"{blur:.1f} pixels at a width of 640"),
        "empty tray: " + ("not seen" if calibration.empty is None else "learnt"),
    )


def _seen(measured: Measured) -> tuple[str, ...]:
    """Return the lines about the values that are not stored."""
    from vision.tray.advice import die_px_of, tilt_text, whole_px

    lines = []
    die_px, is_measured = die_px_of(measured)
    if not is_measured and measured.has_edge:
        lines.append(
            f"dice will be about {whole_px(die_px)} pixels wide at a width of 640, judging by the size of the tray"
        )
    if measured.tilt_deg is None:
        lines.append("camera: tilt unknown (measuring it takes a rectangular tray that is entirely in view)")
    else:
        lines.append(f"camera: tilted by {tilt_text(measured.tilt_deg)}")
    return tuple(lines)


def _text(advice: Advice) -> str:
    """Return an advice as one line: the remedy in the words of the box's screen, and what was measured."""
    from device.screens import texts

    remedy = texts.FINDINGS[advice.change.value]
    return f"{remedy[:1].upper()}{remedy[1:]} ({advice.detail})."


def _as_json(calibration: Calibration) -> dict[str, object]:
    return {
        "frame_size": calibration.frame_size,
        "tray": calibration.tray,
        "die_side": calibration.die_side,
        "brightness": round(calibration.brightness, 1),
        "evenness": round(calibration.evenness, 3),
        "glare": round(calibration.glare, 4),
        "noise": None if calibration.noise is None else round(calibration.noise, 2),
        "blur_px": None if calibration.blur_px is None else round(calibration.blur_px, 2),
        "empty": calibration.empty is not None,
    }


def _told(measured: Measured, advice: tuple[Advice, ...]) -> dict[str, object]:
    return {
        "frames": measured.looks,
        "frames_with_dice": measured.dice,
        "frames_covered": measured.covered,
        "tilt_deg": None if measured.tilt_deg is None else [round(tilt, 1) for tilt in measured.tilt_deg],
        "advice": [{"change": each.change.value, "text": _text(each), "hinders": each.is_required} for each in advice],
    }
