"""Opponents: strategies that take a seat, from a beginner's level upwards.

>>> from engine import Position, parse_position, parse_roll, play_text
>>> opponent = level("Experienced").make()
>>> play_text(opponent.choose(Position.start(2), parse_roll("1-3-5-6")))
'4+11'
>>> opponent.stops(parse_position("3 -/- 1 2:2,3:2,12:2 -"))
True
>>> reason_of(parse_position("3 -/- 1 2:2,3:2,12:2 -"), stops=True).why
<Why.RISK: 'risk'>
"""

from engine.opponents.levels import LEVELS, OPPONENTS, Level, UnknownLevelError, level, level_name, offered
from engine.opponents.simple import Counter, FirstLuck, Hasty
from engine.opponents.strategy import Advice, Reason, Strategy, Why, reason_of
from engine.opponents.weighted import EVOLVED, RULE_OF_28_INNER, RULE_OF_28_OUTER, SetPoints, WeightedSums, Weights

__all__ = [
    "EVOLVED",
    "LEVELS",
    "OPPONENTS",
    "RULE_OF_28_INNER",
    "RULE_OF_28_OUTER",
    "Advice",
    "Counter",
    "FirstLuck",
    "Hasty",
    "Level",
    "Reason",
    "SetPoints",
    "Strategy",
    "UnknownLevelError",
    "WeightedSums",
    "Weights",
    "Why",
    "level",
    "level_name",
    "offered",
    "reason_of",
]
