"""Stage 3: the verdict. Do the dice hold, or why not?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.params import VerdictParams
from vision.stages.finding import Face, Found
from vision.stages.values import CLASSES
from vision.types import Reason

_FLAWS = {
    "cocked": Reason.COCKED,
    "smeared": Reason.MOVING,
    "covered": Reason.HAND,
    "glare": Reason.GLARE,
    "emblem": Reason.EMBLEM,
    "nothing": Reason.UNSURE,
    "faint": Reason.UNSURE,
}
"""What the values' network may see instead of a value, as the reason that a screen tells."""

_MARRED = ("smeared", "covered", "glare")
"""Those of them that are hardly ever seen in a die that can be read."""


_SEVERAL = 3
"""Of two places that differ in size nobody can tell which one is the die."""


def sure_of(chances: NDArray[np.float32]) -> float:
    """Probability of the likeliest value, if the face shows one at all, by the chances of all `CLASSES`, (13,)."""
    values = chances[:6]
    return float(values.max() / max(float(values.sum()), 1e-12))


@dataclass(frozen=True, slots=True)
class Seen:
    """A die as the two networks see it, and the second witness where it was asked.

    Attributes:
        face: Where it is.
        chances: Probability of each of `CLASSES`, shape (13,).
        inside: Probability that it lies in the tray.
        level_half: Half side that its face would have on the camera's axis, in pixels.
        lean: How far its upright edges point off the vertical: `vision.stages.pose.Upright.lean`.
        alone: Probability of its value by the network's looks alone, if the face shows one at all.
        is_distinct: Whether its pips are so plain to the second witness that little else counts; False if not asked.
    """

    face: Face
    chances: NDArray[np.float32]
    inside: float
    level_half: float
    lean: float
    alone: float
    is_distinct: bool = False

    @property
    def value(self) -> int:
        """The likeliest value, 1 to 6."""
        return int(self.chances[:6].argmax()) + 1

    @property
    def confidence(self) -> float:
        """Probability of that value, if the face shows one at all."""
        return sure_of(self.chances)

    @property
    def flawed(self) -> float:
        """Probability that the face shows no value: a flaw, or no die at all."""
        return 1.0 - float(self.chances[:6].sum())

    @property
    def runner_up(self) -> int:
        """The likeliest other value."""
        return int(self.chances[:6].argsort()[-2]) + 1

    @property
    def nothing(self) -> float:
        """Probability that there is no die here at all."""
        return self.chance("nothing")

    def chance(self, name: str) -> float:
        """Probability of one of `CLASSES`."""
        return float(self.chances[CLASSES.index(name)])


def judge(
    found: Found,
    places: list[Seen],
    brightness: float,
    expected: int | None,
    params: VerdictParams,
    size: tuple[int, int],
) -> tuple[list[Seen], Reason | None, str]:
    """Decide whether the dice can be relied on.

    Args:
        found: What stage 1 found,
        places: and what stage 2 makes of each of its faces.
        brightness: Level of the brightest parts of the picture or of its dice, 0 to 255.
        expected: How many dice there must be, or None for any number.
        params: The tunables of this stage.
        size: Width and height of the picture.

    Returns:
        The dice, the reason why they do not hold (None where they do) and that reason in figures.
    """
    if expected is not None:  # else a die that lies beside the tray would be left out without a word
        places = [place for place in places if place.inside >= params.inside or place.flawed < params.beside]
    dice = [place for place in places if _is_die(place, params)]
    if expected is not None and len(dice) > expected:
        dice = _without_surplus(dice, expected, params)
    if brightness < params.dark:
        return dice, Reason.DARK, f"the brightest parts at level {brightness:.0f}, below {params.dark:.0f}"
    covered = _covered(found, params)
    if covered > params.foreign:
        return dice, Reason.HAND, f"{100 * covered:.1f} % of the picture covered"
    if not dice:
        return [], Reason.NO_DICE, "no die found"
    strayed = _strayed(dice, params)
    if strayed:
        return dice, Reason.OUT_OF_TRAY, f"a die at {place_of(strayed)} outside of the tray"
    cut = next((die for die in dice if _is_cut(die, size, params)), None)
    if cut:
        return dice, Reason.OUT_OF_TRAY, f"a die at {place_of(cut)} reaches out of the picture"
    if expected is not None and len(dice) != expected:
        return dice, Reason.COUNT, f"{len(dice)} dice, {expected} expected"
    flawed = [die for die in dice if _is_flawed(die, params)]
    if flawed:
        return dice, *_flaw(flawed, len(dice))
    doubt = _doubt(dice, places, params)
    return dice, Reason.UNSURE if doubt else None, doubt


def _doubt(dice: list[Seen], places: list[Seen], params: VerdictParams) -> str:
    """What makes the values of as many dice as there must be doubtful; empty where nothing does."""
    missed = next((die for die in dice if die.lean > params.crooked and die.face.score < params.clear), None)
    if missed:
        return f"a die at {place_of(missed)}, of whose middle its edges and stage 1 are not sure"
    doubtful = [die for die in dice if not _is_sure(die, params)]
    if doubtful:
        worst = min(doubtful, key=lambda die: die.confidence)
        return f"a die at {place_of(worst)}, {worst.value} at {worst.confidence:.3f}"
    others = [place for place in places if place not in dice and not _is_misfit(place, dice, params)]
    unclear = [place for place in others if place.face.score >= params.contrary]
    if unclear:
        return f"perhaps one more die at {place_of(unclear[0])}"
    sizes = [die.level_half for die in dice]
    if max(sizes) > params.size_ratio * min(sizes):
        return f"dice of {min(sizes):.0f} and {max(sizes):.0f} pixels half side on the axis"
    return ""


def may_pass(
    reason: Reason,
    found: Found,
    dice: Sequence[Seen],
    expected: int | None,
    params: VerdictParams,
    *,
    is_tray_asked: bool,
) -> bool:
    """Tell whether another look at the picture may clear up why the dice do not hold.

    Of 800 readable scenes a second look read 52 that were refused for the number of dice, for what seems to be over
    them, for a die beside the tray or unsure; of 13 with a die that seemed to lean none, and of 200 spoilt ones two.

    Args:
        reason: Why they do not,
        found: what stage 1 found,
        dice: and the dice, all three of the look before.
        expected: How many dice there must be, or None for any number.
        params: The tunables of this stage.
        is_tray_asked: Whether that look asks anew what is tray and what foreign.
    """
    if reason is Reason.COUNT:
        sure = [die for die in dice if die.face.score >= params.contrary and die.flawed < params.blank]
        return expected is None or len(sure) <= expected
    if reason is Reason.HAND:
        return _covered(found, params) <= (params.plainly if is_tray_asked else params.foreign)
    if reason is Reason.OUT_OF_TRAY and not is_tray_asked:
        return _strayed(dice, params) is None
    if reason is Reason.UNSURE:
        return not any(is_doubtful(die, params) for die in dice)
    return reason is Reason.OUT_OF_TRAY


def is_doubtful(die: Seen, params: VerdictParams) -> bool:
    """Tell whether it is the die's value that is in doubt: no other look at the picture clears that up.

    Looks that are asked until one of them is sure are sure of the wrong value sooner or later: of eight dice that only
    a second or third look at the picture was sure of two had another value. Of 1,600 readable scenes four are refused.
    """
    return not _is_sure(die, params) and die.flawed <= params.flawed


def _is_sure(die: Seen, params: VerdictParams) -> bool:
    """Tell whether a die's value is sure; less will do where its pips are very plain to the second witness."""
    return die.confidence >= (params.sure_if_distinct if die.is_distinct else params.sure)


def is_odd(die: Seen, params: VerdictParams) -> bool:
    """Tell whether a die that may be read looks odd: its own edges point elsewhere, or it hardly shows a value."""
    return die.lean > params.crooked or die.flawed > params.blank


def _covered(found: Found, params: VerdictParams) -> float:
    """The part of the picture that something foreign covers within the tray."""
    return float(((found.foreign > params.strange) & (found.tray > 0.5)).mean())


def _strayed(dice: Sequence[Seen], params: VerdictParams) -> Seen | None:
    """A die that lies outside of the tray, if there is one."""
    return next((die for die in dice if die.inside < params.inside), None)


def _is_die(place: Seen, params: VerdictParams) -> bool:
    if place.face.score >= params.die:
        return place.nothing < params.nothing
    return place.nothing < params.unlike


def _without_surplus(dice: list[Seen], expected: int, params: VerdictParams) -> list[Seen]:
    """Of more places than there must be dice those that are the dice; all of them where none stands out as no die."""
    for is_none in (_may_be_none, _may_show_none, _is_misfit):
        left = [die for die in dice if not is_none(die, dice, params)]
        if len(left) == expected:
            return left
    return dice


def _may_be_none(die: Seen, _: list[Seen], params: VerdictParams) -> bool:
    """Tell whether a place is none of the dice if it is one too many: it shows no value, and either network doubts."""
    return die.flawed > params.blank and (die.face.score < params.die or die.nothing > params.surplus)


def _may_show_none(die: Seen, dice: list[Seen], params: VerdictParams) -> bool:
    """Tell whether neither network is sure of a place, and all the others plainly show a value: a stud, a washer."""
    plain = (other.flawed < params.unspoilt for other in dice if other is not die)
    return die.face.score < params.clear and params.odd_one < die.flawed <= params.blank and all(plain)


def _is_misfit(die: Seen, dice: list[Seen], params: VerdictParams) -> bool:
    """Tell whether a place is too large or too small to be a die of the same throw as most of three or more others."""
    if len(dice) < _SEVERAL:
        return False
    usual = float(np.median([other.level_half for other in dice]))
    return not usual / params.size_ratio <= die.level_half <= usual * params.size_ratio


def _is_flawed(die: Seen, params: VerdictParams) -> bool:
    """Tell whether a die shows no value: surely; probably, if its own edges lean; likelier than not, if it is marred.

    An emblem that may well be there is enough, as it is taken for a pip else. Leaning must be surer than that,
    as the network was shown too much of it (`flawed` in `VerdictParams`), and faint pips may be told after all.
    """
    if die.flawed > params.flawed or (die.flawed > params.blank and die.lean > params.lean):
        return True
    if die.chance("emblem") > (params.marred if die.is_distinct else params.emblem):
        return True
    return any(die.chance(name) > params.marred for name in _MARRED)


def _is_cut(die: Seen, size: tuple[int, int], params: VerdictParams) -> bool:
    """Tell whether the die reaches out of a picture of this width and height."""
    reach = params.reach
    if die.face.score < params.clear:
        reach = params.near
    if die.lean > params.askew:
        reach = params.beyond
    return any(
        not reach * die.face.half <= place + 0.5 <= side - reach * die.face.half
        for place, side in zip(die.face.centre, size, strict=True)
    )


def _flaw(flawed: list[Seen], dice: int) -> tuple[Reason, str]:
    """What is wrong with the die that is the least likely to show a value."""
    worst = max(flawed, key=lambda die: die.flawed)
    name = CLASSES[6 + int(worst.chances[6:].argmax())]
    reason = _FLAWS[name]
    if reason is Reason.MOVING and len(flawed) == dice:
        reason = Reason.BLURRED  # one die rolls, but a lens out of focus blurs all of them
    return reason, f"a die at {place_of(worst)}: {name} at {worst.chance(name):.2f}"


def place_of(die: Seen) -> str:
    """Where a die lies, in words: the pixels of its top face's middle."""
    x, y = die.face.centre
    return f"{x:.0f}, {y:.0f}"
