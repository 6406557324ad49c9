"""Exact odds of the next roll, for any position and variant. Nothing is estimated or simulated.

>>> from engine import parse_position
>>> odds = odds_of(parse_position("3 -/- 1 6:1,7:1,8:1 -"))
>>> odds.bust_rolls, round(100 * odds.bust, 2), odds.at_stake
(104, 8.02, 3)
"""

from engine.odds.busts import ALL_ROLLS, bust_chance, bust_rolls, columns_of, mask_of, moving_columns, weighted_rolls
from engine.odds.forced import loss_chance
from engine.odds.position import Odds, at_stake, moving_rolls, odds_of, top_rolls

__all__ = [
    "ALL_ROLLS",
    "Odds",
    "at_stake",
    "bust_chance",
    "bust_rolls",
    "columns_of",
    "loss_chance",
    "mask_of",
    "moving_columns",
    "moving_rolls",
    "odds_of",
    "top_rolls",
    "weighted_rolls",
]
