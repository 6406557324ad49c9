"""The verdict: all checks of a reading, in the order in which they are asked. The first objection decides."""

from __future__ import annotations

from collections.abc import Sequence

from vision.evidence import Evidence
from vision.verdict.counting import no_dice, seen_once, wrong_count
from vision.verdict.foreign import covered, something_new, tray_hidden
from vision.verdict.leaning import leans
from vision.verdict.middle_pip import middle_bare, middle_hidden, middle_lit, middle_marked
from vision.verdict.objection import Check, Objection
from vision.verdict.see_through import far_face
from vision.verdict.value import no_value, unsure_value
from vision.verdict.view import cut_off, out_of_tray, too_dark, too_near

OF_THE_FINDER: tuple[Check, ...] = (too_dark, covered)
"""The rows asked before any die is read."""

OF_ONE_LOOK: tuple[Check, ...] = (
    *OF_THE_FINDER,
    too_near,
    no_dice,
    out_of_tray,
    cut_off,
    wrong_count,
    no_value,
    leans,
    unsure_value,
)
"""The rows about a single look at the picture."""

OF_THE_READING: tuple[Check, ...] = (
    seen_once,
    tray_hidden,
    something_new,
    middle_hidden,
    middle_marked,
    middle_bare,
    far_face,
    middle_lit,
)
"""The rows that check a reading which would otherwise be accepted."""

TABLE: tuple[Check, ...] = OF_ONE_LOOK + OF_THE_READING


def first_objection(evidence: Evidence, checks: Sequence[Check] = TABLE) -> tuple[Check, Objection] | None:
    """Return the first check that objects and its objection; None if the reading holds."""
    for check in checks:
        objection = check(evidence)
        if objection is not None:
            return check, objection
    return None


def title(check: Check) -> str:
    """Return the name of a row in words, such as "middle marked"."""
    return check.__name__.replace("_", " ")


def meaning(check: Check) -> str:
    """Return the first line of a row's description."""
    return (check.__doc__ or "").partition("\n")[0]


def outcomes(decided: tuple[Check, Objection] | None) -> list[tuple[str, str]]:
    """Return each row's name and its outcome: "passed", its objection, or "not asked".

    `decided` is the row that decided and its objection, or None if the reading holds.
    """
    found: list[tuple[str, str]] = []
    result = "passed"
    for check in TABLE:
        if decided is not None and check is decided[0]:
            found.append((title(check), f"{decided[1].reason}: {decided[1].detail}"))
            result = "not asked"
        else:
            found.append((title(check), result))
    return found
