"""A place that may be a die, with its properties. Each is computed once, when it is first needed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import Params
from vision.stages.crops import body_of, crop, from_above
from vision.stages.finding import Face, find
from vision.stages.second_opinion import Colours, PipFit, colours_of, confirms, fits, refined, rough_fit
from vision.stages.values import CLASSES, are_doubtful, joined
from vision.types import LIKELY, Frame, Pose

_CLOSE_PX, _CLOSE_HALF_PX = 272, 20.0
"""The side of a close look, and half the side of the face in it, in pixels."""


@dataclass(eq=False)
class Candidate:
    """A place that may be a die.

    Attributes:
        frame: The whole frame, (H, W, 3) uint8, BGR.
        face: Its top face, in pixels of the frame.
        pose: The camera's pose.
        by_looks: Probability of each of `CLASSES` from the network's looks alone, (13,).
        inside: Probability that it is inside the tray.
        params: The reader's parameters.
        is_judged: Whether a doubtful value gets a second opinion; not if the reading is refused whatever it is.
    """

    frame: Frame
    face: Face
    pose: Pose
    by_looks: NDArray[np.float32]
    inside: float
    params: Params
    is_judged: bool = True

    @cached_property
    def crop(self) -> Frame:
        """The view from straight above, shape (CROP_PX, CROP_PX, 3)."""
        return from_above(self.frame, self.face, self.pose)

    @cached_property
    def smooth(self) -> NDArray[np.float32]:
        """The crop with each pixel averaged with its neighbours, so that noise does not count as colour."""
        return cv2.blur(self.crop, (3, 3)).astype(np.float32)

    @cached_property
    def body(self) -> NDArray[np.float32]:
        """The colour of the body, BGR, shape (3,)."""
        return body_of(self.crop)

    @cached_property
    def colours(self) -> Colours:
        """The colours of the face, aligned with its edges."""
        return colours_of(self.crop)

    @cached_property
    def pip_fits(self) -> tuple[PipFit, ...]:
        """The fit of its colours to the pips of each value, 1 to 6: the second opinion."""
        return fits(self.colours, self.params.pips)

    @cached_property
    def rough_fit(self) -> PipFit:
        """The rough fit of its colours to the pips of its own value, which takes a third of the time of `own_fit`."""
        return rough_fit(self.colours, self.value, self.params.pips)

    @cached_property
    def own_fit(self) -> PipFit:
        """The fit of its colours to the pips of its own value."""
        if self.has_second_opinion:
            return self.pip_fits[self.value - 1]
        return refined(self.rough_fit, self.params.pips)

    @cached_property
    def has_second_opinion(self) -> bool:
        """Whether its value, or an emblem, is doubtful to the looks, so that geometry counts too."""
        if not self.is_judged or float(self.by_looks[:6].sum()) <= self.params.pips.shown:
            return False
        may_be_emblem = float(self.by_looks[CLASSES.index("emblem")]) > self.params.confidence.emblem
        return may_be_emblem or bool(are_doubtful(self.by_looks[None], self.params.values)[0])

    @cached_property
    def chances(self) -> NDArray[np.float32]:
        """The probability of each of `CLASSES` from the looks and, if doubtful, from geometry, shape (13,)."""
        if not self.has_second_opinion:
            return self.by_looks
        likely = np.array([[fit.likely for fit in self.pip_fits]])
        return np.asarray(joined(self.by_looks[None], likely, self.params.pips.trust)[0], np.float32)

    @property
    def value(self) -> int:
        """The most likely value, 1 to 6."""
        return int(self.chances[:6].argmax()) + 1

    @property
    def runner_up(self) -> int:
        """The second most likely value."""
        return int(self.chances[:6].argsort()[-2]) + 1

    @cached_property
    def confidence(self) -> float:
        """The probability that it shows its most likely value, leaning aside, which has a network of its own.

        An emblem does not count either if geometry finds the pips distinct. The looks err alike, but were combined as
        if they were independent: so doubt among the values counts several times.
        """
        aside = self.chance("cocked") + (self.chance("emblem") if self.is_distinct else 0.0)
        shown = float(self.chances[:6].sum()) / max(1.0 - aside, 1e-12)
        return shown * self.sure_value

    @property
    def sure_value(self) -> float:
        """The probability of the most likely value if the face shows one, for looks that err alike."""
        return float(sure_of(self.chances) ** self.params.confidence.alike)

    @property
    def flawed(self) -> float:
        """The probability that the face shows no value: a flaw, or no die."""
        return 1.0 - float(self.by_looks[:6].sum())

    @property
    def nothing(self) -> float:
        """The probability that there is no die here."""
        return self.chance("nothing")

    def chance(self, name: str) -> float:
        """Return the probability of one of the flaws in `CLASSES`, about which geometry says nothing."""
        return float(self.by_looks[CLASSES.index(name)])

    @cached_property
    def is_distinct(self) -> bool:
        """Whether geometry was needed, and finds its pips so clear that little else counts."""
        return self.has_second_opinion and confirms(self.pip_fits, self.value, self.params.pips)

    @property
    def is_die(self) -> bool:
        """Whether there is a die here; where the finder doubts it, the values network must be surer."""
        params = self.params.counting
        return self.nothing < (LIKELY if self.face.score >= params.die else params.unlike)

    @property
    def is_sure(self) -> bool:
        """Whether the confidence in its value is high enough."""
        return self.confidence >= self.params.confidence.least_confidence

    @property
    def may_be_none(self) -> bool:
        """Whether it shows no value, and counts as a die although neither network is certain of it."""
        params = self.params.counting
        return (
            self.flawed > LIKELY and params.die <= self.face.score < params.contrary and self.nothing > params.surplus
        )

    def is_odd(self, usual_half: float | None) -> bool:
        """Whether it shows no sure value, and its size is not that of the dice, `usual_half` pixels for half a side.

        The size is None if too few dice show it.
        """
        most = self.params.counting.unlike_size
        return not self.is_sure and usual_half is not None and not 1 / most < self.face.half / usual_half < most

    @cached_property
    def score_close(self) -> float:
        """The finder's score from close up, 0 to 1."""
        seen = crop(self.frame, self.face, np.eye(2), side_px=_CLOSE_PX, half_px=_CLOSE_HALF_PX)
        faces, middle = find(seen, self.params.finder).faces, (_CLOSE_PX / 2, _CLOSE_PX / 2)
        return max((face.score for face in faces if math.dist(face.centre, middle) < _CLOSE_HALF_PX), default=0.0)

    def is_thing(self, usual_half: float | None) -> bool:
        """Whether it shows no sure value, and is no die of these, whose usual half side is given in pixels.

        The finder doubts it and its size is another; or it is smaller, and the finder doubts it from close up.
        """
        if usual_half is None:
            return False
        params, size = self.params.counting, self.face.half / usual_half
        is_small = size < params.smaller and self.may_be_none and self.chance("cocked") < LIKELY
        if is_small and size * self.score_close < params.close:
            return True
        return self.face.score < LIKELY and self.is_odd(usual_half)

    def may_be_surplus(self, usual_half: float | None) -> bool:
        """Whether it is dropped if there are too many: it shows no sure value, and may well be no die of these.

        Either network doubts that it is a die, or its size is not that of the dice, as for `is_odd`.
        """
        params = self.params.counting
        is_doubted = self.face.score < params.die or self.nothing > params.surplus or self.is_odd(usual_half)
        return is_doubted and (self.flawed > LIKELY or not self.is_sure)

    @property
    def place(self) -> str:
        """Its place as text: the centre of the top face in pixels."""
        x, y = self.face.centre
        return f"{x:.0f}, {y:.0f}"


def sure_of(chances: NDArray[np.float32]) -> float:
    """Return the probability of the likeliest value, if the face shows one, by chances of all `CLASSES`, (13,)."""
    values = chances[:6]
    return float(values.max() / max(float(values.sum()), 1e-12))
