"""The camera's pictures in the form that the page needs: small files, with readings and measurements."""

from __future__ import annotations

import base64
from collections.abc import Iterable

import cv2
import numpy as np

from device.camera.seen_frame import SeenFrame, look_alike
from device.page.wire import Data
from vision.params import Params
from vision.pictures import decode
from vision.reader import Look, examine
from vision.tray.advice import Advice, Change, advise, advise_on_dice
from vision.tray.calibrate import TrayFrame, measure
from vision.tray.edge import CannotCalibrateError
from vision.tray.known import Tray
from vision.types import Die, Frame

MOST_SIDE = 800
"""The largest width or height of a picture for the page, in pixels."""
JPEG_QUALITY = 80

MOST_PIXELS = 16_000_000
"""The largest photograph, in pixels; the page sends smaller ones."""
LONGEST_PX = 1600
"""The longest side with which a photograph is read, in pixels."""
LOOKS_S = 2.0
"""The processor time after which no further look at a photograph begins, in seconds; there is no next frame."""


def throw_picture(sight: SeenFrame) -> Data:
    """Return the picture of a roll with the place of each die that was read."""
    assert sight.reading is not None
    return jpeg(sight.frame) | {
        "values": sight.reading.values,
        "dice": [_die(die, sight.frame) for die in sight.reading.dice],
    }


def examine_photograph(data: bytes, dice: int) -> Look:
    """Read the dice in a picture file and return what was found.

    Args:
        data: The file's content.
        dice: The number of dice to expect.

    Raises:
        UnreadablePictureError: If it is not a picture, or too large.
    """
    frame = decode(data, "the photograph", MOST_PIXELS, near_px=LONGEST_PX * 3 // 4)
    return examine(_reduced(frame, LONGEST_PX), None, dice, Params(deadline_s=LOOKS_S))


def photograph_picture(evidence: Look) -> Data:
    """Return a photograph as it was read: each die, whether it is the reason for a refusal, and that reason."""
    reading, objection = evidence.reading, evidence.objection
    dice = [_die(die, evidence.frame) for die in reading.dice]
    for seen, shown in zip(evidence.dice, dice, strict=False):
        shown["refused"] = objection is not None and objection.die is seen
    return jpeg(evidence.frame) | {"dice": dice, "reason": reading.reason.value if reading.reason else ""}


def tray_picture(frame: Frame, before: Frame | None, thrown: SeenFrame | None) -> Data:
    """Return the picture of a simulated tray, the dice of the last roll as long as they lie there, and what moves.

    Args:
        frame: What the camera sees now.
        before: What it saw at the request before.
        thrown: The picture in which the last roll was read.
    """
    dice = thrown.reading.dice if thrown and thrown.reading and look_alike(frame, thrown.frame) else ()
    moves = before is None or not look_alike(frame, before)
    return jpeg(frame) | {"dice": [_die(die, frame) for die in dice], "moves": moves}


def live_picture(sight: SeenFrame, tray: Tray | None, *, needs_tray: bool = True) -> Data:
    """Return what the camera sees now, with measurements that help to adjust its arm.

    Args:
        sight: What the camera sees now.
        tray: The calibration of the tray; None before the tray is calibrated.
        needs_tray: Whether dice are rolled into a tray; otherwise there is no outline, and only the dice give advice.

    Returns:
        The picture; the tray's outline as fractions of width and height; each die; sharpness, light and advice.
    """
    evidence = examine(sight.frame, tray, dice=None)
    data = jpeg(sight.frame) | {
        "dice": [_die(die, sight.frame) for die in evidence.reading.dice],
        "reason": evidence.reading.reason.value if evidence.reading.reason else "",
        "edge": [],
        "problem": "",
        "figures": {},
        "advice": [],
    }
    if not needs_tray:
        return data | {"advice": _advice(advise_on_dice(evidence.reading, sight.frame))}
    try:
        measured = measure([TrayFrame.of(evidence, sight.field_deg)])
    except CannotCalibrateError as error:
        return data | {"problem": str(error)}
    return data | {
        "edge": [[round(x, 4), round(y, 4)] for x, y in measured.edge],
        "figures": {
            "blur_px": None if measured.blur_px is None else round(measured.blur_px, 2),
            "brightness": round(measured.brightness),
            "glare": round(measured.glare, 4),
            "tilt_deg": None if measured.tilt_deg is None else round(measured.tilt_deg),
        },
        # Dice in the tray prevent its calibration, not an adjustment of the arm.
        "advice": _advice(each for each in advise(measured) if each.change is not Change.EMPTY),
    }


def _advice(found: Iterable[Advice]) -> list[Data]:
    return [{"change": each.change.value, "required": each.is_required} for each in found]


def jpeg(frame: Frame) -> Data:
    """Return a picture for the page as JPEG in base64, with its width and height in pixels."""
    frame = _reduced(frame, MOST_SIDE)
    _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return {"jpeg": base64.b64encode(data.tobytes()).decode(), "width": frame.shape[1], "height": frame.shape[0]}


def _reduced(frame: Frame, longest_px: int) -> Frame:
    """Return a picture whose longest side is at most this."""
    height, width = frame.shape[:2]
    scale = longest_px / max(height, width)
    if scale >= 1.0:
        return frame
    size = round(width * scale), round(height * scale)
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)


def _die(die: Die, frame: Frame) -> Data:
    height, width = frame.shape[:2]
    x0, y0, x1, y1 = die.box
    return {
        "value": die.value,
        "confidence": round(die.confidence, 4),
        "box": [round(x0 / width, 4), round(y0 / height, 4), round(x1 / width, 4), round(y1 / height, 4)],
    }
