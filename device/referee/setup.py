"""The questions before a game, and the roll-off. STOP goes back one question."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from enum import StrEnum

from device.referee.inputs import DiceRead, Press
from device.referee.players import COLOURS
from device.referee.states import Begins, EnteringName, NewGame, RollingOff, Situation, Waiting
from engine import FEWEST_COLUMNS_TO_WIN, MOST_COLUMNS_TO_WIN, FastStart, Game, RollOff, Variants
from engine.opponents import OPPONENTS, level, offered

MARKERS = ("", "no stop on a marker", "leap")
"""The effect of another player's marker: none, or one of the two variants that exclude each other."""

ONE_DIE_EACH = "dice"
"""The answer to "who begins" that starts a roll-off."""


class Topic(StrEnum):
    """The subject of a question."""

    PLAYERS = "players"
    COLOUR = "colour"
    RULES = "rules"
    COLUMNS = "columns"
    FAST_START = "fast start"
    MARKERS = "markers"
    BEGINS = "begins"
    COUNT = "count"
    SEAT = "seat"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its subject and the possible answers."""

    topic: Topic
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameSettings:
    """The answers so far."""

    names: tuple[str, ...] = ()
    columns_to_win: int = FEWEST_COLUMNS_TO_WIN
    variants: tuple[str, ...] = ()
    begins: str = ""
    colours: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()


SOLO, SEATS = "solo", "seats"
"""Answers to the number of players: one person against an opponent; or each seat with a name or an opponent."""

NEW_NAME = "new name"
"""The answer to "who plays?" that lets the players enter a name."""

BASE_RULES, CHOOSE_VARIANTS = "base rules", "variants"


def ask(answers: tuple[int, ...], known: tuple[str, ...] = ()) -> tuple[GameSettings, Question | None]:
    """Return what the answers determine, and the next question; None once all are answered.

    The answers are indices into each question's options; `known` are the names that can be chosen.
    """
    asked = _ask(known)
    agreed, question = next(asked)
    for index in answers:
        assert question is not None
        agreed, question = asked.send(question.options[index])
    return agreed, question


def _ask(known: tuple[str, ...]) -> Generator[tuple[GameSettings, Question | None], str, None]:
    """Yield the settings so far and a question; receive its answer."""
    agreed = GameSettings()
    who = yield agreed, Question(Topic.PLAYERS, (*map(str, MOST_COLUMNS_TO_WIN), SOLO, SEATS))
    players = 2 if who == SOLO else 0 if who == SEATS else int(who)
    if who == SEATS:
        players = int((yield agreed, Question(Topic.COUNT, tuple(map(str, MOST_COLUMNS_TO_WIN)))))
    levels = offered(players, FEWEST_COLUMNS_TO_WIN) if players else ()
    for seat in range(players):
        free = tuple(colour for colour in COLOURS if colour not in agreed.colours)
        colour = yield agreed, Question(Topic.COLOUR, free)
        agreed = replace(agreed, colours=(*agreed.colours, colour))
        named = ""
        if who == SEATS:
            # Names come last, where a new one is added: earlier answers keep their meaning.
            names = tuple(name for name in known if name not in agreed.names)
            named = yield agreed, Question(Topic.SEAT, ("", *levels, NEW_NAME, *names))
        elif who == SOLO and seat == 1:
            named = yield agreed, Question(Topic.LEVEL, levels)
        key = named if named in OPPONENTS else ""
        agreed = replace(
            agreed, names=(*agreed.names, colour if key else named or colour), levels=(*agreed.levels, key)
        )
    if (yield agreed, Question(Topic.RULES, (BASE_RULES, CHOOSE_VARIANTS))) == CHOOSE_VARIANTS:
        for question in _variant_questions(agreed.levels):
            answer = yield agreed, question
            if question.topic is Topic.COLUMNS:
                agreed = replace(agreed, columns_to_win=int(answer))
            elif answer:
                agreed = replace(agreed, variants=(*agreed.variants, answer))
    if players == 1:
        begins = agreed.names[0]
    else:
        begins = yield agreed, Question(Topic.BEGINS, (*agreed.names, ONE_DIE_EACH))
    yield replace(agreed, begins=begins), None


def _variant_questions(levels: tuple[str, ...]) -> list[Question]:
    """Return the questions about variants; only numbers of columns to win that all these seats can play are offered."""
    players, opponents = len(levels), [level(key) for key in levels if key]
    columns = tuple(
        str(number)
        for number in range(FEWEST_COLUMNS_TO_WIN, MOST_COLUMNS_TO_WIN[players] + 1)
        if all(one.can_play(players, number) for one in opponents)
    )
    questions = [Question(Topic.FAST_START, tuple(kind.value for kind in FastStart)), Question(Topic.MARKERS, MARKERS)]
    return [Question(Topic.COLUMNS, columns), *questions] if len(columns) > 1 else questions


def question_of(state: NewGame) -> Question:
    """Return the current question."""
    _, question = ask(state.answers, state.known)
    assert question is not None  # with the last answer the game begins
    return question


def new_game(situation: Situation, *_: object) -> Situation:
    """Start with the first question."""
    return replace(situation, state=NewGame(situation.state, known=situation.preferences.names))


def move_cursor(situation: Situation, state: NewGame, press: Press) -> Situation:
    """Move the cursor over the options, wrapping around."""
    cursor = (state.cursor + press.direction) % len(question_of(state).options)
    return replace(situation, state=replace(state, cursor=cursor))


def back(situation: Situation, state: NewGame, *_: object) -> Situation:
    """Go back one question, or leave the questions."""
    if not state.answers:
        return replace(situation, state=state.before)
    return replace(situation, state=replace(state, answers=state.answers[:-1], cursor=state.answers[-1]))


def take(situation: Situation, state: NewGame, *_: object) -> Situation:
    """Choose the option under the cursor; after the last question the game begins."""
    if question_of(state).options[state.cursor] == NEW_NAME:
        return replace(situation, state=EnteringName(state))
    answers = (*state.answers, state.cursor)
    agreed, question = ask(answers, state.known)
    if question is not None:
        return replace(situation, state=replace(state, answers=answers, cursor=0))
    if agreed.begins == ONE_DIE_EACH:
        contenders = tuple(range(len(agreed.names)))
        rolling = RollingOff(
            agreed.names,
            agreed.columns_to_win,
            agreed.variants,
            contenders,
            colours=agreed.colours,
            levels=agreed.levels,
        )
        return replace(situation, state=rolling)
    return _begin(situation, agreed, agreed.names.index(agreed.begins))


def answer_with(situation: Situation, state: NewGame, answer: str) -> Situation:
    """Answer the current question with one of its options; any other answer raises ValueError."""
    return take(situation, replace(state, cursor=question_of(state).options.index(answer)))


def roll_off(situation: Situation, state: RollingOff, read: DiceRead) -> Situation | None:
    """Accept one die of the roll-off."""
    if len(read.dice) != 1:
        return None
    if read.asked and read.dice == state.dice[-1:]:
        return None  # the previous player's die
    after = RollOff(state.contenders, state.dice).rolled(read.dice[0])
    if after.beginner is not None:
        agreed = GameSettings(
            state.names, state.columns_to_win, state.variants, colours=state.colours, levels=state.levels
        )
        return replace(_begin(situation, agreed, after.beginner), state=Begins())
    tie = state.tie if after.dice else True
    return replace(situation, state=replace(state, contenders=after.contenders, dice=after.dice, tie=tie))


def _begin(situation: Situation, agreed: GameSettings, begins: int) -> Situation:
    variants = Variants.of(agreed.columns_to_win, list(agreed.variants))
    game = Game.new(agreed.names, variants, begins, colours=agreed.colours, levels=agreed.levels)
    return replace(situation, state=Waiting(), game=game, number=situation.number + 1)
