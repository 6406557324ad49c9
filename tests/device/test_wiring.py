"""The wiring picture and its table are those of the default settings."""

from __future__ import annotations

import re
from dataclasses import replace

from device.config import ButtonsConfig, Config
from tools.docs.wiring import HEADER, PAGE, SVG, table, wires, with_table

COLOURS = {
    "black": "#1c1c1c", "brown": "#8a5a2b", "red": "#d62020", "orange": "#f28c1e", "yellow": "#f5d328",
    "green": "#2fa84f", "blue": "#2f6fde", "violet": "#8e44c8", "grey": "#9a9a9a", "white": "#ffffff",
    "pink": "#f48fb8",
}  # fmt: skip


def test_the_wiring_picture_has_a_wire_at_each_default_pin_in_its_colour_and_its_name_beside_it():
    drawing = SVG.read_text(encoding="utf-8")
    drawn = set(re.findall(r'points="((?:612|648),\d+) .+ stroke="(#\w+)" stroke-width="6"', drawing))
    assert drawn == {(at(wire.pin), COLOURS[wire.colour]) for wire in wires(Config())}
    texts = re.findall(r'<text x="([\d.]+)" y="(\d+)" [^>]*>((?:GPIO )?[\w. ]+)</text>', drawing)
    for wire in wires(Config()):
        side, height = (range(600), range(660, 1320))[wire.pin % 2 == 0], at(wire.pin).partition(",")[2]
        assert any(float(x) in side and (y, text) == (height, wire.name) for x, y, text in texts), wire


def at(pin: int) -> str:
    """Return where the picture has a pin of the header."""
    row, is_right = divmod(pin - 1, 2)
    return f"{(612, 648)[is_right]},{130 + 36 * row}"


def test_the_wiring_page_has_the_table_of_the_default_settings():
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text, Config()) == text, "run: make docs"


def test_another_pin_changes_the_table():
    config = Config(buttons=replace(ButtonsConfig(), a=22))
    assert "| button A | one side | green | 15 | GPIO 22 | `[buttons] a = 22` |" in table(config)


def test_every_wire_has_its_own_pin_of_the_right_kind():
    drawn = wires(Config())
    assert len({wire.pin for wire in drawn}) == len(drawn)
    needed = {"VCC": "3.3 V", "GND": "ground", "other side": "ground", "-": "ground", "5 V": "5 V"}
    for wire in drawn:
        assert wire.name == needed.get(wire.contact, wire.name)
        assert wire.contact in needed or wire.name.startswith("GPIO")


def test_the_header_has_forty_pins_with_each_gpio_once():
    assert len(HEADER) == 40
    assert sorted(at for at in HEADER if isinstance(at, int)) == list(range(28))
