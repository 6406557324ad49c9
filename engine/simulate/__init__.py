"""Many games at once by numpy: for tournaments and for checks of strategies, not for playing on the box."""

from engine.simulate.games import ROLLS, Games, Options, Turns
from engine.simulate.matches import Outcomes, play_games, play_singly
from engine.simulate.strategies import BatchStrategy, RandomPlay, WeightedSumsBatch, in_batches

__all__ = [
    "ROLLS",
    "BatchStrategy",
    "Games",
    "Options",
    "Outcomes",
    "RandomPlay",
    "Turns",
    "WeightedSumsBatch",
    "in_batches",
    "play_games",
    "play_singly",
]
