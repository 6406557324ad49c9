"""`cantstop read`: read the dice in pictures."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from device.camera.liveness import FRAME_TIMEOUT_S
from device.camera.opencv import OpenCvCamera, shown
from device.camera.port import CameraError, picture
from device.cli import camera_option
from device.cli.output import Refused, complain, say
from device.cli.parsing import dice_or_any
from device.config import ConfigError
from device.config import load as load_settings
from vision.debug import debug_picture
from vision.pictures import UnreadablePictureError, load, save_png
from vision.reader import Look, examine
from vision.tray.calibration import CalibrationError
from vision.tray.calibration import load as load_calibration
from vision.types import Frame
from vision.verdict.all_objections import outcomes

LIGHT_FRAMES = 30
"""The number of frames in which the Pi's camera measures the light, 2 s."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "read",
        help="read the dice in pictures",
        description="Print the dice found in each picture, or in what a camera sees now, or why they cannot be read.",
    )
    command.add_argument(
        "images", nargs="*", metavar="IMAGE", type=Path, help="a picture of dice: JPEG, PNG or another format"
    )
    camera_option.add(command)
    command.add_argument(
        "--dice",
        type=dice_or_any,
        default=4,
        metavar="N",
        help="number of dice to expect (default: 4), or 'any'",
    )
    command.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help="file saved by cantstop calibrate for the tray in the pictures",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object per line")
    command.add_argument(
        "--debug", type=Path, metavar="DIR", help="write a copy of each picture there, with the findings drawn in"
    )
    command.add_argument("--why", action="store_true", help="print each row of the verdict's table with its result")
    command.set_defaults(run=run, problems=(CalibrationError, CameraError, ConfigError))


def run(args: argparse.Namespace) -> int:
    """Read the pictures one after the other; return 2 if a file is unusable."""
    if bool(args.images) == bool(args.camera):
        raise Refused("name the pictures to read, or a camera with --camera")
    tray = None if args.calibration is None else load_calibration(args.calibration)
    debug: Path | None = args.debug
    if debug is not None:
        try:
            debug.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Refused(f"cannot create the folder {debug}: {error.strerror}") from error
    status = 0
    pictures: list[tuple[str, Callable[[], Frame]]] = [(str(image), partial(load, image)) for image in args.images]
    if args.camera:
        pictures = [(shown(args.camera), lambda: _picture_of(args))]
    for number, (name, frame_of) in enumerate(pictures, start=1):
        try:
            frame = frame_of()
        except UnreadablePictureError as error:
            complain("read", error)
            status = 2
            continue
        start = time.perf_counter()
        evidence = examine(frame, tray, None if args.dice == "any" else args.dice)
        ms = (time.perf_counter() - start) * 1000
        if args.json:
            say(json.dumps(_as_json(name, evidence, ms, why=args.why)))
        else:
            say(_as_text(name, evidence, ms), *(_as_table(evidence) if args.why else ()))
        if debug is not None:
            target = debug / f"{number}-{Path(name).stem}-debug.png"
            try:
                save_png(debug_picture(evidence), target)
            except OSError as error:
                raise Refused(f"cannot write {target}: {error.strerror}") from error
    return status


def _picture_of(args: argparse.Namespace) -> Frame:
    """Return a picture of the camera, (H, W, 3) uint8 BGR; the first one of a film.

    Raises:
        CameraError: If no picture comes.
    """
    with closing(camera_option.opened(args, load_settings())) as camera:
        if not isinstance(camera, OpenCvCamera):
            for _ in range(LIGHT_FRAMES):
                picture(camera, FRAME_TIMEOUT_S)
        return picture(camera, FRAME_TIMEOUT_S)


def _as_json(name: str, evidence: Look, ms: float, *, why: bool) -> dict[str, Any]:
    reading = evidence.reading
    entry: dict[str, Any] = {
        "file": name,
        "status": "ok" if reading.ok else "refused",
        "values": list(reading.values),
        "dice": [
            {
                "value": die.value,
                "box": [round(edge, 1) for edge in die.box],
                "confidence": round(die.confidence, 4),
            }
            for die in reading.dice
        ],
        "reason": None if reading.reason is None else reading.reason.value,
        "ms": round(ms, 1),
    }
    if why:
        entry["why"] = dict(outcomes(evidence.decided_by))
    return entry


def _as_text(name: str, evidence: Look, ms: float) -> str:
    reading = evidence.reading
    if reading.ok:
        return f"{name}: {' '.join(map(str, reading.values))}  ({ms:.0f} ms)"
    return f"{name}: not read, {reading.reason}: {reading.detail}  ({ms:.0f} ms)"


def _as_table(evidence: Look) -> list[str]:
    """Return why earlier looks were rejected, and the result of each row of the verdict's table."""
    earlier = [f"  earlier look: {look.reading.reason}: {look.reading.detail}" for look in reversed(evidence.earlier)]
    return earlier + [f"  {name:<16}{outcome}" for name, outcome in outcomes(evidence.decided_by)]
