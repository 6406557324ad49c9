"""Simulation of many games at once with NumPy, for tournaments and for testing strategies. The box does not use it."""

from engine.simulate.batch_strategies import BatchStrategy, RandomPlay, WeightedSumsBatch, in_batches
from engine.simulate.games import ROLLS, Games, Options, Turns
from engine.simulate.matches import Outcomes, play_games, play_singly

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
