"""The odds on the screens, for players who want them: while they decide, and after the turn."""

from __future__ import annotations

from dataclasses import replace

from device.referee.playing import odds_after_turn
from device.referee.states import Situation
from device.screens import texts
from device.screens.language import say
from device.screens.parts import percent
from device.screens.screen import Line, Screen
from engine import Bust, Game, Position, Rolled, SetTo, Stop, stop_wins
from engine.odds import at_stake, bust_chance, loss_chance, odds_of


def deciding(now: Situation, shown: Screen) -> Screen:
    """Put the odds of the next roll into the deciding screen."""
    if now.preferences.odds != "on":
        return shown
    position = now.played.position
    odds = odds_of(position)
    (head,), below = shown.lines, shown.text[-1]
    if not odds.may_stop:
        head, below = Line(say(texts.ODDS_UNTIL_STOP, safe=percent(odds.safe))), shown.text[0]
    elif not stop_wins(position):
        head, below = Line(say(texts.ODDS_SAFE, safe=percent(odds.safe))), head.text
    rest = say(texts.ODDS_REST, spaces=odds.at_stake, top=percent(odds.top))
    return replace(shown, lines=(head, Line(rest)), text=(below,))


def stopped(now: Situation, title: str) -> Screen:
    """Return the screen that says after a stop what was risked, and what one more roll would have risked."""
    risk = percent(_risked(now.played))
    loss = percent(loss_chance(now.played.positions[-2]))
    text = say(texts.RISKED, risk=risk), say(texts.ONE_MORE, loss=loss)
    return Screen(title, (Line(), Line(), Line(say(texts.DONE), say(texts.OR_THROW), "C")), text=text)


def busted(now: Situation, shown: Screen) -> Screen:
    """Tell after a bust how likely it was and what it cost, where the player could have stopped before."""
    rolled = _last_roll(now.played)
    if not odds_after_turn(now) or rolled is None or not any(rolled.runners):
        return shown
    was = say(texts.IT_WAS, loss=percent(loss_chance(rolled)), spaces=at_stake(rolled))
    runners_off, _, done = shown.lines
    return replace(shown, lines=(runners_off, Line(was), done))


def _last_roll(game: Game) -> Position | None:
    """Return the position in which the dice were rolled last; None where the last roll was set by hand."""
    for before, step in zip(reversed(game.positions[:-1]), reversed(game.steps), strict=True):
        if isinstance(step, Rolled):
            return before
        if isinstance(step, SetTo):
            break
    return None


def _risked(game: Game) -> float:
    """The chance of a bust that the player took in the turn just ended, by rolling where it could have stopped."""
    safe = 1.0
    for before, step in list(zip(reversed(game.positions[:-1]), reversed(game.steps), strict=True))[1:]:
        if isinstance(step, Stop | Bust | SetTo):
            break
        if isinstance(step, Rolled) and any(before.runners):
            safe *= 1 - bust_chance(before)
    return 1 - safe
