"""The steps of assembly as pictures: new parts are coloured, earlier ones are pale."""

from __future__ import annotations

from typing import NamedTuple

from build123d import Part

from case.assembly import ribbon
from case.layout import Layout
from case.picture import Colour
from case.shapes import Printed

_PALE = (0.80, 0.80, 0.80)
_BOUGHT = {
    "board": (0.05, 0.45, 0.20),
    "camera": (0.05, 0.45, 0.20),
    "tray": (0.42, 0.30, 0.20),
    "felt": (0.06, 0.35, 0.20),
    "screen": (0.10, 0.25, 0.55),
    "STOP": (0.80, 0.10, 0.10),
}
_RIBBON = (0.92, 0.92, 0.85)
_BUTTON = (0.85, 0.85, 0.88)

Shown = list[tuple[Part, Colour]]


class Step(NamedTuple):
    """One picture: its name, its contents, and the view's direction (degrees about the vertical, above the horizon)."""

    name: str
    shown: Shown
    turn: float
    rise: float


_ORDER = [
    ("step-1-console", ["console", "post", "board"], 35.0, 45.0),
    ("step-2-camera", ["arm", "holder", "camera", "ribbon"], 35.0, 25.0),
    ("step-3-lid", ["lid", "screen", "bracket", "A", "B", "C", "STOP"], -20.0, 40.0),
    ("step-4-tray", ["tray", "felt", "lamp", "diffuser"], 35.0, 40.0),
]
"""The parts that each step adds, by the beginning of their names."""


def steps(layout: Layout, parts: list[Printed], others: dict[str, Part]) -> list[Step]:
    """Return a picture for each step of assembly, one of the lid from below, and one of the whole."""
    named: list[tuple[str, Part, Colour]] = [(part.name, copy, part.colour) for part in parts for copy in part.copies]
    named += [("ribbon", piece, _RIBBON) for piece in ribbon(layout)]
    named += [(name, part, _BOUGHT.get(name, _BUTTON)) for name, part in others.items()]
    made: list[Step] = []
    done: list[tuple[str, Part, Colour]] = []
    for name, added, turn, rise in _ORDER:
        new = [item for item in named if any(item[0] == start or item[0].startswith(f"{start}_") for start in added)]
        shown = [(part, _PALE) for _, part, _ in done] + [(part, colour) for _, part, colour in new]
        made.append(Step(name, shown, turn, rise))
        done += new
    inside = [item for item in named if item[0] in ("lid", "screen", "bracket", "A", "B", "C", "STOP")]
    made.insert(-2, Step("step-3-lid-from-below", [(part, colour) for _, part, colour in inside], -20.0, -50.0))
    made.append(Step("assembly", [(part, colour) for _, part, colour in done], 30.0, 28.0))
    return made
