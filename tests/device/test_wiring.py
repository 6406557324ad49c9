"""The wiring picture and its table are those of the default settings."""

from __future__ import annotations

from dataclasses import replace

from device.config import ButtonsConfig, Config
from tools.docs.wiring import HEADER, PAGE, SVG, draw, table, wires, with_table


def test_the_wiring_picture_shows_the_default_settings():
    assert SVG.read_text(encoding="utf-8") == draw(Config()).svg(), "run: make docs"


def test_the_wiring_page_has_the_table_of_the_default_settings():
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text, Config()) == text, "run: make docs"


def test_another_pin_changes_picture_and_table():
    config = Config(buttons=replace(ButtonsConfig(), a=22))
    assert draw(config).svg() != draw(Config()).svg()
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
