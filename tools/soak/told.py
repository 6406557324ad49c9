"""What a box under test tells whoever watches it: fingerprints of situations, through a pipe that outlives it."""

from __future__ import annotations

import hashlib
import json
import os

from device.referee.states import Resume, Situation, WatchingTray
from device.storage.journal import Journal
from device.storage.rows import steps
from device.storage.state_codec import to_data

RESUMED, INTENDS, SHOWN = "R", "I", "S"
"""The kinds of messages: found in the journal at the start; is about to happen; has happened and is on the screen."""


def fingerprint(situation: Situation) -> str:
    """Return 16 letters that tell one situation from another, apart from what a start or a look into the tray adds."""
    state = situation.state
    while isinstance(state, Resume | WatchingTray):
        state = state.before
    game = situation.game
    told = (to_data(state), situation.number, None if game is None else (game.names, list(steps(game.steps))))
    return hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:16]


class Teller:
    """The box's end of the pipe. A message is one write: a kill leaves all of it or nothing."""

    def __init__(self, pipe: int, journal: Journal) -> None:
        """Tell what the journal has given back.

        Args:
            pipe: The file descriptor to write to.
            journal: Just opened.
        """
        self._pipe = pipe
        self._last = ""
        self.tell(RESUMED, fingerprint(journal.situation()))

    def tell(self, kind: str, what: str) -> None:
        """Send a message, if it is not just the one before."""
        message = f"{kind} {what}\n"
        if message != self._last:
            self._last = message
            os.write(self._pipe, message.encode())


class Ledger:
    """What may be there after a kill: the situation shown last, or one that was about to follow it."""

    def __init__(self) -> None:
        """Begin before the first start."""
        self._allowed: set[str] = set()
        self.resumed = 0
        self.lost: list[str] = []
        self.is_up = False
        """Whether the last box has started."""

    def hear(self, messages: str) -> None:
        """Take in what one box has told from its start to its kill; a message that was cut off is none."""
        self.is_up = RESUMED in messages
        self.hear_more(messages.split("\n")[:-1])

    def hear_more(self, messages: list[str]) -> None:
        """Take in whole messages as they come; the first of a box is what it has resumed with."""
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
