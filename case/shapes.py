"""Plain solids by their limits in the case's coordinates, and the data of a printed part."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from build123d import Axis, Box, Cylinder, Location, Part, Plane, Polyline, Pos, Rot, extrude, make_face

Span = tuple[float, float]


@dataclass(frozen=True)
class Printed:
    """A printed part.

    Attributes:
        name: The file name without its suffix.
        shape: The part in its place in the assembly, or in one of its places if there are several.
        turn: The rotation that lays it on the printer's bed.
        places: The rotations about the vertical axis, and shifts, of all its copies; empty for a part that appears
            once.
        colour: Its colour in pictures, as RGB from 0 to 1.
    """

    name: str
    shape: Part
    turn: Location = field(default=Rot(0, 0, 0))
    places: tuple[Location, ...] = field(default=(Pos(0, 0, 0),))
    colour: tuple[float, float, float] = (0.35, 0.37, 0.40)

    @property
    def laid(self) -> Part:
        """The part as it is printed: rotated, resting on z = 0, its middle at the origin."""
        turned = self.turn * self.shape
        box = turned.bounding_box()
        return Pos(-box.center().X, -box.center().Y, -box.min.Z) * turned

    @property
    def copies(self) -> list[Part]:
        """Return all copies of the part in the assembly."""
        return [place * self.shape for place in self.places]


def block(x: Span, y: Span, z: Span) -> Part:
    """Return the box between the limits along each axis."""
    middle, size = zip(*(((a + b) / 2, abs(b - a)) for a, b in (x, y, z)), strict=True)
    return Pos(*middle) * Box(*size)


def rod(axis: str, at: tuple[float, float], along: Span, diameter: float) -> Part:
    """Return a cylinder along an axis.

    Args:
        axis: "x", "y" or "z".
        at: Its place along the two other axes, in their order.
        along: Its limits along the axis.
        diameter: Its diameter.
    """
    middle, length = (along[0] + along[1]) / 2, abs(along[1] - along[0])
    place = {"x": (middle, *at), "y": (at[0], middle, at[1]), "z": (*at, middle)}[axis]
    turn = {"x": Rot(0, 90, 0), "y": Rot(90, 0, 0), "z": Rot(0, 0, 0)}[axis]
    return Pos(*place) * turn * Cylinder(diameter / 2, length)


def profile(points: list[tuple[float, float]], y: Span) -> Part:
    """Return the solid with a given outline in the plane of x and z, from y[0] to y[1]."""
    outline = make_face(Plane.XZ * Polyline(*points, close=True))
    return Pos(0, y[1], 0) * extrude(outline, y[1] - y[0], dir=(0, -1, 0))


def across(points: list[tuple[float, float]], x: Span) -> Part:
    """Return the solid with a given outline in the plane of y and z, from x[0] to x[1]."""
    outline = make_face(Plane.YZ * Polyline(*points, close=True))
    return Pos(x[0], 0, 0) * extrude(outline, x[1] - x[0], dir=(1, 0, 0))


def rounded(part: Part, radius: float, *, front: bool = False) -> Part:
    """Return the part with its upright outer corners rounded, or only those at the front."""
    box = part.bounding_box()
    corners = [
        edge
        for edge in part.edges().filter_by(Axis.Z)
        if math.isclose(abs(edge.center().X - box.center().X), box.size.X / 2, abs_tol=1e-3)
        and math.isclose(abs(edge.center().Y - box.center().Y), box.size.Y / 2, abs_tol=1e-3)
        and (not front or edge.center().Y < box.center().Y)
    ]
    return part.fillet(radius, corners)
