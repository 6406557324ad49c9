"""Stage 1: pips. Where in the picture are small elliptic spots of one colour on a ground of another?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import PipParams
from vision.reading import Frame

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Pips:
    """Every spot that looks like a pip: parallel arrays over N spots, lengths in pixels of the frame given.

    Attributes:
        xy: (N, 2) centres.
        radius: (N,) geometric mean of the two half axes of the ellipse.
        aspect: (N,) short axis / long axis, 0 to 1.
        along: (N,) direction of the long axis, radians.
        ink: (N, 3) colour inside, BGR 0 to 255.
        ground: (N, 3) colour of the ring around.
        contrast: (N,) distance from ink to ground, grey levels.
        quality: (N,) 0 to 1: how clean ring, edge and inside are.
    """

    xy: Floats
    radius: Floats
    aspect: Floats
    along: Floats
    ink: Floats
    ground: Floats
    contrast: Floats
    quality: Floats

    def __len__(self) -> int:
        """How many spots."""
        return len(self.radius)

    def take(self, keep: NDArray[np.intp] | NDArray[np.bool_]) -> Pips:
        """Return the spots that `keep` (an index or mask array) selects."""
        return Pips(
            self.xy[keep],
            self.radius[keep],
            self.aspect[keep],
            self.along[keep],
            self.ink[keep],
            self.ground[keep],
            self.contrast[keep],
            self.quality[keep],
        )


def find_pips(frame: Frame, params: PipParams) -> Pips:
    """Find the spots that look like pips, of either polarity and any colour.

    Centre-surround differences of Gaussian blurs (Lowe's difference of Gaussians, here as the largest of the
    three channels, so that red on blue counts like black on white) give places and rough sizes over an image
    pyramid. Each place is then measured along rays from its middle: where each ray leaves the ink gives an
    ellipse; what it meets just outside gives the ground.

    Args:
        frame: (H, W, 3) uint8, at working size.
        params: The tunables of this stage.

    Returns:
        The spots, the best first; duplicates taken out.
    """
    found: list[Pips] = []
    level = frame
    scale = 1.0
    for _ in range(params.octaves):
        if min(level.shape[:2]) < params.smallest_level:
            break
        centres, radii = _seeds(level, params)
        if len(radii):
            smooth = np.asarray(cv2.GaussianBlur(level, (3, 3), 0), np.uint8)
            pips = _measure(smooth, centres, radii, params)
            if len(pips):
                found.append(_scaled(pips, scale))
        scale *= 2.0
        level = np.asarray(cv2.pyrDown(level), np.uint8)
    if not found:
        return _none()
    everything = Pips(*(np.concatenate([getattr(pips, name) for pips in found]) for name in Pips.__slots__))
    return _distinct(everything, params)


def _none() -> Pips:
    """Return an empty set of spots."""
    one, two, three = (np.zeros(shape, np.float32) for shape in ((0,), (0, 2), (0, 3)))
    return Pips(two, one, one, one, three, three, one, one)


def _scaled(pips: Pips, scale: float) -> Pips:
    """Bring spots measured on a pyramid level to full size (pixel centres are at whole numbers)."""
    return Pips(
        pips.xy * np.float32(scale),
        pips.radius * np.float32(scale),
        pips.aspect,
        pips.along,
        pips.ink,
        pips.ground,
        pips.contrast,
        pips.quality,
    )


def _seeds(level: Frame, params: PipParams) -> tuple[Floats, Floats]:
    """Find local maxima of the centre-surround difference: (N, 2) centres and (N,) rough radii."""
    height, width = level.shape[:2]
    all_xy: list[Floats] = []
    all_r: list[Floats] = []
    around = np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)])
    for radius in params.seed_radii:
        side = 2 * round(params.inner_sigma * radius * 2) + 1
        inner = cv2.GaussianBlur(level, (side, side), params.inner_sigma * radius)
        # A box is as good a surround as a Gaussian and costs the same at any size.
        side = 2 * round(params.outer_box * radius) + 1
        outer = cv2.blur(level, (side, side))
        blue, green, red = cv2.split(cv2.absdiff(inner, outer))
        strength = cv2.max(cv2.max(blue, green), red)
        peak = cv2.dilate(strength, np.ones((3, 3), np.uint8))
        is_peak = np.asarray((strength == peak) & (strength >= params.seed_strength), np.uint8)
        margin = int(np.ceil(radius))
        places = cv2.findNonZero(is_peak[margin : height - margin, margin : width - margin])
        if places is None:
            continue
        columns, rows = places.reshape(-1, 2).T + margin
        # A spot differs from its surround in the same sense in every direction; an edge or a line does not.
        middle = inner[rows, columns].astype(np.float32)
        sense = middle - outer[rows, columns]
        steps = np.rint(around * radius * params.ring_probe).astype(np.intp)
        x = np.clip(columns[:, None] + steps[0], 0, width - 1)
        y = np.clip(rows[:, None] + steps[1], 0, height - 1)
        along = np.einsum("nkc,nc->nk", middle[:, None] - inner[y, x], sense)
        norm = (sense**2).sum(axis=1)
        spot = np.flatnonzero((along > params.seed_share * norm[:, None]).all(axis=1))
        spot = spot[np.argsort(-norm[spot], kind="stable")[: params.most_seeds]]
        all_xy.append(np.stack([columns[spot], rows[spot]], axis=1).astype(np.float32))
        all_r.append(np.full(len(spot), radius, np.float32))
    if not all_xy:
        return np.zeros((0, 2), np.float32), np.zeros(0, np.float32)
    return np.concatenate(all_xy), np.concatenate(all_r)


@dataclass(frozen=True, slots=True)
class _Rays:
    """What N spots look like along rays from their middles.

    Attributes:
        ink: (N, 3) colour inside.
        ground: (N, 3) colour around.
        contrast: (N,) distance between the two.
        inkness: (N, rays, steps) 1 where the picture has the colour of the ink, 0 where that of the ground.
        first: (N, rays) the first step outside the ink.
        edge: (N, rays) how far the ink reaches, in pixels.
    """

    ink: Floats
    ground: Floats
    contrast: Floats
    inkness: Floats
    first: NDArray[np.intp]
    edge: Floats


def _ray_steps(params: PipParams) -> Floats:
    """Return where along a ray the picture is looked at, in radii: (steps,)."""
    return np.arange(0.0, params.ray_length + 1e-6, params.ray_step, dtype=np.float32)


def _ray_directions(params: PipParams) -> Floats:
    """Return the unit vectors of the rays: (rays, 2)."""
    angles = np.arange(params.rays, dtype=np.float32) * np.float32(2 * np.pi / params.rays)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _cast_rays(level: Frame, centres: Floats, radii: Floats, params: PipParams) -> _Rays:
    """Look along rays from each centre, (N, 2), as far as the spot's radius, (N,), says."""
    steps, direction = _ray_steps(params), _ray_directions(params)
    count = len(radii)
    where = centres[:, None, None] + direction[:, None] * (radii[:, None] * steps)[:, None, :, None]
    where = where.reshape(count, -1, 2)
    seen = cv2.remap(level, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = seen.reshape(count, params.rays, len(steps), 3).astype(np.float32)
    ink = colours[:, :, steps <= params.ink_within].mean(axis=(1, 2))
    ring = colours[:, :, (steps >= params.ring_from) & (steps <= params.ring_to)]
    ground = np.median(ring.reshape(count, -1, 3), axis=1).astype(np.float32)
    axis = ink - ground
    contrast = np.linalg.norm(axis, axis=1) + np.float32(1e-6)
    inkness = np.einsum("nrsc,nc->nrs", colours, axis / contrast[:, None] ** 2)
    inkness -= np.einsum("nc,nc->n", ground, axis / contrast[:, None] ** 2)[:, None, None]
    outside = inkness < 0.5
    outside[:, :, -1] = True
    first = np.maximum(np.argmax(outside, axis=2), 1)
    after = np.take_along_axis(inkness, first[:, :, None], axis=2)[:, :, 0]
    before = np.take_along_axis(inkness, first[:, :, None] - 1, axis=2)[:, :, 0]
    share = np.clip((before - 0.5) / np.maximum(before - after, 1e-3), 0.1, 1)
    edge = (steps[first - 1] + share * params.ray_step) * radii[:, None]
    return _Rays(ink, ground, contrast, inkness, first, edge)


@dataclass(frozen=True, slots=True)
class _Ellipses:
    """The ellipses with the same area moments as N star-shaped regions; lengths in pixels."""

    shift: Floats  # (N, 2) from the rays' origin to the middle
    long_axis: Floats  # (N,) half axes
    short_axis: Floats
    along: Floats  # (N,) direction of the long axis, radians


def _ellipses(edge: Floats, direction: Floats) -> _Ellipses:
    """Fit ellipses to regions whose edge is `edge`, (N, rays), away along `direction`, (rays, 2).

    In polar coordinates the area moments are means over the rays of the edge's 2nd, 3rd and 4th power; an ellipse
    has variances of a quarter of its squared half axes.
    """
    area = (edge**2).mean(axis=1)
    shift = (edge[:, :, None] ** 3 * direction).mean(axis=1) * (2 / 3) / area[:, None]
    quartic = edge**4 / (2 * area[:, None])
    mxx = (quartic * direction[:, 0] ** 2).mean(axis=1) - shift[:, 0] ** 2
    myy = (quartic * direction[:, 1] ** 2).mean(axis=1) - shift[:, 1] ** 2
    mxy = (quartic * direction[:, 0] * direction[:, 1]).mean(axis=1) - shift[:, 0] * shift[:, 1]
    spread = np.hypot((mxx - myy) / 2, mxy)
    mean = (mxx + myy) / 2
    long_axis = 2 * np.sqrt(np.maximum(mean + spread, 1e-6))
    short_axis = 2 * np.sqrt(np.maximum(mean - spread, 1e-6))
    return _Ellipses(shift, long_axis, short_axis, 0.5 * np.arctan2(2 * mxy, mxx - myy))


def _measure(level: Frame, centres: Floats, radii: Floats, params: PipParams) -> Pips:
    """Measure each seed along rays and keep those that are clean ellipses; lengths in pixels of `level`."""
    direction = _ray_directions(params)
    rays = _cast_rays(level, centres, radii, params)
    shape = _ellipses(rays.edge, direction)
    size = np.sqrt(shape.long_axis * shape.short_axis)
    good = (
        (rays.contrast >= params.contrast)
        & (np.hypot(*shape.shift.T) < params.most_shift * radii)
        & (size > params.shrink * radii)
        & (size < params.grow * radii)
    )
    if not good.any():
        return _none()
    # Once more from the middle and with the size that the first look found.
    centres, radii = (centres + shape.shift)[good].astype(np.float32), size[good].astype(np.float32)
    rays = _cast_rays(level, centres, radii, params)
    shape = _ellipses(rays.edge, direction)
    size = np.sqrt(shape.long_axis * shape.short_axis)
    quality = _quality(rays, shape, size, params)
    keep = (
        (quality > params.quality)
        & (np.hypot(*shape.shift.T) < params.most_shift / 2 * radii)
        & (rays.contrast >= params.contrast)
        & (shape.short_axis >= params.aspect * shape.long_axis)
    )
    pips = Pips(
        (centres + shape.shift).astype(np.float32),
        size.astype(np.float32),
        (shape.short_axis / shape.long_axis).astype(np.float32),
        shape.along.astype(np.float32),
        rays.ink,
        rays.ground,
        rays.contrast,
        quality.astype(np.float32),
    )
    return pips.take(keep)


def _quality(rays: _Rays, shape: _Ellipses, size: Floats, params: PipParams) -> Floats:
    """Weigh each spot, 0 to 1: its edge near an ellipse, its ground and its ink of one colour each: (N,)."""
    steps, direction = _ray_steps(params), _ray_directions(params)
    cos, sin = np.cos(shape.along)[:, None], np.sin(shape.along)[:, None]
    along = direction[:, 0] * cos + direction[:, 1] * sin
    across = direction[:, 1] * cos - direction[:, 0] * sin
    product = shape.long_axis * shape.short_axis
    ellipse = product[:, None] / np.hypot(shape.short_axis[:, None] * along, shape.long_axis[:, None] * across)
    offset = shape.shift @ direction.T
    misfit = np.sqrt(((rays.edge - ellipse - offset) ** 2).mean(axis=1)) / size
    # The ground just outside the edge of each ray: one colour, save where a neighbour or the die's rim is.
    beyond = np.minimum(rays.first + 1 + params.ring_steps, len(steps) - 1)
    ring = np.take_along_axis(rays.inkness, beyond[:, :, None], axis=2)[:, :, 0]
    unclean = np.mean(np.abs(ring) > params.ring_tolerance, axis=1)
    inside = steps * size[:, None, None] < params.ink_within * rays.edge[:, :, None]
    ink_off = (np.abs(rays.inkness - 1) * inside).sum(axis=(1, 2)) / np.maximum(inside.sum(axis=(1, 2)), 1)
    quality: Floats = (
        np.clip(1 - misfit / params.misfit, 0, 1)
        * np.clip(1 - unclean / params.unclean, 0, 1)
        * np.clip(1 - ink_off / params.ink_off, 0, 1)
    )
    return quality


def _distinct(pips: Pips, params: PipParams) -> Pips:
    """Of spots that lie on each other keep the best; the best `most` of all."""
    pips = pips.take(np.argsort(-pips.quality * pips.contrast, kind="stable")[: params.most * 3])
    gap = np.hypot(*(pips.xy[:, None] - pips.xy[None]).transpose(2, 0, 1))
    larger = np.maximum(pips.radius[:, None], pips.radius[None])
    smaller = np.minimum(pips.radius[:, None], pips.radius[None])
    near = (gap < larger * params.same_spot) & (larger < smaller * params.same_size)
    keep = np.ones(len(pips), bool)
    for index in range(len(pips)):
        if keep[index]:
            keep[index + 1 :] &= ~near[index, index + 1 :]
    pips, gap = pips.take(keep), gap[np.ix_(keep, keep)]
    # A faint mark on the same ground as a strong spot close by is grain, a scratch or a reflection, not a pip.
    strong = pips.quality >= params.veil_quality
    ground = np.linalg.norm(pips.ground[:, None] - pips.ground[None], axis=2)
    veiled = (
        strong[None]
        & (gap < params.veil_reach * pips.radius[None])
        & (ground < params.veil_ground * pips.contrast[None])
        & (pips.contrast[:, None] < params.veil_contrast * pips.contrast[None])
    ).any(axis=1)
    return pips.take(np.flatnonzero(~veiled)[: params.most])
