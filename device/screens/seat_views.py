"""The screens of seats: the questions before a game, spelling a name, an opponent's turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device.referee.alone import just_played
from device.referee.names import LETTERS, LONGEST, spelt
from device.referee.playing import LINES
from device.referee.seat_states import EnteringName, FewestTurns, Moving, RollingOn, Thinking
from device.referee.setup import Topic, ask
from device.referee.states import GameOver, NewGame, Situation
from device.screens import texts
from device.screens.language import say
from device.screens.parts import called, listed, percent, runner_lines, runners, titled, wrapped
from device.screens.screen import Line, Screen
from engine import Game, Play


def who(game: Game) -> str:
    """Give the title of a turn: the player, and the level of an opponent."""
    if not game.level:
        return titled(game.player)
    return say(texts.SEAT, player=titled(game.player), level=_level(game.level))


def throw(game: Game) -> str:
    """Give the text that asks for a throw: people throw for an opponent."""
    return texts.THROW_FOR if game.level else texts.THROW


def _level(level: str) -> str:
    """Give a level's name; one of another version of the box is called by its key."""
    return say(texts.LEVELS[level]) if level in texts.LEVELS else level


def _new_game(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, NewGame)
    agreed, question = ask(state.answers, state.known)
    assert question is not None
    colour = called(agreed.colours[-1]) if agreed.colours else ""
    title = say(texts.QUESTIONS[question.topic], number=len(agreed.names) + 1, colour=colour)

    def option(answer: str) -> str:
        if question.topic is Topic.SEAT and not answer:
            return say(texts.JUST, colour=colour)
        if question.topic in (Topic.SEAT, Topic.LEVEL) and answer in texts.LEVELS:
            return _level(answer)
        is_number = answer.isdecimal() and not (answer == "1" and question.topic in (Topic.PLAYERS, Topic.COUNT))
        return answer if is_number else say(texts.ANSWERS[answer]) if answer in texts.ANSWERS else called(answer)

    return listed(title, list(map(option, question.options)), state.cursor, say(texts.MENU_KEYS))


def _entering_name(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, EnteringName)
    assert isinstance(state.before, NewGame)
    agreed, _ = ask(state.before.answers, state.before.known)
    shown = spelt(state.letters)
    if len(shown) < LONGEST:
        letter = spelt(state.letters + LETTERS[state.cursor])[-1]
        shown += f"[{letter}]"
    title = say(texts.QUESTIONS["seat"], colour=called(agreed.colours[-1]))
    lines = (Line(shown), Line("", say(texts.TURN_LETTER)), Line("", say(texts.HOLD_C_DONE)))
    return Screen(title, lines, say(texts.STOP_BACK))


def _thinking(now: Situation) -> Screen:
    return Screen(
        titled(now.played.player), (Line(say(texts.THINKS)),), say(texts.HOLD_A_WRONG), now.played.position.roll or ()
    )


def _moving(now: Situation) -> Screen:
    state, game = now.state, now.played
    assert isinstance(state, Moving)
    play = game.steps[-1] if game.steps else None
    title = say(texts.STOPS if state.stops else texts.ROLLS_ON, player=titled(game.player))
    moves: list[Line] = []
    if isinstance(play, Play):
        pairing = "+".join(map(str, play.pairing))
        title = say(texts.TAKES, player=titled(game.player), pairing=pairing)
        moves += runner_lines(game.positions[-2], play)
    lines = (*[*moves, Line(""), Line("")][:2], Line(say(texts.DONE), button="C"))
    return Screen(title, lines, _reason(state, stops=state.stops))


def _rolling_on(now: Situation) -> Screen:
    state, game = now.state, now.played
    assert isinstance(state, RollingOn)
    lines = (
        Line(say(texts.THROW_FOR)),
        Line("", say(texts.READ_AGAIN), "B"),
        Line("", runners(game.position)),
    )
    return Screen(say(texts.ROLLS_ON, player=titled(game.player)), lines, _reason(state, stops=False))


def _reason(state: Moving | RollingOn, *, stops: bool) -> str:
    """Say in a few words why an opponent stops or rolls on."""
    if state.stand_in:
        return say(texts.STAND_IN_STOPS if stops else texts.STAND_IN_ROLLS)
    values = {"loss": percent(state.loss), "spaces": state.at_stake}
    if stops:
        return say(texts.STOPS_WINS) if state.why == "wins" else say(texts.STOPS_RISK, **values)
    plain = {"safe": texts.ROLLS_SAFE, "must": texts.ROLLS_MUST}
    return say(plain[state.why]) if state.why in plain else say(texts.ROLLS_RISK, **values)


def _fewest_turns(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, FewestTurns)
    title, mine = say(texts.FEWEST), just_played(now)
    has_pages = len(state.games or ()) > LINES
    after_game = isinstance(state.before, GameOver)
    footer = say(texts.FEWEST_KEYS if after_game else texts.PAGE_KEYS if has_pages else texts.STOP_BACK)
    if not state.games:
        text = texts.ASKING if state.games is None else texts.NO_FEWEST if state.is_readable else texts.NOT_READABLE
        return Screen(title, tuple(Line("", line) for line in wrapped(say(text), LINES)), footer)
    first = state.page * LINES
    lines = tuple(
        Line(
            f"{one.place}. {one.turns}",
            _level(one.level) if one.level else titled(one.name),
            chosen=one.number == mine,
        )
        for one in state.games[first : first + LINES]
    )
    return Screen(title, lines, footer, scroll=(first, len(state.games)) if has_pages else None)


VIEWS: dict[type[Any], Callable[[Situation], Screen]] = {
    NewGame: _new_game,
    EnteringName: _entering_name,
    Thinking: _thinking,
    Moving: _moving,
    RollingOn: _rolling_on,
    FewestTurns: _fewest_turns,
}
