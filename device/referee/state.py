"""What all states of the box have in common: nothing but being one; apart, so that all can name it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class State:
    """A state of the box: what it is doing, and what that needs beside the game. `states.STATES` lists them all."""
