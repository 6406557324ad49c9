"""Messages from a box under test: fingerprints of situations, through a pipe that outlives it."""

from __future__ import annotations

import hashlib
import json
import os

from device.referee.states import Resume, Situation, WatchingTray
from device.storage.journal import Journal
from device.storage.state_text import to_data
from engine import action_text

RESUMED, INTENDS, SHOWN = "R", "I", "S"
"""The kinds of messages: found in the journal at the start; about to happen; has happened and is on the screen."""


def fingerprint(situation: Situation) -> str:
    """Return 16 letters that identify a situation, apart from what a restart or a look at the tray adds."""
    state = situation.state
    while isinstance(state, Resume | WatchingTray):
        state = state.before
    game = situation.game
    told = (
        to_data(state),
        situation.number,
        None if game is None else (game.names, list(map(action_text, game.steps))),
    )
    return hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:16]


class FingerprintWriter:
    """The box's end of the pipe. A message is one write: a kill leaves all of it or nothing."""

    def __init__(self, pipe: int, journal: Journal) -> None:
        """Send the situation found in the journal.

        Args:
            pipe: The file descriptor to write to.
            journal: The journal, just opened.
        """
        self._pipe = pipe
        self._last = ""
        self.tell(RESUMED, fingerprint(journal.situation()))

    def tell(self, kind: str, what: str) -> None:
        """Send a message, unless it equals the one before."""
        message = f"{kind} {what}\n"
        if message != self._last:
            self._last = message
            os.write(self._pipe, message.encode())


class PossibleSituations:
    """The situations that are possible after a kill: the last one shown, or one that was about to follow."""

    def __init__(self) -> None:
        """Start before the first life."""
        self._allowed: set[str] = set()
        self.resumed = 0
        self.lost: list[str] = []
        self.is_up = False
        """Whether the last box has started."""

    def hear(self, messages: str) -> None:
        """Handle the messages of one box from its start to its kill; an incomplete one is ignored."""
        self.is_up = RESUMED in messages
        self.hear_more(messages.split("\n")[:-1])

    def hear_more(self, messages: list[str]) -> None:
        """Handle complete messages as they come; the first of a box is the situation that it has resumed."""
        for message in messages:
            kind, what = message.split(" ")
            if kind == RESUMED:
                self.is_up = True
                self.resumed += 1
                if self._allowed and what not in self._allowed:
                    self.lost.append(what)
                self._allowed = {what}
            elif kind == INTENDS:
                self._allowed.add(what)
            else:
                self._allowed = {what}
