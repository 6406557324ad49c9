"""A person at the terminal: keys press the buttons, the terminal shows the OLED and the board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from device.laptop.table_view import table_view
from device.laptop.terminal import Terminal
from device.referee.inputs import Button, DiceCorrection, DiceRead, Input, WhereIsEverybody
from device.referee.playing import dice_wanted
from device.referee.states import Situation
from device.session import Session

LOOK_S = 1 / 15
"""The interval of the terminal's updates in seconds."""

KEYS = {"a": Button.A, "b": Button.B, "c": Button.C, "s": Button.STOP}
"""The keys for the buttons; as capitals they hold the button."""

THROW, LEAVE, WHERE = (" ", "t"), ("q",), "w"

DIGITS = "123456"
DELETE = "\x7f\b"
"""The characters of the key that deletes the last digit; terminals differ."""


@dataclass(frozen=True, slots=True)
class Controls:
    """What the keys do and where the terminal's picture comes from.

    Attributes:
        oled: Returns what the display shows: 128x64 pixels, mode "1".
        press: Presses a button, a long time if the second argument is true; must return at once.
        throw: Rolls simulated dice; None for real dice.
        read_again: Reads real dice again; None without a camera.
        notice: Returns a line of text that is more important than the page's address; "" for none.
    """

    oled: Callable[[], Image.Image]
    press: Callable[[Button, bool], object]
    throw: Callable[[], object] | None = None
    read_again: Callable[[], object] | None = None
    notice: Callable[[], str] = str


def play(session: Session, controls: Controls, address: str) -> None:
    """Play until the person quits; the game is stored. Real dice can also be typed as digits.

    Args:
        session: The running box.
        controls: What the keys do.
        address: The page's address as a line of text; "" without a page.
    """
    typed = TypedDice()
    with Terminal() as terminal:
        drawn: object = None
        while True:
            for key in terminal.keys(LOOK_S):
                if key in LEAVE:
                    return
                if controls.throw is None and (event := typed.take(key, session.box.situation)) is not None:
                    session.box.put(event)
                if key == WHERE:
                    session.box.put(WhereIsEverybody())
                elif key in THROW and controls.throw is not None:
                    controls.throw()
                elif key in THROW and controls.read_again is not None:
                    controls.read_again()
                elif button := KEYS.get(key.lower()):
                    controls.press(button, key.isupper())
            session.check()
            notice = typed.text() or controls.notice() or address
            # The size is checked each time, so no signal is needed.
            seen = (controls.oled(), session.box.situation, notice, terminal.size())
            if seen != drawn:
                drawn = seen
                terminal.draw(table_view(*seen, dice_are_simulated=controls.throw is not None))


class TypedDice:
    """Dice typed as digits: a roll while the game waits for dice, otherwise a correction of the last roll."""

    def __init__(self) -> None:
        """Start without digits."""
        self._typed: list[int] = []

    def take(self, key: str, situation: Situation) -> Input | None:
        """Take a key.

        Args:
            key: One of `DIGITS` or `DELETE`; any other key drops the digits typed so far.
            situation: What the game waits for.

        Returns:
            The input once all dice are typed.
        """
        if key not in DIGITS:
            self._typed = self._typed[:-1] if key in DELETE else []
            return None
        self._typed.append(int(key))
        wanted = dice_wanted(situation.state)
        if len(self._typed) < (wanted or 4):
            return None
        dice, self._typed = tuple(sorted(self._typed)), []
        if wanted:
            return DiceRead(dice)
        steps = 0 if situation.game is None else len(situation.game.steps)
        return DiceCorrection(dice, situation.number, steps)

    def text(self) -> str:
        """Return the digits typed so far; "" for none."""
        return "-".join(map(str, self._typed))
