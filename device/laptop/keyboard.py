"""A person at the terminal: keys press the buttons, the terminal shows the OLED and the board."""

from __future__ import annotations

from collections.abc import Callable

from device.hardware.display import ShownDisplay
from device.laptop.table_view import table_view
from device.laptop.terminal import Terminal
from device.referee.inputs import Button, DiceCorrection, DiceRead, Input, Press, WhereIsEverybody
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


def play(session: Session, shown: ShownDisplay, throw: Callable[[], object] | None, notice: Callable[[], str]) -> None:
    """Play until the person quits; the game is stored. Real dice can also be typed as digits, and read again.

    Args:
        session: The running box.
        shown: Its display.
        throw: Rolls simulated dice; None for real dice.
        notice: Returns the last line of text, such as the page's address.
    """
    typed = TypedDice()
    with Terminal() as terminal:
        drawn: object = None
        while True:
            for key in terminal.keys(LOOK_S):
                if key in LEAVE:
                    return
                if throw is None and (event := typed.take(key, session.box.situation)) is not None:
                    session.box.put(event)
                if key == WHERE:
                    session.box.put(WhereIsEverybody())
                elif key in THROW and throw is not None:
                    throw()
                elif key in THROW and session.watcher is not None:
                    session.watcher.read_again()
                elif button := KEYS.get(key.lower()):
                    session.box.put(Press(button, key.isupper()))
            session.check()
            # The size is checked each time, so no signal is needed.
            seen = (shown.picture, session.box.situation, typed.text() or notice(), terminal.size())
            if seen != drawn:
                drawn = seen
                terminal.draw(table_view(*seen, dice_are_simulated=throw is not None))


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
