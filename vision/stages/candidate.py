"""One place that may be a die, and all that is seen of it: each is computed when it is first asked for, and once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.stages.crops import FACE, Crop, from_above
from vision.stages.finding import Face
from vision.stages.pose import Pose
from vision.stages.second_opinion import Colours, PipFit, colours_of, confirms, fit_of, fits
from vision.stages.values import CLASSES, are_doubtful, joined, look_at, mean_chances
from vision.types import Frame

if TYPE_CHECKING:
    from vision.params import Params


@dataclass(eq=False)
class Candidate:
    """One place that may be a die.

    Attributes:
        frame: The whole frame, (H, W, 3) uint8, BGR.
        face: Where its top face is, in pixels of the frame.
        pose: The camera's pose.
        by_looks: Probability of each of `CLASSES` by the network's looks alone, shape (13,).
        inside: Probability that it lies in the tray.
        params: The reader's tunables.
    """

    frame: Frame
    face: Face
    pose: Pose
    by_looks: NDArray[np.float32]
    inside: float
    params: Params

    @cached_property
    def crop(self) -> Frame:
        """It as seen from straight above, shape (CROP_PX, CROP_PX, 3)."""
        return from_above(self.frame, self.face, self.pose)

    @cached_property
    def smooth(self) -> NDArray[np.float32]:
        """The crop with each pixel the mean of those round it, so that noise is not taken for colour."""
        return cv2.blur(self.crop, (3, 3)).astype(np.float32)

    @cached_property
    def body(self) -> NDArray[np.float32]:
        """The colour of its body, BGR, shape (3,)."""
        return np.asarray(np.median(self.crop[FACE, FACE].reshape(-1, 3), axis=0), np.float32)

    @cached_property
    def colours(self) -> Colours:
        """Its colours along its edges."""
        return colours_of(self.crop)

    @cached_property
    def pip_fits(self) -> tuple[PipFit, ...]:
        """How well its colours show the pips of each value, 1 to 6: the second opinion."""
        return fits(self.colours, self.params.pips)

    @cached_property
    def own_fit(self) -> PipFit:
        """How well its colours show the pips of the value that it is read as."""
        if self.has_second_opinion:
            return self.pip_fits[self.value - 1]
        return fit_of(self.colours, self.value, self.params.pips)

    @cached_property
    def has_second_opinion(self) -> bool:
        """Whether the looks leave a doubt about its value or about an emblem, so that geometry counts as well."""
        may_be_emblem = float(self.by_looks[CLASSES.index("emblem")]) > self.params.certainty.emblem
        is_in_doubt = bool(are_doubtful(self.by_looks[None], self.params.values)[0])
        return (is_in_doubt or may_be_emblem) and float(self.by_looks[:6].sum()) > self.params.pips.shown

    @cached_property
    def chances(self) -> NDArray[np.float32]:
        """Probability of each of `CLASSES` by the looks, and by geometry where they leave a doubt, shape (13,)."""
        if not self.has_second_opinion:
            return self.by_looks
        likely = np.array([[fit.likely for fit in self.pip_fits]])
        return np.asarray(joined(self.by_looks[None], likely, self.params.pips.trust)[0], np.float32)

    @property
    def value(self) -> int:
        """The likeliest value, 1 to 6."""
        return int(self.chances[:6].argmax()) + 1

    @property
    def runner_up(self) -> int:
        """The likeliest other value."""
        return int(self.chances[:6].argsort()[-2]) + 1

    @property
    def confidence(self) -> float:
        """Probability of that value, if the face shows one at all."""
        return sure_of(self.chances)

    @property
    def is_plain_to_looks(self) -> bool:
        """Whether the network's looks alone leave no doubt of the value."""
        return sure_of(self.by_looks) >= self.params.values.plain

    @property
    def flawed(self) -> float:
        """Probability that the face shows no value: a flaw, or no die at all."""
        return 1.0 - float(self.chances[:6].sum())

    @property
    def nothing(self) -> float:
        """Probability that there is no die here at all."""
        return self.chance("nothing")

    def chance(self, name: str) -> float:
        """Return the probability of one of `CLASSES`."""
        return float(self.chances[CLASSES.index(name)])

    @cached_property
    def lean(self) -> float:
        """How far its upright edges point off the vertical: for small angles about how far it leans, radians."""
        return self.pose.lean(self.face)

    @cached_property
    def is_distinct(self) -> bool:
        """Whether its pips are so plain to geometry that little else counts."""
        return confirms(self.pip_fits, self.value, self.params.pips)

    @property
    def is_surely_distinct(self) -> bool:
        """Whether geometry was needed, and finds its pips distinct."""
        return self.has_second_opinion and self.is_distinct

    def shown_in(self, crops: tuple[Crop, ...]) -> NDArray[np.float32]:
        """Return the probability of each value by some more looks, shape (6,); the rest to 1 is that it shows none."""
        return mean_chances(look_at(self.frame, (self.face,), self.pose, crops))[0, :6]

    @property
    def place(self) -> str:
        """Where it lies, in words: the pixels of its top face's middle."""
        x, y = self.face.centre
        return f"{x:.0f}, {y:.0f}"


def sure_of(chances: NDArray[np.float32]) -> float:
    """Return the probability of the likeliest value, if the face shows one, by chances of all `CLASSES`, (13,)."""
    values = chances[:6]
    return float(values.max() / max(float(values.sum()), 1e-12))
