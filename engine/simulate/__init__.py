"""Simulation of many games at once with numpy, for tournaments and checks of strategies, not for the box."""

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
