"""Counts how well the box reads the dice of a world that knows what they really show."""

from __future__ import annotations

from typing import Protocol

from device.referee.inputs import DiceRead, Input


class World(Protocol):
    """Dice that can be thrown, and that may know what they show."""

    def throw(self, dice: int = 4) -> tuple[int, ...] | None:
        """Throw so many dice and tell what they show, sorted; None where nobody knows."""


class Tally:
    """Stands between whoever throws and the dice, and listens to what the box reads."""

    def __init__(self, world: World) -> None:
        """Begin to count.

        Args:
            world: The dice.
        """
        self._world = world
        self._truth: tuple[int, ...] | None = None
        self._is_read = True
        self.throws = 0
        self.right = 0
        self.unlabelled = 0
        self.wrong: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        """What was read wrong: what the dice show and what was read."""

    @property
    def read(self) -> int:
        """How many throws were read, rightly or not."""
        return self.right + self.unlabelled + len(self.wrong)

    def throw(self, dice: int = 4) -> None:
        """Throw so many dice."""
        self._truth = self._world.throw(dice)
        self._is_read = False
        self.throws += 1

    def see(self, event: Input) -> None:
        """Listen to the camera's inputs; each throw counts once."""
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
        """Tell the counts in one line, and each wrong reading in one of its own."""
        unknown = f", {self.unlabelled} without a label" if self.unlabelled else ""
        head = (
            f"{self.throws} throws: {self.read} read, {self.throws - self.read} unreadable and thrown again, "
            f"{len(self.wrong)} read wrong{unknown}"
        )
        return "\n".join([head, *(f"  wrong: {_dice(truth)} read as {_dice(read)}" for truth, read in self.wrong)])


def _dice(values: tuple[int, ...]) -> str:
    return "-".join(map(str, values))
