"""Stage 2: faces. Which spots are together the pips of one face, and how many are they?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import FaceParams
from vision.pips import Floats, Pips
from vision.reading import Frame

# The nine places of a face, numbered row by row; a pattern is a set of places as bits.
PLACES = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float32)
CENTRE = 1 << 4
DIAGONAL = 1 << 0 | 1 << 8
CORNERS = DIAGONAL | 1 << 2 | 1 << 6
PATTERNS = {
    CENTRE: 1,
    DIAGONAL: 2,
    DIAGONAL | CENTRE: 3,
    CORNERS: 4,
    CORNERS | CENTRE: 5,
    CORNERS | 1 << 3 | 1 << 5: 6,
    CORNERS | 1 << 1 | 1 << 7: 6,
}


@dataclass(frozen=True, slots=True)
class Face:
    """A face of a die as a pattern of pips on the image of its 3x3 places.

    Attributes:
        value: Number of pips, 1 to 6.
        bits: The pattern: bit 3 * row + column is set where a pip is.
        centre: (2,) its middle in pixels.
        basis: (2, 2) columns are the steps to the next place to the right and below, in pixels.
        pips: Indices into the spots of stage 1.
        misfit: How far the pips are from the places, root mean square in steps.
        ground: (3,) colour of the body around the pips, BGR.
        ink: (3,) colour of the pips, BGR.
        radius: Pip radius in pixels.
        aspect: Short / long axis of its pips on the whole: near 1 for a face that looks at the camera.
        smooth: Share of the places between the pips that have the body's colour, 0 to 1.
        score: What the selection ranked it by.
    """

    value: int
    bits: int
    centre: Floats
    basis: Floats
    pips: tuple[int, ...]
    misfit: float
    ground: Floats
    ink: Floats
    radius: float
    aspect: float
    smooth: float
    score: float

    @property
    def step(self) -> float:
        """Distance between neighbouring places in pixels (geometric mean of both directions)."""
        return float(np.sqrt(abs(np.linalg.det(self.basis))))


def _compatible(pips: Pips, params: FaceParams) -> NDArray[np.bool_]:
    """Tell for each pair of spots whether they can be pips of one face: (N, N)."""
    ratio = pips.radius[:, None] / pips.radius[None]
    least = np.minimum(pips.contrast[:, None], pips.contrast[None])
    most = np.maximum(pips.contrast[:, None], pips.contrast[None])
    axis = pips.ink - pips.ground
    alike = (axis @ axis.T) / (least * most)
    ground = np.linalg.norm(pips.ground[:, None] - pips.ground[None], axis=2)
    aspect = np.abs(pips.aspect[:, None] - pips.aspect[None])
    fits: NDArray[np.bool_] = (
        (ratio < params.radius_ratio)
        & (ratio > 1 / params.radius_ratio)
        & (least > params.contrast_ratio * most)
        & (alike > params.ink_alike)
        & (ground < params.ground_apart * most)
        & (aspect < params.aspect_apart)
    )
    return fits


def find_faces(frame: Frame, pips: Pips, params: FaceParams) -> list[Face]:
    """Find the faces that the spots can make, rivals included, the best first.

    Every spot may be a 1; every pair of spots may be the diagonal that the patterns from 2 to 6 share.

    Args:
        frame: (H, W, 3) uint8, the picture the spots were found in.
        pips: The spots.
        params: The tunables of this stage.

    Returns:
        At most `most_patterns` faces of two and more pips and `most_ones` lone pips.
    """
    if not len(pips):
        return []
    patterns = sorted(_patterns(frame, pips, params), key=lambda face: -face.score)[: params.most_patterns]
    ones = sorted(_singles(pips, params), key=lambda face: -face.score)[: params.most_ones]
    return patterns + ones


def _singles(pips: Pips, params: FaceParams) -> list[Face]:
    """Each spot as a 1, save those so slanted that they can only be on a side face."""
    worth = pips.quality * np.minimum(pips.contrast / params.full_contrast, 1)
    return [
        Face(
            value=1,
            bits=CENTRE,
            centre=pips.xy[index],
            basis=np.eye(2, dtype=np.float32) * pips.radius[index] * np.float32(params.usual_step),
            pips=(index,),
            misfit=0.0,
            ground=pips.ground[index],
            ink=pips.ink[index],
            radius=float(pips.radius[index]),
            aspect=float(pips.aspect[index]),
            smooth=1.0,
            score=float(worth[index]),
        )
        for index in np.flatnonzero(pips.aspect > params.least_aspect_of_one).tolist()
    ]


@dataclass(frozen=True, slots=True)
class _Lattices:
    """Guesses where the nine places of a face are: parallel arrays over H guesses.

    Attributes:
        centre: (H, 2) middles.
        basis: (H, 2, 2) columns are the steps to the right and below.
        anchors: (H, 2) two spots that the face surely has, at opposite corners.
        values: What such a guess can come out as.
    """

    centre: Floats
    basis: Floats
    anchors: NDArray[np.intp]
    values: tuple[int, ...]


def _diagonals(pips: Pips, fits: NDArray[np.bool_], params: FaceParams) -> NDArray[np.intp]:
    """Return the pairs of spots, (P, 2), that can be opposite corners of a pattern; the clearest first."""
    gap = pips.xy[None] - pips.xy[:, None]
    size = np.sqrt(pips.radius[:, None] * pips.radius[None])
    step = np.hypot(gap[:, :, 0], gap[:, :, 1]) / np.float32(2 * np.sqrt(2))
    wanted = fits & (step > params.least_step * size) & (step < params.most_step * size)
    pairs = np.argwhere(np.triu(wanted, 1))
    strength = pips.quality * pips.contrast
    order = np.argsort(-strength[pairs].min(axis=1), kind="stable")
    return pairs[order[: params.most_pairs]]


def _lattices(pips: Pips, pairs: NDArray[np.intp]) -> list[_Lattices]:
    """Lay the nine places on every diagonal alone (2, 3) and on every two that halve each other (4, 5, 6)."""
    middle = pips.xy[pairs].mean(axis=1)
    half = (pips.xy[pairs[:, 1]] - pips.xy[pairs[:, 0]]) / 2
    # A square: the half diagonal is (1, 1) in steps, and turned back by 45 degrees sqrt(2) steps to the right.
    right = np.stack([half[:, 0] + half[:, 1], half[:, 1] - half[:, 0]], axis=1) / 2
    down = np.stack([-right[:, 1], right[:, 0]], axis=1)
    alone = _Lattices(middle, np.stack([right, down], axis=2), pairs, (2, 3))
    # A parallelogram: two diagonals of like length with one middle, crossing at a fair angle.
    length = np.hypot(half[:, 0], half[:, 1])
    apart = np.hypot(*(middle[:, None] - middle[None]).transpose(2, 0, 1))
    ratio = length[:, None] / length[None]
    crossing = np.abs(half[:, None, 0] * half[None, :, 1] - half[:, None, 1] * half[None, :, 0])
    both = (
        (apart < 0.2 * length[:, None])
        & (ratio < 1.7)
        & (ratio > 1 / 1.7)
        & (crossing > 0.5 * length[:, None] * length[None])
    )
    one, other = np.nonzero(np.triu(both, 1))
    first, second = half[one], half[other]
    # Mirrored where needed, so that the steps turn like x and y.
    second = second * np.sign(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])[:, None]
    crossed = _Lattices(
        (middle[one] + middle[other]) / 2,
        np.stack([(first - second) / 2, (first + second) / 2], axis=2),
        pairs[one],
        (4, 5, 6),
    )
    return [alone, crossed]


def _patterns(frame: Frame, pips: Pips, params: FaceParams) -> list[Face]:
    """Find every pattern of two and more pips."""
    fits = _compatible(pips, params)
    pairs = _diagonals(pips, fits, params)
    faces = []
    for guess in _lattices(pips, pairs) if len(pairs) else ():
        if not len(guess.centre):
            continue
        places = np.einsum("hij,hnj->hni", np.linalg.inv(guess.basis), pips.xy[None] - guess.centre[:, None])
        nearest = np.clip(np.rint(places), -1, 1)
        off = np.hypot(*(places - nearest).transpose(2, 0, 1))
        alike = fits[guess.anchors[:, 0]] & fits[guess.anchors[:, 1]]
        np.put_along_axis(alike, guess.anchors, values=True, axis=1)
        member = alike & (np.abs(places).max(axis=2) < params.face_reach)
        seated = member & (off < params.seat)
        number = (nearest[:, :, 0] + 1 + 3 * (nearest[:, :, 1] + 1)).astype(np.intp)
        bits = np.bitwise_or.reduce(np.where(seated, 1 << number, 0), axis=1)
        value = np.array([PATTERNS.get(int(pattern), 0) for pattern in bits])
        # One spot at each place of the pattern, and none of the same kind beside them.
        whole = np.isin(value, guess.values) & (member.sum(axis=1) == value)
        for row in np.flatnonzero(whole):
            who = np.flatnonzero(member[row])
            face = _fit(
                frame,
                pips,
                who,
                nearest[row, who],
                int(bits[row]),
                (guess.centre[row], guess.basis[row]),
                params,
            )
            if face is not None:
                faces.append(face)
    return faces


def _fit(
    frame: Frame,
    pips: Pips,
    who: NDArray[np.intp],
    seats: Floats,
    bits: int,
    lattice: tuple[Floats, Floats],
    params: FaceParams,
) -> Face | None:
    """Fit the places to the pips of a pattern by least squares and weigh it; None where it is no face."""
    centre, basis = lattice
    if len(who) >= 4:
        design = np.concatenate([seats, np.ones((len(who), 1), np.float32)], axis=1)
        solution = np.linalg.lstsq(design, pips.xy[who], rcond=None)[0]
        centre, basis = solution[2], solution[:2].T
    scale = float(np.sqrt(abs(np.linalg.det(basis))))
    off = pips.xy[who] - centre - seats @ basis.T
    misfit = float(np.sqrt((off**2).sum(axis=1).max())) / scale
    long_step, short_step = np.linalg.svd(basis, compute_uv=False)
    radius = float(np.sqrt(np.mean(pips.radius[who] ** 2)))
    in_size = params.least_step * radius < scale < params.most_step * radius
    if misfit > params.misfit or not in_size or short_step < params.lattice_aspect * long_step:
        return None
    ground = np.median(pips.ground[who], axis=0)
    ink = np.median(pips.ink[who], axis=0)
    smooth = _smooth(frame, centre, basis, bits, ground, float(np.linalg.norm(ink - ground)), params)
    if smooth < params.smooth:
        return None
    worth = float((pips.quality[who] * np.minimum(pips.contrast[who] / params.full_contrast, 1)).sum())
    likely = float(np.exp(-((np.log(scale / radius / params.usual_step) / params.step_spread) ** 2) / 2))
    value = PATTERNS[bits]
    # Two pips are the fewest that a side face can lend one to.
    aspect = float(pips.aspect[who].min() if value == 2 else pips.aspect[who].mean())
    if value in (4, 5):
        aspect = min(aspect, float(short_step / long_step))
    return Face(
        value=value,
        bits=bits,
        centre=np.asarray(centre, np.float32),
        basis=np.asarray(basis, np.float32),
        pips=tuple(int(index) for index in who),
        misfit=misfit,
        ground=ground,
        ink=ink,
        radius=radius,
        aspect=aspect,
        smooth=smooth,
        score=worth * (0.4 + 0.6 * likely) * smooth * (1 - misfit / params.misfit / 2),
    )


# A grid of half steps over the face; each pattern leaves those points free that are off its pips.
_HALF_STEPS = np.array([(x / 2, y / 2) for y in range(-2, 3) for x in range(-2, 3)], np.float32)
FREE_POINTS = {
    bits: _HALF_STEPS[
        [
            min(np.hypot(*(PLACES[place] - point)) for place in range(9) if bits >> place & 1) > 0.6
            for point in _HALF_STEPS
        ]
    ]
    for bits in PATTERNS
}


def _smooth(
    frame: Frame, centre: Floats, basis: Floats, bits: int, ground: Floats, contrast: float, params: FaceParams
) -> float:
    """Measure which share of the pip-free points of a face has the body's colour."""
    points = FREE_POINTS[bits]
    where = (points @ basis.T + centre).astype(np.float32)
    seen = cv2.remap(frame, where[None, :, 0], where[None, :, 1], cv2.INTER_LINEAR)[0].astype(np.float32)
    off = np.linalg.norm(seen - ground, axis=1)
    return float(np.mean(off < params.smooth_apart * contrast))
