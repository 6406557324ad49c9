"""Learning a tray under its camera: its edge, the empty tray, the light, the sharpness and the scale.

The tray's edge comes from the finder's map of "inside of the tray", which is coarse (80 by 60 cells) but has soft
borders. Each side of the edge is a line fitted to the whole length of the border, so that it is found to about a
fifth of a cell, and rounds of the map's own corners do not matter. Searching the picture for a stronger contrast near
that line was not added: a tray's wall has several parallel contrasts (the rim's two edges, the foot, its shadow), all
nearer to one another than the map's error is to zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import EMPTY_SIZE, Calibration, Point
from vision.params import Params
from vision.read import examine
from vision.reading import Box, Frame

Map = NDArray[np.float32]
"""Probabilities, 0 to 1, shape (h, w) of any size, stretched over the whole frame."""

WORKING_WIDTH = 640
"""Wider frames are measured at this width, so that "a pixel" means the same for every camera."""

FINER = 4
"""By what factor the tray's map is enlarged before its border is followed: 0.25 cells are then one step."""


NO_CLEAR_EDGE = (
    "no clear edge of the tray: take everything out of the tray and from beside it, and look at one tray only; "
    "without a calibration reading still works"
)


class CannotCalibrateError(Exception):
    """What was seen cannot be learnt from; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class CalibrateParams:
    """The tunables of measuring.

    "Rendered" figures are over 250 empty trays of the project's renderer, 32 of them round, whose true opening was made
    a map of 80 by 60 cells, blurred by 0.8 cells, with smooth noise of deviation 0.4 in its logits.

    Attributes:
        sure: Least confidence of a die that counts as one, 0.3 to 0.9: what the reader merely suspects does not make
            a tray one with dice in it.
        inside: Probability from which a cell is inside of the tray, 0.3 to 0.7; one half is where the map's border
            has no bias.
        smallest: Least share of the picture that a tray has, 0.02 to 0.2; what is smaller holds no four dice that
            could be read.
        knob: What hangs on to the tray and is narrower than this is cut off, as a part of the side of a square of the
            tray's size, 0.1 to 0.4. On 51 rendered trays with the maps of a finder that had learnt for a few minutes,
            0.25 against 0.02 brought the worst overlap of the edge with the true opening from 0.59 to 0.62, and of 23
            dice beside the tray 20 in place of 16 lay outside; of 52 in the tray none did, the nearest 16 px of 640 in.
        clear: Least overlap (intersection over union) of the edge's inside with the map, 0.85 to 0.95. With the same
            maps 0.9 refused two trays, one of them the worst.
        straight: How far the border may leave its sides before a corner is added, as a part of its length, 0.003 to
            0.015. Rendered: at 0.007 the edge lies up to 7.6 px of 640 too far in (19 of 20 trays: 6 px) and, where
            the picture cuts it, up to 19 px too far out (19 of 20: 10 px); at 0.01 short sides at the picture's edge
            get lost, up to 12 px further in.
        most_sides: A border of more sides than this is round, 6 to 9. Rendered: trays of four walls, cut by the
            picture, come to 4 to 8 in 214 of 218, round ones to more in 29 of 32.
        round_corners: Most corners that a round edge gets, 16 to 48. Rendered: with 24 it lies up to 6 px too far in.
        no_corner_deg: Where the edge turns by less than this, the noise of the map may have made a corner in a straight
            side; then the tilt is measured without it, 5 to 20.
        agree: Least overlap (intersection over union) of one frame's tray with that of all, 0.7 to 0.95; less means
            that the camera or the tray was moved in between.
        foreign: Share of the tray that something foreign must cover to be told, 0.002 to 0.05; a finger's tip over a
            tray of 20 cm covers 0.005.
        strange: Probability from which a place is foreign, 0.5 to 0.95; see `vision.params.VerdictParams`.
        burnt: Level of the weakest channel from which a pixel is burnt out, 245 to 255.
        fine_sigma: Blur, in pixels, with which the picture's gradient is measured, 1 to 2,
        coarse_sigma: and that with which it is measured again, twice as much; see `blur_of`. 36 rendered trays, blurred
            by 1, 2, 4 and 6 px, not sharpened by the camera, are measured as 1.3, 2.2, 3.9 and 5.0 (medians; nine of
            ten within 0 to 1.7, 1.0 to 2.5, 2.7 to 4.9 and 3.2 to 6.5). The usual measure, the variance of the
            Laplacian over that of the picture, tells less: with a blur of 0.6 px it is 0.02 to 1.5 in nine of ten of
            24 scenes, and its median falls only from 0.12 to 0.09 between blurs of 0.6 and 4 px.
        rim: How far beyond the tray's edge its rim is looked at for sharpness, as a part of the picture's width, 0.01
            to 0.03; a rim of 5 mm is 0.02 wide where 25 cm fill the picture.
        edge_noise: An edge's gradient is at least so many times the picture's median gradient, 3 to 6,
        edge_least: and at least so many grey levels a pixel, 1 to 4. With 3 a third of trays blurred by 8 px had none.
        edges_least: With fewer edge pixels than this the blur is not measured, 20 to 100.
    """

    sure: float = 0.5
    inside: float = 0.5
    smallest: float = 0.06
    knob: float = 0.25
    clear: float = 0.9
    straight: float = 0.007
    most_sides: int = 8
    round_corners: int = 24
    no_corner_deg: float = 12.0
    agree: float = 0.8
    foreign: float = 0.005
    strange: float = 0.8
    burnt: int = 250
    fine_sigma: float = 1.5
    coarse_sigma: float = 3.0
    rim: float = 0.02
    edge_noise: float = 4.0
    edge_least: float = 1.5
    edges_least: int = 30


@dataclass(frozen=True, slots=True)
class Look:
    """One frame, and what the reader saw in it.

    Attributes:
        frame: (H, W, 3) uint8, BGR.
        tray: Probability of "inside of the tray".
        foreign: Probability of "a hand, or another foreign thing".
        dice: The boxes of the dice's top faces, in pixels of the frame.
    """

    frame: Frame
    tray: Map
    foreign: Map
    dice: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured: what is kept, and what only the advice needs.

    Attributes:
        calibration: What is kept.
        frame: The picture it was measured in, at most 640 wide: the mean of all frames of the empty tray, or of
            all frames where there is none.
        parts: Median grey level of each ninth of the tray, (3, 3), rows from the top; NaN where there is no tray.
        burnt: Share of each ninth that is burnt out to white, (3, 3).
        white: The level that the brightest 2 % of the picture reach in their strongest channel, 0 to 255.
        dice: In how many frames dice were seen.
        covered: In how many frames something foreign was over the tray.
        looks: How many frames there were.
        tilt_deg: The camera's tilt off the vertical, by the shape of a tray of four sides; None for other trays.
        cut: At which edges of the picture the tray is cut ("left", "right", "top", "bottom"), and along how much of
            that edge, 0 to 1.
    """

    calibration: Calibration
    frame: Frame
    parts: NDArray[np.float64]
    burnt: NDArray[np.float64]
    white: float
    dice: int
    covered: int
    looks: int
    tilt_deg: float | None
    cut: dict[str, float]


def look_at(frame: Frame, params: CalibrateParams | None = None) -> Look:
    """Look at a frame with the reader, for any number of dice.

    Args:
        frame: (H, W, 3) uint8, BGR.
        params: The tunables.

    Raises:
        ValueError: If it is no such array.
    """
    params = params or CalibrateParams()
    evidence = examine(frame, Params(dice=None))
    dice = tuple(die.box for die in evidence.reading.dice if die.confidence >= params.sure)
    return Look(frame, evidence.found.tray, evidence.found.foreign, dice)


def find_edge(tray: Map, params: CalibrateParams | None = None) -> tuple[Point, ...]:
    """Find the tray's edge in a map of its inside.

    Args:
        tray: The map.
        params: The tunables.

    Returns:
        A convex polygon of 3 to 24 corners, clockwise as seen, in parts of the picture's width and height.

    Raises:
        CannotCalibrateError: If there is no tray, or nothing with one clear edge.
    """
    params = params or CalibrateParams()
    height, width = tray.shape
    fine = cv2.resize(tray, (width * FINER, height * FINER), interpolation=cv2.INTER_LINEAR)
    count, labels, stats, _ = cv2.connectedComponentsWithStats((fine > params.inside).astype(np.uint8))
    areas = stats[1:, cv2.CC_STAT_AREA]
    if count < 2 or areas.max() < params.smallest * fine.size:
        raise CannotCalibrateError(
            "no tray found: put the tray under the camera, with all of its edge in view and light on it; "
            "without a calibration reading still works"
        )
    largest = (labels == 1 + int(np.argmax(areas))).astype(np.uint8)
    contours, _ = cv2.findContours(
        _without_knobs(largest, params.knob * math.sqrt(areas.max())), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    if not contours:
        raise CannotCalibrateError(NO_CLEAR_EDGE)
    border = max(contours, key=len).reshape(-1, 2).astype(np.float32) + np.float32(0.5)
    hull = cv2.convexHull(border)
    sides = np.asarray(cv2.approxPolyDP(hull, params.straight * cv2.arcLength(hull, True), True), np.float32)
    sides = sides.reshape(-1, 2)
    corners = _by_sides(border, sides) if len(sides) <= params.most_sides else _rounded(border, params.round_corners)
    # In whole ten-thousandths the hull is exact, and the polygon as it is kept is surely convex.
    places = np.clip(corners / np.array([width * FINER, height * FINER]), 0.0, 1.0)
    exact = cv2.convexHull(np.rint(places * 10000).astype(np.int32), clockwise=False).reshape(-1, 2)
    edge = tuple((int(x) / 10000, int(y) / 10000) for x, y in exact)
    inside, found = fine > params.inside, edge_mask(edge, (fine.shape[1], fine.shape[0]))
    if (inside & found).sum() < params.clear * (inside | found).sum():
        raise CannotCalibrateError(NO_CLEAR_EDGE)
    return edge


def _without_knobs(mask: NDArray[np.uint8], width: float) -> NDArray[np.uint8]:
    """Cut off what hangs on to a mask and is narrower than so many cells, such as a thing that stands beside a tray."""

    def disc(radius: float) -> NDArray[np.uint8]:
        size = 2 * round(radius) + 1
        return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)

    # Beyond the picture the tray goes on, as far as anyone knows: a tray cut by it keeps its corners there.
    pad = 2 * round(width) + 1
    padded = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    opened = cv2.morphologyEx(padded, cv2.MORPH_OPEN, disc(width / 2))
    # An opening by a disc rounds right angles off by 0.41 of its radius: they are given back.
    whole = cv2.min(cv2.dilate(opened, disc(0.45 * width / 2)), padded)
    return np.ascontiguousarray(whole[pad:-pad, pad:-pad], np.uint8)


def _by_sides(border: NDArray[np.float32], corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """Put the corners where lines fitted to the border between them meet; (n, 2) to (m, 2), all in fine cells."""
    start = corners.astype(np.float64)
    along = np.roll(start, -1, axis=0) - start
    length = np.sqrt((along * along).sum(axis=1))
    offset = border[:, None].astype(np.float64) - start
    share = (offset * along).sum(axis=2) / (length * length)
    away = offset - np.clip(share, 0.0, 1.0)[..., None] * along
    nearest = (away * away).sum(axis=2).argmin(axis=1)
    middle = start.mean(axis=0)
    lines = []
    for side in range(len(start)):
        # The map's corners are rounded: only what lies well between two of them tells of the side.
        own = border[(nearest == side) & (share[:, side] > 0.1) & (share[:, side] < 0.9)]
        point, way = start[side], along[side] / length[side]
        if len(own) >= 6:
            fit = cv2.fitLine(own, cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(4).astype(np.float64)
            way, point = fit[:2], fit[2:]
        outwards = np.array([way[1], -way[0]])
        # The border runs through the middles of the outermost fine cells: their edge is half a cell further out.
        point = point + math.copysign(0.5, float(outwards @ (point - middle))) * outwards
        lines.append(np.cross([*point, 1.0], [*(point + way), 1.0]))
    met = []
    for side, corner in enumerate(start):
        x, y, w = np.cross(lines[side - 1], lines[side])
        meeting = np.array([x, y]) / w if abs(w) > 1e-9 else corner
        # Lines that are nearly parallel meet anywhere; then the corner stays.
        met.append(meeting if float(np.hypot(*(meeting - corner))) < 0.1 * length.max() else corner)
    return np.array(met)


def _rounded(border: NDArray[np.float32], most: int) -> NDArray[np.float64]:
    """Follow a round border with so many corners at most; (n, 2) to (m, 2)."""
    # A third of what lies between two corners is averaged: less noise, and corners at the picture's edge stay.
    window = max(1, len(border) // (3 * most))
    around = np.concatenate([border[-window:], border, border[:window]]).astype(np.float64)
    kernel = np.full(window, 1.0 / window)
    smooth = np.stack([np.convolve(around[:, axis], kernel, "same")[window:-window] for axis in (0, 1)], axis=1)
    hull = cv2.convexHull(smooth.astype(np.float32))
    tolerance = 0.001 * cv2.arcLength(hull, True)
    while len(corners := cv2.approxPolyDP(hull, tolerance, True)) > most:
        tolerance *= 1.2
    return corners.reshape(-1, 2).astype(np.float64)


def edge_mask(edge: Sequence[Point], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Give the inside of an edge as a mask of shape (height, width) for a picture of `size` (width, height)."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(np.array(edge) * size - 0.5).astype(np.int32), 1)
    return mask.astype(np.bool_)


def blur_of(grey: NDArray[np.uint8], where: NDArray[np.bool_], params: CalibrateParams | None = None) -> float | None:
    """Measure how blurred a picture is, by its edges.

    An ideal edge blurred by b has, after a Gaussian s, a gradient in proportion to 1/√(b² + s²). So the ratio R of the
    gradients at two such scales gives b² = (s₂² - R² s₁²) / (R² - 1), whatever the edge's contrast (after Zhuo & Sim,
    "Defocus map estimation from a single image", Pattern Recognition 44, 2011). The median over all clear edges is
    taken.

    Args:
        grey: (H, W) uint8.
        where: The part of it that counts, (H, W).
        params: The tunables.

    Returns:
        Standard deviation of the blur in pixels, the pixels' own size included; None where there are too few edges.
    """
    params = params or CalibrateParams()
    fine, across, down = _gradient(grey, params.fine_sigma)
    coarse, _, _ = _gradient(grey, params.coarse_sigma)
    beside = np.pad(fine, 1)
    peak = np.where(
        np.abs(across) > np.abs(down),
        (fine >= beside[1:-1, :-2]) & (fine >= beside[1:-1, 2:]),
        (fine >= beside[:-2, 1:-1]) & (fine >= beside[2:, 1:-1]),
    )
    if not where.any():
        return None
    least = max(params.edge_least, params.edge_noise * float(np.median(fine[where])))
    edges = peak & where & (fine > least)
    if int(edges.sum()) < params.edges_least:
        return None
    # Of an unblurred edge R is at most s2/s1; lines and grain, which are no edges, have more.
    ratio = float(np.median(np.minimum(fine[edges] / coarse[edges], params.coarse_sigma / params.fine_sigma)))
    if ratio <= 1.0:
        return None
    square = (params.coarse_sigma**2 - (ratio * params.fine_sigma) ** 2) / (ratio * ratio - 1.0)
    return math.sqrt(max(square, 0.0))


def _gradient(grey: NDArray[np.uint8], sigma: float) -> tuple[Map, Map, Map]:
    """Give a picture's gradient after a Gaussian, grey levels a pixel: its length, its part across, its part down."""
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma)
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), np.float32)
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8), np.float32)
    return np.asarray(cv2.magnitude(across, down), np.float32), across, down


def tilt_of(edge: Sequence[Point], aspect: float, params: CalibrateParams | None = None) -> float | None:
    """Measure how far the camera is tilted off the vertical, by the shape in which it sees a rectangle.

    The vanishing points of the two pairs of sides give the plane's vanishing line and, as the sides are at right
    angles, the focal length (Hartley & Zisserman, "Multiple View Geometry", 8.6 and 8.8). The latter is kept within
    what Raspberry Pi cameras have, 62 to 102 degrees of horizontal field, as it is ill-determined near the vertical.
    Over 600 random views with corners off by 0.3 % of the width, nine of ten tilts are within 4.5 degrees of the truth
    (Wide cameras: 7); so they are over the rendered trays of four sides that are all in view.

    Args:
        edge: The polygon, in parts of the picture's width and height.
        aspect: The picture's width / height.
        params: The tunables.

    Returns:
        Degrees; None where the polygon is no quadrilateral, or is cut by the picture's edge.
    """
    params = params or CalibrateParams()
    if not all(0 < part < 1 for corner in edge for part in corner):
        return None
    # From the picture's middle, in widths of the picture.
    corners = [np.array([x - 0.5, (y - 0.5) / aspect, 1.0]) for x, y in edge]
    while len(corners) > 4:
        turns = [
            _turn_deg(*(corners[(number + step) % len(corners)][:2] for step in (-1, 0, 1)))
            for number in range(len(corners))
        ]
        if min(turns) > params.no_corner_deg:
            return None
        del corners[turns.index(min(turns))]
    if len(corners) < 4:
        return None
    sides = [np.cross(corners[side], corners[(side + 1) % 4]) for side in range(4)]
    first, second = np.cross(sides[0], sides[2]), np.cross(sides[1], sides[3])
    narrow, wide = (0.5 / math.tan(math.radians(field / 2)) for field in (62.2, 102.0))
    product, depth = float(first[:2] @ second[:2]), float(first[2] * second[2])
    focal = math.sqrt(-product / depth) if product * depth < 0 else narrow
    focal = min(max(focal, wide), narrow)
    line = np.cross(first, second)
    normal = np.array([focal * line[0], focal * line[1], line[2]])
    size = float(np.linalg.norm(normal))
    return math.degrees(math.acos(min(1.0, abs(float(normal[2])) / size))) if size > 0 else None


def _turn_deg(before: NDArray[np.float64], corner: NDArray[np.float64], after: NDArray[np.float64]) -> float:
    """How much the way from one corner to the next but one turns in between, degrees, 0 to 180."""
    (x0, y0), (x1, y1) = corner - before, after - corner
    return math.degrees(abs(math.atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1)))


def measure(looks: Sequence[Look], params: CalibrateParams | None = None) -> Measured:
    """Learn a tray from some frames of it, most of them of the empty tray; frames with dice give the scale.

    Args:
        looks: The frames of one camera in one place, all of one size; at least one.
        params: The tunables.

    Raises:
        CannotCalibrateError: If no tray is found, or the frames do not show the same one in the same place.
        ValueError: If there are no looks.
    """
    params = params or CalibrateParams()
    if not looks:
        raise ValueError("measure needs at least one look")
    height, width = looks[0].frame.shape[:2]
    for look in looks:
        if look.frame.shape != looks[0].frame.shape:
            raise CannotCalibrateError(
                f"the pictures are of different sizes, {width}x{height} and {look.frame.shape[1]}x"
                f"{look.frame.shape[0]}: take all with one camera in one place"
            )
    edge = _common_edge([look.tray for look in looks], params)
    covered = [_is_covered(look, edge, params) for look in looks]
    without_dice = [(look, hidden) for look, hidden in zip(looks, covered, strict=True) if not look.dice]
    # A printed or stained floor looks covered to the reader in every frame: then what was said holds, that the tray is
    # empty. Were it a hand, nothing would look as it does there later on, and nothing would be concluded from it.
    empty = [look for look, hidden in without_dice if not hidden] or [look for look, _ in without_dice]
    frames = [_at_working_width(look.frame) for look in (empty or looks)]
    frame = np.asarray(np.rint(np.mean(np.stack(frames), axis=0, dtype=np.float32)), np.uint8)
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    size = grey.shape[1], grey.shape[0]
    inside = edge_mask(edge, size)
    white_out = frame.min(axis=2) >= params.burnt
    ninths = _ninths(inside)
    parts = np.array([[float(np.median(grey[part])) if part.any() else math.nan for part in row] for row in ninths])
    burnt = np.array([[float(white_out[part].mean()) if part.any() else 0.0 for part in row] for row in ninths])
    # The rim beside the edge is what surely has contrast.
    reach = 2 * round(params.rim * size[0]) + 1
    with_rim = cv2.dilate(inside.astype(np.uint8), np.ones((reach, reach), np.uint8)).astype(np.bool_)
    blur = blur_of(grey, with_rim, params)
    sides = [math.sqrt((x1 - x0) * (y1 - y0)) / width for look in looks for x0, y0, x1, y1 in look.dice]
    calibration = Calibration(
        frame_size=(width, height),
        tray=edge,
        die_side=median(sides) if sides else None,
        brightness=float(grey[inside].mean()),
        evenness=float(np.nanmin(parts) / max(np.nanmax(parts), 1.0)),
        glare=float(white_out[inside].mean()),
        noise=_noise(frames, inside),
        blur_px=None if blur is None else blur * WORKING_WIDTH / size[0],
        empty=cv2.resize(grey, EMPTY_SIZE, interpolation=cv2.INTER_AREA).tobytes() if empty else None,
    )
    return Measured(
        calibration=calibration,
        frame=frame,
        parts=parts,
        burnt=burnt,
        white=float(np.percentile(frame.max(axis=2), 98)),
        dice=sum(bool(look.dice) for look in looks),
        covered=sum(covered),
        looks=len(looks),
        tilt_deg=tilt_of(edge, width / height, params),
        cut=_cut(edge),
    )


def _common_edge(trays: Sequence[Map], params: CalibrateParams) -> tuple[Point, ...]:
    """Find the edge in the mean of the maps, of which each must agree with it.

    Raises:
        CannotCalibrateError: If there is no tray, or not the same in all.
    """
    # The finder looks closer, with more cells, where it sees small dice.
    size = trays[0].shape[1], trays[0].shape[0]
    same = [np.asarray(cv2.resize(tray, size, interpolation=cv2.INTER_AREA), np.float32) for tray in trays]
    mean = np.asarray(np.mean(np.stack(same), axis=0), np.float32)
    edge = find_edge(mean, params)
    common = edge_mask(edge, size)
    for tray in same:
        own = tray > params.inside
        if (own & common).sum() < params.agree * (own | common).sum():
            raise CannotCalibrateError(
                "the tray is not at the same place in all pictures: let camera and tray stand still, with no hand "
                "over them, and calibrate again"
            )
    return edge


def _is_covered(look: Look, edge: Sequence[Point], params: CalibrateParams) -> bool:
    """Tell whether something foreign is over the tray."""
    inside = edge_mask(edge, (look.foreign.shape[1], look.foreign.shape[0]))
    return float((look.foreign[inside] > params.strange).mean()) > params.foreign


def _at_working_width(frame: Frame) -> Frame:
    """Make a frame that is wider than `WORKING_WIDTH` that wide."""
    height, width = frame.shape[:2]
    if width <= WORKING_WIDTH:
        return frame
    size = WORKING_WIDTH, max(1, round(height * WORKING_WIDTH / width))
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)


def _ninths(inside: NDArray[np.bool_]) -> list[list[NDArray[np.bool_]]]:
    """Divide the mask of the tray in three by three parts by its upright rectangle; each a mask of the whole."""
    x, y, width, height = cv2.boundingRect(inside.astype(np.uint8))
    masks: list[list[NDArray[np.bool_]]] = []
    for row in range(3):
        masks.append([])
        for column in range(3):
            mask = np.zeros_like(inside)
            window = (
                slice(y + height * row // 3, y + height * (row + 1) // 3),
                slice(x + width * column // 3, x + width * (column + 1) // 3),
            )
            mask[window] = inside[window]
            masks[-1].append(mask)
    return masks


def _noise(frames: Sequence[Frame], inside: NDArray[np.bool_]) -> float | None:
    """Measure the noise by what differs from one frame to the next, grey levels; None of a single frame.

    Two frames differ by the noise of both: for a normal distribution of deviation d in each, by 2d/√π in the mean.
    The least of all pairs is taken, as whatever moves or flickers only adds.
    """
    if len(frames) < 2:
        return None
    pairs = pairwise(frames)
    mask = inside.astype(np.uint8)
    mean = min(sum(cv2.mean(cv2.absdiff(one, other), mask)[:3]) / 3 for one, other in pairs)
    return mean * math.sqrt(math.pi) / 2


def _cut(edge: Sequence[Point]) -> dict[str, float]:
    """Tell along how much of which edges of the picture the tray goes on beyond them."""
    shares = {}
    for name, axis, place in (("left", 0, 0.0), ("right", 0, 1.0), ("top", 1, 0.0), ("bottom", 1, 1.0)):
        # Within two pixels of 480: corners are found to about one.
        along = [corner[1 - axis] for corner in edge if abs(corner[axis] - place) < 0.004]
        if len(along) > 1:
            shares[name] = max(along) - min(along)
    return shares
