"""The pictures of assembly: new parts are coloured, numbered and apart from their places; earlier ones are pale."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from build123d import Cylinder, Part, Plane, Pos, Rot, Sphere, Vector
from PIL import Image

from case.assembly import ribbon
from case.console import lid_frame
from case.fasteners import Screw, screws
from case.layout import Layout
from case.parameters import BOARD_THICKNESS, SCREENS, Design
from case.picture import Colour, Decal, Notes, Point
from case.shapes import Printed, block

_PALE = (0.80, 0.80, 0.80)
_STEEL = (0.72, 0.73, 0.76)
_BOUGHT = {
    "camera": (0.05, 0.45, 0.20),
    "tray": (0.42, 0.30, 0.20),
    "felt": (0.06, 0.35, 0.20),
    "screen": (0.07, 0.14, 0.32),
    "STOP": (0.80, 0.10, 0.10),
}
_RIBBON = (0.92, 0.92, 0.85)
_BUTTON = (0.85, 0.85, 0.88)
_WIRES = {
    "orange": (0.95, 0.55, 0.1),
    "blue": (0.15, 0.35, 0.9),
    "yellow": (0.95, 0.85, 0.1),
    "black": (0.1, 0.1, 0.1),
    "green": (0.1, 0.65, 0.2),
    "violet": (0.55, 0.2, 0.75),
    "brown": (0.5, 0.3, 0.1),
    "grey": (0.55, 0.55, 0.55),
    "pink": (0.95, 0.5, 0.65),
}

_WIRING_LEGEND = "A, B, C, S  buttons (S is STOP)      D  display      P  buzzer"

_GREEN, _METAL, _BLACK, _GOLD = (0.05, 0.42, 0.20), (0.75, 0.76, 0.78), (0.12, 0.12, 0.13), (0.85, 0.70, 0.25)

# Left, right, lower and upper end on the board, and height: from the sources in case.parameters.
_PARTS_4 = [
    (7.1, 57.9, 50.0, 55.0, 2.5, _BLACK),
    (6.7, 15.7, -1.2, 6.2, 3.3, _METAL),
    (22.5, 29.5, -1.2, 6.0, 3.3, _METAL),
    (36.0, 43.0, -1.2, 6.0, 3.3, _METAL),
    (50.5, 57.5, -2.0, 12.5, 6.0, _BLACK),
    (67.0, 88.0, 1.9, 16.1, 16.0, _METAL),
    (67.0, 88.0, 19.9, 34.1, 16.0, _METAL),
    (67.0, 88.0, 37.8, 53.7, 13.5, _METAL),
    (45.0, 48.0, 0.5, 22.5, 5.6, _BLACK),
    (22.0, 37.0, 25.0, 40.0, 2.4, _METAL),
]

_DOCS = Path(__file__).parents[1] / "docs"

Shown = list[tuple[Part, Colour]]


class Step(NamedTuple):
    """One picture: its name, its contents, and the view's direction (degrees about the vertical, above the horizon)."""

    name: str
    shown: Shown
    turn: float
    rise: float
    notes: Notes = Notes()
    decal: Decal | None = None


class _Item(NamedTuple):
    """A part in a picture: its text in the legend, how far it is from its place, and the size of its screws."""

    text: str
    names: tuple[str, ...]
    away: Point = (0.0, 0.0, 0.0)
    screw: str = ""


_STEPS: list[tuple[str, float, float, list[_Item]]] = [
    (
        "step-1-post",
        -40.0,
        36.0,
        [
            _Item("console", ("console",)),
            _Item("post", ("post",), (55.0, 0.0, 0.0)),
            _Item("M3 x 12 (3)", ("post",), (-45.0, 0.0, 0.0), "M3 x 12"),
        ],
    ),
    (
        "step-2-board",
        -35.0,
        42.0,
        [
            _Item("Raspberry Pi", ("board",), (0.0, -27.0, 75.0)),
            _Item("M2.5 x 6 (4)", ("board",), (0.0, -27.0, 115.0), "M2.5 x 6"),
        ],
    ),
    (
        "step-3-camera",
        40.0,
        22.0,
        [
            _Item("arm", ("arm",), (30.0, 0.0, 0.0)),
            _Item("M3 x 25 with nut (2)", ("arm",), (-28.0, 0.0, 0.0), "M3 x 25"),
            _Item("holder", ("holder",), (30.0, 0.0, 30.0)),
            _Item("M3 x 20 with nut (2)", ("holder",), (30.0, 0.0, 60.0), "M3 x 20"),
            _Item("camera", ("camera",), (30.0, 0.0, 60.0)),
            _Item("M2 x 8 with nut (4)", ("camera",), (30.0, 0.0, 0.0), "M2 x 8"),
        ],
    ),
    ("step-4-ribbon", -130.0, 30.0, [_Item("ribbon", ("ribbon",)), _Item("cover", ("cover",), (-40.0, 0.0, 0.0))]),
]
"""The pictures of console and mast, and the parts that each adds."""


def steps(layout: Layout, parts: list[Printed], others: dict[str, Part]) -> list[Step]:
    """Return a picture for each step of assembly, the wiring, and the whole from the player's seat."""
    named: dict[str, Shown] = {part.name: [(copy, part.colour) for copy in part.copies] for part in parts}
    named["ribbon"] = [(piece, _RIBBON) for piece in ribbon(layout)]
    named |= {name: [(part, _BOUGHT.get(name, _BUTTON))] for name, part in others.items()}
    named["board"] = _board_parts(layout)
    fixing = screws(layout)
    made: list[Step] = []
    done: Shown = []
    for name, turn, rise, items in _STEPS:
        made.append(_exploded(name, turn, rise, items, named, fixing, done))
        for item in items:
            if not item.screw:
                done += [(part, _PALE) for one in item.names for part, _ in named[one]]
    made.append(_lid(layout, named, fixing))
    made.append(_wiring(layout, named))
    everything = [pair for name, pairs in named.items() if not name.startswith(("lamp", "diff")) for pair in pairs]
    full = [pair for name, pairs in named.items() if name.startswith(("lamp", "diff")) for pair in pairs]
    made.append(Step("head", everything, 8.0, 38.0, decal=_picture(layout)))
    if full:
        made.append(Step("full", everything + full, 25.0, 30.0, decal=_picture(layout)))
    return made


def _exploded(
    name: str,
    turn: float,
    rise: float,
    items: list[_Item],
    named: dict[str, Shown],
    fixing: list[Screw],
    done: Shown,
) -> Step:
    """Return a picture of items apart from their places, with the earlier parts behind them."""
    shown, numbers, lines, legend = list(done), [], [], []
    for number, item in enumerate(items, start=1):
        move = Pos(*item.away)
        legend.append(f"{number}  {item.text}")
        if item.screw:
            chosen = [screw for screw in fixing if screw.size == item.screw and screw.holds in item.names]
            for screw in chosen:
                back = Pos(*(18.0 * part for part in screw.way))
                shown += [(move * screw.head, _STEEL), (move * screw.core, _STEEL)]
                target = _target(items, screw.holds)
                if screw.nut is not None:
                    shown.append((target * back * screw.nut, _STEEL))
                lines.append((_middle(move * screw.head), _middle(target * screw.head)))
            numbers.append((str(number), _middle(move * chosen[-1].head)))
            continue
        new = [(move * part, colour) for one in item.names for part, colour in named[one]]
        shown += new
        numbers.append((str(number), _middle(max(new, key=lambda pair: pair[0].volume)[0])))
    text = ["      ".join(legend[start : start + 3]) for start in range(0, len(legend), 3)]
    return Step(name, shown, turn, rise, Notes(numbers, lines, text))


def _target(items: list[_Item], holds: str) -> Pos:
    """Return how far the part is from its place that a screw fixes."""
    return Pos(*next((item.away for item in items if not item.screw and holds in item.names), (0.0, 0.0, 0.0)))


def _middle(part: Part) -> Point:
    """Return the middle of a part, or its corner that is nearest to it if the middle is outside."""
    middle = part.bounding_box().center()
    if not any(solid.is_inside(middle) for solid in part.solids()):
        middle = min((corner.center() for corner in part.vertices()), key=lambda corner: (corner - middle).length)
    return middle.X, middle.Y, middle.Z


def _lid(layout: Layout, named: dict[str, Shown], fixing: list[Screw]) -> Step:
    """Return the lid from below, with screen and brackets apart from it."""
    frame = lid_frame(layout)
    down = Vector(*(frame.position - (frame * Pos(0, 0, 1)).position))

    def away(distance: float) -> Point:
        return down.X * distance, down.Y * distance, down.Z * distance

    buttons = [(text, name) for text, name in (("buttons A, B and C", "A"), ("STOP", "STOP"))]
    items = [
        _Item("lid", ("lid",)),
        _Item("screen", ("screen",), away(32.0)),
        _Item("bracket (4)", ("bracket",), away(58.0)),
    ]
    items.append(_Item("M3 x 6 (4)", ("bracket",), away(85.0), "M3 x 6"))
    items += [_Item(text, (name,) if name == "STOP" else ("A", "B", "C")) for text, name in buttons]
    return _exploded("step-5-lid", -20.0, -48.0, items, named, fixing, [])


def _wiring(layout: Layout, named: dict[str, Shown]) -> Step:
    """Return the open console, its lid turned over in front of it, and the wires of docs/wiring.md but the lamp's."""
    front = layout.console_y[0]
    over = Pos(0, front - 12.0, layout.lid_front) * Rot(180 - Design.TILT, 0, 0) * Pos(0, -front, -layout.lid_front)
    turned = ["lid", "screen", "bracket", "A", "B", "C", "STOP"]
    shown = [pair for name in ("console", "post", "board") for pair in named[name]]
    shown += [(over * part, colour) for name in turned for part, colour in named[name]]
    left, floor = layout.console_x[0], layout.floor
    buzzer = (left + 16.0, layout.console_y[0] + 40.0, floor)
    shown.append(
        (block((buzzer[0] - 6, buzzer[0] + 6), (buzzer[1] - 6, buzzer[1] + 6), (floor, floor + 6)), (0.1, 0.1, 0.1))
    )

    def place(point: Point) -> Point:
        at = (over * lid_frame(layout) * Pos(*point)).position
        return at.X, at.Y, at.Z

    panel, screen = layout.panel, SCREENS[layout.choice.oled]
    ends: dict[tuple[str, str], Point] = {}
    top, deep = panel.screen[1] + screen.above[1] - 2.5, -Design.FLOOR - screen.depth
    for n, contact in enumerate(("GND", "VCC", "SCL", "SDA")):
        ends["OLED", contact] = place((panel.screen[0] + 2.54 * (n - 1.5), top, deep))
    at = {**dict(zip("ABC", panel.letters, strict=True)), "STOP": panel.stop_at}
    for name, (u, v) in at.items():
        depth = panel.stop.depth if name == "STOP" else panel.button.depth
        ends[f"button {name}", "one side"] = place((u - 2.5, v, -depth))
        ends[f"button {name}", "other side"] = place((u + 2.5, v, -depth))
    ends["buzzer", "+"] = (buzzer[0] - 2, buzzer[1], floor + 6)
    ends["buzzer", "-"] = (buzzer[0] + 2, buzzer[1], floor + 6)
    labels = [(name[0], place((u, v, -20.0))) for name, (u, v) in at.items()]
    labels += [("D", place((panel.screen[0] + 20, panel.screen[1], -8.0))), ("P", buzzer)]
    for part, contact, colour, number in _table():
        if part == "lamp":
            continue
        name = "button STOP" if part == "all four buttons" else part
        start, end = _pin(layout, number), ends[name, contact]
        high = 12.0 + 1.3 * (number % 12)
        way = [start, (start[0], start[1], start[2] + high), (end[0], end[1], end[2] + high), end]
        shown.append((_wire(way), _WIRES[colour]))
    for one, other in zip(["A", "B", "C"], ["B", "C", "STOP"], strict=True):  # the buttons' common wire
        a, b = ends[f"button {one}", "other side"], ends[f"button {other}", "other side"]
        up = max(a[2], b[2]) + 4.0
        shown.append((_wire([a, (a[0], a[1], up), (b[0], b[1], up), b]), _WIRES["black"]))
    return Step("step-6-wiring", shown, 0.0, 62.0, Notes(labels, legend=[_WIRING_LEGEND]))


def _table() -> list[tuple[str, str, str, int]]:
    """Return part, contact, colour and pin of every wire in docs/wiring.md."""
    text = (_DOCS / "wiring.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| (\w+) \| (\d+) \|", text, re.MULTILINE)
    return [(part, contact, colour, int(number)) for part, contact, colour, number in rows]


def _board_parts(layout: Layout) -> list[tuple[Part, Colour]]:
    """Return the board, and what stands on a Pi 4; other boards without their connectors."""
    low = layout.board_bottom
    top = low + BOARD_THICKNESS
    made: list[tuple[Part, Colour]] = [(block(layout.board_x, layout.board_y, (low, top)), _GREEN)]
    for left, right, near, far, high, colour in _PARTS_4 if layout.choice.pi == "4" else _PARTS_4[:1]:
        (x0, y0), (x1, y1) = layout.on_board(left, near), layout.on_board(right, far)
        made.append((block((x1, x0), (y1, y0), (top, top + high)), colour))
    for number in range(1, 41):
        x, y, z = _pin(layout, number)
        made.append((block((x - 0.35, x + 0.35), (y - 0.35, y + 0.35), (top + 2.5, z)), _GOLD))
    return made


def _pin(layout: Layout, number: int) -> Point:
    """Return the tip of a pin of the 40-pin header; 1 is at the board's left end, the odd row is the inner one."""
    along, row = divmod(number - 1, 2)
    x, y = layout.on_board(32.5 + 2.54 * (along - 9.5), 52.5 + 2.54 * (row - 0.5))
    return x, y, layout.board_bottom + BOARD_THICKNESS + 8.5


def _wire(points: list[Point], diameter: float = 1.4) -> Part:
    """Return a wire along straight lines between points."""
    made = Part()
    for a, b in pairwise(points):
        middle = tuple((p + q) / 2 for p, q in zip(a, b, strict=True))
        way = tuple(q - p for p, q in zip(a, b, strict=True))
        if math.dist(a, b) > 1e-6:
            made += Plane(middle, z_dir=way).location * Cylinder(diameter / 2, math.dist(a, b))
        made += Pos(*b) * Sphere(diameter / 2)
    return made


def _picture(layout: Layout) -> Decal:
    """Return a screen of the program on the lid's display."""
    (u, v), (wide, high) = layout.panel.screen, SCREENS[layout.choice.oled].active
    frame = lid_frame(layout)
    corner, right, up = (
        np.array(tuple((frame * Pos(*at, 0.05 - Design.FLOOR)).position))
        for at in ((u - wide / 2, v - high / 2), (u + wide / 2, v - high / 2), (u - wide / 2, v + high / 2))
    )
    pixels = np.array(Image.open(_DOCS / "screens/choosing.png").convert("L").resize((128, 64))) / 255.0
    lit = pixels[:, :, None] * np.array([0.75, 0.92, 1.0]) + 0.03
    return Decal(tuple(corner), tuple(right - corner), tuple(up - corner), lit)
