"""Counts how well the box reads dice whose values are known."""

from __future__ import annotations

from typing import Protocol

from device.referee.inputs import DiceRead, Input


class DiceSource(Protocol):
    """Dice that can be rolled, and whose values may be known."""

    def throw(self, dice: int = 4) -> tuple[int, ...] | None:
        """Roll the given number of dice and return their values, sorted; None if they are unknown."""


class Tally:
    """Wraps the dice, and compares the box's readings with their values."""

    def __init__(self, world: DiceSource) -> None:
        """Start counting.

        Args:
            world: The dice to wrap.
        """
        self._world = world
        self._truth: tuple[int, ...] | None = None
        self._is_read = True
        self.throws = 0
        self.right = 0
        self.unlabelled = 0
        self.wrong: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        """The misread rolls: actual values and values read."""

    @property
    def read(self) -> int:
        """The number of rolls read, correctly or not."""
        return self.right + self.unlabelled + len(self.wrong)

    def throw(self, dice: int = 4) -> None:
        """Roll the given number of dice."""
        self._truth = self._world.throw(dice)
        self._is_read = False
        self.throws += 1

    def see(self, event: Input) -> None:
        """Receive the camera's inputs; each roll counts once."""
        if not isinstance(event, DiceRead) or self._is_read:
            return
        self._is_read = True
        if self._truth is None:
            self.unlabelled += 1
        elif self._truth == event.dice:
            self.right += 1
        else:
            self.wrong.append((self._truth, event.dice))

    def summary(self) -> str:
        """Return the counts in one line, and each wrong reading in another."""
        unknown = f", {self.unlabelled} without a label" if self.unlabelled else ""
        head = (
            f"{self.throws} rolls: {self.read} read, {self.throws - self.read} unreadable and rolled again, "
            f"{len(self.wrong)} read wrong{unknown}"
        )
        return "\n".join([head, *(f"  wrong: {_dice(truth)} read as {_dice(read)}" for truth, read in self.wrong)])


def _dice(values: tuple[int, ...]) -> str:
    return "-".join(map(str, values))
