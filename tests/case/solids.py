"""Checks of printed parts."""

from __future__ import annotations

import math

import numpy as np
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
    """Check that each part fits the printer, lies flat on its bed and needs no supports."""
    for part in parts:
        box = part.laid.bounding_box()
        below = [face for face in part.laid.faces() if abs(face.center().Z) < 1e-6]
        lying = sum(face.area for face in below)
        assert lying > 80 or lying > 0.7 * box.size.X * box.size.Y, part.name  # it does not stand on an edge
        assert pytest.approx(0, abs=1e-6) == box.min.Z, part.name
        for size, bed in zip((box.size.X, box.size.Y, box.size.Z), Print.BED, strict=True):
            assert size <= bed, part.name
        bridge, hang = longest_roofs(part)
        assert bridge <= 30, (part.name, "a longer bridge sags")
        assert hang <= 1, (part.name, "level plastic in mid-air")


def longest_roofs(part, cell=0.5):
    """Return the longest bridge and the longest overhang of a part as it is printed, in mm.

    Level faces that look down are drawn on a grid. A cell is bridged along a line whose two ends lie on plastic, and
    hangs if only one end does; the shorter of its lines along x and y counts.
    """
    points, corners = part.laid.tessellate(0.1, 0.3)
    mesh = np.array([(point.X, point.Y, point.Z) for point in points])[np.array(corners)]
    low = mesh.min(axis=(0, 1)) - 4 * cell
    shape = tuple(np.ceil((mesh.max(axis=(0, 1)) - low)[:2] / cell).astype(int) + 4)
    normals = np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])
    down = normals[:, 2] < -0.999 * np.linalg.norm(normals, axis=1)
    heights = np.round(mesh[:, :, 2].mean(axis=1), 1)
    bridge = hang = 0.0
    for z in np.unique(heights[down & (heights > 0.2)]):
        roof, solid = np.zeros(shape, bool), np.zeros(shape, bool)
        for triangle, is_roof in zip(mesh, down & (heights == z), strict=True):
            cells, at = _columns(triangle, low, cell)
            solid[cells] ^= at > z - 0.15  # inside, an odd number of faces is above
            roof[cells] |= is_roof
        along = [_lines(roof, solid), [part.T for part in _lines(roof.T, solid.T)]]
        bridged = np.minimum(along[0][0], along[1][0]) * cell
        hanging = np.minimum(along[0][1], along[1][1]) * cell
        bridge = max([bridge, *bridged[roof & np.isfinite(bridged)]])
        hang = max([hang, *hanging[roof & ~np.isfinite(bridged)]])
    return bridge, hang


def _columns(triangle, low, cell):
    """Return the grid's cells below a triangle, and its height there."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    first = np.floor((triangle[:, :2].min(axis=0) - low[:2]) / cell).astype(int)
    last = np.ceil((triangle[:, :2].max(axis=0) - low[:2]) / cell).astype(int)
    i, j = np.meshgrid(*(np.arange(a, b + 1) for a, b in zip(first, last, strict=True)), indexing="ij")
    if abs(area) < 1e-9:
        return (i[:0].ravel(), j[:0].ravel()), np.zeros(0)
    # The grid is off by a little, so that no point lies on an edge.
    x, y = low[0] + (i + 0.5013) * cell, low[1] + (j + 0.5007) * cell
    second = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    third = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    inside = (second >= 0) & (third >= 0) & (second + third <= 1)
    return (i[inside], j[inside]), (az + second * (bz - az) + third * (cz - az))[inside]


def _lines(roof, solid):
    """Return, for each cell of a roof, the length of its row between two walls, and the distance from one wall."""
    near = 3  # cells: beside the end of a round roof, plastic begins a little lower
    bridged, hanging = np.full(roof.shape, np.inf), np.full(roof.shape, np.inf)
    for row, (cells, walls) in enumerate(zip(roof, solid, strict=True)):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(int), [0]])))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            left, right = walls[max(start - near, 0) : start].any(), walls[end : end + near].any()
            if left and right:
                bridged[row, start:end] = end - start
            if left:
                hanging[row, start:end] = np.arange(1, end - start + 1)
            if right:
                hanging[row, start:end] = np.minimum(hanging[row, start:end], np.arange(end - start, 0, -1))
    return bridged, hanging
