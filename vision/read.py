"""Reading one frame: the stages in a row, and what each of them found."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.bodies import Body, find_bodies
from vision.faces import Face, find_faces
from vision.params import Params
from vision.pips import Pips, find_pips
from vision.reading import Die, Frame, Reading, Reason
from vision.tops import Top, box_of, choose_tops
from vision.verdict import judge


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that was found on the way to a reading, for the debug picture and for choosing thresholds.

    Attributes:
        work: The picture at working size, in whose pixels `pips`, `faces`, `bodies` and `tops` are.
        scale: Working size / size of the frame.
        pips: Stage 1, every spot that looks like a pip.
        faces: Stage 2, every face that the spots could make.
        bodies: Stage 3, the rim around each face, in the same order.
        tops: Stage 4, one top face for each die, the best first.
        kept: Those of the tops that the reading speaks of.
        reading: Stage 5, in pixels of the frame.
    """

    work: Frame
    scale: float
    pips: Pips
    faces: tuple[Face, ...]
    bodies: tuple[Body, ...]
    tops: tuple[Top, ...]
    kept: tuple[Top, ...]
    reading: Reading


def read(frame: Frame, params: Params | None = None) -> Reading:
    """Read the dice in a picture.

    Args:
        frame: (H, W, 3) uint8, BGR, of any size.
        params: The tunables, and how many dice there must be; by default `Params()`.

    Returns:
        The dice with their values, or the reason why there is no reading. Never a value that is not sure.

    Raises:
        ValueError: `frame` is not such an array.
    """
    return examine(frame, params).reading


def examine(frame: Frame, params: Params | None = None) -> Evidence:
    """Read the dice in a picture and keep what every stage found; arguments and errors as for `read`."""
    params = params or Params()
    _check(frame)
    first = _look(frame, params.working_pixels[0], params)
    for pixels in params.working_pixels[1:]:
        if first.reading.ok and params.dice is not None:
            break
        closer = _look(frame, pixels, params)
        if not first.reading.ok:
            if closer.reading.ok and _agree(first, closer, params):
                return closer
        elif not _agree(closer, first, params):
            # The number of dice is not known, and the closer look surely found what the first one did not.
            return closer if closer.reading.ok and _agree(first, closer, params) else _unsure(closer)
    return first


def _unsure(evidence: Evidence) -> Evidence:
    """Refuse what two looks do not agree on."""
    reading = Reading(evidence.reading.dice, Reason.UNSURE, "two looks at the picture do not agree")
    return replace(evidence, reading=reading)


def _look(frame: Frame, pixels: int, params: Params) -> Evidence:
    """Run the stages at one working size."""
    work, scale = _at_working_size(frame, pixels)
    pips = find_pips(work, params.pips)
    faces = find_faces(work, pips, params.faces)
    bodies = find_bodies(work, faces, params.bodies)
    tops = choose_tops(work, pips, faces, bodies, params.tops)
    brightness = float(np.percentile(work[::4, ::4].max(axis=2), 98))
    kept, reason, detail = judge(tops, pips, work.shape[:2], brightness, params.dice, params.verdict)
    dice = tuple(sorted((_die(top, scale) for top in kept), key=lambda die: (die.box[1], die.box[0])))
    reading = Reading(dice, reason, detail)
    return Evidence(work, scale, pips, tuple(faces), tuple(bodies), tuple(tops), tuple(kept), reading)


def _agree(one: Evidence, another: Evidence, params: Params) -> bool:
    """Tell whether every die that is surely there in one look is there, with the same value, in the other."""
    for die in one.reading.dice:
        if die.confidence < params.verdict.sure:
            continue
        x, y = (die.box[0] + die.box[2]) / 2, (die.box[1] + die.box[3]) / 2
        if not any(
            other.value == die.value and other.box[0] < x < other.box[2] and other.box[1] < y < other.box[3]
            for other in another.reading.dice
        ):
            return False
    return True


def _check(frame: Frame) -> None:
    """Refuse anything that is not a BGR picture.

    Raises:
        ValueError: with what was given and what is needed.
    """
    if not isinstance(frame, np.ndarray):
        raise ValueError(f"a frame is a numpy array of shape (H, W, 3), not {type(frame).__name__}")  # noqa: TRY004
    if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or not frame.size:
        raise ValueError(
            f"a frame is uint8 of shape (H, W, 3) in BGR order, not {frame.dtype} {frame.shape}; "
            "vision.load.load turns any picture file into one"
        )


def _at_working_size(frame: Frame, pixels: int) -> tuple[Frame, float]:
    """Scale the frame to the working number of pixels; return it with working size / frame size."""
    height, width = frame.shape[:2]
    scale = float(np.sqrt(pixels / (height * width)))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    work = frame if size == (width, height) else cv2.resize(frame, size, interpolation=how)
    return np.asarray(work, np.uint8), scale


def _die(top: Top, scale: float) -> Die:
    """Turn a top face at working size into a die in the frame's pixels."""
    x0, y0, x1, y1 = (edge / scale for edge in box_of(top.body))
    value = top.face.value
    runner_up = top.rival or LIKELY_MISREADING[value]
    return Die(value, (x0, y0, x1, y1), top.confidence, runner_up)


LIKELY_MISREADING = {1: 3, 2: 3, 3: 2, 4: 5, 5: 4, 6: 5}
"""What a value is most likely mistaken for where the picture shows no rival: one pip more or less."""
