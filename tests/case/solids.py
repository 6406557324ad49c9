"""Checks of printed parts that the tests of the default variant and of all variants share."""

from __future__ import annotations

import math

import pytest
from build123d import GeomType

from case.parameters import Print


def holes(part, diameter):
    """Middles of a part's upright holes of one diameter, (x, y)."""
    faces = part.faces().filter_by(GeomType.CYLINDER)
    found = {
        (round(face.axis_of_rotation.position.X, 2), round(face.axis_of_rotation.position.Y, 2))
        for face in faces
        if face.radius is not None
        and math.isclose(face.radius, diameter / 2, abs_tol=1e-6)
        and abs(face.axis_of_rotation.direction.Z) > 0.99
    }
    return sorted(found)


def check_solids(parts):
    """Check that each part is one watertight solid."""
    for part in parts:
        assert len(part.shape.solids()) == 1, part.name
        assert part.shape.is_valid, part.name
        assert part.shape.is_manifold, part.name


def check_printable(parts):
    """Check that each part fits the printer and lies flat on its bed."""
    for part in parts:
        box = part.laid.bounding_box()
        below = [face for face in part.laid.faces() if abs(face.center().Z) < 1e-6]
        assert sum(face.area for face in below) > 80, part.name  # it does not stand on an edge
        assert pytest.approx(0, abs=1e-6) == box.min.Z, part.name
        for size, bed in zip((box.size.X, box.size.Y, box.size.Z), Print.BED, strict=True):
            assert size <= bed, part.name
