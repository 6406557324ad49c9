"""Who leaves, returns or joins during a game."""

from __future__ import annotations

from dataclasses import replace

from device.referee import playing, putting_back, states
from device.referee.questions import JOINS, LEAVES, MARKERS_STAY, Topic, answered, ask
from device.referee.states import ChangingSeats, Situation
from engine import Joins, Leaves, Returns, SeatChange


def change(situation: Situation, state: ChangingSeats) -> Situation:
    """Change the seats as the answers say; then show which pieces to move on the real board."""
    game = situation.played.do(_answered(state))
    after = replace(situation, game=game, state=playing.state_of(game))
    real = replace(situation, state=state.before)
    if isinstance(state.before, playing.TELL_LAST_STEP):
        # Its message is gone, so what it said to move may still be due.
        was = situation.played.positions[-2]
        real = replace(real, state=states.PutBack(state.before, was.markers, was.runners))
    return putting_back.then(after, real)


def _answered(state: ChangingSeats) -> SeatChange:
    """Return the change that the answers mean."""
    told = answered(state)
    kind, _, player = told[Topic.CHANGE].partition(" ")
    if kind == JOINS:
        agreed, _ = ask(state)
        return Joins(agreed.names[-1], agreed.colours[-1], agreed.levels[-1])
    if kind == LEAVES:
        return Leaves(int(player), told[Topic.LEFT] == MARKERS_STAY)
    return Returns(int(player))
