"""Reads one frame: look, judge, and look again if that may clear an objection."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from time import thread_time

import numpy as np

from vision.evidence import Evidence, Picture
from vision.params import Params
from vision.stages.candidate import Candidate
from vision.stages.finding import Detections, Face, find, is_large, look_again, look_closer, look_farther, with_faces
from vision.stages.values import Chances
from vision.tray.known import Tray, unchanged
from vision.types import LIKELY, Die, Frame, Reading
from vision.verdict.all_objections import OF_ONE_LOOK, OF_THE_FINDER, first_objection
from vision.verdict.counting import seen_once
from vision.verdict.objection import Check, Objection
from vision.verdict.value import no_value, no_value_for_good, unsure_value

_SMALLEST_PIP = 0.11  # least size of a pip that the finder takes for a die, as a part of the size of its near die


@dataclass(frozen=True, eq=False)
class Look(Evidence):
    """One look at a picture: the evidence, and the verdict on it."""

    before: Look | None = None

    def next(self, detections: Detections) -> Look:
        """Return the look that follows this one, with what the finder found in it."""
        return Look(self.picture, detections, self, self.would_hold)

    @property
    def earlier(self) -> list[Look]:
        """The previous looks, the latest first."""
        return [] if self.before is None else [self.before, *self.before.earlier]

    @cached_property
    def would_hold(self) -> bool:
        """Whether this look alone would be accepted as a reading."""
        return self.decided_by is None or self.decided_by[0] not in OF_ONE_LOOK

    @cached_property
    def decided_by(self) -> tuple[Check, Objection] | None:
        """The first row of the table that objects and its objection; None if the reading holds."""
        decided = first_objection(self)
        if decided is None or not decided[1].may_pass or not self.picture.is_late():
            return decided
        return decided[0], decided[1].out_of_time()

    def needs_no_other(self, face: Face, chances: Chances) -> bool:
        """Whether a face has the verdict refuse the reading whatever the others show."""
        return no_value_for_good(self, face, chances)

    @property
    def objection(self) -> Objection | None:
        """The objection to the dice; None if they hold."""
        return self.decided_by and self.decided_by[1]

    @cached_property
    def reading(self) -> Reading:
        """The dice with their values, or the reason why there is no reading."""
        if self.decided_by is None:
            return Reading(self._dice(), pose=self.pose)
        check, objection = self.decided_by
        if check in OF_THE_FINDER:
            return Reading((), objection.reason, objection.detail)
        # Second opinions take time. Where no value was judged, the looks are enough.
        is_judged = check not in OF_ONE_LOOK or check is unsure_value
        return Reading(self._dice(is_judged=is_judged), objection.reason, objection.detail)

    def _dice(self, *, is_judged: bool = True) -> tuple[Die, ...]:
        return tuple(
            Die(die.value, die.face.box, die.confidence, die.runner_up)
            for die in (self.dice if is_judged else (replace(one, is_judged=False) for one in self.dice))
        )


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
        tray: What is known about the tray; None if nothing.
        dice: The number of dice to expect; None for any number.
        params: The parameters; `Params()` by default.
        before: The reading of an earlier frame if nothing has moved since; otherwise None. If its dice certainly show
            the same values in this frame, it is returned without looking at the rest.

    Returns:
        The dice with their values, or the reason for the refusal. Uncertain values are never accepted.

    Raises:
        ValueError: If `frame` has another shape or type.
    """
    params = params or Params()
    _check(frame)
    if before is not None and _shows_again(frame, before, dice, params):
        return before
    return examine(frame, tray, dice, params).reading


def examine(frame: Frame, tray: Tray | None = None, dice: int | None = 4, params: Params | None = None) -> Look:
    """Read the dice in a picture and keep what every stage found; arguments and errors as for `read`.

    A second look follows if it may clear the objection. If a die may still be missed, a third, enlarged look follows.
    After `Params.deadline_s` no further look begins, and an objection that one might have cleared becomes "unsure". The
    deadline is in processor time, so the load of other programs does not affect readings.
    """
    params = params or Params()
    until_s = thread_time() + params.deadline_s
    _check(frame)
    same = None if tray is None else unchanged(frame, tray, params.tray)
    picture = Picture(frame, tray, same, dice, params, until_s)
    first = Look(picture, find(frame, params.finder))
    if _may_miss_near_die(first) and not picture.is_late():
        first = _look_farther(first) or first
    if not _may_change(first):
        return first
    second = first.next(look_again(frame, first.detections, params.finder))
    if not picture.is_late():  # it may take the pips of a die for dice
        surely = [die.face for die in _lost(second) if die.score_close >= params.counting.contrary]
        second = first.next(with_faces(second.detections, surely, params.finder)) if surely else second
    if _lost(second):
        return first
    if not (_may_change(second) and _may_miss_dice(second)):
        return second
    third = second.next(look_closer(frame, second.detections, params.finder))
    return second if _lost(third) else third


def _shows_again(frame: Frame, before: Reading, dice: int | None, params: Params) -> bool:
    """Whether the dice of an earlier valid reading certainly show the same values in this frame.

    The rows of the verdict about a die's value decide. The others have passed the dice before, which lie still.
    """
    if before.pose is None or dice not in (None, len(before.dice)):
        return False
    boxes = (die.box for die in before.dice)
    # Only the known pose counts, so the faces have no weight.
    faces = tuple(Face(((x0 + x1) / 2, (y0 + y1) / 2), (x1 - x0) / 2, score=0.0) for x0, y0, x1, y1 in boxes)
    # A value that has been read once needs no more looks than make it certain enough to be accepted.
    plain = params.confidence.least_confidence ** (1 / params.confidence.alike)
    params = replace(params, values=replace(params.values, plain=plain))
    tray, cell = Tray((frame.shape[1], frame.shape[0]), pose=before.pose), np.ones((1, 1), np.float32)
    found = Detections(faces, tray=cell, foreign=0 * cell, said=cell, whole=cell, small=frame)
    again = Look(Picture(frame, tray, None, len(before.dice), params), found)
    values = [die.value for die in again.candidates if die.is_die and die.flawed < LIKELY]
    is_same = values == [die.value for die in before.dice]
    return is_same and first_objection(again, (no_value, unsure_value)) is None


def _may_change(seen: Look) -> bool:
    """Whether another look may clear the objection to this one, and there is time for it."""
    return seen.objection is not None and seen.objection.may_pass


def _may_miss_dice(seen: Look) -> bool:
    """Whether dice are missing and there is a place that may be another die, or small ones may hide each other."""
    if seen.expected is None:
        return seen.decided_by is not None and seen.decided_by[0] is seen_once
    return 0 < len(seen.dice) < min(seen.expected, len(seen.considered))


def _lost(seen: Look) -> list[Candidate]:
    """Return the dice with a value in an earlier look that this one misses, which would read only the others."""
    earlier = [die for look in seen.earlier for die in look.dice if die.flawed < LIKELY]
    return [die for die in earlier if not any(_is_same_place(one.face, die.face) for one in seen.dice)]


def _is_same_place(one: Face, other: Face) -> bool:
    small, large = sorted((one.half, other.half))
    return math.dist(one.centre, other.centre) < large < 2 * small


def _may_miss_near_die(seen: Look) -> bool:
    """Whether a near die may be missing: its pips, taken for dice, show no values, or a die beside it is large."""
    if seen.decided_by is not None and seen.decided_by[0] in OF_THE_FINDER:
        return True  # no die has been read yet
    if seen.decided_by is not None and not (seen.dice and all(die.flawed < LIKELY for die in seen.dice)):
        return True
    return any(is_large(die.face, seen.size[0], seen.params.finder) for die in seen.dice)


def _look_farther(seen: Look) -> Look | None:
    """Return a look at the reduced picture if it shows a die whose pips or parts this look took for dice."""
    for part in seen.params.finder.farther:
        found = look_farther(seen.frame, seen.detections, seen.params.finder, part)
        if any(_may_be_near(face, seen) for face in found.faces):
            farther = Look(seen.picture, found)
            if any(_may_be_near(one.face, seen) and one.flawed < LIKELY and one.is_sure for one in farther.candidates):
                return farther
    return None


def _may_be_near(face: Face, seen: Look) -> bool:
    """Whether a face is as large as that of a near die, and the dice that the usual look found in it may be its pips.

    A tray with dice can look like a die with pips. Such dice show a sure value or, if blurred, are smaller than pips.
    """
    return is_large(face, seen.size[0], seen.params.finder) and not any(
        ((one.flawed < LIKELY and one.is_sure) or one.face.half < _SMALLEST_PIP * face.half)
        and math.dist(one.face.centre, face.centre) < 1.5 * face.half
        for one in seen.dice
    )


def _check(frame: Frame) -> None:
    """Reject anything that is not a BGR picture.

    Raises:
        ValueError: If it is something else; the message says what is needed.
    """
    if not isinstance(frame, np.ndarray):
        raise ValueError(f"a frame is a numpy array of shape (H, W, 3), not {type(frame).__name__}")  # noqa: TRY004
    if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or not frame.size:
        raise ValueError(
            f"a frame is uint8 of shape (H, W, 3) in BGR order, not {frame.dtype} {frame.shape}; "
            "vision.pictures.load turns any picture file into one"
        )
