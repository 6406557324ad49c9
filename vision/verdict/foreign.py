"""Is there a hand or another foreign object in the tray?"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evidence import Evidence
from vision.stages.colours import lab
from vision.tray.new_things import floor_shown
from vision.types import LIKELY, Reason
from vision.verdict.objection import Objection

_LEAST_RED, _MOST_RED, _YELLOW = 7.0, 33.0, -0.5
"""The range of a* of a skin in L*a*b*, and its least b* as a part of that."""

_SIDES, _BESIDE = 1.5, 2.6
"""The distances from a die's centre within which its own sides are in view, and within which something touches it, in
half sides."""


def covered(evidence: Evidence) -> Objection | None:
    """The finder sees a hand over the tray, or something that it is sure of, that touches a die or that is large."""
    params, tray = evidence.params.foreign, evidence.detections.tray > LIKELY
    foreign = (evidence.foreign > params.strange) & tray
    if params.foreign < foreign.mean() <= params.large:
        # Wood, cloth or paper is seldom as certain to the finder as a hand is.
        foreign &= (evidence.foreign > params.certain) | _is_skin(evidence) | _touches(evidence)
    part = float(foreign.mean())
    if part <= params.foreign or (part <= params.plainly and outline(evidence, foreign) <= params.outline):
        return None
    return Objection(Reason.HAND, f"{100 * part:.1f} % of the picture covered", may_pass=part <= params.doubtful)


def _is_skin(evidence: Evidence) -> NDArray[np.bool_]:
    """Return which cells of the finder's maps have the colour of skin: reddish, neither purple nor blue."""
    rows, columns = evidence.foreign.shape
    small = cv2.resize(evidence.detections.small, (columns, rows), interpolation=cv2.INTER_AREA)
    _, red, yellow = cv2.split(lab(np.asarray(small, np.uint8)))
    return np.asarray((red > _LEAST_RED) & (red < _MOST_RED) & (yellow > _YELLOW * red), np.bool_)


def _touches(evidence: Evidence) -> NDArray[np.bool_]:
    """Return which cells of the finder's maps are beside a die."""
    rows, columns = evidence.foreign.shape
    scale, beside = columns / evidence.size[0], np.zeros((rows, columns), np.uint8)
    faces = [face for face in evidence.faces if face.score >= evidence.params.counting.die]
    for halves, mark in ((_BESIDE, 1), (_SIDES, 0)):  # no die, with the sides that are in view, is beside another
        for face in faces:
            x, y = (int(scale * place) for place in face.centre)
            cv2.circle(beside, (x, y), round(scale * halves * face.half), (mark,), cv2.FILLED)
    return beside > 0


def outline(evidence: Evidence, foreign: NDArray[np.bool_]) -> float:
    """Return the strength of the outline of some cells, (h, w): the change of colour, in L*a*b* units per pixel.

    A bare surface that the finder takes for an object, because of its pattern or dim light, changes little there.
    """
    width, height = evidence.size
    size = 160, max(1, round(160 * height / width))  # enough for outlines
    probable, surely = (cv2.resize(part.astype(np.float32), size) > LIKELY for part in (evidence.foreign, foreign))
    _, pieces = cv2.connectedComponents(probable.astype(np.uint8))
    thing = np.isin(pieces, np.setdiff1d(pieces[surely], (0,))).astype(np.uint8)
    edge = (cv2.dilate(thing, np.ones((3, 3), np.uint8)) > thing) & ~_dice(evidence, size)
    if not edge.any():
        return 0.0
    # The outline is up to 3 pixels from the edge of the area: a cell of the finder is two wide. Not its plainest part
    # but the third quartile counts, as parts of it may be hidden or in shadow.
    near = cv2.dilate(_changes(evidence, size), np.ones((7, 7), np.uint8))
    return float(np.percentile(near[edge], 75))


def _dice(evidence: Evidence, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Return a mask of the dice in a picture of this width and height, shape (h, w)."""
    scale, found = size[0] / evidence.size[0], np.zeros(size[::-1], np.uint8)
    for die in evidence.dice:
        x, y = (round(scale * place) for place in die.face.centre)
        cv2.circle(found, (x, y), round(scale * 2.2 * die.face.half) + 2, (1,), cv2.FILLED)  # with its sides
    return found > 0


def _changes(evidence: Evidence, size: tuple[int, int]) -> NDArray[np.float32]:
    """Return the change of colour at each pixel of a picture of this width and height, in L*a*b* units, (h, w)."""
    small = cv2.GaussianBlur(cv2.resize(evidence.frame, size, interpolation=cv2.INTER_AREA), (0, 0), 1.0)
    colours = lab(np.asarray(small, np.uint8))
    across, down = (cv2.Sobel(colours, cv2.CV_32F, *order) / 8 for order in ((1, 0), (0, 1)))
    return np.asarray(np.hypot(across, down).max(axis=2), np.float32)


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
