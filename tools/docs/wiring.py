"""Draws the wiring picture and its table from the default settings: `make docs`. Tests check that all agree.

The Pi is drawn with its header on the right and the card slot at the top: odd pins on the left, towards the middle of
the board. Each part is drawn on its pins' side, so no wire crosses the header.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import NamedTuple

from device.config import I2C_PINS, Config
from device.screens.views import screen
from tools.docs.screens import situations

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "wiring.md"
SVG = DOCS / "wiring/wiring.svg"
BEGIN, END = "<!-- printed by python -m tools.docs.wiring -->\n", "<!-- end -->\n"

V3, V5, GROUND = "3.3 V", "5 V", "ground"
HEADER = (
    *(V3, V5, 2, V5, 3, GROUND, 4, 14, GROUND, 15, 17, 18, 27, GROUND, 22, 23, V3, 24, 10, GROUND),
    *(9, 25, 11, 8, GROUND, 7, 0, 1, 5, GROUND, 6, 12, 13, GROUND, 19, 16, 26, 20, GROUND, 21),
)
"""The 40 pins in order of their numbers, the same on every board: a BCM number, or the supplied voltage."""

COLOURS = {
    "black": "#1c1c1c",
    "brown": "#8a5a2b",
    "red": "#d62020",
    "orange": "#f28c1e",
    "yellow": "#f5d328",
    "green": "#2fa84f",
    "blue": "#2f6fde",
    "violet": "#8e44c8",
    "grey": "#9a9a9a",
    "white": "#ffffff",
    "pink": "#f48fb8",
}


class Wire(NamedTuple):
    """One wire.

    Attributes:
        part: The part's name in the table.
        contact: The part's contact.
        colour: The colour, a name in `COLOURS`.
        pin: The number on the header, 1 to 40.
        setting: The setting that selects the pin; "" if it is fixed.
    """

    part: str
    contact: str
    colour: str
    pin: int
    setting: str = ""

    @property
    def name(self) -> str:
        """The name of the pin: "GPIO 5", "3.3 V"."""
        return named(self.pin)


def named(pin: int) -> str:
    """Return the name of a pin of the header."""
    at = HEADER[pin - 1]
    return f"GPIO {at}" if isinstance(at, int) else at


def wires(config: Config) -> list[Wire]:
    """Return all wires of a box with these settings, lamp and buzzer included."""

    def gpio(number: int) -> int:
        return HEADER.index(number) + 1

    sda, scl = I2C_PINS[config.oled.bus]
    bus, lamp, buzzer = f"[oled] bus = {config.oled.bus}", config.lamp.pin, config.buzzer.pin
    buttons = zip(config.buttons.pins.items(), ("green", "violet", "brown", "grey"), strict=True)
    return [
        Wire("OLED", "VCC", "orange", 1),
        Wire("OLED", "SDA", "blue", gpio(sda), bus),
        Wire("OLED", "SCL", "yellow", gpio(scl), bus),
        Wire("OLED", "GND", "black", 9),
        *(
            Wire(f"button {button}", "one side", colour, gpio(pin), f"[buttons] {button.lower()} = {pin}")
            for (button, pin), colour in buttons
        ),
        Wire("all four buttons", "other side", "black", 39),
        Wire("lamp", "5 V", "red", 2),
        Wire("lamp", "IN", "white", gpio(lamp), f"[lamp] pin = {lamp}"),
        Wire("lamp", "GND", "black", 34),
        Wire("buzzer", "+", "pink", gpio(buzzer), f"[buzzer] pin = {buzzer}"),
        Wire("buzzer", "-", "black", 14),
    ]


def table(config: Config) -> str:
    """Return the table of all wires, in Markdown."""
    rows = ["| part | contact | wire | header pin | name (BCM) | setting |", "|---|---|---|---|---|---|"]
    for wire in wires(config):
        setting = f"`{wire.setting}`" if wire.setting else ""
        rows.append(f"| {wire.part} | {wire.contact} | {wire.colour} | {wire.pin} | {wire.name} | {setting} |")
    return "\n".join(rows) + "\n"


def with_table(text: str, config: Config) -> str:
    """Return the page with the table for these settings."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + table(config) + END + after


WIDTH, HEIGHT = 1320, 980

Point = tuple[float, float]


class Sheet:
    """A drawing."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def box(
        self, left: float, top: float, right: float, bottom: float, fill: str, *, line: str = "none", radius: float = 0
    ) -> None:
        """Draw a rectangle; `line` is the colour of its border."""
        self._parts.append(
            f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" rx="{radius:g}" '
            f'fill="{fill}" stroke="{line}" stroke-width="2"/>'
        )

    def disc(self, at: Point, radius: float, fill: str, line: str = "none") -> None:
        """Draw a circle."""
        x, y = at
        self._parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{line}" stroke-width="2"/>'
        )

    def wire(self, points: Iterable[Point], colour: str) -> None:
        """Draw a wire: a coloured line with a dark edge, so that white and yellow ones are visible."""
        drawn = " ".join(f"{x:g},{y:g}" for x, y in points)
        for width, stroke in ((9, "#444444"), (6, COLOURS[colour])):
            self._parts.append(
                f'<polyline points="{drawn}" fill="none" stroke="{stroke}" stroke-width="{width}" '
                'stroke-linejoin="round" stroke-linecap="round"/>'
            )

    def text(self, at: Point, text: str, *, size: float = 17, fill: str = "#222222", anchor: str = "middle") -> None:
        """Write a text; its anchor is "start", "middle" or "end"."""
        x, y = at
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="{anchor}" '
            f'dominant-baseline="central">{escape(text)}</text>'
        )

    def svg(self) -> str:
        """Return the drawing as SVG."""
        parts = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'font-family="Helvetica, Arial, sans-serif">\n<title>Wiring of the Can\'t Stop box</title>\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n{parts}\n</svg>\n'
        )


LEFT, RIGHT = 612.0, 648.0
"""The horizontal positions of odd and even pins."""
EDGES = (452.0, 808.0)
TOP, STEP = 130.0, 36.0
GREEN, FREE, LIT = "#1d6b3a", "#8fbf9f", "#96cdff"


def at(pin: int) -> Point:
    """Return the position of a pin of the header."""
    return (LEFT if pin % 2 else RIGHT, TOP + STEP * ((pin - 1) // 2))


def draw(config: Config) -> Sheet:
    """Return the wiring of a box with these settings."""
    sheet, all_wires = Sheet(), wires(config)
    sheet.text((WIDTH / 2, 34), "Wiring of the Can't Stop box", size=28)
    sheet.box(EDGES[0], TOP - 50, EDGES[1], TOP + 19 * STEP + 46, GREEN, radius=14)
    _oled(sheet, [wire for wire in all_wires if wire.part == "OLED"])
    _buttons(sheet, [wire for wire in all_wires if "button" in wire.part])
    _buzzer(sheet, [wire for wire in all_wires if wire.part == "buzzer"])
    _lamp(sheet, [wire for wire in all_wires if wire.part == "lamp"])
    _header(sheet, {wire.pin: wire.colour for wire in all_wires})
    notes = (
        "Unplug the Pi before wiring. Pin 1 is at the end with the card slot, in the row towards the board's middle.",
        "Go by the names printed on your OLED, not by their order: makers differ. Its VCC goes to 3.3 V, never to 5 V.",
        "Colours are only a suggestion. All ground pins are connected inside the Pi: use any of them.",
    )
    for index, note in enumerate(notes):
        sheet.text((24, HEIGHT - 74 + 24 * index), note, size=16, anchor="start")
    return sheet


def _header(sheet: Sheet, used: dict[int, str]) -> None:
    middle = (LEFT + RIGHT) / 2
    sheet.text((middle, TOP - 34), "card slot at this end", size=15, fill="white")
    sheet.text((middle, TOP + 19 * STEP + 32), "USB at this end (none on a Zero)", size=15, fill="white")
    sheet.box(LEFT - 18, TOP - 18, RIGHT + 18, TOP + 19 * STEP + 18, "#111111", radius=4)
    for pin in range(1, len(HEADER) + 1):
        x, y = at(pin)
        fill = COLOURS[used[pin]] if pin in used else "#d8c87a"
        if pin == 1:
            sheet.box(x - 13, y - 13, x + 13, y + 13, fill, line="white")
        else:
            sheet.disc((x, y), 13, fill, "white" if pin in used else "none")
        dark = pin in used and used[pin] in ("black", "blue", "violet", "brown", "red", "green")
        sheet.text((x, y), str(pin), size=14, fill="white" if dark else "#111111")
        side = -1 if pin % 2 else 1
        if pin in used:
            near, far = x + side * 34, x + side * 124
            colour = COLOURS[used[pin]]
            sheet.box(min(near, far), y - 14, max(near, far), y + 14, "#0f3d21", line=colour, radius=6)
            sheet.text(((near + far) / 2, y), named(pin), size=16, fill="white")
        else:
            sheet.text((x + side * 79, y), named(pin), size=14, fill=FREE)


def _oled(sheet: Sheet, all_wires: list[Wire]) -> None:
    heights = [at(wire.pin)[1] for wire in all_wires]
    sheet.text((190, 66), "OLED, 128x64, I2C", size=20)
    sheet.box(70, min(heights) - 40, 310, max(heights) + 40, "#22427c", radius=10)
    left, top, right, bottom = 86, min(heights) + 22, 236, min(heights) + 122
    sheet.box(left, top, right, bottom, "#05070c")
    sheet.box(left, top, right, top + 24, LIT)
    shown = screen(situations()["waiting"])
    sheet.text((left + 6, top + 12), shown.title, size=15, fill="#05070c", anchor="start")
    sheet.text((left + 6, top + 42), shown.lines[0].text, size=20, fill=LIT, anchor="start")
    for line, text in enumerate(shown.text):
        sheet.text((left + 6, top + 68 + 20 * line), text, size=14, fill=LIT, anchor="start")
    for wire in all_wires:
        pin = at(wire.pin)
        sheet.wire((pin, (294, pin[1])), wire.colour)
        sheet.disc((294, pin[1]), 9, "#e8d9a0", "#444444")
        sheet.text((280, pin[1]), wire.contact, size=15, fill="white", anchor="end")


def _buttons(sheet: Sheet, all_wires: list[Wire]) -> None:
    *buttons, ground = all_wires
    heights = [386.0 + 104 * index for index in range(len(buttons))]
    bus, x = 70.0, 200.0
    _, bottom = at(ground.pin)
    sheet.wire((at(ground.pin), (bus, bottom), (bus, heights[0])), ground.colour)
    sheet.text((bus + 30, bottom + 24), "one ground wire for all four", size=16, anchor="start")
    for index, (wire, y) in enumerate(zip(buttons, heights, strict=True)):
        is_stop = index == len(buttons) - 1
        radius = 44 if is_stop else 36
        pin, lane = at(wire.pin), 425.0 - 26 * index
        sheet.wire((pin, (lane, pin[1]), (lane, y), (x + radius + 10, y)), wire.colour)
        sheet.wire(((bus, y), (x - radius - 10, y)), ground.colour)
        for side in (-1, 1):
            sheet.disc((x + side * (radius + 10), y), 7, "#cccccc", "#444444")
        sheet.disc((x, y), radius, "#c62828" if is_stop else "#eceff1", "#444444")
        label = wire.part.removeprefix("button ")
        sheet.text((x, y), label, size=24, fill="white" if is_stop else "#222222")


def _buzzer(sheet: Sheet, all_wires: list[Wire]) -> None:
    heights = [at(wire.pin)[1] for wire in all_wires]
    middle = sum(heights) / len(heights)
    for wire in all_wires:
        pin = at(wire.pin)
        sheet.wire((pin, (985, pin[1])), wire.colour)
        sheet.text((962, pin[1] - 15 if wire.contact == "+" else pin[1] + 17), wire.contact, size=20)
    sheet.box(850, heights[0] - 10, 900, heights[0] + 10, "#e3cfa4", line="#444444", radius=5)
    sheet.text((875, heights[0] - 24), "220 Ohm", size=15)
    sheet.disc((1020, middle), 44, "#2b2b2b", "#777777")
    sheet.disc((1020, middle), 9, "#d9b44a")
    sheet.text((1020, middle - 62), "buzzer, passive (optional)", size=18)


def _lamp(sheet: Sheet, all_wires: list[Wire]) -> None:
    by_contact = {wire.contact: wire for wire in all_wires}
    supply = by_contact.pop("5 V")
    heights = [at(wire.pin)[1] for wire in by_contact.values()]
    top, bottom = min(heights) - 66, max(heights) + 34
    left, right, led, edge = 915.0, 1055.0, 1140.0, 1290.0
    pin, above = at(supply.pin), top - 46
    sheet.wire((pin, (edge - 12, pin[1]), (edge - 12, above), (left + 40, above), (left + 40, top + 14)), supply.colour)
    sheet.wire(((right - 12, top + 34), (led + 12, top + 34)), "red")
    sheet.wire(((right - 12, bottom - 34), (led + 12, bottom - 34)), "black")
    sheet.box(left, top, right, bottom, "#37474f", radius=8)
    sheet.box(led, top, edge, bottom, "#fff8e1", line="#8d8d8d", radius=6)
    for row in range(2):
        for column in range(4):
            x, y = led + 44 + 28 * column, top + 28 + row * (bottom - top - 56)
            sheet.box(x - 9, y - 9, x + 9, y + 9, "#ffd54f", line="#8d8d8d")
    sheet.text(((led + edge) / 2 + 8, (top + bottom) / 2), "LED strips, 5 V", size=17)
    for y, sign in ((top + 34, "+"), (bottom - 34, "-")):
        sheet.text((right - 28, y), sign, size=22, fill="white")
        for x in (right - 12, led + 12):
            sheet.disc((x, y), 7, "#cccccc", "#444444")
    for wire in by_contact.values():
        pin = at(wire.pin)
        sheet.wire((pin, (left + 12, pin[1])), wire.colour)
        sheet.disc((left + 12, pin[1]), 7, "#cccccc", "#444444")
        sheet.text((left + 26, pin[1]), wire.contact, size=15, fill="white", anchor="start")
    sheet.disc((left + 40, top + 14), 7, "#cccccc", "#444444")
    sheet.text((left + 54, top + 14), supply.contact, size=15, fill="white", anchor="start")
    sheet.text(((left + right) / 2, bottom + 20), "MOSFET switch, 3.3 V", size=17)
    sheet.text(((left + edge) / 2, bottom + 46), "lamp (optional): never directly on a pin", size=18)


def main() -> None:
    """Write the picture, and the table in the page."""
    config = Config()
    SVG.parent.mkdir(exist_ok=True)
    SVG.write_text(draw(config).svg(), encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), config), encoding="utf-8")


if __name__ == "__main__":
    main()
