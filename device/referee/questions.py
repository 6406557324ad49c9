"""The questions before a game, and about its seats while it goes on; each is a list with one answer."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Literal

from device.referee.players import COLOURS, GameSettings
from device.referee.states import ChangingSeats, EnteringName, NewGame, State, Welcome
from engine import FEWEST_COLUMNS_TO_WIN, MOST_COLUMNS_TO_WIN, MOST_PLAYERS, FastStart
from engine.opponents import OPPONENTS

MARKERS = ("", "no stop on a marker", "leap")
"""The effect of another player's marker: none, or one of the two variants that exclude each other."""

ONE_DIE_EACH = "dice"
"""The answer to "who begins" that starts a roll-off."""


Topic = Literal[
    "again", "players", "colour", "rules", "columns", "fast start", "markers", "begins", "youngest", "count", "seat",
    "level", "change", "left",
]  # fmt: skip
"""The subject of a question."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its subject and the possible answers."""

    topic: Topic
    options: tuple[str, ...]


SOLO, SEATS = "solo", "seats"
"""Answers to the number of players: one person against an opponent; or each seat with a name or an opponent."""

NEW_NAME = "new name"
"""The answer to "who plays?" that lets the players enter a name."""

LEAVES, RETURNS, JOINS = "leaves", "returns", "joins"
"""Answers during a game: somebody leaves or returns, with the player's number behind it, or joins."""

MARKERS_OFF, MARKERS_STAY = "markers off", "markers stay"
"""Answers about the markers of a player who leaves."""

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
    if isinstance(state, ChangingSeats):
        return (yield from _ask_change(state))
    agreed, last, how = GameSettings(), state.last, NEW_GAME
    if last is not None:
        how = yield agreed, Question("again", (AGAIN, CHANGE_PLAYERS, NEW_GAME))
    if last is not None and how == AGAIN:
        agreed = replace(last, begins="")
    else:
        agreed = yield from _ask_seats(state.known)
        if last is not None and how == CHANGE_PLAYERS and str(last.columns_to_win) in columns_for(len(agreed.names)):
            agreed = replace(agreed, columns_to_win=last.columns_to_win, variants=last.variants)
        else:
            agreed = yield from _ask_rules(agreed)
    begins = agreed.names[0]
    if len(agreed.names) > 1:
        is_again = last is not None and how == AGAIN
        first = last.begins if last is not None and is_again else begins
        others = (name for name in agreed.names if name != first)
        topic: Topic = "begins" if is_again else "youngest"
        begins = yield agreed, Question(topic, (first, *others, ONE_DIE_EACH))
    agreed = replace(agreed, begins=begins)
    yield agreed, None
    return agreed


def _ask_seats(known: tuple[str, ...]) -> _Questions:
    agreed = GameSettings()
    who = yield agreed, Question("players", (*map(str, MOST_COLUMNS_TO_WIN), SOLO, SEATS))
    players = 2 if who == SOLO else 0 if who == SEATS else int(who)
    if who == SEATS:
        players = int((yield agreed, Question("count", tuple(map(str, MOST_COLUMNS_TO_WIN)))))
    for seat in range(players):
        # Names come last, where a new one is added: earlier answers keep their meaning.
        names = tuple(name for name in known if name not in agreed.names)
        seats = Question("seat", ("", *OPPONENTS, NEW_NAME, *names)) if who == SEATS else None
        agreed = yield from _ask_seat(agreed, Question("level", OPPONENTS) if who == SOLO and seat else seats)
    return agreed


def _ask_seat(agreed: GameSettings, who: Question | None) -> _Questions:
    """Ask for the colour of one more seat and then, unless it is just a person, `who` has it."""
    free = tuple(colour for colour in COLOURS if colour not in agreed.colours)
    colour = yield agreed, Question("colour", free)
    agreed = replace(agreed, colours=(*agreed.colours, colour))
    named = (yield agreed, who) if who else ""
    key = named if named in OPPONENTS else ""
    return replace(agreed, names=(*agreed.names, colour if key else named or colour), levels=(*agreed.levels, key))


def _ask_change(state: ChangingSeats) -> _Questions:
    """Ask who leaves, returns or joins, in games of several: the last player does not leave, but ends the game."""
    agreed, players = state.playing, range(len(state.playing.names))
    here = [player for player in players if player not in state.out]
    options = [f"{RETURNS} {player}" for player in state.out]
    options += [f"{LEAVES} {player}" for player in here] if len(here) > 1 else []
    if len(players) < MOST_PLAYERS and str(agreed.columns_to_win) in columns_for(len(players) + 1):
        options.append(JOINS)
    change = yield agreed, Question("change", tuple(options))
    if change == JOINS:
        names = tuple(name for name in state.known if name not in agreed.names)
        agreed = yield from _ask_seat(agreed, Question("seat", ("", *OPPONENTS, NEW_NAME, *names)))
    elif change.startswith(LEAVES):
        yield agreed, Question("left", (MARKERS_OFF, MARKERS_STAY))
    yield agreed, None
    return agreed


def _ask_rules(agreed: GameSettings) -> _Questions:
    if (yield agreed, Question("rules", (BASE_RULES, CHOOSE_VARIANTS))) == BASE_RULES:
        return agreed
    if len(columns := columns_for(len(agreed.names))) > 1:
        answer = yield agreed, Question("columns", columns)
        agreed = replace(agreed, columns_to_win=int(answer))
    for question in (Question("fast start", tuple(kind.value for kind in FastStart)), Question("markers", MARKERS)):
        if answer := (yield agreed, question):
            agreed = replace(agreed, variants=(*agreed.variants, answer))
    return agreed


def columns_for(players: int) -> tuple[str, ...]:
    """Return the possible numbers of columns to win for a number of players."""
    return tuple(map(str, range(FEWEST_COLUMNS_TO_WIN, MOST_COLUMNS_TO_WIN[players] + 1)))


def question_of(state: NewGame) -> Question:
    """Return the current question."""
    _, question = ask(state)
    assert question is not None  # with the last answer the game begins
    return question


def answered(state: NewGame) -> dict[Topic, str]:
    """Return the answers so far, by topic."""
    asked = [question_of(replace(state, answers=state.answers[:nth])) for nth in range(len(state.answers))]
    return {one.topic: one.options[index] for one, index in zip(asked, state.answers, strict=True)}


def is_before_a_game(state: State) -> bool:
    """Whether no game is going on, or the one that was has been given up for the questions about another."""
    return type(state.before if isinstance(state, EnteringName) else state) in (Welcome, NewGame)
