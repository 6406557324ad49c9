"""The story of a game: its luckiest roll, the boldest decision, and the turning point.

The chances to win are those of the strongest opponent's values, as for the statistics of luck.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

from device.referee.inputs import Moment
from device.statistics.people import corrected_roll
from engine import Bust, Game, Rolled, SetTo, Stop, may_stop
from engine.odds import at_stake, loss_chance
from engine.opponents.strongest import fortune


def story(game: Game) -> tuple[Moment, ...]:
    """Return the moments of a finished game of several players, without those that did not occur.

    The luckiest roll gained the most. The boldest decision was to roll instead of stopping at the greatest risk: the
    chance of losing the turn, times the spaces at stake; if nobody ever did, to stop there. The turning point is the
    turn of the winner after which, one round later, the chance to win had grown most.
    """
    turns = Counter[str]()
    lucky: list[Moment] = []
    bold: list[Moment] = []
    rounds: list[list[Moment]] = [[]]  # the winner's turns; a new list begins where the board was set by hand
    for nth, (before, step) in enumerate(zip(game.positions, game.steps, strict=False)):
        player = game.names[before.turn]
        turn = turns[player] + 1
        if isinstance(step, Rolled):
            roll = corrected_roll(game, nth)
            luck = fortune(before, roll)
            lucky.append(Moment("luck", player, turn, roll, luck.before, luck.before + luck.gain))
            if not any(before.runners) and player == game.winner:
                rounds[-1].append(Moment("turn", player, turn, before=luck.before))
        if isinstance(step, Rolled | Stop) and may_stop(before):
            kind = "stop" if isinstance(step, Stop) else "roll"
            bold.append(Moment(kind, player, turn, loss=loss_chance(before), spaces=at_stake(before)))
        if isinstance(step, SetTo):
            rounds.append([])
        turns[player] += isinstance(step, Stop | Bust)
    rounds[-1].append(Moment("", game.player, 0, before=1.0))  # the end
    grown = [replace(one, after=then.before) for some in rounds for one, then in pairwise(some)]
    bold = [one for one in bold if one.loss]
    told = (
        max(lucky, key=_gain, default=None),
        max(bold, key=lambda one: (one.kind == "roll", one.loss * one.spaces), default=None),
        max(grown, key=_gain, default=None),
    )
    return tuple(one for one in told if one is not None)


def _gain(moment: Moment) -> float:
    return moment.after - moment.before
