"""Stage 2: reads the value of each top face with a second small network, in several looks.

A look is a crop around the face, straightened to a view from above, and mirrored, rotated or scaled differently each
time. The value is the same in all of them, so the agreement between looks shows how certain it is.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.params import Crop, Params, ValueParams
from vision.stages import network
from vision.stages.crops import crops_of, turned
from vision.stages.finding import Face, one_each
from vision.stages.pose import fit, straighten_at
from vision.types import LIKELY, Frame, Pose

CLASSES = ("1", "2", "3", "4", "5", "6", "cocked", "smeared", "covered", "glare", "emblem", "nothing", "faint")
"""The network's classes: six values, and everything else that may be in a crop. `nothing` is not a top face; `faint` is
one without visible pips."""

_SAME = 0.25  # largest difference in place and size between two looks at the same die, in half sides

_SURELY_SHOWN = 0.98
"""The probability of showing a value from which no further look is needed for it; below it, the die may lean."""

_COCKED, _NOTHING = CLASSES.index("cocked"), CLASSES.index("nothing")

PLACES = 5  # the network's other outputs: the direction of uprights, the place of the face and its size

OUTPUTS = {"values": len(CLASSES) + PLACES, "leaning": len(CLASSES) + PLACES + 1}
"""The number of outputs of the values network, and of the one for leaning dice, whose last one is the logarithm of the
expected error of the direction of uprights."""

MOST_OFF, MOST_LARGER = 0.6, 0.4
"""The largest correction of a face's place, in half sides, and of the logarithm of its size. The network was trained on
this range."""


Chances = NDArray[np.float32]
"""The probability of each of `CLASSES`, (13,) or (faces, 13)."""


class FaceValues(NamedTuple):
    """The result of the looks at some faces.

    Attributes:
        faces: The faces at the corrected places; of duplicates, only the most likely one.
        chances: Probability of each of `CLASSES`, (len(faces), 13).
        pose: The camera's pose.
        is_cut_short: Whether doubtful faces were not looked at again, as the reading is refused anyway.
    """

    faces: tuple[Face, ...]
    chances: Chances
    pose: Pose
    is_cut_short: bool = False


def read_values(
    frame: Frame,
    faces: tuple[Face, ...],
    params: Params,
    known: Pose | None = None,
    is_late: Callable[[], bool] = lambda: False,
    is_refused: Callable[[Face, Chances], bool] = lambda _face, _chances: False,
    before: FaceValues | None = None,
) -> FaceValues:
    """Return the class probabilities and the exact place of each face, and the camera's pose.

    The first look uses the place, size and uprights from the finder. The values network measures them more accurately,
    so the other looks are cropped and straightened better.

    Args:
        frame: (H, W, 3) uint8, BGR.
        faces: The places to look at, in its pixels, the most likely first.
        params: The parameters.
        known: The camera's pose in this picture if it is known in advance; otherwise None.
        is_late: Returns whether there is no time or use for further looks; the first one is always taken.
        is_refused: Returns whether a face with these probabilities has the reading refused, whatever the others show.
        before: The result of an earlier look at this picture. Dice that were certain there are not looked at again.
    """
    old, chances = _recognised(faces, before, params.values)
    new = tuple(face for face in faces if not any(_is_same(one, face) for one in old))
    faces, chances, pose, said = _first_look(frame, new, old, chances, params, known)
    first_new = len(faces) - said.shape[1]
    # The face that is the least likely to show a value comes first, so that the others need no looks if it is refused.
    for number in first_new + np.argsort(chances[first_new:, :6].sum(axis=1), kind="stable"):
        seen = said[:, [number - first_new]]
        chances[number] = _look_on(frame, faces[number], pose, seen, chances[number], params.values, is_late)
        if is_refused(faces[number], chances[number]):
            return FaceValues(faces, chances, pose, is_cut_short=True)
    return FaceValues(faces, chances, pose, is_cut_short=is_late())


def _look_on(
    frame: Frame,
    face: Face,
    pose: Pose,
    said: NDArray[np.float32],
    chances: Chances,
    params: ValueParams,
    is_late: Callable[[], bool],
) -> Chances:
    """Return the probabilities of a face, (13,), after as many looks as its doubts need.

    `said`, (1, 1, 18), and `chances`, (13,), are from the first look; other arguments as for `read_values`.
    """
    looks = params.crops
    for start, stop in itertools.pairwise((1, *params.rounds)):
        only_first = all(look.axis is not None for look in looks[1:start])  # so far, only this one could show flaws
        is_doubtful = are_doubtful(chances[None], params)[0] or (only_first and chances[_COCKED] > LIKELY)
        if not is_doubtful or is_late():
            break
        said = np.concatenate([said, look_at(frame, (face,), pose, looks[start:stop])])
        chances = _chances(said, looks[:stop], params)[0]
    return chances


def _recognised(
    faces: tuple[Face, ...], before: FaceValues | None, params: ValueParams
) -> tuple[tuple[Face, ...], Chances]:
    """Return the dice of an earlier look that were certain and are among these faces, and their chances, (n, 13)."""
    if before is None:
        return (), np.zeros((0, len(CLASSES)), np.float32)
    plain = ~are_doubtful(before.chances, params) & (before.chances[:, :6].sum(axis=1) > _SURELY_SHOWN)
    same = [
        (number, replace(before.faces[number], score=face.score))
        for face in faces
        for number in np.flatnonzero(plain)
        if _is_same(before.faces[number], face)
    ]
    return tuple(face for _, face in same), before.chances[[number for number, _ in same]]


def _is_same(one: Face, other: Face) -> bool:
    """Whether two looks found the same face at about the same place and size."""
    return (
        math.dist(one.centre, other.centre) < _SAME * one.half
        and 1 - _SAME < one.half / max(other.half, 1e-9) < 1 + _SAME
    )


def _first_look(
    frame: Frame,
    new: tuple[Face, ...],
    old: tuple[Face, ...],
    chances: Chances,
    params: Params,
    known: Pose | None,
) -> tuple[tuple[Face, ...], Chances, Pose, NDArray[np.float32]]:
    """Look at each new face once; `chances` are those of the old ones.

    Returns:
        All faces, the old ones first, their probabilities and the camera's pose; and the network's output for the new
        ones, (1, new faces, 18). Faces on the same die are merged.
    """
    size = frame.shape[1], frame.shape[0]
    looks = params.values.crops[:1]
    pose = fit((*old, *new), size, known)
    said = look_at(frame, new, pose, looks)
    chances = np.concatenate([chances, _chances(said, looks, params.values)])
    there = 1.0 - chances[:, _NOTHING]
    faces = old + tuple(
        as_seen(face, pose, looks[0], answer) if part > LIKELY else face
        for face, answer, part in zip(new, said[0], there[len(old) :], strict=True)
    )
    kept = one_each(faces, params.finder)
    faces = tuple(faces[number] for number in kept)
    doubted = [replace(face, score=float(part)) for face, part in zip(faces, there[kept], strict=True)]
    new_kept = [number - len(old) for number in kept if number >= len(old)]
    return faces, chances[kept], fit(doubted, size, known), said[:, new_kept]


def look_at(
    frame: Frame, faces: tuple[Face, ...], pose: Pose, looks: tuple[Crop, ...], name: str = "values"
) -> NDArray[np.float32]:
    """Return a network's output for each look at each face: (looks, faces, OUTPUTS[name]).

    The networks are those of `tools/training/nets.py`.
    """
    said = np.zeros((len(looks), len(faces), OUTPUTS[name]), np.float32)
    for number, face in enumerate(faces):
        for place, seen in enumerate(crops_of(looks, frame, face, pose)):
            said[place, number] = network.run(name, seen)
    return said


def as_seen(face: Face, pose: Pose, look: Crop, said: NDArray[np.float32]) -> Face:
    """Return a face with the place, the size and the uprights that a look found."""
    matrix = turned(straighten_at(pose, face.centre), look.turn_deg, is_mirrored=look.is_mirrored)
    (a, b), (c, d) = matrix.tolist()
    area, half = a * d - b * c, face.half / look.zoom
    rise_x, rise_y, seen_x, seen_y, larger = said[len(CLASSES) :][:PLACES].tolist()
    x, y = (d * seen_x - b * seen_y) / area, (a * seen_y - c * seen_x) / area
    far = half * min(1.0, MOST_OFF / max(math.hypot(x, y), 1e-9))
    return Face(
        centre=(face.centre[0] + far * x, face.centre[1] + far * y),
        half=half * math.exp(min(max(larger, -MOST_LARGER), MOST_LARGER)),
        score=face.score,
        rise=((d * rise_x - b * rise_y) / area, (a * rise_y - c * rise_x) / area),
    )


def _chances(said: NDArray[np.float32], looks: Sequence[Crop], params: ValueParams) -> NDArray[np.float32]:
    """Return the network's outputs for some looks, (looks, faces, 18), as probabilities, (faces, 13).

    The probability of showing a value, and of each flaw, is the mean of the looks in the original colours. For the
    value, these looks and those along each axis count as independent evidence: their probabilities are multiplied, with
    a power that is smaller if a look is less likely to show a value.
    """
    plain = mean_chances([answer for answer, look in zip(said, looks, strict=True) if look.axis is None])
    shown = plain[:, :6].sum(axis=1, keepdims=True)
    # Unreadable training examples made the network less confident than it could be (C. Guo et al. 2017, "temperature").
    power = params.blunter + (params.sharper - params.blunter) * shown
    likely = power * _likely(plain)
    for axis in sorted({look.axis for look in looks if look.axis is not None}):
        seen = mean_chances([answer for answer, look in zip(said, looks, strict=True) if look.axis == axis])
        likely += params.trust * seen[:, :6].sum(axis=1, keepdims=True) ** 2 * _likely(seen)
    return _with_values(plain, likely)


def joined(chances: NDArray[np.float32], other: NDArray[np.floating], power: float) -> NDArray[np.float32]:
    """Return the probabilities by the looks, (n, 13), combined with other likelihoods of the six values.

    Args:
        chances: The probability of each of `CLASSES`, (n, 13).
        other: The log-likelihood of each value from the other source, (n, 6).
        power: The power on the looks' probabilities of the values.
    """
    return _with_values(chances, power * _likely(chances) + other)


def _with_values(chances: NDArray[np.float32], likely: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return the probabilities, (n, 13), with those of the six values redistributed by these logarithms, (n, 6)."""
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
    """Return the log-probabilities of the six values, (faces, 6), given that the face shows one."""
    values = np.maximum(chances[:, :6], 1e-12)
    return np.asarray(np.log(values / values.sum(axis=1, keepdims=True)), np.float32)


def are_doubtful(chances: NDArray[np.float32], params: ValueParams) -> NDArray[np.bool_]:
    """Return which faces, with probabilities (n, 13), may show a value that is uncertain: shape (n,)."""
    values = chances[:, :6]
    shown = values.sum(axis=1)
    is_plain = (values.max(axis=1) >= params.plain * shown) & (shown >= params.whole)
    return np.asarray(~is_plain & (shown > params.hopeless))
