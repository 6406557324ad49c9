"""The assembly: every printed part in its place, and the bought parts as plain solids of the same size."""

from __future__ import annotations

from itertools import pairwise

from build123d import Box, Part, Plane, Vector

from case.arm import arm, cover, holder, post
from case.console import console, lid_frame
from case.lamp import diffuser, lamp
from case.layout import Layout
from case.lid import bracket, lid
from case.parameters import BOARD_THICKNESS, CAMERA_AXIS, CAMERA_BOARD, SCREENS, Design
from case.shapes import Printed, block, rod, rounded
from case.tray import tray


def printed(layout: Layout) -> list[Printed]:
    """Return every printed part, in the order of assembly."""
    parts = [make(layout) for make in (console, post, arm, cover, holder, lid, bracket)]
    if layout.choice.parts == "full":
        parts += [*tray(layout), lamp(layout), diffuser(layout)]
    return parts


def bought(layout: Layout) -> dict[str, Part]:
    """Return the bought parts by name, as the space that they take in the assembly."""
    panel, lid_top = layout.panel, lid_frame(layout)
    parts = {
        **({"tray": _tray(layout)} if layout.choice.parts == "standard" else {}),
        "board": board(layout),
        "camera": _camera(layout),
        "felt": block((-layout.inside, layout.inside), (-layout.inside, layout.inside), (layout.floor, 0.0)),
        "screen": lid_top * _screen(layout),
    }
    for name, at, button in [
        *((name, at, panel.button) for name, at in zip("ABC", panel.letters, strict=True)),
        ("STOP", panel.stop_at, panel.stop),
    ]:
        body = rod("z", at, (-button.depth, 0), button.hole - 0.4)
        body += rod("z", at, (-Design.FLOOR - 3, -Design.FLOOR), button.around)
        parts[name] = lid_top * (body + rod("z", at, (0, 3), button.bezel))
    return parts


def _tray(layout: Layout) -> Part:
    """Return a bought tray with walls of usual thickness."""
    inside, outside = layout.inside, layout.inside + 5.0
    body = rounded(block((-outside, outside), (-outside, outside), (layout.bottom, Design.TRAY_WALL)), 8.0)
    return body - block((-inside, inside), (-inside, inside), (layout.floor, Design.TRAY_WALL + 1))


def _screen(layout: Layout) -> Part:
    """Return the space of all boards of the screen, with pins and plugs, in the lid's frame."""
    screen, (u, v) = SCREENS[layout.choice.oled], layout.panel.screen
    half, front, top = screen.most[0] / 2, -Design.FLOOR, v + screen.above[1]
    body = block((u - half, u + half), (v - screen.below[1], top), (front - screen.thick[1], front))
    return body + block((u - 6, u + 6), (top - 4, top - 1), (front - screen.depth, front))


def board(layout: Layout, lift: float = 0.0) -> Part:
    """Return the space of the Raspberry Pi with its parts, extended upwards by `lift` for its way in and out.

    Along its left edge there is only the bare board.
    """
    pi = layout.board
    (left, right), (front, back) = layout.board_x, layout.board_y
    low, top = layout.board_bottom, layout.board_bottom + BOARD_THICKNESS + pi.height + lift
    room = block((left, right), (front, back), (low, low + BOARD_THICKNESS + lift))
    room += block((left, right - 2.0), (front, back), (low, top))
    if pi.overhang:
        room += block((left - pi.overhang, left), (front + 2, back - 2), (low + 1, top))
    return room


def _camera(layout: Layout) -> Part:
    front, (across, along) = layout.board_front, CAMERA_BOARD
    x = (-CAMERA_AXIS, along - CAMERA_AXIS)
    body = block(x, (-across / 2, across / 2), (front, front + 1.12))
    body += block((-5.4, 5.4), (-5.4, 5.4), (front - 4.1, front))
    body += rod("z", (0, 0), (front - layout.camera.tip, front), 7.0)
    return body + block((x[0], x[0] + 5.7), (-10.5, 10.5), (front + 1.12, front + 4.3))


def ribbon(layout: Layout) -> list[Part]:
    """Return the straight pieces of the camera's ribbon, 16 wide."""
    pieces = []
    for start, end in pairwise(layout.ribbon):
        a, b = Vector(*start), Vector(*end)
        plane = Plane((a + b) / 2, x_dir=Vector(0, 1, 0).cross(b - a).cross(b - a), z_dir=b - a)
        pieces.append(plane.location * Box(16.0, 0.3, (b - a).length))
    return pieces
