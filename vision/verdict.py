"""Stage 5: the verdict. Do the dice hold, or why not?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.params import VerdictParams
from vision.pips import Pips
from vision.reading import Reason
from vision.tops import Top


def judge(
    tops: list[Top],
    pips: Pips,
    size: tuple[int, int],
    brightness: float,
    expected: int | None,
    params: VerdictParams,
) -> tuple[list[Top], Reason | None, str]:
    """Decide whether the dice can be relied on.

    Args:
        tops: What stage 4 chose, the best first.
        pips: All spots, those that no die explains included.
        size: Height and width of the picture in which they are.
        brightness: Level that the brightest 2 % of the picture reach in any channel, 0 to 255.
        expected: How many dice there must be, or None for any number.
        params: The tunables of this stage.

    Returns:
        The dice, the reason why they do not hold (None where they do) and that reason in figures.
    """
    seen = [top for top in tops if top.weight >= params.seen]
    if brightness < params.dark:
        return seen, Reason.DARK, f"the brightest parts at level {brightness:.0f}, below {params.dark:.0f}"
    if not seen:
        return [], Reason.NO_DICE, "no face of a die found"
    if expected is not None and len(seen) != expected:
        return seen, Reason.COUNT, f"{len(seen)} dice, {expected} expected"
    doubtful = [top for top in seen if top.confidence < params.sure]
    if doubtful:
        worst = min(doubtful, key=lambda top: top.confidence)
        return seen, Reason.UNSURE, f"a {worst.face.value} at confidence {worst.confidence:.2f}"
    leaning = next((top for top in seen if _leans(top, params)), None)
    if leaning:
        return seen, Reason.COCKED, f"a {leaning.face.value} leans"
    cut = next((top for top in seen if _cut(top, size, params)), None)
    if cut:
        return seen, Reason.OUT_OF_TRAY, f"a {cut.face.value} reaches out of the picture"
    odd = _odd_size(seen, params)
    if odd:
        return seen, Reason.UNSURE, odd
    loose = np.flatnonzero(_loose(seen, pips, params))
    if len(loose):
        x, y = pips.xy[loose[0]]
        return seen, Reason.UNSURE, f"{len(loose)} pips on no die, the first at {x:.0f}, {y:.0f}"
    if expected is None:
        blobs = np.flatnonzero(_unread(seen, pips, params))
        if len(blobs):
            x, y = pips.xy[blobs[0]]
            return seen, Reason.COUNT, f"something as large as a die, but not read, at {x:.0f}, {y:.0f}"
    return seen, None, ""


def _leans(top: Top, params: VerdictParams) -> bool:
    """Tell whether the top face is seen too much aslant to lie flat under a camera that looks down."""
    long_side, short_side = np.linalg.svd(top.body.basis, compute_uv=False)
    across, down = (top.body.basis / np.linalg.norm(top.body.basis, axis=0)).T
    return bool(short_side < params.lean_aspect * long_side or abs(across @ down) > params.lean_skew)


def _cut(top: Top, size: tuple[int, int], params: VerdictParams) -> bool:
    """Tell whether the top face reaches out of a picture of `size` (height, width)."""
    corners = top.body.corners
    margin = params.cut * top.body.half
    return bool((corners < -margin).any() or (corners > np.array(size[::-1]) + margin).any())


def _odd_size(tops: list[Top], params: VerdictParams) -> str:
    """Say which die is of another size than the rest, "" where none is.

    A lone pip that fills much of its square is either a large 1, and then the square is as large as the other
    dice, or one of several pips, and then it is not.
    """
    for top in tops:
        others = [other.body.half for other in tops if other is not top]
        usual = float(np.median(others)) if others else top.body.half
        ratio = max(top.body.half / usual, usual / top.body.half)
        large_pip = top.face.value == 1 and top.body.half < params.usual_half * top.face.radius
        if ratio > (params.same_size if large_pip else params.size_ratio) or (large_pip and not others):
            return f"a {top.face.value} of {top.body.half:.0f} pixels half side, the others of {usual:.0f}"
    return ""


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
    return loose & _off_all(tops, pips, params.die_reach)


def _unread(tops: list[Top], pips: Pips, params: VerdictParams) -> NDArray[np.bool_]:
    """Tell which spots are as large as a whole die and lie on none that was read: (N,) bool.

    Where the number of dice is not known, nothing else tells of a die whose pips were not made out. A clean disk
    of one colour with nothing on it is none: a magnet or a screw of the tray.
    """
    half = float(np.median([top.body.half for top in tops]))
    large = (pips.radius > params.blob_least * half) & (pips.radius < params.blob_most * half)
    gap = np.hypot(*(pips.xy[:, None] - pips.xy[None]).transpose(2, 0, 1))
    marked = ((gap < pips.radius[:, None]) & (pips.radius[None] < pips.radius[:, None] / 2)).any(axis=1)
    busy = marked | (pips.quality < params.disk_quality)
    unread: NDArray[np.bool_] = large & busy & (pips.aspect > params.stray_aspect)
    return unread & _off_all(tops, pips, 1.0)


def _off_all(tops: list[Top], pips: Pips, reach: float) -> NDArray[np.bool_]:
    """Tell which spots are farther than `reach` half sides from every die: (N,) bool."""
    off = np.ones(len(pips), bool)
    for top in tops:
        places = np.linalg.solve(top.body.basis, (pips.xy - top.body.centre).T)
        off &= np.hypot(*places) > reach
    return off
