"""The odds on the screens, if the players want them: during a decision and after the turn."""

from __future__ import annotations

from dataclasses import replace

from device.referee.playing import odds_after_turn
from device.referee.states import Situation
from device.screens import texts
from device.screens.language import say
from device.screens.screen import Line, Screen
from device.screens.widgets import percent
from engine import Bust, Game, Position, Rolled, SetTo, Stop, may_stop, stop_wins
from engine.odds import at_stake, bust_chance, loss_chance


def deciding(now: Situation, shown: Screen) -> Screen:
    """Return the deciding screen with the odds of the next roll."""
    if now.preferences.odds != "on":
        return shown
    position = now.played.position
    loss = percent(loss_chance(position))
    (head,), below = shown.lines, shown.text[-1]
    if not may_stop(position):
        head, below = Line(say("Bust first: {loss}%", loss=loss)), shown.text[0]
    elif not stop_wins(position):
        head, below = Line(say("Bust: {loss}%", loss=loss)), head.text
    stake = Line(say("Could lose {spaces}", spaces=at_stake(position)))
    return replace(shown, lines=(head, stake), text=(below,))


def stopped(now: Situation, title: str) -> Screen:
    """Return the screen after a stop with the risk that was taken, and that of one more roll."""
    risk = percent(_risked(now.played))
    loss = percent(loss_chance(now.played.positions[-2]))
    text = say("Risk taken: {risk}%", risk=risk), say("One more: {loss}% bust", loss=loss)
    return Screen(title, (Line(), Line(), Line(say(texts.DONE), say(texts.OR_THROW), "C")), text=text)


def busted(now: Situation, shown: Screen) -> Screen:
    """Return the screen after a bust with its probability and its cost, if the player could have stopped before."""
    rolled = _last_roll(now.played)
    if not odds_after_turn(now) or rolled is None or not any(rolled.runners):
        return shown
    was = say(texts.RISKS, loss=percent(loss_chance(rolled)), spaces=at_stake(rolled))
    runners_off, _, done = shown.lines
    return replace(shown, lines=(runners_off, Line(was), done))


def _last_roll(game: Game) -> Position | None:
    """Return the position of the last roll; None if that roll was entered by hand."""
    for before, step in zip(reversed(game.positions[:-1]), reversed(game.steps), strict=True):
        if isinstance(step, Rolled):
            return before
        if isinstance(step, SetTo):
            break
    return None


def _risked(game: Game) -> float:
    """Return the chance of a bust, 0 to 1, taken in the last turn by rolling when a stop was allowed."""
    safe = 1.0
    for before, step in list(zip(reversed(game.positions[:-1]), reversed(game.steps), strict=True))[1:]:
        if isinstance(step, Stop | Bust | SetTo):
            break
        if isinstance(step, Rolled) and any(before.runners):
            safe *= 1 - bust_chance(before)
    return 1 - safe
