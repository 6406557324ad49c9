"""Stage 5: the verdict. Do the dice hold, or why not?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.params import VerdictParams
from vision.pips import Pips
from vision.reading import Reason
from vision.tops import Top


def judge(
    tops: list[Top], pips: Pips, brightness: float, expected: int | None, params: VerdictParams
) -> tuple[list[Top], Reason | None, str]:
    """Decide whether the dice can be relied on.

    Args:
        tops: What stage 4 chose, the best first.
        pips: All spots, those that no die explains included.
        brightness: Median grey level of the frame, 0 to 255.
        expected: How many dice there must be, or None for any number.
        params: The tunables of this stage.

    Returns:
        The dice, the reason why they do not hold (None where they do) and that reason in figures.
    """
    seen = [top for top in tops if top.confidence >= params.seen]
    sure = [top for top in seen if top.confidence >= params.sure]
    if brightness < params.dark and len(sure) != expected:
        return sure, Reason.DARK, f"median grey level {brightness:.0f}, below {params.dark:.0f}"
    if not seen:
        return [], Reason.NO_DICE, "no face of a die found"
    if expected is not None and len(seen) != expected:
        return seen, Reason.COUNT, f"{len(seen)} dice, {expected} expected"
    doubtful = [top for top in seen if top.confidence < params.sure]
    if doubtful:
        worst = min(doubtful, key=lambda top: top.confidence)
        return seen, Reason.UNSURE, f"a {worst.face.value} at confidence {worst.confidence:.2f}"
    halves = [top.body.half for top in seen]
    if max(halves) > params.size_ratio * min(halves):
        return seen, Reason.UNSURE, f"dice of {min(halves):.0f} and {max(halves):.0f} pixels half side"
    loose = np.flatnonzero(_loose(seen, pips, params))
    if len(loose):
        x, y = pips.xy[loose[0]]
        return seen, Reason.UNSURE, f"{len(loose)} pips on no die, the first at {x:.0f}, {y:.0f}"
    return seen, None, ""


def _loose(tops: list[Top], pips: Pips, params: VerdictParams) -> NDArray[np.bool_]:
    """Tell which spots look like the dice's pips but lie on none of the dice: (N,) bool."""
    contrast = float(np.median([np.linalg.norm(top.face.ink - top.face.ground) for top in tops]))
    radius = float(np.median([top.face.radius for top in tops]))
    loose = (
        (pips.quality > params.stray_quality)
        & (pips.contrast > params.stray_contrast * contrast)
        & (pips.aspect > params.stray_aspect)
        & (pips.radius > radius / params.stray_size)
        & (pips.radius < radius * params.stray_size)
    )
    for top in tops:
        places = np.linalg.solve(top.body.basis, (pips.xy - top.body.centre).T)
        loose &= np.hypot(*places) > 2.2
    return loose
