"""The parts of a scene: camera, light, tray, dice and objects, each with its shape and pattern. `draw` renders them.

Lengths are millimetres. The tray stands at the origin with its floor at z = 0; x and y lie in the floor along
the tray's walls and z points up to the camera. Colours are linear reflectances in BGR order, 0 to 1 each.
All values are frozen and hashable, so the unchanged parts of a film can be rendered once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.render.face_map import pips_map
from vision.render.sensor import Sensor
from vision.types import PATTERN

Vec3 = tuple[float, float, float]
"""A point or direction in millimetres: (x, y, z)."""

Colour = tuple[float, float, float]
"""Linear reflectance or light, in BGR order; reflectances are 0 to 1."""


def colour(code: str) -> Colour:
    """Return a linear BGR reflectance from an sRGB code such as "#b01c20"."""
    red, green, blue = (int(code[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return (blue**2.2, green**2.2, red**2.2)


Quaternion = tuple[float, float, float, float]
"""A rotation as a unit quaternion (w, x, y, z), from the die's own axes to the tray's."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera above the tray.

    Attributes:
        size: Width and height of its picture, in pixels.
        height_mm: Height of the lens above the tray's floor; 170 to 400 for Pi cameras over a 20 to 25 cm tray.
        field_of_view_deg: Horizontal field of view; 62.2 for Camera Module 2, 66 for 3, 102 for 3 Wide.
        aim_mm: Intersection of the optical axis with the floor, (x, y).
        tilt_deg: Angle between the optical axis and the vertical, 0 to 20.
        lean_deg: Side to which the camera is offset, counter-clockwise from +x.
        turn_deg: Direction of the picture's x axis in the tray, counter-clockwise from +x.
    """

    size: tuple[int, int] = (640, 480)
    height_mm: float = 300.0
    field_of_view_deg: float = 62.2
    aim_mm: tuple[float, float] = (0.0, 0.0)
    tilt_deg: float = 0.0
    lean_deg: float = 0.0
    turn_deg: float = 0.0

    @property
    def pinhole(self) -> Camera:
        """The camera without the distortion of its lens."""
        return self

    def distorted(self, spots: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pixels of the lens for those of a pinhole, both of shape (..., 2)."""
        return spots

    def bend(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a pinhole's picture, (H, W) or (H, W, 3), as the lens shows it."""
        return picture


Texture = Callable[[np.random.Generator, tuple[int, int], float], NDArray[np.float32]]
"""Returns the pattern of a floor, a table or a wall for random numbers, a shape (H, W) and the pixels in a millimetre:
deviations from the mean colour, float32 (H, W)."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A matt material of the tray or of the table under it; `tools/scenes/textures.py` has glossy ones of two colours.

    Attributes:
        colour: Mean reflectance.
        texture: Pattern; None for a plain one.
        contrast: Standard deviation of the colour as a part of the mean, 0 to 0.5.
        seed: Random seed of the pattern.
    """

    colour: Colour
    texture: Texture | None = None
    contrast: float = 0.05
    seed: int = 0

    def reflectances(self, shape: tuple[int, int], px_per_mm: float) -> NDArray[np.float32]:
        """Return the surface from straight above, BGR float32, shape (H, W, 3)."""
        colour = np.array(self.colour, dtype=np.float32)
        if self.texture is None:
            return np.broadcast_to(colour, (*shape, 3)).copy()
        pattern = self.texture(np.random.default_rng(self.seed), shape, px_per_mm)
        # Dark parts keep some light, and light parts stay below a white sheet.
        factor = np.clip(1.0 + self.contrast * pattern, 0.1, 2.5)
        return np.asarray(np.minimum(np.atleast_3d(factor) * colour, 0.95), dtype=np.float32)

    def sheen(self, light: Light, eye: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return the lamp's brightness that a level surface mirrors to an eye, (3,), at places, (h, w, 3): (h, w)."""
        return None


@dataclass(frozen=True, slots=True)
class Tray:
    """A rectangular tray on a table; `tools/scenes/trays.py` has other shapes.

    Attributes:
        width_mm: Inner size along x, 150 to 300.
        depth_mm: Inner size along y, 150 to 300.
        wall_mm: Height of the wall above the floor, 0 for a bare mat.
        rim_mm: Thickness of the wall.
        floor: Surface of the floor.
        wall: Surface of the wall.
        table: Surface of the table under the tray.
        fittings: Outlines of blocks, clasps or buttons on the wall, (x, y, z) mm each.
        fitting: Their colour.
    """

    width_mm: float
    depth_mm: float
    wall_mm: float
    rim_mm: float
    floor: Surface
    wall: Surface
    table: Surface
    fittings: tuple[tuple[Vec3, ...], ...] = ()
    fitting: Colour = (0.0, 0.0, 0.0)

    def wall_line(self, outwards_mm: float = 0.0) -> NDArray[np.float64]:
        """Return the wall's inner foot from above, moved outwards: corners counter-clockwise, (n, 2) mm."""
        half_x, half_y = self.width_mm / 2 + outwards_mm, self.depth_mm / 2 + outwards_mm
        return np.array([(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)])

    def room(self, points: NDArray[np.float64], outwards_mm: float = 0.0) -> NDArray[np.float64]:
        """Return the distances of points, (n, 2 or 3) in mm, inside the wall moved outwards; negative outside: (n,)."""
        half = np.array([self.width_mm / 2 + outwards_mm, self.depth_mm / 2 + outwards_mm])
        return np.asarray((half - np.abs(points[:, :2])).min(axis=1))

    def holds(self, points: NDArray[np.float64], spare_mm: float = 0.0) -> bool:
        """Whether all points, (n, 2 or 3) in mm, are inside the wall, at least `spare_mm` from it."""
        return bool(self.room(points).min() > spare_mm)


@dataclass(frozen=True, slots=True)
class Light:
    """The light: a lamp, consisting of points, and ambient light; `tools/scenes/lamps.py` adds shadows and windows.

    A ring is a circle of points, a ceiling lamp a patch of points high up, a window a patch low at one side. The
    strength is given for the centre of the tray's floor; it decreases with the square of the distance.

    Attributes:
        points: Points of the lamp, all equally bright; a single point causes hard shadows.
        colour: Light at the centre of the floor, facing the lamp; 1 lights a white sheet fully, 0 is off.
        ambient: Ambient light, equal in all directions.
    """

    points: tuple[Vec3, ...]
    colour: Colour = (0.8, 0.8, 0.8)
    ambient: Colour = (0.25, 0.25, 0.25)

    def lit_part(self, places: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return the part of the lamp's light at places, (..., 2 or 3) mm, that no shadow takes; None for all of it."""
        return None

    def panes_seen(
        self, places: NDArray[np.floating], ways: NDArray[np.floating], soft: float
    ) -> list[tuple[float, NDArray[np.float32]]]:
        """Return what else shiny dice reflect at places (n, 3) mm towards directions (n, 3): its brightness and share.

        A fully lit white sheet has brightness 1; `soft` is the width of a thing's edges, relative to its distance.
        """
        return []


@dataclass(frozen=True, slots=True)
class DieBody:
    """The make of a die; `tools/scenes/bodies.py` has rarer ones.

    Attributes:
        size_mm: Edge of the cube, 12 to 19.
        body: Colour of the body.
        pip: Colour of the pips.
        edge: Radius of the rounded edges, as a part of the size, 0.01 to 0.2.
        corner: Radius of the ball that rounds the corners, as a part of the size; 0.866 for no rounding, 0.68 for a
            very round die.
        crease: Width of the transition from face to ball, in half sides, 0.03 to 0.2. Tumbled dice have a soft border
            there, in which shiny ones reflect a lamp as a bright arc.
        pip_radius: Radius of pips as a part of the size, 0.05 to 0.13; 0 for a die without pips.
        spread: Distance of the outer pips from the middle lines, as a part of the size, 0.18 to 0.28.
        pip_depth: 0 for painted pips, 1 for deep bowls.
        gloss: Strength of reflections, 0 (matt) to 1 (polished).
        translucency: Part of the light that passes through the body instead of being reflected, 0 to 0.8.
        metal: 0 for plastic, 1 for metal, whose reflections have the body's colour.
        dome: Bulge of each face, as the slope at its rim, -0.15 to 0.3. Tumbled dice are domed or hollow, so they
            reflect a lamp as an arc.
    """

    size_mm: float = 16.0
    body: Colour = (0.8, 0.8, 0.8)
    pip: Colour = (0.02, 0.02, 0.02)
    edge: float = 0.06
    corner: float = 0.78
    crease: float = 0.03
    pip_radius: float = 0.09
    spread: float = 0.25
    pip_depth: float = 0.5
    gloss: float = 0.3
    translucency: float = 0.0
    metal: float = 0.0
    dome: float = 0.0

    def ground(self, points: NDArray[np.float32], ways: NDArray[np.float32]) -> NDArray[np.floating]:
        """Return the reflectance of the body beside the pips, (n, 3).

        Args:
            points: Points of the surface in the die's own axes and half sizes, (3, n).
            ways: The unit directions from the camera to the points, (3, n).
        """
        return np.broadcast_to(np.array(self.body, dtype=np.float32), (points.shape[1], 3))

    def pip_colours(self) -> NDArray[np.float32]:
        """Return the colour of the pips on each face, (6, 3)."""
        return np.array([self.pip] * 6, dtype=np.float32)

    def pip_places(self, value: int) -> list[tuple[float, float]]:
        """Return the centres of a face's pips in half sizes, -1 to 1, along the face's two axes."""
        return [(2 * self.spread * column, 2 * self.spread * row) for column, row in PATTERN[value]]

    def radius_of(self, value: int) -> float:
        """Return the radius of a face's pips in half sizes."""
        return 2 * self.pip_radius

    def face_maps(self) -> list[NDArray[np.floating]]:
        """Return the maps of the paint on the six faces: see `pips_map`."""
        return [pips_map([(u, v, 1.0) for u, v in self.pip_places(n)], self.radius_of(n)) for n in range(1, 7)]


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die somewhere in the air or on the floor.

    Attributes:
        body: Its make.
        centre: Its centre in millimetres.
        turn: Its orientation.
        velocity: Velocity of the centre, mm/s, which causes motion blur.
        spin: Angular velocity as a vector in tray axes, rad/s.
    """

    body: DieBody
    centre: Vec3
    turn: Quaternion
    velocity: Vec3 = (0.0, 0.0, 0.0)
    spin: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Scene:
    """A tray with dice at one moment; `tools/scenes/things.py` has scenes with other objects, such as a hand.

    The empty tray is rendered once for all scenes with the same camera, tray and lamp places.

    Attributes:
        camera: The camera.
        tray: The tray.
        light: The light.
        sensor: The sensor and the lens.
        dice: The dice, in any order.
    """

    camera: Camera
    tray: Tray
    light: Light
    sensor: Sensor
    dice: tuple[PlacedDie, ...] = ()

    def shadow_pieces(self) -> list[NDArray[np.float64]]:
        """Return points of each convex piece of other objects, with the same shadow as the piece, (n, 3) mm each."""
        return []

    def paint_things(self, picture: NDArray[np.float32], body: NDArray[np.float32], *, above_dice: bool) -> None:
        """Put other objects into the scene's light seen through a pinhole, in place; `body` as in `EmptyTray`."""
