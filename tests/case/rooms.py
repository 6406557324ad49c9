"""The space that must stay free: for plugs, for the camera's view, and between any two parts."""

from __future__ import annotations

from itertools import combinations

from build123d import Part, Plane, Solid, Wire

from case.layout import Layout
from case.parameters import Design
from case.shapes import block


def plugs(layout: Layout) -> dict[str, Part]:
    """Return the room that each plug takes outside the board's edge, and the card on its way out, by name."""
    rooms = {}
    for port in layout.board.ports:
        half = port.width / 2 - 0.3
        z = (layout.board_bottom + port.bottom + 0.3, layout.board_bottom + port.top - 0.3)
        if port.edge == "power":
            x, y = layout.on_board(port.at, 0)
            rooms[port.name] = block((x - half, x + half), (y + 1.5, y + port.reach), z)
        else:  # the card leaves sideways, pushed by a finger from below
            x, y = layout.on_board(0, 28.0)
            low = layout.board_bottom - 2.5
            rooms["card"] = block((x - 2.5, x + 18.0), (y - 5.5, y + 5.5), (low, layout.board_bottom - 0.5))
            rooms["finger"] = block((x - 6.0, x + 18.0), (y - 5.5, y + 5.5), (layout.bottom - 20, low))
    return rooms


def view(layout: Layout, lift: float = 0.0) -> Part:
    """Return the pyramid that the picture shows, from the lens to below the feet, the arm raised by `lift`."""
    low = layout.bottom - Design.FOOT
    short = layout.half_view(low, lift)
    return sight(short, 4 / 3 * short, low, layout.lens + lift)


def sight(x: float, y: float, low: float, lens: float) -> Part:
    """Return all lines of sight from the lens to a rectangle at height `low`, 2x by 2y large."""
    base = Plane.XY.offset(low) * _rectangle(x, y)
    return Part(Solid.make_loft([base, Plane.XY.offset(lens) * _rectangle(0.01, 0.01)]).wrapped)


def _rectangle(x: float, y: float) -> Wire:
    return Wire.make_polygon([(-x, -y), (x, -y), (x, y), (-x, y)])


def shared(one: Part, other: Part) -> float:
    """Return the volume that two parts share, in cubic millimetres."""
    a, b = one.bounding_box(), other.bounding_box()
    for low, high, other_low, other_high in zip(a.min, a.max, b.min, b.max, strict=True):
        if low >= other_high - 1e-6 or other_low >= high - 1e-6:
            return 0.0
    both = one & other
    return 0.0 if both is None else both.volume if hasattr(both, "volume") else sum(part.volume for part in both)


def clashes(parts: dict[str, Part]) -> list[str]:
    """Return the pairs of parts that intersect, with the volume they share."""
    found = []
    for (name, one), (other_name, other) in combinations(parts.items(), 2):
        volume = shared(one, other)
        if volume > 0.01:
            found.append(f"{name} and {other_name} share {volume:.2f} mm3")
    return found
