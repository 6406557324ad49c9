"""Games played straight into a journal, as several tests of journals need them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from device.referee.states import TRANSIENT_STATES, GameOver, Resume, Situation, Waiting
from device.referee.transition_table import step
from device.storage.journal import Journal
from engine import Game, SetTo, parse_position
from tests.device.helpers import STOP, C, dice

BEGIN = (C, C, C, C, C, C)
TURN = (dice(2, 3, 4, 5), C, C, STOP, C)
NAME = "journal.txt"
WON = Game.new(["yellow", "orange"]).do(SetTo(parse_position("3 7:13,8:11,12:3/- 1 - -")))


def won(number: int) -> Situation:
    """A game with this number that yellow has won."""
    return Situation(GameOver(), WON, number)


def begun(number: int) -> Situation:
    """A game with this number in which nothing has been rolled."""
    return Situation(Waiting(), Game.new(["yellow", "orange"]), number)


def leave_journal(file: Path, *situations: Situation) -> None:
    """Leave a journal in which these situations were recorded, one after another."""
    with closing(Journal(file)) as journal:
        for situation in situations:
            journal.record("made", situation)


def play(journal: Journal, *events, now: Situation | None = None, strictly: bool = True) -> Situation:
    now = now or journal.situation()
    for event in events:
        outcome = step(now, event)
        assert outcome is not None or not strictly, f"{event} is not accepted in {now.state}"
        if outcome is not None:
            now = outcome.situation
            journal.record(event, now)
    return now


def next_game(journal: Journal, now: Situation | None = None) -> Situation:
    """Begin a game, the first or one after another, by pressing C, and play a turn."""
    now = play(journal, C, now=now)
    while not isinstance(now.state, Waiting):
        now = play(journal, C, now=now)
    return play(journal, *TURN, now=now)


def knows(situation: Situation) -> Situation:
    """Return a situation without the states that a start adds or that a journal does not store."""
    state = situation.state
    while isinstance(state, (Resume, *TRANSIENT_STATES)):
        state = state.before
    return Situation(state, situation.game, situation.number)
