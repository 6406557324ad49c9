"""Is there a hand or another foreign object in the tray?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.tray.new_things import floor_shown
from vision.types import LIKELY, Reason
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.evidence import Evidence


def covered(evidence: Evidence) -> Objection | None:
    """The finder sees a hand or another foreign object over the tray."""
    params = evidence.params.verdict
    part = float(((evidence.foreign > params.strange) & (evidence.detections.tray > LIKELY)).mean())
    if part <= params.foreign:
        return None
    return Objection(Reason.HAND, f"{100 * part:.1f} % of the picture covered", may_pass=part <= params.plainly)


def tray_hidden(evidence: Evidence) -> Objection | None:
    """Most of the known tray is not visible: something fills the picture, or the lighting has changed.

    After a change of lighting the tray is learned again as soon as it is empty.
    """
    picture, params = evidence.picture, evidence.params
    if picture.is_tray_hidden:
        return Objection(Reason.HAND, "most of the known tray is not visible")
    if picture.tray is None or picture.unchanged is None:
        return None
    faces = [die.face for die in evidence.dice]
    part = floor_shown(picture.tray, picture.unchanged, faces, evidence.size, params.new.beside)
    if part >= params.tray.floor:
        return None
    return Objection(Reason.HAND, f"only {100 * part:.0f} % of the known floor is visible")


def something_new(evidence: Evidence) -> Objection | None:
    """Something in the known tray is neither tray, die nor shadow."""
    if evidence.new is None:
        return None
    x, y = evidence.new.middle
    return Objection(Reason.HAND, f"something at {x:.0f}, {y:.0f} that is not part of the empty tray")
