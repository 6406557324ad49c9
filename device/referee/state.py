"""The base class of all states, in a module of its own so that every state can refer to it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class State:
    """A state of the box, with the data that it needs in addition to the game. `states.STATES` lists them all."""


@dataclass(frozen=True, slots=True)
class Overlay(State):
    """A state that covers another one.

    Attributes:
        before: The covered state, which follows when this one is finished, skipped or left.
    """

    before: State
