"""Opponents: strategies that take a seat, from a beginner's level upwards.

>>> from engine import Position, parse_position, parse_roll, play_text
>>> opponent = level("Experienced").make()
>>> play_text(opponent.choose(Position.start(2), parse_roll("1-3-5-6")))
'4+11'
>>> opponent.stops(parse_position("3 -/- 1 2:2,3:2,12:2 -"))
True
"""

from engine.opponents.levels import LEVELS, OPPONENTS, Level, UnknownLevelError, level, level_name
from engine.opponents.strategy import Advice, Strategy

__all__ = ["LEVELS", "OPPONENTS", "Advice", "Level", "Strategy", "UnknownLevelError", "level", "level_name"]
