"""Hands and other objects, and how they are rendered: soft shapes lit according to their slope, and level plates.

Every piece is drawn into a map of heights, in which the highest one is visible at each pixel. A cone is a strip with
two round ends whose height rises to the middle; an ellipsoid is traced ray by ray; a plate is its projected outline.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.draw import darken_around
from vision.render.empty_tray import fill
from vision.render.geometry import View, clip_window, corners, matrix, view
from vision.render.scene import Camera, Colour, Quaternion, Scene, Surface, Vec3
from vision.render.surfaces import texture

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

_SPARE = 2  # scale at which soft objects are rendered; plates have sharp edges and are rendered at full size

_FLAT_MM = 6.0
"""The height of an object's centre, in mm, below which it lies on the floor beside dice: half the smallest die."""

_FINEST = 3.0  # largest number of pixels per millimetre of a plate's pattern


@dataclass(frozen=True, slots=True)
class Limb:
    """A piece of an object: a cone with two round ends.

    Attributes:
        start_mm: Middle of one end.
        end_mm: Middle of the other.
        radii_mm: The radius at each.
        colour: Its reflectance.
    """

    start_mm: Vec3
    end_mm: Vec3
    radii_mm: tuple[float, float]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Ellipsoid:
    """A piece of an object: an ellipsoid.

    Attributes:
        centre_mm: Its middle.
        turn: From its own axes to the tray's.
        radii_mm: Its half axes.
        colour: Its reflectance.
    """

    centre_mm: Vec3
    turn: Quaternion
    radii_mm: Vec3
    colour: Colour


@dataclass(frozen=True, slots=True)
class Slab:
    """A piece of an object: a level plate with upright sides; a sheet of paper if it is thin, a cup if it is thick.

    Attributes:
        outline_mm: Its convex outline from above, counter-clockwise, (x, y) each.
        top_mm: Height of its upper side.
        thick_mm: Thickness.
        surface: Surface of its upper side; its sides have the same colour.
    """

    outline_mm: tuple[tuple[float, float], ...]
    top_mm: float
    thick_mm: float
    surface: Surface


Piece = Limb | Ellipsoid | Slab


@dataclass(frozen=True, slots=True)
class Relief:
    """An object's surface as seen by the camera, at the frame's size, read only.

    Attributes:
        normal: Unit normals in the camera's axes (right, down, forward), (H, W, 3).
        colour: Reflectances, BGR (H, W, 3).
        cover: Part of each pixel that the object covers, 0 to 1, (H, W).
        middle: Its centre in the tray, (3,) mm.
    """

    normal: NDArray[np.float32]
    colour: NDArray[np.float32]
    cover: NDArray[np.float32]
    middle: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Thing:
    """An object that is neither tray nor die: a hand, a sleeve, paper, a cup, a coin.

    Attributes:
        pieces: Its pieces.
        foreign: Whether it is a foreign object over the tray; False for objects on the table beside it.
        holds_dice: Whether the dice lie on it, so that it is rendered before them.
        harmless: Whether it lies in the tray beside the dice and is no reason to refuse them.
    """

    pieces: tuple[Piece, ...]
    foreign: bool = True
    holds_dice: bool = False
    harmless: bool = False

    @property
    def is_below_dice(self) -> bool:
        """Whether it is rendered before the dice: it carries them, is flat on the floor, or beside the tray."""
        middle = float(np.mean([_middle(piece)[2] for piece in self.pieces]))
        return self.holds_dice or not self.foreign or middle < _FLAT_MM

    def paint(self, picture: Picture, scene: Scene, body: Picture) -> None:
        """Put it into the light of a scene, in place."""
        seen = _relief(scene.camera.pinhole, self.pieces)
        cover = seen.cover if self.foreign else seen.cover * (1.0 - body)
        rows, columns = np.nonzero(cover.any(axis=1))[0], np.nonzero(cover.any(axis=0))[0]
        if len(rows):
            window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
            light = _shine_of(scene, seen, window)
            picture[window] += cover[window][..., None] * (light - picture[window])
        if self.holds_dice:
            everywhere, eye = np.ones(picture.shape[:2], np.float32), view(scene.camera)
            for die in scene.dice:
                darken_around(picture, die, everywhere, eye, float(corners(die)[:, 2].min()))

    def shadow_pieces(self) -> list[Array]:
        """Return points of each convex piece with the same shadow as the piece, (n, 3) mm each."""
        return _shadows(self.pieces)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand and forearm above the tray.

    Attributes:
        palm_mm: Centre of the palm, (x, y, z).
        towards_deg: Direction of the fingers, counter-clockwise from +x.
        length_mm: Length from the wrist to the tip of the middle finger, 150 to 200.
        spread: Spread of the fingers, 0 (side by side) to 1 (wide apart).
        curl: Curl of the fingers, 0 (straight) to 1 (a fist).
        skin: Colour of the skin.
        sleeve: Colour of the sleeve; None for a bare arm.
        is_left: Whether it is a left hand.
    """

    palm_mm: Vec3
    towards_deg: float
    length_mm: float
    spread: float
    curl: float
    skin: Colour
    sleeve: Colour | None
    is_left: bool

    def over(self, scene: Scene) -> Scene:
        """Return the scene with the hand over its tray."""
        return with_things(scene, Thing(_pieces_of(self)))


@dataclass(frozen=True, slots=True)
class FullScene(Scene):
    """A scene with other objects.

    Attributes:
        things: Other objects around or over the tray.
    """

    things: tuple[Thing, ...] = ()

    def shadow_pieces(self) -> list[Array]:
        """Return points of each convex piece of the objects: see `Scene`."""
        return [piece for thing in self.things for piece in thing.shadow_pieces()]

    def paint_things(self, picture: Picture, body: Picture, *, above_dice: bool) -> None:
        """Put the objects above or below the dice into the scene's light: see `Scene`."""
        for thing in self.things:
            if thing.is_below_dice != above_dice:
                thing.paint(picture, self, body)


def things_of(scene: Scene) -> tuple[Thing, ...]:
    """Return the objects in a scene."""
    return scene.things if isinstance(scene, FullScene) else ()


def with_things(scene: Scene, *things: Thing) -> FullScene:
    """Return the scene with further objects."""
    everything = (*things_of(scene), *things)
    return FullScene(scene.camera, scene.tray, scene.light, scene.sensor, scene.dice, everything)


@dataclass(frozen=True, slots=True)
class _Layer:
    """Maps of heights (-inf where there is nothing), reflectances and level surfaces, into which pieces are drawn."""

    heights: Picture
    colour: Picture
    level: NDArray[np.bool_]

    def lay(self, window: tuple[slice, slice], heights: Picture, colour: Picture | Array, *, level: bool) -> None:
        """Draw a piece into a window where it is the highest, in place."""
        higher = heights > self.heights[window]
        self.heights[window][higher] = heights[higher]
        self.colour[window][higher] = np.broadcast_to(colour, (*heights.shape, 3))[higher]
        self.level[window][higher] = level


def _pixels(part: tuple[slice, slice]) -> tuple[Array, Array]:
    """Return the columns and the rows of the pixels in a part of a picture, (h, w) each."""
    rows, columns = part
    x, y = np.meshgrid(np.arange(columns.start, columns.stop), np.arange(rows.start, rows.stop))
    return x.astype(np.float64), y.astype(np.float64)


def _lay_limb(layer: _Layer, limb: Limb, eye: View, finer: float) -> None:
    start, end = np.array(limb.start_mm), np.array(limb.end_mm)
    a, b = eye.project(np.stack([start, end])) * finer
    depth_a, depth_b = ((point - eye.position) @ eye.axes[2] for point in (start, end))
    if min(depth_a, depth_b) < 20.0:
        return
    wide_a = limb.radii_mm[0] * eye.focal_px / depth_a * finer
    wide_b = limb.radii_mm[1] * eye.focal_px / depth_b * finer
    margin = max(wide_a, wide_b) + 1
    part = clip_window(np.minimum(a, b) - margin, np.maximum(a, b) + margin, layer.heights.shape)
    if part is None:
        return
    x, y = (grid.astype(np.float32) for grid in _pixels(part))
    axis = (b - a).astype(np.float32)
    along = np.clip(
        ((x - np.float32(a[0])) * axis[0] + (y - np.float32(a[1])) * axis[1]) / max(float(axis @ axis), 1e-6), 0.0, 1.0
    )
    off = np.hypot(x - np.float32(a[0]) - along * axis[0], y - np.float32(a[1]) - along * axis[1])
    share = off / (np.float32(wide_a) + np.float32(wide_b - wide_a) * along)
    radius = np.float32(limb.radii_mm[0]) + np.float32(limb.radii_mm[1] - limb.radii_mm[0]) * along
    surface = start[2] + (end[2] - start[2]) * along + radius * np.sqrt(np.maximum(1.0 - share * share, 0.0))
    layer.lay(part, np.where(share < 1.0, surface, -np.inf).astype(np.float32), np.array(limb.colour), level=False)


def _lay_ellipsoid(layer: _Layer, piece: Ellipsoid, eye: View, finer: float) -> None:
    centre, radii = np.array(piece.centre_mm), np.array(piece.radii_mm)
    reach = float(radii.max())
    depth = float((centre - eye.position) @ eye.axes[2])
    if depth < reach + 20.0:
        return
    middle = eye.project(centre) * finer
    margin = 1.25 * reach * eye.focal_px / (depth - reach) * finer + 1
    part = clip_window(middle - margin, middle + margin, layer.heights.shape)
    if part is None:
        return
    x, y = _pixels(part)
    ways = eye.rays(x / finer, y / finer)
    turn = matrix(piece.turn)
    own_ways = ways @ turn / radii
    own_start = (eye.position - centre) @ turn / radii
    a = (own_ways * own_ways).sum(axis=-1)
    b = own_ways @ own_start
    rest = b * b - a * (own_start @ own_start - 1.0)
    step = (-b - np.sqrt(np.maximum(rest, 0.0))) / a
    heights = eye.position[2] + step * ways[..., 2]
    layer.lay(part, np.where(rest > 0, heights, -np.inf).astype(np.float32), np.array(piece.colour), level=False)


def _lay_slab(layer: _Layer, slab: Slab, eye: View) -> None:
    flat = np.array(slab.outline_mm)
    upper = eye.project(np.column_stack([flat, np.full(len(flat), slab.top_mm)]))
    lower = eye.project(np.column_stack([flat, np.full(len(flat), slab.top_mm - slab.thick_mm)]))
    if eye.position[2] - slab.top_mm < 20.0:
        return
    both = cv2.convexHull(np.concatenate([upper, lower]).astype(np.float32)).reshape(-1, 2).astype(np.float64)
    part = clip_window(both.min(axis=0) - 1, both.max(axis=0) + 2, layer.heights.shape)
    if part is None:
        return
    rows, columns = part
    shape, offset = (rows.stop - rows.start, columns.stop - columns.start), np.array([columns.start, rows.start])
    side = fill(shape, both - offset) > 0.5
    below = np.where(side, np.float32(slab.top_mm - slab.thick_mm / 2), -np.inf).astype(np.float32)
    layer.lay(part, below, 0.6 * np.array(slab.surface.colour), level=False)
    top = fill(shape, upper - offset) > 0.5
    low, high = flat.min(axis=0), flat.max(axis=0)
    px_per_mm = min(_FINEST, eye.focal_px / (eye.position[2] - slab.top_mm))
    picture = texture(slab.surface, float(high[0] - low[0]), float(high[1] - low[1]), px_per_mm)
    to_mm = np.array([[1 / px_per_mm, 0, low[0]], [0, -1 / px_per_mm, high[1]], [0, 0, 1]])
    shift = np.array([[1.0, 0, -offset[0]], [0, 1, -offset[1]], [0, 0, 1]])
    seen = cv2.warpPerspective(
        picture,
        shift @ eye.onto_plane(slab.top_mm) @ to_mm,
        (shape[1], shape[0]),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    layer.lay(
        part,
        np.where(top, np.float32(slab.top_mm), -np.inf).astype(np.float32),
        np.asarray(seen, dtype=np.float32),
        level=True,
    )


def _middle(piece: Limb | Ellipsoid | Slab) -> Array:
    if isinstance(piece, Limb):
        return np.asarray((np.array(piece.start_mm) + np.array(piece.end_mm)) / 2)
    if isinstance(piece, Ellipsoid):
        return np.array(piece.centre_mm)
    return np.array([*np.mean(piece.outline_mm, axis=0), piece.top_mm - piece.thick_mm / 2])


@lru_cache(maxsize=8)
def _relief(camera: Camera, pieces: tuple[Piece, ...]) -> Relief:
    """Return the surface of an object as seen by the camera. The last few are cached for labels and masks."""
    eye = view(camera)
    width, height = camera.size
    spare = 1 if any(isinstance(piece, Slab) for piece in pieces) else _SPARE
    small = ((height + spare - 1) // spare, (width + spare - 1) // spare)
    layer = _Layer(np.full(small, -np.inf, np.float32), np.zeros((*small, 3), np.float32), np.zeros(small, np.bool_))
    for piece in pieces:
        if isinstance(piece, Limb):
            _lay_limb(layer, piece, eye, 1 / spare)
        elif isinstance(piece, Ellipsoid):
            _lay_ellipsoid(layer, piece, eye, 1 / spare)
        else:
            _lay_slab(layer, piece, eye)
    covered = np.isfinite(layer.heights)
    cover = covered.astype(np.float32)
    heights = np.where(covered, layer.heights, 0.0).astype(np.float32)
    middle = np.mean([_middle(piece) for piece in pieces], axis=0)
    # Weighting the smoothing by the cover uses only slopes inside the outline.
    sigma = 3.0 / spare
    weight = cv2.GaussianBlur(cover, (0, 0), sigma)
    smooth = cv2.GaussianBlur(heights * cover, (0, 0), sigma) / np.maximum(weight, 1e-3)
    mm_per_px = spare * max(20.0, camera.height_mm - float(middle[2])) / eye.focal_px
    slope_x = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8) / mm_per_px
    slope_y = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8) / mm_per_px
    normal = np.stack([-slope_x, -slope_y, -np.ones_like(slope_x)], axis=-1)
    normal[layer.level] = eye.axes @ (0.0, 0.0, 1.0)
    normal /= np.sqrt((normal * normal).sum(axis=-1, keepdims=True))
    soft = np.clip(cv2.GaussianBlur(cover, (0, 0), 0.7), 0.0, 1.0)
    # The colour of half-covered pixels comes from inside the object, not from the black beside it.
    colour = cv2.dilate(layer.colour, np.ones((3, 3), np.uint8))
    parts = []
    for part in (normal, colour, soft):
        grown = part if spare == 1 else cv2.resize(part, (width, height), interpolation=cv2.INTER_LINEAR)
        parts.append(np.asarray(grown, dtype=np.float32))
        parts[-1].setflags(write=False)
    return Relief(parts[0], parts[1], parts[2], np.asarray(middle))


def _shine_of(scene: Scene, seen: Relief, window: tuple[slice, slice]) -> Picture:
    """Return the light reflected by an object in a window of rows and columns, BGR, shape (h, w, 3)."""
    eye = view(scene.camera)
    lamps = np.array(scene.light.points) - seen.middle
    towards = ((lamps / np.linalg.norm(lamps, axis=1, keepdims=True)) @ eye.axes.T).astype(np.float32)
    diffuse = np.maximum(seen.normal[window] @ towards.T, 0.0).mean(axis=-1)
    facing = 0.55 - 0.45 * seen.normal[window][..., 2]
    lamp = np.array(scene.light.colour, dtype=np.float32)
    sky = np.array(scene.light.ambient, dtype=np.float32)
    return np.asarray(seen.colour[window] * (diffuse[..., None] * lamp + facing[..., None] * sky), dtype=np.float32)


def emptied(scene: Scene) -> Scene:
    """Return the scene without dice and foreign objects."""
    kept = tuple(thing for thing in things_of(scene) if not thing.foreign)
    return replace(with_things(scene), dice=(), things=kept)


def cover_of(scene: Scene, objects: Iterable[Thing]) -> Picture:
    """Return the part of each pixel of the scene's pinhole picture that these objects cover, 0 to 1, (H, W)."""
    nothing = np.zeros(scene.camera.size[::-1], np.float32)
    each = (_relief(scene.camera.pinhole, one.pieces).cover for one in objects)
    return np.asarray(np.max([nothing, *each], axis=0), dtype=np.float32)


def vec(point: Array) -> Vec3:
    """Return a point, (3,), as a tuple."""
    return (float(point[0]), float(point[1]), float(point[2]))


@lru_cache(maxsize=8)
def _pieces_of(hand: Hand) -> tuple[Limb, ...]:
    """Return the pieces of a hand: fingers, thumb and palm of skin, and the forearm or its sleeve."""
    unit = hand.length_mm / 180.0
    way = math.radians(hand.towards_deg)
    forward = np.array([math.cos(way), math.sin(way), 0.0])
    aside = np.array([-forward[1], forward[0], 0.0]) * (1.0 if hand.is_left else -1.0)
    down = np.array([0.0, 0.0, -1.0])
    palm = np.array(hand.palm_mm)

    def at(ahead: float, across: float, lower: float = 0.0) -> Array:
        return np.asarray(palm + unit * (forward * ahead + aside * across + down * lower))

    skin: list[tuple[Array, Array, float, float]] = []
    for across, radius in ((-28, 16), (-10, 18), (10, 18), (28, 16)):
        skin.append((at(-45, across * 0.6), at(32, across), 19 * unit, radius * unit))
    for number, (across, length) in enumerate(((-31, 62), (-11, 74), (10, 82), (31, 72))):
        fan = (number - 1.5) * 0.22 * hand.spread
        bend = hand.curl * 1.2
        reach = length * 0.5
        knuckle_x, knuckle_y = 38.0, float(across)
        middle_x = knuckle_x + reach * math.cos(bend) * math.cos(fan)
        middle_y = knuckle_y + reach * math.sin(fan)
        low = reach * math.sin(bend)
        tip_bend = bend * 2.0
        tip_x = middle_x + reach * math.cos(tip_bend) * math.cos(fan)
        tip_y = middle_y + reach * math.sin(fan)
        tip_low = low + reach * math.sin(min(tip_bend, math.pi / 2))
        skin.append((at(knuckle_x, knuckle_y), at(middle_x, middle_y, low), 10.5 * unit, 9 * unit))
        skin.append((at(middle_x, middle_y, low), at(tip_x, tip_y, tip_low), 9 * unit, 7 * unit))
    thumb = 0.5 + 0.6 * hand.spread
    base, joint = at(-20, 30), at(5 + 28 * math.cos(thumb), 36 + 26 * math.sin(thumb), 6)
    skin.append((base, joint, 16 * unit, 11 * unit))
    skin.append((joint, joint + unit * (forward * 30 + aside * 8 + down * 5), 11 * unit, 8 * unit))
    wrist = at(-60, 0)
    skin.append((at(-40, 0), wrist, 24 * unit, 22 * unit))
    covered = hand.skin if hand.sleeve is None else hand.sleeve
    arm = Limb(vec(at(-75, 0)), vec(at(-420, 0, -60)), (31 * unit, 46 * unit), covered)
    return (*(Limb(vec(start), vec(end), (wide, narrow), hand.skin) for start, end, wide, narrow in skin), arm)


def _shadows(pieces: tuple[Piece, ...]) -> list[Array]:
    """Return points of each convex piece with the same shadow as the piece, (n, 3) mm each."""
    around = np.array([(x, y, 0.0) for x in (-0.8, 0.8) for y in (-0.8, 0.8)])
    found = []
    for piece in pieces:
        if isinstance(piece, Limb):
            start, end = np.array(piece.start_mm), np.array(piece.end_mm)
            found.append(np.concatenate([start + around * piece.radii_mm[0], end + around * piece.radii_mm[1]]))
        elif isinstance(piece, Ellipsoid):
            angles = np.arange(12) * (np.pi / 6)
            ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(12)], axis=1)
            both = np.concatenate([ring, ring[:, [0, 2, 1]]]) * np.array(piece.radii_mm)
            found.append(both @ matrix(piece.turn).T + np.array(piece.centre_mm))
        else:
            flat = np.array(piece.outline_mm)
            found.append(
                np.concatenate(
                    [
                        np.column_stack([flat, np.full(len(flat), height)])
                        for height in (max(0.0, piece.top_mm - piece.thick_mm), piece.top_mm)
                    ]
                )
            )
    return found
