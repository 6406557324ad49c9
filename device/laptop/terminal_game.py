"""A person at the terminal: keys press the buttons, the terminal shows the OLED and the board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from device.laptop.table_view import table_view
from device.laptop.terminal import Terminal
from device.laptop.typed_dice import TypedDice
from device.referee.inputs import Button
from device.session import Session

LOOK_S = 1 / 15
"""The interval of the terminal's updates in seconds."""

KEYS = {"a": Button.A, "b": Button.B, "c": Button.C, "s": Button.STOP}
"""The keys for the buttons; as capitals they hold the button."""

THROW, LEAVE = (" ", "t"), ("q",)


@dataclass(frozen=True, slots=True)
class Controls:
    """What the keys do and where the terminal's picture comes from.

    Attributes:
        oled: Returns what the display shows: 128x64 pixels, mode "1".
        press: Presses a button, a long time if the second argument is true; must return at once.
        throw: Rolls simulated dice, and returns why that is impossible, or ""; None for real dice.
        read_again: Reads real dice again; None without a camera.
        choose: Takes a key that chooses a camera, and returns whether it did.
        notice: Returns a line of text that is more important than the page's address; "" for none.
    """

    oled: Callable[[], Image.Image]
    press: Callable[[Button, bool], object]
    throw: Callable[[], str] | None = None
    read_again: Callable[[], object] | None = None
    choose: Callable[[str], bool] = lambda _: False
    notice: Callable[[], str] = str


def play(session: Session, controls: Controls, address: str) -> None:
    """Play until the person quits; the game is stored. Real dice can also be typed as digits.

    Args:
        session: The running box.
        controls: What the keys do.
        address: The page's address as a line of text; "" without a page.
    """
    trouble = ""
    typed = TypedDice()
    with Terminal() as terminal:
        drawn: object = None
        while True:
            for key in terminal.keys(LOOK_S):
                if key in LEAVE:
                    return
                if controls.choose(key):
                    continue
                if controls.throw is None and (event := typed.take(key, session.box.situation)) is not None:
                    session.box.put(event)
                if key in THROW and controls.throw is not None:
                    trouble = controls.throw()
                elif key in THROW and controls.read_again is not None:
                    controls.read_again()
                elif button := KEYS.get(key.lower()):
                    controls.press(button, key.isupper())
            session.check()
            notice = typed.text() or trouble or controls.notice() or address
            # The size is checked each time, so no signal is needed.
            seen = (controls.oled(), session.box.situation, notice, terminal.size())
            if seen != drawn:
                drawn = seen
                terminal.draw(table_view(*seen, dice_are_simulated=controls.throw is not None))
