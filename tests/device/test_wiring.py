"""The wiring page: its table and its picture are those of the default settings, and of the header on every board."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from device.config import I2C_PINS, Config
from device.hardware import pins

DOCS = Path(__file__).parents[2] / "docs"
V3, V5, GROUND = "3.3 V", "5 V", "ground"
HEADER = (
    *(V3, V5, 2, V5, 3, GROUND, 4, 14, GROUND, 15, 17, 18, 27, GROUND, 22, 23, V3, 24, 10, GROUND),
    *(9, 25, 11, 8, GROUND, 7, 0, 1, 5, GROUND, 6, 12, 13, GROUND, 19, 16, 26, 20, GROUND, 21),
)
"""The 40 pins in order of their numbers, the same on every board: a BCM number, or the supplied voltage."""

COLOURS = {
    "black": "#1c1c1c", "brown": "#8a5a2b", "red": "#d62020", "orange": "#f28c1e", "yellow": "#f5d328",
    "green": "#2fa84f", "blue": "#2f6fde", "violet": "#8e44c8", "grey": "#9a9a9a", "white": "#ffffff",
    "pink": "#f48fb8",
}  # fmt: skip


class Wire(NamedTuple):
    """A row of the table."""

    part: str
    contact: str
    colour: str
    pin: str
    name: str
    setting: str

    @property
    def at(self) -> tuple[str, str]:
        """The place of its pin in the picture: odd pins are on the left."""
        row, is_right = divmod(int(self.pin) - 1, 2)
        return ("612", "648")[is_right], str(130 + 36 * row)


def wires() -> list[Wire]:
    rows = re.findall(r"^" + 6 * r"\| (.*?) " + r"\|$", (DOCS / "wiring.md").read_text(encoding="utf-8"), re.MULTILINE)
    return [Wire(*(cell.strip(" `") for cell in row)) for row in rows[1:]]


def test_every_wire_has_its_own_pin_of_the_right_kind_and_name():
    needed = {"VCC": V3, "GND": GROUND, "other side": GROUND, "-": GROUND, "5 V": V5}
    assert len({wire.pin for wire in wires()}) == len(wires()) == 14
    for wire in wires():
        at = HEADER[int(wire.pin) - 1]
        assert wire.name == (f"GPIO {at}" if isinstance(at, int) else at), wire
        assert wire.name == needed[wire.contact] if wire.contact in needed else wire.setting, wire


def test_the_table_has_the_default_settings():
    config = Config()
    free = [wire for wire in wires() if wire.setting and wire.part != "OLED"]
    pins = {wire.setting: int(wire.name.removeprefix("GPIO ")) for wire in free}
    buttons = {f"[buttons] {button.lower()} = {pin}": pin for button, pin in config.buttons.pins.items()}
    others = {f"[{part}] pin = {pin}": pin for part, pin in (("lamp", config.lamp.pin), ("buzzer", config.buzzer.pin))}
    assert pins == buttons | others
    bus = {wire.contact: (wire.name, wire.setting) for wire in wires() if wire.part == "OLED" and wire.setting}
    names = zip(("SDA", "SCL"), I2C_PINS[config.oled.bus], strict=True)
    assert bus == {contact: (f"GPIO {pin}", f"[oled] bus = {config.oled.bus}") for contact, pin in names}


def test_the_display_with_seven_pins_is_wired_to_the_pins_that_the_box_uses():
    text = (DOCS / "wiring.md").read_text(encoding="utf-8").partition("## A display with seven pins")[2]
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| ([^|]+) \|$", text, re.MULTILINE)
    assert [(f"GPIO {at}" if isinstance(at := HEADER[int(pin) - 1], int) else at) for _, pin, _ in rows] == [
        name for _, _, name in rows
    ]
    used = {contact.split(" or ")[0].split(",")[0]: name.removeprefix("GPIO ") for contact, _, name in rows}
    clock, data, enable = "11", "10", "8"  # SCLK, MOSI and CE0 of SPI 0 on every board
    assert used == {
        "VCC": V3, "GND": GROUND, "SCL": clock, "SDA": data, "RES": str(pins.OLED_RESET), "DC": str(pins.OLED_DC),
        "CS": enable,
    }  # fmt: skip


def test_the_picture_has_a_wire_at_each_of_these_pins_in_its_colour_and_its_name_beside_it():
    drawing = (DOCS / "wiring/wiring.svg").read_text(encoding="utf-8")
    drawn = re.findall(r'points="(612|648),(\d+) .+ stroke="(#\w+)" stroke-width="6"', drawing)
    assert sorted(drawn) == sorted((*wire.at, COLOURS[wire.colour]) for wire in wires())
    texts = re.findall(r'<text x="([\d.]+)" y="(\d+)" [^>]*>([^<]+)</text>', drawing)
    for wire in wires():
        left, height = wire.at
        beside = [text for x, y, text in texts if y == height and (float(x) < 612) == (left == "612")]
        assert wire.name in beside, wire
