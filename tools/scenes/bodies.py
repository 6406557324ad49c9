"""Makes of dice that random scenes have besides plain ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tools.scenes.emblems import emblem
from vision.render.dice import FACE_OF, Array, looked_up
from vision.render.face_map import pips_map
from vision.render.scene import Colour, DieBody

_REFRACTION = 1.5  # refractive index of clear plastic
_FAR_EDGE = 0.1  # width of the edges of pips that are seen through the body, in half sizes


@dataclass(frozen=True, slots=True)
class RareBody(DieBody):
    """The make of a die that may have other pips, an emblem or more than one colour.

    Attributes:
        one: Colour of the single pip; None for that of the others.
        one_scale: Radius of the single pip as a multiple of the others', 1 to 1.9.
        quarter_turns: Bit mask: if bit k is set, the pattern of face k+1 is rotated by 90 degrees, as makers differ.
        seed: Random seed of what is irregular: wear, the emblem, swirls and speckles.
        wear: Part of the paint that some pips have lost, 0 to 0.95.
        middle_wear: The same for the middle pips of the 3 and the 5, 0 to 1.
        ring: Inner radius of pips that are rings, as a part of the outer; 0 for full pips.
        grid: Distances of the pips of each face, 1 to 6, across and along its columns, as multiples of `spread`,
            0.6 to 1.15: a 6 is often narrower than a 4, and the pips of a 2 or 3 closer to the centre.
        emblem: Face with an emblem instead of pips, 1 to 6; 0 for none.
        grain: Strength of streaks and clouds in the body: wood, marble; 0 to 0.4.
        second: Second colour of the body, for swirls and speckles.
        swirl: Amount of swirls, 0 to 1.
        speckle: Part of the body covered by speckles, 0 to 0.3.
        see_through: Visibility of the pips of the bottom face through the body, 0 to 1.
    """

    one: Colour | None = None
    one_scale: float = 1.0
    quarter_turns: int = 0
    seed: int = 0
    wear: float = 0.0
    middle_wear: float = 0.0
    ring: float = 0.0
    grid: tuple[tuple[float, float], ...] = ((1.0, 1.0),) * 6
    emblem: int = 0
    grain: float = 0.0
    second: Colour = (0.8, 0.8, 0.8)
    swirl: float = 0.0
    speckle: float = 0.0
    see_through: float = 0.0

    def ground(self, points: Array, ways: Array) -> NDArray[np.floating]:
        """Return the reflectance of the body beside the pips, (n, 3); see `DieBody`."""
        ground = DieBody.ground(self, points, ways)
        if self.grain > 0:
            streaks = np.sin(points[0] * 9 + 2.5 * np.sin(points[1] * 2.1 + points[2] * 1.3))
            clouds = np.sin(points[1] * 4.7 + points[2] * 3.1 + 1.7 * np.sin(points[0] * 3.3))
            shade = 1.0 + np.float32(self.grain) * (0.6 * streaks + 0.5 * clouds)
            ground = np.clip(shade[:, None] * ground, 0.0, 0.95)
        if self.swirl > 0 or self.speckle > 0:
            mixed = _mixture(points, self)[:, None]
            ground = ground + mixed * (np.array(self.second, dtype=np.float32) - ground)
        if self.see_through > 0:
            far_pip, far_face = _far_pips(points, ways, self)
            ground = ground + np.float32(self.see_through) * far_pip[:, None] * (self.pip_colours()[far_face] - ground)
        return ground

    def pip_colours(self) -> Array:
        """Return the colour of the pips on each face, (6, 3)."""
        return np.array([self.pip if self.one is None else self.one] + [self.pip] * 5, dtype=np.float32)

    def pip_places(self, value: int) -> list[tuple[float, float]]:
        """Return the centres of a face's pips in half sizes, -1 to 1, along the face's two axes."""
        across, along = self.grid[value - 1]
        turned = bool(self.quarter_turns >> (value - 1) & 1)
        places = [(u * across, v * along) for u, v in DieBody.pip_places(self, value)]
        return [(-v, u) for u, v in places] if turned else places

    def radius_of(self, value: int) -> float:
        """Return the radius of a face's pips in half sizes."""
        return DieBody.radius_of(self, value) * (self.one_scale if value == 1 else 1.0)

    def face_maps(self) -> list[NDArray[np.floating]]:
        """Return the maps of the paint on the six faces: see `pips_map`."""
        rng, maps = np.random.default_rng(self.seed), list[NDArray[np.floating]]()
        drawing = emblem(rng) if self.emblem else None
        for value in range(1, 7):
            if drawing is not None and value == self.emblem:
                zero = np.zeros_like(drawing)
                maps.append(np.stack([drawing, zero, zero, zero + 1], axis=-1))
                continue
            radius, pips = self.radius_of(value), []
            for u, v in self.pip_places(value):
                is_middle = value in (3, 5) and math.hypot(u, v) < radius
                lost = max(self.wear * float(rng.random()), self.middle_wear if is_middle else 0.0)
                pips.append((u, v, 1.0 - lost))
            maps.append(pips_map(pips, radius, self.ring))
        return maps


@lru_cache(maxsize=32)
def _waves(seed: int, count: int) -> tuple[Array, Array]:
    """Return random directions (count, 3) of about unit length, and phases (count,), for clouds made of sines."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((count, 3), dtype=np.float32), rng.uniform(0, math.tau, count).astype(np.float32)


def _mixture(points: Array, body: RareBody) -> Array:
    """Return the share of the body's second colour (swirls and specks) at points (3, n): 0 to 1, (n,)."""
    mixed: NDArray[np.floating] = np.zeros(points.shape[1], np.float32)
    if body.swirl > 0:
        ways, phases = _waves(body.seed, 6)
        bend = np.sin(1.6 * (ways[:3] @ points) + phases[:3, None])
        flow = np.sin(2.2 * (ways[3:] @ points) + phases[3:, None] + 1.8 * bend).sum(axis=0)
        mixed = body.swirl * np.clip(0.5 + 0.9 * flow, 0.0, 1.0)
    if body.speckle > 0:
        ways, phases = _waves(body.seed + 1, 8)
        specks = np.sin(11.0 * (ways @ points) + phases[:, None]).sum(axis=0)
        # The sum of eight sines has a deviation of 2 and is nearly normal: cut it where the share is as wanted.
        cut = 2.0 * math.sqrt(2.0) * float(np.sqrt(np.log(1 / max(2 * body.speckle, 1e-3))))
        mixed = np.maximum(mixed, np.clip((specks - cut) / 0.4 + 0.5, 0.0, 1.0))
    return np.asarray(mixed, dtype=np.float32)


def _far_pips(points: Array, ways: Array, body: DieBody) -> tuple[Array, NDArray[np.int64]]:
    """Return how much of a pip on the far face is seen through the body at points, (n,), and which face that is, (n,).

    By Snell's law a ray is bent towards the normal of the face that it enters. A ray that then meets a side face is
    reflected there and shows no pips.
    """
    axis = np.abs(points).argmax(axis=0)
    index = np.arange(points.shape[1])
    side = np.sign(points[axis, index])
    u_axis, v_axis = (axis + 1) % 3, (axis + 2) % 3
    across, along = ways[u_axis, index] / _REFRACTION, ways[v_axis, index] / _REFRACTION
    depth = np.sqrt(np.maximum(1.0 - across * across - along * along, 0.05))
    u = points[u_axis, index] + 2 * across / depth
    v = points[v_axis, index] + 2 * along / depth
    face = FACE_OF[axis, ((1 - side) // 2).astype(np.int64)]
    found = looked_up(body, face, u, v)
    is_through = (np.abs(u) < 1) & (np.abs(v) < 1)
    pip = np.clip(0.5 - found[:, 0] / _FAR_EDGE, 0.0, 1.0) * found[:, 3] * is_through
    return np.asarray(pip, np.float32), face
