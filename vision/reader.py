"""Reading one frame: a look, and further ones where they may clear what speaks against it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import thread_time

import cv2
import numpy as np

from vision.params import Params
from vision.stages.candidate import Candidate
from vision.stages.colours import body_colour
from vision.stages.finding import Detections, Face, Map, find_at_any_size, look_again, look_closer, look_farther
from vision.stages.pose import Pose
from vision.stages.values import read_values
from vision.tray.edge import cut_by_picture
from vision.tray.known import Cells, Tray, is_hidden, part_unchanged, unchanged
from vision.tray.new_things import NewThings, new_things
from vision.types import LIKELY, Die, Frame, Reading
from vision.verdict.certainty import is_sure
from vision.verdict.counting import considered, dice_among
from vision.verdict.looks import is_among
from vision.verdict.objection import Check, Objection, out_of_time
from vision.verdict.table import OF_ONE_LOOK, first_objection

_SMALLEST_PIP = 0.11
"""Half side of what the finder takes for a die, beside that of a near die whose pip it is; blurred dice in a tray that
looks like a die are smaller."""


@dataclass(frozen=True, eq=False, slots=True)
class Picture:
    """What is read: a frame, and what is known about it beforehand.

    Attributes:
        frame: (H, W, 3) uint8, BGR.
        tray: What is known of the tray; None if nothing is.
        same: Which cells look as they did in the empty tray; None where that is not known.
        expected: How many dice there must be; None for any number.
        params: The tunables.
        until_s: When time is up, on the clock of this thread's processor time.
    """

    frame: Frame
    tray: Tray | None
    same: Cells | None
    expected: int | None
    params: Params
    until_s: float = math.inf

    def is_late(self) -> bool:
        """Whether there is no time for further looks."""
        return thread_time() > self.until_s

    @property
    def is_tray_hidden(self) -> bool:
        """Whether the empty tray is known and most of it does not show."""
        return is_hidden(self.same, self.params.tray)

    @property
    def unchanged(self) -> Cells | None:
        """The cells that show the empty tray; None where that is not known, or most of it does not show."""
        return None if self.is_tray_hidden else self.same

    @property
    def pose(self) -> Pose | None:
        """The camera's pose as it is known beforehand; None if it is not."""
        return None if self.tray is None else self.tray.pose_in((self.frame.shape[1], self.frame.shape[0]))


@dataclass(eq=False)
class Evidence:
    """Everything that one look at a picture found, and the verdict on it.

    Attributes:
        picture: What was looked at.
        detections: What the finder found.
        pose: The camera's pose.
        candidates: Every place that may be a die.
        before: The look before this one; None of the first.
    """

    picture: Picture
    detections: Detections
    pose: Pose
    candidates: tuple[Candidate, ...]
    before: Evidence | None = None

    @property
    def frame(self) -> Frame:
        """The frame, (H, W, 3) uint8, BGR."""
        return self.picture.frame

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the frame."""
        return self.frame.shape[1], self.frame.shape[0]

    @property
    def expected(self) -> int | None:
        """How many dice there must be; None for any number."""
        return self.picture.expected

    @property
    def params(self) -> Params:
        """The tunables."""
        return self.picture.params

    @property
    def foreign(self) -> Map:
        """The map of what is a hand or another thing."""
        return self.detections.foreign

    @cached_property
    def considered(self) -> list[Candidate]:
        """The candidates without things on the table."""
        return considered(self.candidates, self.expected, self.params.verdict)

    @cached_property
    def dice(self) -> tuple[Candidate, ...]:
        """Those of the candidates that are dice, from top to bottom, then left to right."""
        dice = dice_among(self.considered, self.expected, self.params.verdict)
        return tuple(sorted(dice, key=lambda die: (die.face.centre[1], die.face.centre[0])))

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the dice, sorted, whether they hold or not."""
        return tuple(sorted(die.value for die in self.dice))

    @cached_property
    def new(self) -> NewThings | None:
        """What is new in the known tray; None where nothing is, or where that is not known."""
        tray, same = self.picture.tray, self.picture.unchanged
        if tray is None or same is None:
            return None
        return new_things(self.frame, tray, same, [die.face for die in self.dice], self.params.new)

    @cached_property
    def would_hold(self) -> bool:
        """Whether this look alone would give a reading."""
        return first_objection(self, OF_ONE_LOOK) is None

    @cached_property
    def decided_by(self) -> tuple[Check, Objection] | None:
        """The first row of the table that objects, and its objection; None where the reading holds."""
        decided = first_objection(self)
        if decided is None or not decided[1].may_pass or not self.picture.is_late():
            return decided
        return decided[0], out_of_time(decided[1])

    @property
    def objection(self) -> Objection | None:
        """Why the dice do not hold; None where they do."""
        return self.decided_by and self.decided_by[1]

    @cached_property
    def reading(self) -> Reading:
        """The dice with their values, or the reason why there is no reading."""
        dice = tuple(_die(self.frame, one) for one in self.dice)
        if self.objection is None:
            return Reading(dice)
        return Reading(dice, self.objection.reason, self.objection.detail)

    @property
    def has_wide_die(self) -> bool:
        """Whether a die fills so much of the picture that a look at the picture reduced may show others beside it."""
        return any(2 * die.face.half > self.params.verdict.wide * self.size[0] for die in self.dice)

    def look_again(self) -> Evidence:
        """Return a second look: the finder's mean of this one and one upside down, its colours set apart."""
        found = look_again(self.frame, self.detections, self.params.finder)
        return _seen(self.picture, found, self)

    def or_farther(self) -> Evidence:
        """Return this look, or one at the picture reduced where that shows more dice or shows them better."""
        farther = self.look_farther()
        if farther is None:
            return self
        if self.would_hold:
            return farther if len(farther.dice) > len(self.dice) else self
        return farther if farther.would_hold or not self.has_wide_die else self

    def look_farther(self) -> Evidence | None:
        """Return a look at the picture reduced, if it shows dice of which this look took the pips or parts for dice."""
        for farther in self.params.finder.farther:
            found = look_farther(self.frame, self.detections, self.params.finder, farther)
            if any(self._may_be_near(face) for face in found.faces):
                near = _seen(self.picture, found)
                if any(self._may_be_near(one.face) and one.flawed < LIKELY and is_sure(one) for one in near.candidates):
                    return near
        return None

    def _may_be_near(self, face: Face) -> bool:
        """Whether a face is as large as those of near dice, and this look found neither it nor a die in it."""
        params = self.params.verdict
        if face.score < params.die or 2 * face.half < params.wide * self.size[0]:
            return False
        if any(
            die.face.half > face.half / 2 and math.dist(die.face.centre, face.centre) < face.half for die in self.dice
        ):
            return False
        inner = [
            one
            for one in self.candidates
            if one.face.half < face.half / 2 and math.dist(one.face.centre, face.centre) < 1.5 * face.half
        ]
        is_die = (max(1.0 - one.flawed, one.chance("cocked")) > LIKELY for one in inner)
        is_too_small = (one.nothing < LIKELY and one.face.half < _SMALLEST_PIP * face.half for one in inner)
        return not any(is_die) and not any(is_too_small)

    def look_closer(self) -> Evidence:
        """Return a look at the picture from closer."""
        return _seen(self.picture, look_closer(self.frame, self.detections, self.params.finder), self)

    @property
    def earlier(self) -> list[Evidence]:
        """The looks before this one, the latest first."""
        return [] if self.before is None else [self.before, *self.before.earlier]

    @property
    def may_change(self) -> bool:
        """Whether another look may clear what speaks against this one, and there is time for it."""
        return self.objection is not None and self.objection.may_pass

    @property
    def lacks_dice(self) -> bool:
        """Whether some dice are seen, and fewer than there must be."""
        return self.expected is not None and 0 < len(self.dice) < self.expected

    @property
    def is_worse(self) -> bool:
        """Whether a die that showed a value in an earlier look is not seen in this one: it would read the rest."""
        return any(die.flawed < LIKELY and not is_among(die, self.dice) for look in self.earlier for die in look.dice)


def read(frame: Frame, tray: Tray | None = None, dice: int | None = 4, params: Params | None = None) -> Reading:
    """Read the dice in a picture.

    Args:
        frame: (H, W, 3) uint8, BGR, of any size.
        tray: What is known of the tray; None if nothing is.
        dice: How many dice there must be; None for any number.
        params: The tunables; by default `Params()`.

    Returns:
        The dice with their values, or the reason why there is no reading. Never a value that is not sure.

    Raises:
        ValueError: `frame` is not such an array.
    """
    return examine(frame, tray, dice, params).reading


def examine(frame: Frame, tray: Tray | None = None, dice: int | None = 4, params: Params | None = None) -> Evidence:
    """Read the dice in a picture and keep what every stage found; arguments and errors as for `read`.

    A second look, as long as the first, follows if it may clear the objection. If a die is still missing, a third look
    from closer follows, which takes three times as long. When `Params.deadline_s` has passed, no further look begins,
    and an objection that one might have cleared becomes "unsure". The time is that of the processor, so that the load
    of other programs changes no reading.
    """
    params = params or Params()
    until_s = thread_time() + params.deadline_s
    _check(frame)
    same = None if tray is None else unchanged(frame, tray, params.tray)
    picture = Picture(frame, tray, same, dice, params, until_s)
    first = _seen(picture, find_at_any_size(frame, params.finder))
    if (first.objection is not None or first.has_wide_die) and not picture.is_late():
        first = first.or_farther()
    if not first.may_change:
        return first
    second = first.look_again()
    if second.is_worse:
        return first
    if not (second.may_change and second.lacks_dice):
        return second
    third = second.look_closer()
    return second if third.is_worse else third


def _seen(picture: Picture, found: Detections, before: Evidence | None = None) -> Evidence:
    """The stages that follow the finder, in a row."""
    frame, params, same = picture.frame, picture.params, picture.unchanged
    faces, chances, pose = read_values(frame, found.faces, params, picture.pose, picture.is_late)
    if same is not None:
        size = frame.shape[1], frame.shape[0]
        kept = [
            number
            for number, face in enumerate(faces)
            if chances[number, :6].sum() > LIKELY or part_unchanged(same, face, size) < params.tray.whole
        ]
        faces, chances = tuple(faces[number] for number in kept), chances[kept]
        rows, columns = found.foreign.shape
        still = cv2.resize(same.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_NEAREST)
        found = replace(found, foreign=np.where(still, np.float32(0.0), found.foreign))
    inside = _inside(picture, found.tray, faces)
    candidates = tuple(
        Candidate(frame, face, pose, each, part, params)
        for face, each, part in zip(faces, chances, inside, strict=True)
    )
    return Evidence(picture, found, pose, candidates, before)


def _inside(picture: Picture, chances: Map, faces: Sequence[Face]) -> list[float]:
    """The probability that each face is inside of the tray: by the map, and 0 beyond an edge that is known."""
    rows, columns = chances.shape
    height, width = picture.frame.shape[:2]
    inside = []
    for face in faces:
        row, column = int(face.centre[1] / height * rows), int(face.centre[0] / width * columns)
        inside.append(float(chances[min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)]))
    tray = picture.tray
    if tray is None or tray.edge is None or sum(cut_by_picture(tray.edge).values()) > picture.params.tray.cut:
        return inside
    beyond = tray.outside([face.centre for face in faces], (width, height))
    return [0.0 if is_beyond else part for part, is_beyond in zip(inside, beyond, strict=True)]


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


def _die(frame: Frame, seen: Candidate) -> Die:
    box = seen.face.box
    return Die(seen.value, box, seen.confidence, seen.runner_up, body_colour(frame, box))
