"""The truth about a scene: labels to compare a reader's result with."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.scenes.bodies import RareBody
from tools.scenes.faces import behind_cube, on_face, top_face
from tools.scenes.misplaced import hidden_by_tray
from tools.scenes.random_setting import RoughSensor
from tools.scenes.things import cover_of, things_of
from vision.render.dice import Patch, draw_die
from vision.render.empty_tray import empty_tray, fill
from vision.render.geometry import FACE_UP, Array, View, corners, matrix, resting_height, view
from vision.render.scene import Camera, PlacedDie, Scene
from vision.render.sensor import Sensor, light_left, more_in_shadows
from vision.stages.pose import rise
from vision.types import Box, Pose

Picture = NDArray[np.float32]

COCKED_DEG = 4.0  # lean from which a die is cocked, as in the labels of the pictures that readers are compared on
LIFTED_MM = 1.0  # height of the lowest point from which a still die lies on another die or an object
SMEARED = 0.12  # motion during the exposure from which a die is smeared, as a part of its size: half a pip's width
COVERED = 0.9  # visible part of a top face below which it counts as covered
LEGIBLE_LEVELS = 9.0  # least contrast of visible pips in grey levels; weaker ones are invisible in a noisy frame
LEGIBLE_CLEARNESS = 2.0  # least contrast of visible pips, relative to noise and the pattern of the body
BLURRED = 0.35  # contrast left by blur below which the pips of a 6 merge
_SAMPLES = 7  # number of sample points of a top face in each direction
_BURNT = 243.0  # grey level (of 255) of its darkest channel from which a body counts as burnt out
_WITHIN = 0.9  # part of a pip's radius over which it is compared; blur takes half of its rim
_SEEN_PX = 0.5  # pips with fewer visible pixels than this are ignored
_PLACES = 6  # number of places along each side of the face at which the body's own pattern is measured


class Flaw(StrEnum):
    """The reason why a die cannot be read, although a reader may find it."""

    COCKED = "cocked"
    SMEARED = "smeared"
    COVERED = "covered"
    GLARE = "glare"
    EMBLEM = "emblem"
    FAINT = "faint"


@dataclass(frozen=True, slots=True)
class Legibility:
    """How clearly the pips of a top face show, in grey levels of 255 except for `clearness`.

    Attributes:
        contrast: The difference between the palest pip and the die without it: the root mean square of the mean
            differences in blue, green and red.
        burnt_contrast: The same for the pips where the body is burnt out to white; 255 if there are none.
        clearness: The contrast divided by the deviation between places of a pip's size on the bare body, from noise and
            the body's own pattern, in the colour in which the pips differ.
        level: The strongest channel of the brightest pip, or of the body in its place.
    """

    contrast: float
    burnt_contrast: float
    clearness: float
    level: float


_NONE = Legibility(contrast=0.0, burnt_contrast=255.0, clearness=0.0, level=0.0)
"""The legibility of a die that is not in the picture."""


@dataclass(frozen=True, slots=True)
class DieTruth:
    """The truth about one die.

    Attributes:
        value: Value of the uppermost face, 1 to 6.
        tilt_deg: Lean of that face.
        centre: Centre of the die in pixels, (x, y).
        top: Box of the top face in pixels.
        box: Box of the whole die with its visible sides, in pixels.
        top_centre: Centre of the top face in pixels, (x, y).
        half_px: Half the side of the top face: half the square root of its area in the picture.
        rise: Direction of its own upright edges in the picture, (x, y), relative to the length of level ones, as in
            `vision.stages.pose.rise`. Those of a leaning die differ from the vertical.
        in_tray: Whether the centre of the die is inside the tray's wall, on the floor or above it, not on the rim.
        seen: Visible part of the top face, 0 to 1.
        flaw: The reason why it cannot be read; None if it can.
        pips: Visibility of the pips of the top face.
    """

    value: int
    tilt_deg: float
    centre: tuple[float, float]
    top: Box
    box: Box
    top_centre: tuple[float, float]
    half_px: float
    rise: tuple[float, float]
    in_tray: bool
    seen: float
    flaw: Flaw | None
    pips: Legibility


class Masks(NamedTuple):
    """Masks of a picture, float32 of shape (H, W), 0 to 1.

    Attributes:
        tray: Inside of the tray, floor and inner walls as visible through its opening, regardless of objects over it;
            everything for a bare table.
        foreign: A hand or another foreign object, without harmless ones.
    """

    tray: Picture
    foreign: Picture


def _box(points: Array) -> Box:
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return (float(x0), float(y0), float(x1), float(y1))


def _shown_part(die: PlacedDie) -> float:
    """The extent of the rounded corners, as a part of the distance from the centre to a corner of the cube."""
    by_edge = 1.0 - 2 * die.body.edge * (1.0 - 1.0 / math.sqrt(3.0))
    return min(by_edge, die.body.corner * 2.0 / math.sqrt(3.0))


def _seen(scene: Scene, die: PlacedDie, value: int, eye: View, cover: Picture) -> float:
    """Return the visible part of the die's top face; `cover` is the mask of objects in the pinhole picture."""
    steps = (np.arange(_SAMPLES) + 0.5) / _SAMPLES * 2 - 1
    across, along = (part.ravel() for part in np.meshgrid(steps * 0.92, steps * 0.92))
    points = on_face(die, value, across, along)
    spots = eye.project(points)
    pixels = np.rint(spots).astype(int)
    shown = np.rint(scene.camera.distorted(spots))
    # The distorted picture is inside the pinhole picture of `cover`.
    inside = ((shown >= 0) & (shown < scene.camera.size) & (pixels >= 0) & (pixels < scene.camera.size)).all(axis=1)
    visible = inside & ~hidden_by_tray(eye, scene, points)
    for other in scene.dice:
        if other is not die and math.dist(other.centre, die.centre) < 6 * (die.body.size_mm + other.body.size_mm):
            visible &= ~behind_cube(eye.position, points, other.centre, matrix(other.turn), other.body.size_mm)
    visible[inside] &= cover[pixels[inside, 1], pixels[inside, 0]] < 0.5
    return float(visible.mean())


def _flaw(
    scene: Scene, die: PlacedDie, value: int, tilt_rad: float, *, seen: float, kept: float, pips: Legibility
) -> Flaw | None:
    """Return the flaw of a die, or None; `kept` is the part of its pips' contrast that blur leaves."""
    speed = math.hypot(*die.velocity) + math.hypot(*die.spin) * die.body.size_mm / 2
    if speed * scene.sensor.shutter_s > SMEARED * die.body.size_mm:
        return Flaw.SMEARED
    lift = die.centre[2] - resting_height(die.turn, die.body.size_mm)
    on_floor = lift < LIFTED_MM or scene.tray.room(np.array([die.centre]))[0] < 0
    if math.degrees(tilt_rad) > COCKED_DEG or not on_floor:
        return Flaw.COCKED
    if isinstance(die.body, RareBody) and die.body.emblem == value:
        return Flaw.EMBLEM
    if seen < COVERED:
        return Flaw.COVERED
    if kept < BLURRED:
        return Flaw.SMEARED
    if pips.burnt_contrast < LEGIBLE_LEVELS:
        return Flaw.GLARE
    is_faint = pips.contrast < LEGIBLE_LEVELS or pips.clearness < LEGIBLE_CLEARNESS
    return Flaw.FAINT if is_faint else None


def own_rise(eye: View, die: PlacedDie, place: Array) -> tuple[float, float]:
    """Return the direction of a die's upright edges at a place of the picture, (2,) pixels: see `DieTruth.rise`."""
    axis, side = FACE_UP[top_face(die)[0]]
    upright = eye.axes @ matrix(die.turn)[:, axis] * side
    x, y = rise(upright[:2], (place - np.array(eye.middle)) / eye.focal_px)
    return float(x), float(y)


def kept_by_blur(scene: Scene, die: PlacedDie, half_px: float) -> float:
    """Return the part of a pip's contrast that the lens's blur leaves, for a die with this half side in pixels.

    A disc of radius r under a Gaussian blur of deviation s keeps 1 - exp(-r^2 / 2 s^2) at its centre: the integral of
    the Gaussian over the disc.
    """
    radius_px = 2 * die.body.pip_radius * half_px
    return 1.0 - math.exp(-((radius_px / max(scene.sensor.blur_px, 0.01)) ** 2) / 2)


def truth(scene: Scene) -> tuple[DieTruth, ...]:
    """Return the truth about each die of the scene, in the scene's order."""
    return tuple(truth_by_die(scene))


def truth_by_die(scene: Scene) -> Iterator[DieTruth]:
    """Yield the same one by one, so that a caller can stop early."""
    return (_truth_of(scene, number) for number in range(len(scene.dice)))


# The last few are cached, because each random scene is judged before it is labelled.
@lru_cache(maxsize=32)
def _truth_of(scene: Scene, number: int) -> DieTruth:
    """Return the truth about the die of this index."""
    eye = view(scene.camera)
    die = scene.dice[number]
    value, tilt = top_face(die)
    shown = corners(die, _shown_part(die))
    axis, side = FACE_UP[value]
    off_middle = (shown - np.array(die.centre)) @ matrix(die.turn)[:, axis]
    spots = scene.camera.distorted(eye.project(shown))
    middle = scene.camera.distorted(eye.project(np.array(die.centre)))
    ring = on_face(die, value, np.array([-1.0, 1.0, 1.0, -1.0, 0.0]), np.array([-1.0, -1.0, 1.0, 1.0, 0.0]))
    *square, top_middle = scene.camera.distorted(eye.project(ring))
    # The shoelace formula.
    x, y = np.array(square).T
    half_px = math.sqrt(abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2) / 2
    seen = _seen(
        scene, die, value, eye, cover_of(scene, [thing for thing in things_of(scene) if not thing.is_below_dice])
    )
    kept, pips = kept_by_blur(scene, die, half_px), legibility(scene, die)
    return DieTruth(
        value=value,
        tilt_deg=math.degrees(tilt),
        centre=(float(middle[0]), float(middle[1])),
        top=_box(spots[off_middle * side > 0]),
        box=_box(spots),
        top_centre=(float(top_middle[0]), float(top_middle[1])),
        half_px=half_px,
        rise=own_rise(eye, die, top_middle),
        in_tray=bool(scene.tray.room(np.array([die.centre]))[0] > 0),
        seen=seen,
        flaw=_flaw(scene, die, value, tilt, seen=seen, kept=kept, pips=pips),
        pips=pips,
    )


def masks(scene: Scene) -> Masks:
    """Return the masks of the tray's inside and of foreign objects."""
    width, height = scene.camera.size
    bare = empty_tray(scene)
    tray = bare.opening if scene.tray.wall_mm > 0 else np.ones((height, width), np.float32)
    foreign = [one for one in things_of(scene) if one.foreign and not one.harmless]
    return Masks(scene.camera.bend(tray), scene.camera.bend(cover_of(scene, foreign)))


def standing(camera: Camera) -> Pose:
    """Return a camera's pose, as a reader should find it."""
    eye = view(camera)
    return Pose((float(eye.axes[0, 2]), float(eye.axes[1, 2])), eye.middle, 1 / eye.focal_px)


# How clearly a die's pips show: the die as the camera sees it, compared with the same die without pips.


def legibility(scene: Scene, die: PlacedDie) -> Legibility:
    """Return how clearly the pips on a die's top face show in the scene's light, through its lens, on its sensor.

    The die is rendered alone and at rest, without hands, objects and motion blur.
    """
    value, _ = top_face(die)
    eye = view(scene.camera)
    with_pips, without = (draw_die(scene, one, eye, 1) for one in (die, _without_pips(die)))
    if with_pips is None or without is None:
        return _NONE
    corner = np.array((with_pips.left, with_pips.top))
    drawn, bare = _developed(scene, eye.project(np.array(die.centre)), with_pips, without)
    pips = [pip for disc in _discs(die, value, eye, corner, bare.shape[:2]) if (pip := _compared(drawn, bare, disc))]
    if not pips:
        return _NONE
    palest = min(pips, key=lambda pip: pip.contrast)
    way = np.mean([pip.difference for pip in pips], axis=0)
    way = way / max(float(np.linalg.norm(way)), 1e-6)
    spots = np.linspace(-0.6, 0.6, _PLACES)
    across, along = (spot.ravel() for spot in np.meshgrid(spots, spots))
    width_px = math.sqrt(palest.pixels)
    pattern = _pattern(bare, eye.project(on_face(die, value, across, along)) - corner, way, width_px)
    level = palest.body.mean(keepdims=True).astype(np.float32)
    noise = scene.sensor.noise * float(more_in_shadows(level)[0]) / width_px
    # All three channels together differ by the square root of 3 times as much as one.
    blotch = scene.sensor.blotch if isinstance(scene.sensor, RoughSensor) else 0.0
    variation = math.hypot(noise, blotch, pattern) / math.sqrt(3)
    return Legibility(
        contrast=palest.contrast,
        burnt_contrast=min((pip.contrast for pip in pips if pip.body.min() > _BURNT), default=255.0),
        clearness=palest.contrast / max(variation, 0.05),
        level=max(pip.level for pip in pips),
    )


def _without_pips(die: PlacedDie) -> PlacedDie:
    return replace(die, body=replace(die.body, pip_radius=0.0))


def _developed(scene: Scene, spot: Array, *patches: Patch) -> list[Picture]:
    """Return noiseless camera pictures of a die rendered at a pixel of the tray's floor, in grey levels, (h, w, 3)."""
    sensor, size = scene.sensor, scene.camera.size
    off_x, off_y = spot - (np.array(size) - 1) / 2
    exposure = sensor.exposure * float(light_left(off_x, off_y, size, sensor.vignette))
    calm = replace(sensor, exposure=exposure, vignette=0.0, noise=0.0)
    lit = np.array(scene.tray.floor.colour) * (np.array(scene.light.colour) + scene.light.ambient)
    lights = [patch.colour + (1.0 - patch.cover)[..., None] * lit.astype(np.float32) for patch in patches]
    return [Sensor.noisy(calm, calm.shown(light), np.random.default_rng(0)).astype(np.float32) for light in lights]


def _discs(die: PlacedDie, value: int, eye: View, corner: Array, shape: tuple[int, ...]) -> list[Picture]:
    """Return a mask for each pip of a face, 0 to 1, with this shape; its first pixel is the picture's `corner`."""
    turns = np.arange(12) * (math.tau / 12)

    def disc(middle: tuple[float, float], part: float) -> Picture:
        reach = part * die.body.radius_of(value)
        ring = on_face(die, value, middle[0] + reach * np.cos(turns), middle[1] + reach * np.sin(turns))
        return fill(shape, eye.project(ring) - corner)

    places, ring = die.body.pip_places(value), die.body.ring if isinstance(die.body, RareBody) else 0.0
    return [np.clip(disc(place, _WITHIN) - (disc(place, ring) if ring else 0.0), 0.0, 1.0) for place in places]


class _Pip(NamedTuple):
    """A pip, and the body without it: the means over its disc in grey levels, (3,)."""

    difference: NDArray[np.floating]
    body: NDArray[np.floating]
    level: float
    pixels: float

    @property
    def contrast(self) -> float:
        return float(np.sqrt((self.difference**2).mean()))


def _compared(drawn: Picture, bare: Picture, disc: Picture) -> _Pip | None:
    """Return a pip's means over its disc; None if too little of it is in the picture."""
    pixels = float(disc.sum())
    if pixels < _SEEN_PX:
        return None
    there, body = ((picture * disc[..., None]).sum(axis=(0, 1)) / pixels for picture in (drawn, bare))
    return _Pip(there - body, body, float(max(there.max(), body.max())), pixels)


def _pattern(picture: Picture, spots: Array, way: Array, width_px: float) -> float:
    """Return how much a die without pips varies from place to place.

    Args:
        picture: The die without pips, (H, W, 3).
        spots: Places on its top face in pixels, (n, 2).
        way: The direction of colour that is measured, of length 1, (3,).
        width_px: The side of the square over which each place is averaged, in pixels.

    Returns:
        The standard deviation from a smooth slope of light (a parabola), in grey levels along `way`.
    """
    side = max(1, round(width_px))
    smooth = cv2.blur(picture @ way.astype(np.float32), (side, side))
    height, width = smooth.shape
    column, row = np.rint(spots).astype(int).T
    seen = smooth[row.clip(0, height - 1), column.clip(0, width - 1)].astype(float)
    x, y = (spots - spots.mean(axis=0)).T / max(width, height)
    slope = np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y])
    left = seen - slope @ np.linalg.lstsq(slope, seen, rcond=None)[0]
    return float(np.sqrt((left * left).mean()))
