"""The questions before a game, and who begins. STOP goes back one question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from device.referee.inputs import DiceRead, Input
from device.referee.states import Begins, EnteringDice, NewGame, RollingOff, Situation, Waiting
from engine import MOST_COLUMNS_TO_WIN, FastStart, Game, RollOff, Variants

COLOURS = ("yellow", "orange", "green", "blue", "red", "white")
"""The markers' colours of the printed editions; players are called by them."""

MARKERS = ("", "no stop on a marker", "leap")
"""What another player's marker does: nothing, or one of the two variants that exclude one another."""

ONE_DIE_EACH = "dice"
"""The answer to "who begins" that lets dice decide."""


class Topic(StrEnum):
    """What a question is about."""

    PLAYERS = "players"
    COLOUR = "colour"
    RULES = "rules"
    COLUMNS = "columns"
    FAST_START = "fast start"
    MARKERS = "markers"
    BEGINS = "begins"


@dataclass(frozen=True, slots=True)
class Question:
    """One question: what it is about, and the answers to choose from."""

    topic: Topic
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreed:
    """What was answered so far."""

    names: tuple[str, ...] = ()
    columns_to_win: int = 3
    variants: tuple[str, ...] = ()
    begins: str = ""


BASE_RULES, CHOOSE_VARIANTS = "base rules", "variants"


def ask(answers: tuple[int, ...]) -> tuple[Agreed, Question | None]:
    """Tell what these answers agree upon and which question comes next; None once all are answered."""
    agreed = Agreed()
    given = iter(answers)

    def answered(question: Question) -> str | None:
        index = next(given, None)
        return None if index is None else question.options[index]

    question = Question(Topic.PLAYERS, tuple(map(str, MOST_COLUMNS_TO_WIN)))
    if (answer := answered(question)) is None:
        return agreed, question
    players = int(answer)
    for _ in range(players):
        question = Question(Topic.COLOUR, tuple(colour for colour in COLOURS if colour not in agreed.names))
        if (answer := answered(question)) is None:
            return agreed, question
        agreed = replace(agreed, names=(*agreed.names, answer))
    question = Question(Topic.RULES, (BASE_RULES, CHOOSE_VARIANTS))
    if (answer := answered(question)) is None:
        return agreed, question
    if answer == CHOOSE_VARIANTS:
        for question in _variant_questions(players):
            if (answer := answered(question)) is None:
                return agreed, question
            if question.topic is Topic.COLUMNS:
                agreed = replace(agreed, columns_to_win=int(answer))
            elif answer:
                agreed = replace(agreed, variants=(*agreed.variants, answer))
    question = Question(Topic.BEGINS, (*agreed.names, ONE_DIE_EACH))
    if (answer := answered(question)) is None:
        return agreed, question
    return replace(agreed, begins=answer), None


def _variant_questions(players: int) -> list[Question]:
    columns = tuple(map(str, range(3, MOST_COLUMNS_TO_WIN[players] + 1)))
    questions = [
        Question(Topic.FAST_START, tuple(kind.value for kind in FastStart)),
        Question(Topic.MARKERS, MARKERS),
    ]
    return [Question(Topic.COLUMNS, columns), *questions] if len(columns) > 1 else questions


def question_of(state: NewGame) -> Question:
    """Give the question that waits for an answer."""
    _, question = ask(state.answers)
    assert question is not None  # with the last answer the game begins
    return question


def new_game(situation: Situation, _: Input) -> Situation:
    """Begin with the first question."""
    return replace(situation, state=NewGame(situation.state))


def move_cursor(situation: Situation, step: int) -> Situation:
    """Move the cursor over the options, round and round."""
    state = situation.state
    assert isinstance(state, NewGame)
    return replace(situation, state=replace(state, cursor=(state.cursor + step) % len(question_of(state).options)))


def back(situation: Situation, _: Input) -> Situation:
    """Go back one question, or out of the questions."""
    state = situation.state
    assert isinstance(state, NewGame)
    if not state.answers:
        return replace(situation, state=state.before)
    return replace(situation, state=NewGame(state.before, state.answers[:-1], state.answers[-1]))


def take(situation: Situation, _: Input) -> Situation:
    """Answer with the option under the cursor; after the last answer the game begins."""
    state = situation.state
    assert isinstance(state, NewGame)
    answers = (*state.answers, state.cursor)
    agreed, question = ask(answers)
    if question is not None:
        return replace(situation, state=NewGame(state.before, answers))
    if agreed.begins == ONE_DIE_EACH:
        contenders = tuple(range(len(agreed.names)))
        rolling = RollingOff(agreed.names, agreed.columns_to_win, agreed.variants, contenders)
        return replace(situation, state=rolling)
    return _begin(situation, agreed, agreed.names.index(agreed.begins))


def roll_off(situation: Situation, read: Input) -> Situation | None:
    """Take one die of the roll-off."""
    state = situation.state
    assert isinstance(state, RollingOff)
    if not isinstance(read, DiceRead) or len(read.dice) != 1:
        return None
    after = RollOff(state.contenders, state.dice).rolled(read.dice[0])
    if after.beginner is not None:
        agreed = Agreed(state.names, state.columns_to_win, state.variants)
        return replace(_begin(situation, agreed, after.beginner), state=Begins())
    tie = state.tie if after.dice else True
    return replace(situation, state=replace(state, contenders=after.contenders, dice=after.dice, tie=tie))


def die_by_hand(situation: Situation, _: Input) -> Situation:
    """Enter the roll-off's die by hand."""
    return replace(situation, state=EnteringDice(situation.state, (1,)))


def _begin(situation: Situation, agreed: Agreed, begins: int) -> Situation:
    variants = Variants.of(agreed.columns_to_win, list(agreed.variants))
    game = Game.new(agreed.names, variants, begins)
    return replace(situation, state=Waiting(), game=game, number=situation.number + 1)
