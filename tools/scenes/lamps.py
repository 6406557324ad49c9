"""What random scenes add to the light: bright panes that shiny dice mirror, and shadows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.render.geometry import Array
from vision.render.scene import Light, Vec3


@dataclass(frozen=True, slots=True)
class Pane:
    """A level bright pane above the tray, reflected by shiny dice: a soft box, a skylight, a window, a ring of lamps.

    Attributes:
        middle_mm: Its middle, (x, y, z).
        half_mm: Half its sides.
        towards_deg: The direction of its first side, counter-clockwise from +x.
        brightness: Brightness relative to a fully lit white sheet; lamps have 10 to 100.
        bars: Number of window bars across each side, 0 for a plain pane.
        is_round: Whether it is an ellipse.
        hole: Size of a hole as a part of the half sides, for a ring or a frame; 0 for a full pane.
    """

    middle_mm: Vec3
    half_mm: tuple[float, float]
    towards_deg: float = 0.0
    brightness: float = 3.0
    bars: int = 0
    is_round: bool = False
    hole: float = 0.0

    def seen(self, places: NDArray[np.floating], ways: NDArray[np.floating], soft: float) -> NDArray[np.float32]:
        """Return its share in the reflection at places towards directions: see `Light.panes_seen`."""
        rise = self.middle_mm[2] - places[:, 2]
        steps = rise / np.maximum(ways[:, 2], 1e-3)
        x = places[:, 0] + ways[:, 0] * steps - self.middle_mm[0]
        y = places[:, 1] + ways[:, 1] * steps - self.middle_mm[1]
        c, s = math.cos(math.radians(self.towards_deg)), math.sin(math.radians(self.towards_deg))
        edge = soft * np.maximum(rise, 1.0)
        seen = np.where(ways[:, 2] > 0.05, 1.0, 0.0)
        parts = []
        for along, half in ((x * c + y * s, self.half_mm[0]), (y * c - x * s, self.half_mm[1])):
            parts.append(np.abs(along) / half)
            for bar in range(self.bars):
                middle = half * (2 * (bar + 1) / (self.bars + 1) - 1)
                seen = seen * (1.0 - np.clip(0.5 + (0.06 * half - np.abs(along - middle)) / edge, 0.0, 1.0))
        far = np.hypot(*parts) if self.is_round else np.maximum(*parts)
        border = edge / min(self.half_mm)
        seen = seen * np.clip(0.5 + (1.0 - far) / border, 0.0, 1.0)
        if self.hole > 0:
            seen = seen * np.clip(0.5 + (far - self.hole) / border, 0.0, 1.0)
        return np.asarray(seen, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Shade:
    """A shadow in the form of a strip across the tray.

    Attributes:
        towards_deg: The direction across the strip, counter-clockwise from +x.
        from_mm: Beginning of the strip along that direction, from the centre of the tray.
        width_mm: Width of the strip; of a very wide one, only one edge is in view.
        soft_mm: Width of its soft edge.
        depth: Part of the lamp's light that is blocked, 0 to 1.
    """

    towards_deg: float
    from_mm: float
    width_mm: float = 1e4
    soft_mm: float = 10.0
    depth: float = 0.6

    def lit_part(self, places: Array) -> Array:
        """Return the part of the lamp's light that the shadow leaves at places: see `Light`."""
        towards = math.radians(self.towards_deg)
        along = places[..., 0] * math.cos(towards) + places[..., 1] * math.sin(towards) - self.from_mm
        half = self.width_mm / 2
        within = np.clip(0.5 + (half - np.abs(along - half)) / max(self.soft_mm, 0.1), 0.0, 1.0)
        return np.asarray(1.0 - self.depth * within)


@dataclass(frozen=True, slots=True)
class RoomLight(Light):
    """A light with more around it.

    Attributes:
        panes: What shiny dice reflect besides; its light is included in that of the lamp and around.
        shade: A shadow on a part of the tray.
    """

    panes: tuple[Pane, ...] = ()
    shade: Shade | None = None

    def lit_part(self, places: Array) -> Array | None:
        """Return the part of the lamp's light at places that the shadow leaves: see `Light`."""
        return None if self.shade is None else self.shade.lit_part(places)

    def panes_seen(
        self, places: NDArray[np.floating], ways: NDArray[np.floating], soft: float
    ) -> list[tuple[float, NDArray[np.float32]]]:
        """Return the panes as reflected at places towards directions: see `Light`."""
        return [(pane.brightness, pane.seen(places, ways, soft)) for pane in self.panes]


def in_room(light: Light) -> RoomLight:
    """Return a light to which panes and a shadow can be added."""
    return light if isinstance(light, RoomLight) else RoomLight(light.points, light.colour, light.ambient)
