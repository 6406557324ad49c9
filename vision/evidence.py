"""The evidence of one look at a picture. Each part is computed once, when it is first needed.

The finder's maps come first, so a hand is detected before any die is read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from time import thread_time

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import Params
from vision.stages.candidate import Candidate
from vision.stages.finding import Detections, Face, Map, is_large
from vision.stages.values import Chances, FaceValues, read_values
from vision.tray.known import Cells, Tray, is_tray_hidden
from vision.tray.new_things import NewThings, new_things
from vision.types import LIKELY, Box, Frame, Pose


@dataclass(frozen=True, eq=False, slots=True)
class Picture:
    """A frame to read, with what is known about it in advance.

    Attributes:
        frame: (H, W, 3) uint8, BGR.
        tray: What is known about the tray; None if nothing.
        same: Mask of the cells that look like the empty tray; None if unknown.
        expected: Number of dice to expect; None for any number.
        params: Parameters of the reader.
        until_s: Deadline on the clock of this thread's processor time, seconds.
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
    def size(self) -> tuple[int, int]:
        """Width and height of the frame in pixels."""
        return self.frame.shape[1], self.frame.shape[0]

    @property
    def is_tray_hidden(self) -> bool:
        """Whether the empty tray is known and most of it is not visible."""
        return is_tray_hidden(self.same, self.params.tray)

    @property
    def unchanged(self) -> Cells | None:
        """The mask of cells that show the empty tray; None if unknown or if most of it is not visible."""
        return None if self.is_tray_hidden else self.same

    @property
    def pose(self) -> Pose | None:
        """The camera's pose if it is known in advance; otherwise None."""
        return None if self.tray is None else self.tray.pose_in(self.size)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything that one look at a picture found; the verdict on it is in `vision.reader.Look`.

    Attributes:
        picture: The picture.
        detections: The finder's result.
        before: The previous look; None for the first one.
        did_hold: Whether the previous look alone would have been accepted as a reading.
    """

    picture: Picture
    detections: Detections
    before: Evidence | None = None
    did_hold: bool = False

    @property
    def frame(self) -> Frame:
        """The frame, (H, W, 3) uint8, BGR."""
        return self.picture.frame

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the frame in pixels."""
        return self.picture.size

    @property
    def expected(self) -> int | None:
        """The number of dice to expect; None for any number."""
        return self.picture.expected

    @property
    def params(self) -> Params:
        """The parameters of the reader."""
        return self.picture.params

    @cached_property
    def foreign(self) -> Map:
        """The map of hands and other foreign objects, without the cells that show the empty tray."""
        found, same = self.detections.foreign, self.picture.unchanged
        if same is None:
            return found
        rows, columns = found.shape
        still = cv2.resize(same.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_NEAREST)
        return np.where(still, np.float32(0.0), found)

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """The finder's faces, without those that are also in the empty tray: nothing has changed there."""
        found, same, most = self.detections.faces, self.picture.unchanged, self.params.tray.of_face
        if same is None:
            return found
        scale = np.array(same.shape[::-1]) / self.size
        return tuple(face for face in found if _part_within(same, face.box, scale) < most)

    @cached_property
    def face_values(self) -> FaceValues:
        """What the values network sees at each place that the finder found."""
        picture, before = self.picture, None if self.before is None else self.before.face_values
        faces = self.faces
        is_short = self.expected is not None and len(faces) < self.expected
        return read_values(
            picture.frame,
            faces,
            picture.params,
            picture.pose,
            lambda: is_short or picture.is_late(),
            self.needs_no_other,
            before,
        )

    def needs_no_other(self, face: Face, chances: Chances) -> bool:
        """Whether a face has the reading refused whatever the others show. Only the verdict knows: see `Look`."""
        return False

    @property
    def pose(self) -> Pose:
        """The camera's pose."""
        return self.face_values.pose

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every place that may be a die."""
        faces, chances, pose, is_cut_short = self.face_values
        return tuple(
            Candidate(self.frame, face, pose, each, self.inside(face), self.params, not is_cut_short)
            for face, each in zip(faces, chances, strict=True)
        )

    def inside(self, face: Face) -> float:
        """Return the probability that a face is inside the tray: by the map, and 0 beyond a known or visible edge.

        Around a die on the rim the finder often sees tray. So the visible edge is that of the convex hull of the map
        without what is around the face, except where the picture cuts off the tray. A face that the finder doubts must
        be inside the sure tray, and one of which it is certain may be beyond that.
        """
        tray, seen, params = self.picture.tray, self.detections.tray, self.params.place
        rows, columns = seen.shape
        (x, y), (width, height) = face.centre, self.size
        column, row = min(max(int(x / width * columns), 0), columns - 1), min(max(int(y / height * rows), 0), rows - 1)
        is_out = tray is not None and tray.outside([face.centre], self.size)[0]
        half = 0.0 if is_large(face, width, self.params.finder) else face.half * columns / width
        for level, least in ((LIKELY, params.within), (params.surely, params.doubt * (LIKELY - face.score))):
            elsewhere = (seen > level).astype(np.uint8)
            cv2.circle(elsewhere[1:-1, 1:-1], (column - 1, row - 1), round(params.bulge * half), (0,), cv2.FILLED)
            outlines, _ = cv2.findContours(elsewhere, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
            if half and outlines:
                far = cv2.pointPolygonTest(cv2.convexHull(np.concatenate(outlines)), (column, row), measureDist=True)
                is_out |= far < least * half
        return 0.0 if is_out else float(seen[row, column])

    @cached_property
    def considered(self) -> list[Candidate]:
        """The candidates without objects beside the tray.

        If the number of dice is not known, dropping them could silently ignore a die that fell beside the tray.
        """
        least = self.params.place.inside if self.expected is not None else 0.0
        return [one for one in self.candidates if one.inside >= least or one.flawed < LIKELY]

    @cached_property
    def dice(self) -> tuple[Candidate, ...]:
        """The candidates that are dice; from top to bottom.

        Surplus ones are dropped if the rest is the expected number. If that is not known, a place of which the finder
        is sure counts even if it shows nothing; one without a value is dropped that the second look alone does not take
        for a die, or that is a thing.
        """
        dice = [one for one in self.considered if one.is_die]
        if self.expected is None:
            found = [one for one in self.considered if one.is_die or one.face.score >= self.params.counting.found]
            dice = [one for one in found if not (self._is_unseen_again(one) or self._is_thing(one))]
        elif len(dice) > self.expected:
            left = [die for die in dice if not die.may_be_surplus(self._usual_half)]
            dice = left if len(left) == self.expected else dice
        return tuple(sorted(dice, key=lambda die: (die.face.centre[1], die.face.centre[0])))

    @cached_property
    def _usual_half(self) -> float | None:
        """Half the usual side of the dice with a sure value, in pixels; None without any."""
        sure = [one.face.half for one in self.considered if one.is_die and one.flawed < LIKELY and one.is_sure]
        return median(sure) if sure else None

    def _is_unseen_again(self, one: Candidate) -> bool:
        return one.may_be_none and self.detections.score_again(one.face, self.size[0]) < self.params.counting.die

    def _is_thing(self, one: Candidate) -> bool:
        # Beside the tray it may be a die that fell out.
        is_whole = one.inside >= self.params.place.inside and not self.is_cut_off(one.face, self._usual_half or 0.0)
        return is_whole and one.is_thing(self._usual_half)

    def is_cut_off(self, face: Face, usual_half: float) -> bool:
        """Whether a face extends beyond the picture; one that its edge cuts off looks smaller than usual."""
        reach = self.params.place.reach * max(face.half, usual_half)
        places = zip(face.centre, self.size, strict=True)
        return any(not reach <= place + 0.5 <= side - reach for place, side in places)

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the dice, sorted, even if they do not hold."""
        return tuple(sorted(die.value for die in self.dice))

    @cached_property
    def new(self) -> NewThings | None:
        """A new object in the known tray; None without one, or if the tray is not known."""
        tray, same = self.picture.tray, self.picture.unchanged
        if tray is None or same is None:
            return None
        return new_things(self.frame, tray, same, [die.face for die in self.dice], self.params.new)


def _part_within(cells: Cells, box: Box, scale: NDArray[np.float64]) -> float:
    """Return the part of a mask that is set in a box, in pixels; `scale` is in cells per pixel, across and down."""
    (x0, y0), (x1, y1) = (np.array(corner) * scale for corner in (box[:2], box[2:]))
    part = cells[max(0, int(y0)) : int(y1) + 1, max(0, int(x0)) : int(x1) + 1]
    return float(part.mean()) if part.size else 0.0
