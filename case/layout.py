"""Where everything stands: heights, distances and lengths that follow from a choice.

The origin is the middle of the felt. x points from the console to the tray (to the player's right), y away from the
player, z up. The picture's short side lies along x, so that camera, arm and ribbon lie along x as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from case.parameters import BOARDS, CAMERAS, PUPIL, Board, Camera, Choice, Design


def lens_height(camera: Camera, tray: float, die: float = Design.DIE) -> float:
    """Return the height of the lens above the floor from which the tray fits the picture's short side.

    H = (1 + 2 margin) S / (2 tan(V / 2)) above the plane of the dice's tops.
    """
    return (1 + 2 * Design.MARGIN) * tray / (2 * math.tan(math.radians(camera.field / 2))) + die


def mirrored_at(x: float, height: float, lens: float, level: float) -> float:
    """Return the distance from the axis at which a level face mirrors a lamp into the lens.

    Args:
        x: Distance of the lamp from the optical axis.
        height: Of the lamp above the floor.
        lens: Height of the lens above the floor.
        level: Height of the mirroring face above the floor.
    """
    return x * (lens - level) / (lens + height - 2 * level)


@dataclass(frozen=True)
class Layout:
    """All lengths that follow from a choice, in millimetres."""

    choice: Choice

    @property
    def board(self) -> Board:
        """The chosen Raspberry Pi."""
        return BOARDS[self.choice.pi]

    @property
    def camera(self) -> Camera:
        """The chosen camera module."""
        return CAMERAS[self.choice.camera]

    @property
    def inside(self) -> float:
        """Half of the tray's inner width."""
        return self.choice.tray / 2

    @property
    def bottom(self) -> float:
        """Underside of tray and console above the felt, negative; the feet are below it."""
        return -Design.FELT - Design.FLOOR

    @cached_property
    def lens(self) -> float:
        """Height of the entrance pupil above the felt."""
        return lens_height(self.camera, self.choice.tray)

    def half_view(self, z: float, lift: float = 0.0) -> float:
        """Return half of what the picture's short side covers at height z, the arm raised by `lift`."""
        return (self.lens + lift - z) * math.tan(math.radians(self.camera.field / 2))

    @cached_property
    def lamp(self) -> float:
        """Distance of the diffusers' front from the axis: just out of the picture, also with the arm at its highest."""
        return math.ceil(self.half_view(self.bottom, Design.ADJUST)) + 1.0

    @property
    def lamp_length(self) -> float:
        """Length of lamp and diffuser."""
        return min(self.choice.tray, Design.LAMP_LONGEST)

    @property
    def board_front(self) -> float:
        """Height of the camera board's front, which faces down."""
        return self.lens - PUPIL + self.camera.tip
