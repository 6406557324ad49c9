"""Dice typed as digits: a roll while the game waits for dice, otherwise a correction of the last roll."""

from __future__ import annotations

from device.referee.inputs import DiceCorrection, DiceRead, Input
from device.referee.playing import dice_wanted
from device.referee.states import Situation

DIGITS = "123456"
DELETE = "\x7f\b"
"""The characters of the key that deletes the last digit; terminals differ."""


class TypedDice:
    """Collects digits until there is one for each die."""

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
