"""Exact odds of the next roll, for any position and variant. Nothing is estimated or simulated.

>>> from engine import parse_position
>>> position = parse_position("3 -/- 1 6:1,7:1,8:1 -")
>>> round(100 * bust_chance(position), 2), at_stake(position)
(8.02, 3)
"""

from engine.odds.busts import ALL_ROLLS, at_stake, bust_chance, mask_of, moving_columns, weighted_rolls
from engine.odds.forced import loss_chance

__all__ = ["ALL_ROLLS", "at_stake", "bust_chance", "loss_chance", "mask_of", "moving_columns", "weighted_rolls"]
