"""The questions before a game, and the roll-off. STOP goes back one question."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from enum import StrEnum

from device.referee.inputs import DiceRead, Press, SeatsGiven
from device.referee.players import COLOURS, BadName, name_of, spelt
from device.referee.states import (
    Begins,
    EnteringName,
    GameSettings,
    GivingUp,
    Menu,
    NewGame,
    RollingOff,
    Situation,
    State,
    Waiting,
)
from engine import FEWEST_COLUMNS_TO_WIN, MOST_COLUMNS_TO_WIN, BadVariants, FastStart, Game, RollOff, Variants
from engine.opponents import OPPONENTS, level, offered

MARKERS = ("", "no stop on a marker", "leap")
"""The effect of another player's marker: none, or one of the two variants that exclude each other."""

ONE_DIE_EACH = "dice"
"""The answer to "who begins" that starts a roll-off."""


class Topic(StrEnum):
    """The subject of a question."""

    AGAIN = "again"
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


SOLO, SEATS = "solo", "seats"
"""Answers to the number of players: one person against an opponent; or each seat with a name or an opponent."""

NEW_NAME = "new name"
"""The answer to "who plays?" that lets the players enter a name."""

BASE_RULES, CHOOSE_VARIANTS = "base rules", "variants"


AGAIN, CHANGE_PLAYERS, NEW_GAME = "again", "change players", "new game"
"""Answers about the last game: the same players and rules; other players, with its rules; or all questions."""


def ask(state: NewGame) -> tuple[GameSettings, Question | None]:
    """Return what the answers so far determine, and the next question; None once all are answered."""
    asked = _ask(state)
    agreed, question = next(asked)
    for index in state.answers:
        assert question is not None
        agreed, question = asked.send(question.options[index])
    return agreed, question


_Questions = Generator[tuple[GameSettings, Question | None], str, GameSettings]
"""Yields the settings so far and a question, receives its answer, and returns the settings at the end."""


def _ask(state: NewGame) -> _Questions:
    agreed, last, how = GameSettings(), state.last, NEW_GAME
    if last is not None:
        how = yield agreed, Question(Topic.AGAIN, (AGAIN, CHANGE_PLAYERS, NEW_GAME))
    if last is not None and how == AGAIN:
        agreed = replace(last, begins="")
    else:
        agreed = yield from _ask_seats(state.known)
        if last is not None and how == CHANGE_PLAYERS and str(last.columns_to_win) in _columns(agreed.levels):
            agreed = replace(agreed, columns_to_win=last.columns_to_win, variants=last.variants)
        else:
            agreed = yield from _ask_rules(agreed)
    begins = agreed.names[0]
    if len(agreed.names) > 1:
        first = last.begins if last is not None and how == AGAIN else begins
        others = (name for name in agreed.names if name != first)
        begins = yield agreed, Question(Topic.BEGINS, (first, *others, ONE_DIE_EACH))
    agreed = replace(agreed, begins=begins)
    yield agreed, None
    return agreed


def _ask_seats(known: tuple[str, ...]) -> _Questions:
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
    return agreed


def _ask_rules(agreed: GameSettings) -> _Questions:
    if (yield agreed, Question(Topic.RULES, (BASE_RULES, CHOOSE_VARIANTS))) == BASE_RULES:
        return agreed
    if len(columns := _columns(agreed.levels)) > 1:
        answer = yield agreed, Question(Topic.COLUMNS, columns)
        agreed = replace(agreed, columns_to_win=int(answer))
    for topic, options in ((Topic.FAST_START, tuple(kind.value for kind in FastStart)), (Topic.MARKERS, MARKERS)):
        if answer := (yield agreed, Question(topic, options)):
            agreed = replace(agreed, variants=(*agreed.variants, answer))
    return agreed


def _columns(levels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the numbers of columns to win that all these seats can play."""
    players, opponents = len(levels), [level(key) for key in levels if key]
    return tuple(
        str(number)
        for number in range(FEWEST_COLUMNS_TO_WIN, MOST_COLUMNS_TO_WIN[players] + 1)
        if all(one.can_play(players, number) for one in opponents)
    )


def question_of(state: NewGame) -> Question:
    """Return the current question."""
    _, question = ask(state)
    assert question is not None  # with the last answer the game begins
    return question


def new_game(situation: Situation, *_: object) -> Situation:
    """Start with the first question."""
    last = None if situation.game is None else repeated(situation.game)
    return replace(situation, state=NewGame(situation.state, known=situation.preferences.names, last=last))


def repeated(game: Game) -> GameSettings:
    """Return a game's settings for the next one. Of two players the loser begins, of more the one after the last."""
    count, winner, variants = len(game.names), game.position.winner, game.start.variants
    begins = 1 - winner if count == 2 and winner is not None else (game.start.turn + 1) % count
    levels = game.levels or ("",) * count
    colours = game.colours or game.names
    return GameSettings(game.names, variants.columns_to_win, variants.names, game.names[begins], colours, levels)


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
    state = replace(state, answers=(*state.answers, state.cursor), cursor=0)
    agreed, question = ask(state)
    return start(situation, agreed) if question is None else replace(situation, state=state)


def start(situation: Situation, agreed: GameSettings) -> Situation:
    """Start the game or its roll-off, and remember the names."""
    named = tuple(name for name, colour in zip(agreed.names, agreed.colours, strict=True) if name != colour)
    situation = replace(situation, preferences=situation.preferences.remembering(named))
    if agreed.begins == ONE_DIE_EACH:
        return replace(situation, state=RollingOff(agreed, tuple(range(len(agreed.names)))))
    return _begin(situation, agreed, agreed.names.index(agreed.begins))


class BadSeats(ValueError):
    """Seats or rules from a phone are impossible.

    Attributes:
        kind: The kind of problem, which the page explains: "bad", "name", "twice", "colour", "columns" or "leap".
    """

    def __init__(self, kind: str, what: str = "") -> None:
        """Store the kind, and the wrong value as the message."""
        super().__init__(what)
        self.kind = kind


def settings_of(told: SeatsGiven) -> GameSettings:
    """Return the settings that a phone has sent.

    Raises:
        BadSeats: If they are impossible.
    """
    count = len(told.colours)
    if not (count == len(told.names) == len(told.levels)) or told.begins > count or {*told.levels} - {"", *OPPONENTS}:
        raise BadSeats("bad")
    names: list[str] = []
    for text, colour, key in zip(told.names, told.colours, told.levels, strict=True):
        if colour not in COLOURS or told.colours.count(colour) > 1:
            raise BadSeats("colour", colour)
        try:
            name = colour if key or not text.strip() else spelt(name_of(text))
        except BadName:
            raise BadSeats("name", text) from None
        if name in names:
            raise BadSeats("twice", name)
        names.append(name)
    if str(told.columns_to_win) not in _columns(told.levels):
        raise BadSeats("columns", str(told.columns_to_win))
    try:
        Variants.of(told.columns_to_win, list(told.variants))
    except BadVariants:
        raise BadSeats("leap") from None
    begins = ONE_DIE_EACH if told.begins == count else names[told.begins]
    return GameSettings(tuple(names), told.columns_to_win, told.variants, begins, told.colours, told.levels)


def seats_given(situation: Situation, state: State, told: SeatsGiven) -> Situation | None:
    """Start a game with a phone's settings; a game that is not over is only left after a question on the box."""
    try:
        agreed = settings_of(told)
    except BadSeats:
        return None
    if (
        isinstance(state, NewGame | EnteringName)
        or situation.game is None
        or situation.game.position.winner is not None
    ):
        return start(situation, agreed)
    before = state.before if isinstance(state, Menu | GivingUp) else state
    return replace(situation, state=GivingUp(before, agreed))


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
        return replace(_begin(situation, state.settings, after.beginner), state=Begins())
    tie = state.tie if after.dice else True
    return replace(situation, state=replace(state, contenders=after.contenders, dice=after.dice, tie=tie))


def _begin(situation: Situation, agreed: GameSettings, begins: int) -> Situation:
    variants = Variants.of(agreed.columns_to_win, list(agreed.variants))
    game = Game.new(agreed.names, variants, begins, colours=agreed.colours, levels=agreed.levels)
    last = situation.game
    score = situation.wins if last is not None and (last.names, last.levels) == (game.names, game.levels) else ()
    return replace(situation, state=Waiting(), game=game, number=situation.number + 1, score=score)
