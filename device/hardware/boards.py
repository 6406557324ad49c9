"""The boards with display and buttons: for each kind the settings that suit it, and where its buttons are.

This table is the only place that knows a board. `[board] kind` selects a row, whose settings replace the defaults of
`device/config.py`; a setting in the builder's file still wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

NO_PARTS = {"lamp": {"enabled": False}, "buzzer": {"enabled": False}}
"""A board covers the header: a lamp or a buzzer would need soldering, so the first start does not ask for them."""


class Board(NamedTuple):
    """A kind of board."""

    settings: Mapping[str, Mapping[str, object]] = {}
    """Its settings by section and name, where they differ from the defaults."""
    places: tuple[str, ...] = ()
    """Where A, B, C and STOP are, in signs or as printed beside them; empty if the builder labels them so."""
    has_buttons: bool = True
    """Whether the box has buttons of its own; otherwise phones are its only buttons."""
    is_stick: bool = False
    """Whether A, B and C are the stick's up, press and down, so that in lists B must select and C move down."""


BOARDS = {
    "box": Board(),
    "adafruit-bonnet": Board(
        {"buttons": {"a": 17, "b": 4, "c": 22, "stop": 6, "hold": 5}, **NO_PARTS},
        ("joystick ▲", "joystick ●", "joystick ▼", "#6"),
        is_stick=True,
    ),
    "waveshare-1.3": Board(
        {
            "oled": {"interface": "spi", "type": "sh1106"},
            "buttons": {"a": 21, "b": 20, "c": 16, "stop": 13},
            **NO_PARTS,
        },
        ("KEY1", "KEY2", "KEY3", "joystick ●"),
    ),
    "spi-2.42": Board({"oled": {"interface": "spi"}}),
    "none": Board({"oled": {"interface": "none"}, "speech": {"enabled": True}, **NO_PARTS}, has_buttons=False),
}
"""The kinds of boards, by the values of `[board] kind`."""
