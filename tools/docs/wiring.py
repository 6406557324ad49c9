"""Writes the wiring table from the default settings: `make docs`. Tests check that it and the picture agree with them.

The picture, docs/wiring/wiring.svg, is changed by hand. The Pi has its header on the right and the card slot at the
top: odd pins on the left, towards the middle of the board. Each part is on its pins' side, so no wire crosses it.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from device.config import I2C_PINS, Config

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


class Wire(NamedTuple):
    """One wire.

    Attributes:
        part: The part's name in the table.
        contact: The part's contact.
        colour: The name of its colour.
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


def main() -> None:
    """Write the table into the page."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), Config()), encoding="utf-8")


if __name__ == "__main__":
    main()
