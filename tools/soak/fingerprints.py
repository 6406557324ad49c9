"""Messages from a box under test, through a pipe that outlives it."""

from __future__ import annotations

import hashlib
import json

from device.referee.states import Resume, Situation, WatchingTray
from device.storage.state_text import to_data
from engine import transcript

RESUMED, INTENDS, SHOWN, ENDED = "R", "I", "S", "E"
"""The kinds of messages: found in the journal at the start; about to happen; has happened and is on the screen, each
with a fingerprint; and a game that is over, with its number and transcript as JSON."""


def fingerprint(situation: Situation) -> str:
    """Return 16 letters that identify a situation, apart from what a restart or a look at the tray adds."""
    state = situation.state
    while isinstance(state, Resume | WatchingTray):
        state = state.before
    game = situation.game
    told = (to_data(state), situation.number, None if game is None else transcript(game))
    return hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:16]


class PossibleSituations:
    """The situations that are possible after a kill: the last one shown, or one that was about to follow."""

    def __init__(self) -> None:
        """Start before the first life."""
        self._allowed: set[str] = set()
        self.lost: list[str] = []
        """The fingerprints that were found instead of what had been shown."""

    def hear(self, kind: str, told: str) -> None:
        """Handle a message; the first of a life is the situation that it has resumed."""
        if kind == RESUMED and self._allowed and told not in self._allowed:
            self.lost.append(told)
        self._allowed = self._allowed | {told} if kind == INTENDS else {told}
