"""Who begins: one die each, the highest begins, ties roll again (franjos)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import BadRoll, EngineError, IllegalAction, shown


def _is_die(die: object) -> bool:
    return type(die) is int and 1 <= die <= 6


@dataclass(frozen=True, slots=True)
class RollOff:
    """One round of single dice among the players who can still begin.

    Attributes:
        contenders: The players who roll in this round, numbered from 0, in the order of rolling.
        dice: The dice that they have rolled so far in this round.

    Raises:
        EngineError: If the contenders are not different players.
        BadRoll: If there are no dice, or as many as contenders (the round is then over).
    """

    contenders: tuple[int, ...]
    dice: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        known = isinstance(self.contenders, tuple) and all(type(one) is int and one >= 0 for one in self.contenders)
        if not known or not self.contenders or len(set(self.contenders)) < len(self.contenders):
            raise EngineError(f"contenders are different players' numbers from 0, not {shown(self.contenders)}")
        if (
            not isinstance(self.dice, tuple)
            or not all(map(_is_die, self.dice))
            or len(self.dice) >= len(self.contenders)
        ):
            raise BadRoll(f"a round's dice show 1 to 6, fewer than its contenders, not {shown(self.dice)}")

    @property
    def to_roll(self) -> int | None:
        """The player who rolls next; None once it is decided who begins."""
        return None if self.beginner is not None else self.contenders[len(self.dice)]

    @property
    def beginner(self) -> int | None:
        """The player who begins; None until that is decided."""
        return self.contenders[0] if len(self.contenders) == 1 else None

    def rolled(self, die: int) -> RollOff:
        """Return the roll-off after the next contender's die; after a round, only the highest are left.

        Raises:
            IllegalAction: If it is already decided who begins.
            BadRoll: If `die` is not 1 to 6.
        """
        if self.to_roll is None:
            raise IllegalAction("it is already decided who begins")
        if not _is_die(die):
            raise BadRoll(f"a die shows 1 to 6, not {shown(die)}")
        dice = (*self.dice, die)
        if len(dice) < len(self.contenders):
            return RollOff(self.contenders, dice)
        highest = max(dice)
        return RollOff(tuple(player for player, die in zip(self.contenders, dice, strict=True) if die == highest))
