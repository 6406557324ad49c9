"""Does each die show a value, or is it cocked, smeared, covered, in glare or marked with an emblem?"""

from __future__ import annotations

from vision.evidence import Evidence
from vision.stages.candidate import Candidate
from vision.stages.values import CLASSES, LASTING
from vision.types import LIKELY, Reason
from vision.verdict.confidence import is_no_value_doubtful
from vision.verdict.objection import Objection

_REASONS = {
    "cocked": Reason.COCKED,
    "smeared": Reason.MOVING,
    "covered": Reason.HAND,
    "glare": Reason.GLARE,
    "emblem": Reason.EMBLEM,
    "nothing": Reason.UNSURE,
    "faint": Reason.UNSURE,
}
"""The reason shown to the players for each flaw that the values network can see instead of a value."""

_MARRED = ("smeared", "covered", "glare")
"""The flaws that the network hardly ever sees on a readable die."""


def no_value(evidence: Evidence) -> Objection | None:
    """The values network sees a flaw instead of a value: cocked, smeared, covered, glare, an emblem or faint pips."""
    # The likeliest place first, which decides where two are as surely flawed.
    flawed = [one for one in evidence.candidates if one in evidence.dice and _is_flawed(one)]
    if not flawed:
        return None
    worst = max(flawed, key=lambda die: die.flawed)
    name = CLASSES[6 + int(worst.chances[6:].argmax())]
    reason = _REASONS[name]
    if reason is Reason.MOVING and len(flawed) == len(evidence.dice):
        reason = Reason.BLURRED  # one die rolls, but a lens out of focus blurs all of them
    # A hand, no die and faint pips may be errors of one look; what the other flaws look like they are in every look.
    may_pass = name not in LASTING and (name == "covered" or is_no_value_doubtful(evidence))
    return Objection(reason, f"a die at {worst.place}: {name} at {worst.chance(name):.2f}", worst, may_pass)


def _is_flawed(die: Candidate) -> bool:
    """Whether a die shows no value: surely; likelier than not, if it is marred.

    An emblem that may well be there is enough, as it would be taken for a pip. Leaning must be surer than that, as the
    network was shown too much of it, and faint pips may be read after all.
    """
    params = die.params.confidence
    if die.flawed > params.flawed:
        return True
    emblem = die.chance("emblem")
    if emblem > LIKELY or (emblem > params.emblem and not die.is_surely_distinct):
        return True
    return any(die.chance(name) > LIKELY for name in _MARRED)
