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
            smooth = cv2.GaussianBlur(level, (3, 3), 0)
            pips = _measure(smooth, centres, radii, params)
            if len(pips):
                found.append(_scaled(pips, scale))
        scale *= 2.0
        level = cv2.pyrDown(level)
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
    for radius in params.seed_radii:
        inner = cv2.GaussianBlur(level, (0, 0), params.inner_sigma * radius)
        outer = cv2.GaussianBlur(level, (0, 0), params.outer_sigma * radius)
        blue, green, red = cv2.split(cv2.absdiff(inner, outer))
        strength = cv2.max(cv2.max(blue, green), red)
        peak = cv2.dilate(strength, np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero((strength == peak) & (strength >= params.seed_strength))
        reach = radius * params.ring_probe
        margin = int(np.ceil(radius))
        inside = (rows >= margin) & (columns >= margin) & (rows < height - margin) & (columns < width - margin)
        rows, columns = rows[inside], columns[inside]
        # A spot differs from its surround in the same sense in every direction; an edge or a line does not.
        middle = inner[rows, columns].astype(np.int16)
        sense = middle - outer[rows, columns].astype(np.int16)
        angles = np.arange(8) * (np.pi / 4)
        around_x = np.clip(np.rint(columns[:, None] + reach * np.cos(angles)).astype(np.intp), 0, width - 1)
        around_y = np.clip(np.rint(rows[:, None] + reach * np.sin(angles)).astype(np.intp), 0, height - 1)
        around = inner[around_y, around_x].astype(np.int16)
        along = np.einsum("nkc,nc->nk", (middle[:, None] - around).astype(np.float32), sense.astype(np.float32))
        norm = (sense.astype(np.float32) ** 2).sum(axis=1)
        spot = (along > params.seed_share * norm[:, None]).all(axis=1)
        order = np.argsort(-norm[spot])[: params.most_seeds]
        xy = np.stack([columns[spot][order], rows[spot][order]], axis=1).astype(np.float32)
        all_xy.append(xy)
        all_r.append(np.full(len(xy), radius, np.float32))
    return np.concatenate(all_xy), np.concatenate(all_r)


def _measure(level: Frame, centres: Floats, radii: Floats, params: PipParams) -> Pips:
    """Measure each seed along rays and keep those that are clean ellipses; lengths in pixels of `level`."""
    rays = params.rays
    angles = (np.arange(rays) * (2 * np.pi / rays)).astype(np.float32)
    direction = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    steps = np.arange(0.0, params.ray_length + 1e-6, params.ray_step, dtype=np.float32)
    # The second pass starts from the centre and size that the first one found.
    for last in (False, True):
        reach = radii[:, None] * steps
        x = centres[:, 0, None, None] + direction[None, :, 0, None] * reach[:, None, :]
        y = centres[:, 1, None, None] + direction[None, :, 1, None] * reach[:, None, :]
        count = len(radii)
        flat = cv2.remap(
            level,
            x.reshape(count, -1),
            y.reshape(count, -1),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        colours = flat.reshape(count, rays, len(steps), 3).astype(np.float32)
        ink = colours[:, :, steps <= params.ink_within].mean(axis=(1, 2))
        ring = colours[:, :, (steps >= params.ring_from) & (steps <= params.ring_to)]
        ground = np.median(ring.reshape(count, -1, 3), axis=1).astype(np.float32)
        axis = ink - ground
        contrast = np.sqrt((axis**2).sum(axis=1)) + 1e-6
        unit = axis / contrast[:, None] ** 2
        level_of_ink = np.einsum("nrsc,nc->nrs", colours - ground[:, None, None], unit)
        outside = level_of_ink < 0.5
        first = np.argmax(outside, axis=2)
        first = np.where(outside.any(axis=2), first, len(steps) - 1)
        first = np.maximum(first, 1)
        after = np.take_along_axis(level_of_ink, first[:, :, None], axis=2)[:, :, 0]
        before = np.take_along_axis(level_of_ink, first[:, :, None] - 1, axis=2)[:, :, 0]
        share = np.clip((before - 0.5) / np.maximum(before - after, 1e-3), 0, 1)
        edge = (steps[first - 1] + share * params.ray_step) * radii[:, None]
        # Area moments of the star-shaped region inside the edges: exact for an ellipse, in polar coordinates.
        area = (edge**2).mean(axis=1) * np.pi
        shift = (edge[:, :, None] ** 3 * direction).mean(axis=1) * (2 * np.pi / 3) / area[:, None]
        quartic = edge**4
        weight = (np.pi / 2) / area
        mxx = (quartic * direction[:, 0] ** 2).mean(axis=1) * weight - shift[:, 0] ** 2
        myy = (quartic * direction[:, 1] ** 2).mean(axis=1) * weight - shift[:, 1] ** 2
        mxy = (quartic * direction[:, 0] * direction[:, 1]).mean(axis=1) * weight - shift[:, 0] * shift[:, 1]
        spread = np.sqrt(((mxx - myy) / 2) ** 2 + mxy**2)
        mean = (mxx + myy) / 2
        long_axis = 2 * np.sqrt(np.maximum(mean + spread, 1e-6))
        short_axis = 2 * np.sqrt(np.maximum(mean - spread, 1e-6))
        along = 0.5 * np.arctan2(2 * mxy, mxx - myy)
        size = np.sqrt(long_axis * short_axis)
        centre = centres + shift
        if not last:
            good = (
                (contrast >= params.contrast)
                & (np.hypot(shift[:, 0], shift[:, 1]) < params.most_shift * radii)
                & (size > params.shrink * radii)
                & (size < params.grow * radii)
            )
            centres, radii = centre[good].astype(np.float32), size[good].astype(np.float32)
            if not len(radii):
                return _none()
    # How far the edges are from the ellipse with these moments, in mean radii.
    relative = angles[None] - along[:, None]
    ellipse = (
        long_axis[:, None]
        * short_axis[:, None]
        / np.sqrt((short_axis[:, None] * np.cos(relative)) ** 2 + (long_axis[:, None] * np.sin(relative)) ** 2)
    )
    offset = (shift[:, None] * direction[None]).sum(axis=2)
    misfit = np.sqrt(((edge - ellipse - offset) ** 2).mean(axis=1)) / size
    # The ground seen just outside the edge of each ray: one colour, save where a neighbour or the die's rim is.
    beyond = np.minimum(first + 1 + params.ring_steps, len(steps) - 1)
    ring_level = np.take_along_axis(level_of_ink, beyond[:, :, None], axis=2)[:, :, 0]
    unclean = np.mean(np.abs(ring_level) > params.ring_tolerance, axis=1)
    inside = steps[None, None, :] * radii[:, None, None] < params.ink_within * edge[:, :, None]
    ink_off = (np.abs(level_of_ink - 1) * inside).sum(axis=(1, 2)) / inside.sum(axis=(1, 2))
    quality = (
        np.clip(1 - misfit / params.misfit, 0, 1)
        * np.clip(1 - unclean / params.unclean, 0, 1)
        * np.clip(1 - ink_off / params.ink_off, 0, 1)
    )
    shift_ok = np.hypot(shift[:, 0], shift[:, 1]) < params.most_shift / 2 * radii
    keep = (
        (quality > params.quality)
        & shift_ok
        & (contrast >= params.contrast)
        & (short_axis >= params.aspect * long_axis)
    )
    pips = Pips(
        centre.astype(np.float32),
        size.astype(np.float32),
        (short_axis / long_axis).astype(np.float32),
        along.astype(np.float32),
        ink.astype(np.float32),
        ground,
        contrast.astype(np.float32),
        quality.astype(np.float32),
    )
    return pips.take(keep)


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
