"""Stage 2: what each top face shows, by a second small network, looked at more than once.

Each look is a crop of the frame round the face as from straight above, mirrored, turned or scaled otherwise: a value is
the same in all of them, so that what the network makes of different looks tells how sure it is.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.stages import network
from vision.stages.crops import Crop, crops_of, turned
from vision.stages.finding import Face, one_each
from vision.stages.pose import Pose, fit
from vision.types import LIKELY, Frame

if TYPE_CHECKING:
    from vision.params import Params

CLASSES = ("1", "2", "3", "4", "5", "6", "cocked", "smeared", "covered", "glare", "emblem", "nothing", "faint")
"""What the network tells apart: six values and what else may be in a crop. `nothing` is no top face at all, `faint` one
whose pips nobody can see."""

_SAME = 0.25
"""Two looks find a die at one place and size up to this difference, as a part of its half side."""

_SURELY = 0.98
"""Probability of showing a value from which a die is not looked at again for it: else it may lean."""

_COCKED, _NOTHING = CLASSES.index("cocked"), CLASSES.index("nothing")

PLACES = 5
"""What the network tells beside the classes: where uprights point, where the face is and how large."""

MOST_OFF, MOST_LARGER = 0.6, 0.4
"""A face is moved by so many of its half sides at most, and scaled by the exponential of this: the network was fitted
to no more."""


@dataclass(frozen=True, slots=True)
class ValueParams:
    """The tunables of reading values.

    Attributes:
        crops: How each die is looked at, one crop a look; turns to 15 degrees, zooms 0.8 to 1.25.
        rounds: Numbers of looks after which dice without doubt are left alone; rising, up to len(crops).
        plain: Probability among the six values from which the likeliest one leaves no doubt; 0.999 to 1.
        whole: Probability of showing a value at all from which that leaves no doubt; 0.5 to 1.
        hopeless: Probability of showing a value below which no further look is taken; 0.02 to 0.4.
        sharper: Power on the chances of the six values where a die surely shows one; 1 to 2.
        blunter: Power on them where it surely shows none; 0 to 1.
        trust: Power on what is seen along an axis of the colours; 0.5 to 1.5.
    """

    crops: tuple[Crop, ...] = (
        Crop(0.0, False, 1.0),
        Crop(0.0, False, 1.0, 0),
        Crop(0.0, False, 1.0, 1),
        Crop(0.0, True, 1.1),
        Crop(0.0, True, 1.1, 0),
        Crop(0.0, True, 1.1, 1),
        Crop(7.0, False, 1.15),
        Crop(-7.0, True, 1.05),
        Crop(-7.0, False, 1.2),
        Crop(7.0, True, 1.12),
    )
    rounds: tuple[int, ...] = (2, 3, 6, 10)
    plain: float = 0.99999
    whole: float = 0.8
    hopeless: float = 0.3
    sharper: float = 1.5
    blunter: float = 0.35
    trust: float = 1.25


class FaceValues(NamedTuple):
    """What the looks at some faces show.

    Attributes:
        faces: The faces, where the network saw them; of those that proved to be one the likeliest.
        chances: Probabilities, shape (len(faces), 13), in the order of `CLASSES`.
        pose: The camera's pose.
    """

    faces: tuple[Face, ...]
    chances: NDArray[np.float32]
    pose: Pose


def read_values(
    frame: Frame,
    faces: tuple[Face, ...],
    params: Params,
    known: Pose | None = None,
    is_late: Callable[[], bool] = lambda: False,
    before: FaceValues | None = None,
) -> FaceValues:
    """Return how likely each class is for each face, where exactly the faces are, and the camera's pose.

    The first look goes by what the finder saw of place, size and uprights. The network sees more of them, so all other
    looks are better cut and straightened.

    Args:
        frame: (H, W, 3) uint8, BGR.
        faces: Where to look, in its pixels, the likeliest first.
        params: The tunables.
        known: The camera's pose in this picture as it is known from elsewhere; None if it is not.
        is_late: Whether there is no time for further looks; the first one is always taken.
        before: What an earlier look at this picture showed. Dice that left no doubt there are not looked at again.
    """
    looks = params.values.crops
    size = frame.shape[1], frame.shape[0]
    nothing = FaceValues((), np.zeros((0, len(CLASSES)), np.float32), fit((), size, params.pose, known))
    old = nothing if before is None else _recognised(faces, before, params.values)
    new = tuple(face for face in faces if not any(_is_same(one, face) for one in old.faces))
    (faces, chances, pose), said = _first_look(frame, new, old, params, known)
    # Which faces are looked at on, and what all looks at them so far said.
    seen = np.arange(len(faces) - said.shape[1], len(faces))
    for start, stop in itertools.pairwise((1, *params.values.rounds)):
        doubtful = are_doubtful(chances[seen], params.values)
        if all(look.axis is not None for look in looks[1:start]):  # only the first look could tell what is wrong yet
            doubtful |= chances[seen, _COCKED] > LIKELY
        seen, said = seen[doubtful], said[:, doubtful]
        if not len(seen) or is_late():
            break
        said = np.concatenate([said, look_at(frame, _of(faces, seen), pose, looks[start:stop])])
        chances[seen] = _chances(said, looks[:stop], params.values)
    return FaceValues(faces, chances, pose)


def _recognised(faces: tuple[Face, ...], before: FaceValues, params: ValueParams) -> FaceValues:
    """Return the dice of an earlier look that these faces show again and that left no doubt there."""
    plain = ~are_doubtful(before.chances, params) & (before.chances[:, :6].sum(axis=1) > _SURELY)
    same = [
        (number, replace(before.faces[number], score=face.score))
        for face in faces
        for number in np.flatnonzero(plain)
        if _is_same(before.faces[number], face)
    ]
    numbers = [number for number, _ in same]
    return before._replace(faces=tuple(face for _, face in same), chances=before.chances[numbers])


def _is_same(one: Face, other: Face) -> bool:
    """Whether two looks found the same face at about the same place and size."""
    return (
        math.dist(one.centre, other.centre) < _SAME * one.half
        and 1 - _SAME < one.half / max(other.half, 1e-9) < 1 + _SAME
    )


def _first_look(
    frame: Frame, new: tuple[Face, ...], old: FaceValues, params: Params, known: Pose | None
) -> tuple[FaceValues, NDArray[np.float32]]:
    """Look at each new face once.

    Returns:
        What is known of all faces, the old ones first, and what the network said of the new ones, (1, new faces, 18).
        Faces that prove to be on the same die are one.
    """
    size = frame.shape[1], frame.shape[0]
    looks = params.values.crops[:1]
    pose = fit((*old.faces, *new), size, params.pose, known)
    said = look_at(frame, new, pose, looks)
    chances = np.concatenate([old.chances, _chances(said, looks, params.values)])
    there = 1.0 - chances[:, _NOTHING]
    faces = old.faces + tuple(
        as_seen(face, pose, looks[0], answer) if part > LIKELY else face
        for face, answer, part in zip(new, said[0], there[len(old.faces) :], strict=True)
    )
    kept = one_each(faces, params.finder)
    faces = _of(faces, kept)
    doubted = [replace(face, score=float(part)) for face, part in zip(faces, there[kept], strict=True)]
    new_kept = [number - len(old.faces) for number in kept if number >= len(old.faces)]
    return FaceValues(faces, chances[kept], fit(doubted, size, params.pose, known)), said[:, new_kept]


def look_at(frame: Frame, faces: tuple[Face, ...], pose: Pose, looks: tuple[Crop, ...]) -> NDArray[np.float32]:
    """Return the network's output for each look at each face, (looks, faces, 18): see `training/nets.py`."""
    said = np.zeros((len(looks), len(faces), len(CLASSES) + PLACES), np.float32)
    for number, face in enumerate(faces):
        for place, seen in enumerate(crops_of(looks, frame, face, pose)):
            said[place, number] = network.run("values", seen)
    return said


def _of(faces: Sequence[Face], numbers: Sequence[int] | NDArray[np.intp]) -> tuple[Face, ...]:
    """Return the faces of these numbers."""
    return tuple(faces[number] for number in numbers)


def as_seen(face: Face, pose: Pose, look: Crop, said: NDArray[np.float32]) -> Face:
    """Return a face as one look at it saw it: its place, its size and where its uprights point in the picture."""
    zoom = look.zoom
    back = np.linalg.inv(turned(pose.straighten(face.centre), look.turn_deg, is_mirrored=look.is_mirrored))
    rise_x, rise_y, x, y, larger = (float(part) for part in said[len(CLASSES) :])
    off = back @ (x, y)
    off *= min(1.0, MOST_OFF / max(float(np.hypot(*off)), 1e-9)) * face.half / zoom
    return Face(
        centre=(face.centre[0] + float(off[0]), face.centre[1] + float(off[1])),
        half=face.half * float(np.exp(np.clip(larger, -MOST_LARGER, MOST_LARGER))) / zoom,
        score=face.score,
        rise=tuple(back @ (rise_x, rise_y)),
    )


def _chances(said: NDArray[np.float32], looks: Sequence[Crop], params: ValueParams) -> NDArray[np.float32]:
    """Return the network's outputs for some looks, (looks, faces, 18), as probabilities, (faces, 13).

    How likely a face shows a value at all, and what is wrong with it, is the mean of the looks in the picture's own
    colours. Which value it is they and the looks along each axis tell as witnesses who know nothing of one another:
    what each holds likely is multiplied, to a power that is the less the less it seems to see a value.
    """
    plain = mean_chances([answer for answer, look in zip(said, looks, strict=True) if look.axis is None])
    shown = plain[:, :6].sum(axis=1, keepdims=True)
    # A network that was shown much it could not know is less sure than it may be (C. Guo et al. 2017, "temperature").
    power = params.blunter + (params.sharper - params.blunter) * shown
    likely = power * _likely(plain)
    for axis in sorted({look.axis for look in looks if look.axis is not None}):
        seen = mean_chances([answer for answer, look in zip(said, looks, strict=True) if look.axis == axis])
        likely += params.trust * seen[:, :6].sum(axis=1, keepdims=True) ** 2 * _likely(seen)
    return _with_values(plain, likely)


def joined(chances: NDArray[np.float32], told: NDArray[np.floating], power: float) -> NDArray[np.float32]:
    """Return the probabilities by the looks, (n, 13), combined with other likelihoods of the six values.

    Args:
        chances: Of each of `CLASSES`, (n, 13).
        told: The logarithms of how likely the witness holds each value, (n, 6).
        power: To which what the looks hold likely of the values is raised.
    """
    return _with_values(chances, power * _likely(chances) + told)


def _with_values(chances: NDArray[np.float32], likely: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return probabilities, (n, 13), in which the six values share theirs by these logarithms, (n, 6)."""
    shown = chances[:, :6].sum(axis=1, keepdims=True)
    return np.concatenate([_normal(likely) * shown, chances[:, 6:]], axis=1).astype(np.float32)


def mean_chances(answers: Sequence[NDArray[np.float32]] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean of some looks' logits, each (faces, 18), as probabilities, (faces, 13)."""
    return _normal(np.mean(answers, axis=0)[:, : len(CLASSES)])


def _normal(logits: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return logits as probabilities: each row adds up to 1."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


def _likely(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the logarithms of the six values' probabilities, (faces, 6), if the face shows one."""
    values = np.maximum(chances[:, :6], 1e-12)
    return np.asarray(np.log(values / values.sum(axis=1, keepdims=True)), np.float32)


def are_doubtful(chances: NDArray[np.float32], params: ValueParams) -> NDArray[np.bool_]:
    """Return which faces may show a value, (n, 13), but leave a doubt: shape (n,)."""
    values = chances[:, :6]
    shown = values.sum(axis=1)
    is_plain = (values.max(axis=1) >= params.plain * shown) & (shown >= params.whole)
    return np.asarray(~is_plain & (shown > params.hopeless))
