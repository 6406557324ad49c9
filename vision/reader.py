"""Reading one frame: the stages in a row, and what each of them found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import KnownTrayParams, Params
from vision.stages.body_colour import body_colour
from vision.stages.crops import from_above
from vision.stages.finding import Face, Found, Map, find_at_any_size, look_again, look_closer
from vision.stages.pose import Upright
from vision.stages.second_opinion import Fit, confirms, contrary, fits
from vision.stages.values import CLASSES, are_doubtful, joined, read_values
from vision.tray.calibration import outside
from vision.tray.edge import cut_by_picture
from vision.tray.known import Same, known_by, part_unchanged, unchanged
from vision.tray.new_things import new_things
from vision.types import Die, Frame, Reading, Reason
from vision.verdict.judge import Seen, is_doubtful, is_odd, judge, may_pass, place_of, sure_of
from vision.verdict.middle_pip import is_middle_bare, is_middle_hidden, is_middle_marked, is_middle_worn, odd_middle
from vision.verdict.painted_over import contradicted

_BRIGHTNESS_PIXELS = 320 * 240
"""Brightness is measured in the picture made so small."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that was found on the way to a reading, for the debug picture and for choosing thresholds.

    Attributes:
        frame: The picture.
        found: Stage 1: every place that may be a die, and the maps of tray and foreign things.
        chances: Stage 2: probability of each of `vision.stages.values.CLASSES` for each place, shape (n, 13),
        upright: and how the camera stands.
        dice: Those of the places that are dice.
        reading: Stage 3.
    """

    frame: Frame
    found: Found
    chances: NDArray[np.float32]
    upright: Upright
    dice: tuple[Seen, ...]
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
    """Read the dice in a picture and keep what every stage found; arguments and errors as for `read`.

    What cannot be read at first for a reason that may pass is looked at once more, which takes as long again, and then
    from closer, which takes three times as long. What can be read where the number of dice is not told is looked at
    once more as well: a die that was overlooked would else go unnoticed. And what can be read though a die looks odd
    must be seen so by two looks, one of them from closer, or the second witness must see that die's value plainly.
    """
    params = params or Params()
    _check(frame)
    empty = known_by(params)
    same = None if empty is None else unchanged(frame, empty, params.tray)
    evidence = _looked_at(frame, same, params)
    if not evidence.reading.ok:
        return evidence
    if empty is not None and same is not None:
        new = new_things(frame, empty, same, [die.face for die in evidence.dice], params.new)
        if new is not None:
            x, y = new.middle
            found = replace(evidence.found, foreign=_also(evidence.found.foreign, new.where))
            detail = f"something at {x:.0f}, {y:.0f} that the empty tray had not"
            return _refused(replace(evidence, found=found), Reason.HAND, detail)
    for die in evidence.dice:
        objection = _objection(frame, die, evidence.upright, params)
        if objection is not None:
            return _refused(evidence, *objection)
    return evidence


def _objection(frame: Frame, die: Seen, upright: Upright, params: Params) -> tuple[Reason, str] | None:
    """Why a die's value does not hold though the networks are sure of it: the last word, by its pips' looks."""
    seen = from_above(frame, die.face, upright)
    which = f"a die at {place_of(die)}"
    if is_middle_hidden(seen, die, params):
        return Reason.GLARE, f"{which}: a {die.value}, or a {die.value + 1} whose middle pip is hidden"
    if is_middle_worn(seen, die, params):
        return Reason.UNSURE, f"{which}: a {die.value}, or a {die.value + 1} whose middle pip is worn"
    if is_middle_marked(seen, die, params):
        return Reason.UNSURE, f"{which}: a 6 with a mark in its middle"
    if is_middle_bare(seen, die, params):
        return Reason.EMBLEM, f"{which}: a 1 without a pip in its middle"
    if params.values.plain <= die.alone < params.lattice.certain:
        other = contrary(seen, die.value, params.lattice)
        if other is not None:
            return Reason.UNSURE, f"{which}, {die.value}, whose pips lie as those of a {other.value}"
    found = odd_middle(seen, die, params) or contradicted(seen, frame, die, upright, params)
    if found is None or die.is_distinct or _is_distinct(fits(seen, params.lattice), die.value, params):
        return None
    return Reason.UNSURE, f"{which}, {die.value}, {found}"


def _is_distinct(found: Sequence[Fit], value: int, params: Params) -> bool:
    """Tell whether the second witness finds a value's pips so plain that little else counts."""
    return confirms(found, value, params.lattice.distinct, params.lattice.distinct_plainer)


def _looked_at(frame: Frame, same: Same | None, params: Params) -> Evidence:
    """The evidence of as many looks as are needed; `same` is where the frame shows the empty tray, if it is known."""
    found = find_at_any_size(frame, params.finder)
    evidence = _evidence(frame, found, same, params)
    if evidence.reading.ok and params.dice is None:
        again = _evidence(frame, look_again(frame, found, params.finder), same, params)
        return _doubted(again) if again.reading.ok and again.reading.values != evidence.reading.values else again
    evidence, found, is_closest = _looked_on(frame, evidence, found, same, params)
    if params.dice is None or not evidence.reading.ok:
        return evidence
    odd = [die for die in evidence.dice if is_odd(die, params.verdict)]
    if all(_is_confirmed(frame, die, evidence, params) for die in odd):
        return evidence
    if is_closest:  # what looks before could not read
        return _doubted(evidence)
    closer = _evidence(frame, look_closer(frame, found, params.finder), same, params)
    return evidence if closer.reading.values == evidence.reading.values else _doubted(evidence)


def _is_confirmed(frame: Frame, die: Seen, evidence: Evidence, params: Params) -> bool:
    """Tell whether the second witness sees an odd die's value plainly: but a side face has plain pips too."""
    if die.lean > params.verdict.aslant:
        return False
    found = fits(from_above(frame, die.face, evidence.upright), params.lattice)
    return confirms(found, die.value, params.lattice.enough, params.lattice.plainer)


def _looked_on(
    frame: Frame, evidence: Evidence, found: Found, same: Same | None, params: Params
) -> tuple[Evidence, Found, bool]:
    """Look on at a picture until it can be read or no look may help.

    Returns:
        The last look's evidence, what stage 1 found in it, and whether it was from closer.
    """
    shown: list[Seen] = []
    doubtful: list[Seen] = []
    is_closest = False
    looks = ((look_again, True),) if params.dice is None else ((look_again, True), (look_closer, False))
    for look, is_tray_asked in looks:
        reason, before = evidence.reading.reason, evidence
        told = (before.found, before.dice, params.dice, params.verdict)
        if reason is None or not may_pass(reason, *told, is_tray_asked=is_tray_asked):
            break
        found, is_closest = look(frame, found, params.finder), look is look_closer
        evidence = _evidence(frame, found, same, params)
        # A look must not lose what showed a value in one before: a reading of what is left would be wrong.
        shown += [die for die in before.dice if die.flawed < params.verdict.lost]
        if not all(_is_among(die, evidence.dice) for die in shown):
            return before, found, is_closest
        doubtful += [die for die in before.dice if is_doubtful(die, params.verdict)]
        if evidence.reading.ok and any(_is_among(die, evidence.dice) for die in doubtful):
            return _doubted(evidence), found, is_closest
    return evidence, found, is_closest


def _doubted(evidence: Evidence) -> Evidence:
    """The evidence without a reading, as the other look saw other dice."""
    return _refused(evidence, Reason.UNSURE, "two looks at the picture see other dice")


def _refused(evidence: Evidence, reason: Reason, detail: str) -> Evidence:
    return replace(evidence, reading=replace(evidence.reading, reason=reason, detail=detail))


def _is_among(die: Seen, dice: tuple[Seen, ...]) -> bool:
    """Tell whether a die is one of these, by its place."""
    x, y = die.face.centre
    return any(math.dist((x, y), other.face.centre) < max(die.face.half, other.face.half) for other in dice)


def _evidence(frame: Frame, found: Found, same: Same | None, params: Params) -> Evidence:
    """The stages that follow the first; `same` is where the frame shows the empty tray, where that is known."""
    faces, chances, upright = read_values(frame, found.faces, params)
    found = replace(found, faces=faces)
    if same is not None:
        found, chances = _without_the_tray(frame, found, chances, same, params.tray)
    alone, (chances, distinct) = chances, _witnessed(frame, found.faces, chances, upright, params)
    inside = _inside(found, frame, params)
    places = [
        Seen(
            face=face,
            chances=chance,
            inside=float(part),
            level_half=face.half / upright.enlarged(face.centre),
            lean=upright.lean(face),
            alone=sure_of(looked),
            is_distinct=bool(is_distinct),
        )
        for face, chance, looked, part, is_distinct in zip(found.faces, chances, alone, inside, distinct, strict=True)
    ]
    brightness = _brightness(frame, [place.face for place in places if place.nothing < params.verdict.nothing])
    seen, reason, detail = judge(found, places, brightness, params.dice, params.verdict, frame.shape[1::-1])
    seen.sort(key=lambda die: (die.face.centre[1], die.face.centre[0]))
    reading = Reading(tuple(_die(frame, one) for one in seen), reason, detail)
    return Evidence(frame, found, chances, upright, tuple(seen), reading)


def _witnessed(
    frame: Frame, faces: Sequence[Face], chances: NDArray[np.float32], upright: Upright, params: Params
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """What the second witness says of the faces that leave a doubt, be it of their value or whether it is an emblem.

    Returns:
        What the looks hold likely and what it does, (n, 13), and which faces' pips are distinct, (n,).
    """
    shown, is_distinct = chances[:, :6].sum(axis=1), np.zeros(len(chances), np.bool_)
    may_be_emblem = chances[:, CLASSES.index("emblem")] > params.verdict.emblem
    is_asked = (are_doubtful(chances, params.values) | may_be_emblem) & (shown > params.lattice.shown)
    found = [fits(from_above(frame, face, upright), params.lattice) for face in compress(faces, is_asked)]
    if not found:
        return chances, is_distinct
    told = np.array([[fit.likely for fit in one] for one in found])
    both = chances.copy()
    both[is_asked] = joined(chances[is_asked], told, params.lattice.trust)
    values = both[is_asked, :6].argmax(axis=1) + 1
    is_distinct[is_asked] = [_is_distinct(one, int(value), params) for one, value in zip(found, values, strict=True)]
    return both, is_distinct


def _without_the_tray(
    frame: Frame, found: Found, chances: NDArray[np.float32], same: Same, params: KnownTrayParams
) -> tuple[Found, NDArray[np.float32]]:
    """What was found, without what the empty tray shows as well."""
    size = frame.shape[1], frame.shape[0]
    kept = [
        number
        for number, face in enumerate(found.faces)
        if chances[number, :6].sum() > params.shown or part_unchanged(same, face, size) < params.whole
    ]
    rows, columns = found.foreign.shape
    still = cv2.resize(same.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_NEAREST)
    foreign = np.where(still, np.float32(0.0), found.foreign)
    return replace(found, faces=tuple(found.faces[number] for number in kept), foreign=foreign), chances[kept]


def _also(foreign: Map, where: Same) -> Map:
    """The map of what is foreign, with what is so for certain."""
    rows, columns = foreign.shape
    surely = cv2.resize(where.astype(np.float32), (columns, rows), interpolation=cv2.INTER_NEAREST)
    return np.asarray(np.maximum(foreign, surely), np.float32)


def _brightness(frame: Frame, faces: Sequence[Face]) -> float:
    """How bright the picture or its dice are, whichever is brighter: a level of 0 to 255.

    Of the picture it is what its brightest 2 % reach in any channel; of the dice what the brightest 3 % of each reach,
    the median of them: lit white pips on black dice in a black tray are less than 2 % of the picture, and a single one
    is about 3 % of its die. Pixels are averaged first, as in the dark noise would pass for light.
    """
    height, width = frame.shape[:2]
    step = max(1.0, np.sqrt(height * width / _BRIGHTNESS_PIXELS))
    size = max(1, round(width / step)), max(1, round(height / step))
    blue, green, red = cv2.split(cv2.blur(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), (2, 2)))
    levels = np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)  # six times as fast as NumPy over three channels
    dice = []
    for face in faces:
        left, top, right, bottom = (max(0, int(edge / step)) for edge in face.box)
        part = levels[top : bottom + 1, left : right + 1]
        if part.size:
            dice.append(_reached(part, 0.03))
    return max(_reached(levels, 0.02), float(np.median(dice)) if dice else 0.0)


def _reached(levels: NDArray[np.uint8], part: float) -> float:
    """The level that the brightest part of some pixels reaches: by counting, ten times as fast as by sorting."""
    brighter = np.cumsum(cv2.calcHist([levels], [0], None, [256], [0, 256])[::-1])
    return float(255 - np.searchsorted(brighter, part * levels.size))


def _inside(found: Found, frame: Frame, params: Params) -> NDArray[np.float32]:
    """The probability that each face is inside of the tray: by the map, and none beyond an edge that is known."""
    rows, columns = found.tray.shape
    height, width = frame.shape[:2]
    chances = []
    for face in found.faces:
        row, column = int(face.centre[1] / height * rows), int(face.centre[0] / width * columns)
        chances.append(found.tray[min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)])
    inside = np.array(chances, np.float32)
    tray = params.calibration
    if tray is not None and sum(cut_by_picture(tray.tray).values()) <= params.tray.cut:
        inside[outside(tray, [face.centre for face in found.faces], (width, height))] = 0.0
    return inside


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
            "vision.load turns any picture file into one"
        )


def _die(frame: Frame, seen: Seen) -> Die:
    box = seen.face.box
    return Die(seen.value, box, seen.confidence, seen.runner_up, body_colour(frame, box))
