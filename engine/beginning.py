"""Who begins: one die each, the highest begins, ties roll again (franjos)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import BadRoll, IllegalAction, shown


@dataclass(frozen=True, slots=True)
class RollOff:
    """One round of single dice among those who can still begin.

    Attributes:
        contenders: Who rolls in this round, as players' numbers from 0, in the order of rolling.
        dice: What they have rolled so far in this round.
    """

    contenders: tuple[int, ...]
    dice: tuple[int, ...] = ()

    @property
    def to_roll(self) -> int | None:
        """Whose die is awaited; None once it is decided who begins."""
        return None if self.beginner is not None else self.contenders[len(self.dice)]

    @property
    def beginner(self) -> int | None:
        """Who begins; None while that is open."""
        return self.contenders[0] if len(self.contenders) == 1 else None

    def rolled(self, die: int) -> RollOff:
        """Give the roll-off after the next contender's die; after a round, only the highest are left.

        Raises:
            IllegalAction: If it is decided already who begins.
            BadRoll: If `die` is not 1 to 6.
        """
        if self.to_roll is None:
            raise IllegalAction("it is decided already who begins")
        if type(die) is not int or not 1 <= die <= 6:
            raise BadRoll(f"a die shows 1 to 6, not {shown(die)}")
        dice = (*self.dice, die)
        if len(dice) < len(self.contenders):
            return replace(self, dice=dice)
        highest = max(dice)
        return RollOff(tuple(player for player, die in zip(self.contenders, dice, strict=True) if die == highest))
