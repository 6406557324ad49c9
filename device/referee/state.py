"""What all states of the box have in common: nothing but being one; apart, so that all can name it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class State:
    """A state of the box: what it is doing, and what that needs beside the game. `states.STATES` lists them all."""


@dataclass(frozen=True, slots=True)
class Over(State):
    """A state that lies over another one.

    Attributes:
        before: The state below, where this one leads when it is over, skipped or left.
    """

    before: State
