"""Reading one frame: look, judge, and look again where that may clear what speaks against the reading."""

from __future__ import annotations

import math
from time import thread_time

import numpy as np

from vision.evidence import Evidence, Picture
from vision.params import Params
from vision.stages.candidate import Candidate
from vision.stages.finding import Face, find, is_large, look_again, look_closer, look_farther
from vision.stages.values import read_values
from vision.tray.known import Tray, unchanged
from vision.types import LIKELY, Frame, Reading
from vision.verdict.certainty import is_sure
from vision.verdict.looks import is_among

_SMALLEST_PIP = 0.11
"""Half side of what the finder takes for a die, as a part of that of a near die whose pip it is."""


def read(
    frame: Frame,
    tray: Tray | None = None,
    dice: int | None = 4,
    params: Params | None = None,
    *,
    before: Reading | None = None,
) -> Reading:
    """Read the dice in a picture.

    Args:
        frame: (H, W, 3) uint8, BGR, of any size.
        tray: What is known of the tray; None if nothing is.
        dice: How many dice there must be; None for any number.
        params: The tunables; by default `Params()`.
        before: The reading of an earlier frame since when nothing has moved; None if there is none. If its dice surely
            show the same values in this frame, it is the reading of this frame too: only they are looked at.

    Returns:
        The dice with their values, or the reason why there is no reading. Never a value that is not sure.

    Raises:
        ValueError: `frame` is not such an array.
    """
    params = params or Params()
    _check(frame)
    if before is not None and _shows_again(frame, before, dice, params):
        return before
    return examine(frame, tray, dice, params).reading


def examine(frame: Frame, tray: Tray | None = None, dice: int | None = 4, params: Params | None = None) -> Evidence:
    """Read the dice in a picture and keep what every stage found; arguments and errors as for `read`.

    A second look follows if it may clear the objection. If a die may still be missed, a third look from closer follows.
    When `Params.deadline_s` has passed, no further look begins, and an objection that one might have cleared becomes
    "unsure". The time is that of the processor, so that the load of other programs changes no reading.
    """
    params = params or Params()
    until_s = thread_time() + params.deadline_s
    _check(frame)
    same = None if tray is None else unchanged(frame, tray, params.tray)
    picture = Picture(frame, tray, same, dice, params, until_s)
    first = Evidence(picture, find(frame, params.finder))
    if (first.objection is not None or _has_large_die(first)) and not picture.is_late():
        first = _look_farther(first) or first
    if not _may_change(first):
        return first
    second = Evidence(picture, look_again(frame, first.detections, params.finder), first)
    if _has_lost_a_die(second):
        return first
    if not (_may_change(second) and _may_miss_dice(second)):
        return second
    third = Evidence(picture, look_closer(frame, second.detections, params.finder), second)
    return second if _has_lost_a_die(third) else third


def _shows_again(frame: Frame, before: Reading, dice: int | None, params: Params) -> bool:
    """Whether the dice of an earlier reading that holds surely show the same values in this frame too."""
    if before.pose is None or dice not in (None, len(before.dice)):
        return False
    boxes = (die.box for die in before.dice)
    places = tuple(Face(((x0 + x1) / 2, (y0 + y1) / 2), (x1 - x0) / 2, score=0.0) for x0, y0, x1, y1 in boxes)
    faces, chances, pose = read_values(frame, places, params, before.pose)
    seen = (Candidate(frame, face, pose, each, 1.0, params) for face, each in zip(faces, chances, strict=True))
    return [die.value for die in seen if die.flawed < LIKELY and is_sure(die)] == [die.value for die in before.dice]


def _may_change(seen: Evidence) -> bool:
    """Whether another look may clear what speaks against this one, and there is time for it."""
    return seen.objection is not None and seen.objection.may_pass


def _may_miss_dice(seen: Evidence) -> bool:
    """Whether fewer dice are seen than there must be, and a place that may be another one."""
    return seen.expected is not None and 0 < len(seen.dice) < min(seen.expected, len(seen.candidates))


def _has_lost_a_die(seen: Evidence) -> bool:
    """Whether a die that showed a value in an earlier look is not seen in this one: it would read the rest."""
    return any(die.flawed < LIKELY and not is_among(die, seen.dice) for look in seen.earlier for die in look.dice)


def _has_large_die(seen: Evidence) -> bool:
    """Whether a die fills so much of the picture that others beside it may be too large for the usual look."""
    return any(is_large(die.face, seen.size[0], seen.params.finder) for die in seen.dice)


def _look_farther(seen: Evidence) -> Evidence | None:
    """Return a look at the picture reduced, if it shows a die of which this look took the pips or parts for dice."""
    for part in seen.params.finder.farther:
        found = look_farther(seen.frame, seen.detections, seen.params.finder, part)
        if any(_may_be_near(face, seen) for face in found.faces):
            farther = Evidence(seen.picture, found)
            if any(_may_be_near(one.face, seen) and one.flawed < LIKELY and is_sure(one) for one in farther.candidates):
                return farther
    return None


def _may_be_near(face: Face, seen: Evidence) -> bool:
    """Whether a face is as large as those of near dice, and what the usual look took for dice there may be its pips.

    A tray with dice in it may look like a die with pips. These dice show a value or, if blurred, are smaller than pips.
    """
    return is_large(face, seen.size[0], seen.params.finder) and not any(
        (one.flawed < LIKELY or one.face.half < _SMALLEST_PIP * face.half)
        and math.dist(one.face.centre, face.centre) < 1.5 * face.half
        for one in seen.dice
    )


def _check(frame: Frame) -> None:
    """Reject anything that is not a BGR picture.

    Raises:
        ValueError: with what was given and what is needed.
    """
    if not isinstance(frame, np.ndarray):
        raise ValueError(f"a frame is a numpy array of shape (H, W, 3), not {type(frame).__name__}")  # noqa: TRY004
    if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or not frame.size:
        raise ValueError(
            f"a frame is uint8 of shape (H, W, 3) in BGR order, not {frame.dtype} {frame.shape}; "
            "vision.load turns any picture file into one"
        )
