"""Does each die show a value, and is the confidence in it high enough?"""

from __future__ import annotations

from vision.evidence import Evidence
from vision.stages.candidate import Candidate, sure_of
from vision.stages.finding import Face
from vision.stages.values import CLASSES, Chances
from vision.types import LIKELY, Reason
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

_LASTING = ("cocked", "smeared", "glare", "emblem")
"""The flaws that no other look clears: what looks like them in one look does so in every look."""


def no_value(evidence: Evidence) -> Objection | None:
    """The values network sees a flaw instead of a value: cocked, smeared, covered, glare, an emblem or faint pips."""
    # The likeliest place first, which decides where two are as surely flawed.
    flawed = [one for one in evidence.candidates if one in evidence.dice and _is_flawed(one)]
    if not flawed:
        return None
    worst = max(flawed, key=lambda die: die.flawed)
    flaws = {name: worst.chance(name) for name in _REASONS}
    if worst.flawed <= worst.params.confidence.flawed:
        del flaws["cocked"]  # it is refused for the others
    name = max(flaws, key=lambda flaw: flaws[flaw])
    reason = _REASONS[name]
    if reason is Reason.MOVING and len(flawed) == len(evidence.dice):
        reason = Reason.BLURRED  # one die rolls, but a lens out of focus blurs all of them
    # A hand, no die and faint pips may be errors of one look, as any flaw of what may be no die. But retrying while a
    # value is uncertain eventually accepts a wrong one.
    is_doubtful = any(not die.is_sure and not _is_flawed(die) for die in evidence.dice)
    may_be_none = evidence.expected is None and all(die.may_be_none for die in flawed)
    may_pass = name == "covered" or (not is_doubtful and (may_be_none or name not in _LASTING))
    return Objection(reason, f"a die at {worst.place}: {name} at {worst.chance(name):.2f}", worst, may_pass)


def no_value_for_good(evidence: Evidence, face: Face, chances: Chances) -> bool:
    """Whether a face with these probabilities makes `no_value` object, whatever the other faces show.

    Then they need no more looks. The flaw must last, and no surplus of dice may have the face dropped.
    """
    params, expected = evidence.params, evidence.expected
    is_flawed = 1.0 - float(chances[:6].sum()) > params.confidence.flawed
    if not is_flawed or CLASSES[6 + int(chances[6:].argmax())] not in _LASTING:
        return False
    may_be_none = face.score < params.counting.contrary and chances[CLASSES.index("nothing")] > params.counting.surplus
    is_surplus = may_be_none if expected is None else len(evidence.faces) > expected
    return not is_surplus and face.score >= params.counting.die and evidence.inside(face) >= params.place.inside


def _is_flawed(die: Candidate) -> bool:
    """Whether a die shows no value: surely, or it is doubtful and a flaw is likelier than another value."""
    if die.flawed > die.params.confidence.flawed or die.chance("emblem") > LIKELY:
        return True
    return not die.is_sure and die.confidence < die.sure_value * sure_of(die.chances)


def unsure_value(evidence: Evidence) -> Objection | None:
    """A die's value is uncertain. Another look at the picture may not overrule that."""
    doubtful = [die for die in evidence.dice if not die.is_sure]
    if not doubtful:
        return None
    worst = min(doubtful, key=lambda die: die.confidence)
    return Objection(Reason.UNSURE, f"a die at {worst.place}, {worst.value} at {worst.confidence:.3f}", worst)
