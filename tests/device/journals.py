"""Games played straight into a journal, as several tests of journals need them."""

from __future__ import annotations

from device.referee.states import Resume, Situation, TooEarly, WatchingTray
from device.referee.transitions import step
from device.storage.journal import Journal
from tests.device.helpers import STOP, C, dice

BEGIN = (C, C, C, C, C, C)
TURN = (dice(2, 3, 4, 5), C, C, STOP, C)
NAME = "journal.sqlite3"


def play(journal: Journal, *events, now: Situation | None = None, strictly: bool = True) -> Situation:
    now = now or journal.situation()
    for event in events:
        outcome = step(now, event)
        assert outcome is not None or not strictly, f"{event} is not accepted in {now.state}"
        if outcome is not None:
            now = outcome.situation
            journal.record(event, now)
    return now


def knows(situation: Situation) -> Situation:
    """A situation without what a start adds to it, or a look into the tray."""
    state = situation.state
    if isinstance(state, Resume | WatchingTray | TooEarly):
        state = state.before
    return Situation(state, situation.game, situation.number)
