"""The beginning of a game, and who leaves or joins it: questions, names, a phone's form, and the roll-off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from device.referee import playing, putting_back, states
from device.referee.inputs import DiceRead, Press, SeatsGiven
from device.referee.players import COLOURS, LETTERS, LONGEST, BadName, GameSettings, name_of, spelt
from device.referee.questions import (
    JOINS,
    LEAVES,
    MARKERS_STAY,
    NEW_NAME,
    ONE_DIE_EACH,
    answered,
    ask,
    columns_for,
    is_before_a_game,
    question_of,
)
from device.referee.states import Situation, State
from engine import BadVariants, Game, Joins, Leaves, Returns, SeatChange, Variants
from engine.opponents import OPPONENTS

JUMP = 6
"""The number of letters that a long press skips."""


def new_game(situation: Situation, *_: object) -> Situation:
    """Start with the first question."""
    last = None if situation.game is None else repeated(situation.game)
    return replace(situation, state=states.NewGame(situation.state, known=situation.preferences.names, last=last))


def change_seats(situation: Situation) -> Situation:
    """Ask who leaves, returns or joins; after a game, ask about another one."""
    game, known = situation.played, situation.preferences.names
    if game.position.winner is not None:
        return new_game(situation)
    asked = states.ChangingSeats(
        situation.state, known=known, playing=_settings(game, range(len(game.names))), out=game.position.out
    )
    return replace(situation, state=asked)


def repeated(game: Game) -> GameSettings:
    """Return a game's settings for the next one, without those who left.

    Of two players the loser begins, of more the one after the last.
    """
    players, winner, last = range(len(game.names)), game.position.winner, game.start.turn
    here = [player for player in players if player not in game.position.out]
    if len(here) == 2 and winner is not None:
        begins = next(player for player in here if player != winner)
    else:
        begins = min(here, key=lambda player: (player - last - 1) % len(players))
    return _settings(game, here, game.names[begins])


def _settings(game: Game, players: Sequence[int], begins: str = "") -> GameSettings:
    """Return the settings of a game with some of its players."""
    seats = game.names, game.colours, game.levels
    names, colours, levels = (tuple(of[player] for player in players) for of in seats)
    variants = game.start.variants
    return GameSettings(names, variants.columns_to_win, variants.names, begins, colours, levels)


def back(situation: Situation, state: states.NewGame, *_: object) -> Situation:
    """Go back one question, or leave the questions."""
    if not state.answers:
        return replace(situation, state=state.before)
    return replace(situation, state=replace(state, answers=state.answers[:-1], cursor=state.answers[-1]))


def take(situation: Situation, state: states.NewGame, *_: object) -> Situation:
    """Choose the option under the cursor; after the last question the game begins."""
    if question_of(state).options[state.cursor] == NEW_NAME:
        return replace(situation, state=states.EnteringName(state))
    state = replace(state, answers=(*state.answers, state.cursor), cursor=0)
    agreed, question = ask(state)
    if question is not None:
        return replace(situation, state=state)
    return _change_seats(situation, state) if isinstance(state, states.ChangingSeats) else start(situation, agreed)


def _change_seats(situation: Situation, state: states.ChangingSeats) -> Situation:
    """Change the seats as the answers say; then show which pieces to move on the real board."""
    after = playing.done(situation, _answered(state))
    real = replace(situation, state=state.before)
    if isinstance(state.before, playing.TELL_LAST_STEP):
        # Its message is gone, so what it said to move may still be due.
        was = situation.played.positions[-2]
        real = replace(real, state=states.PutBack(state.before, was.markers, was.runners))
    return putting_back.then(after, real)


def _answered(state: states.ChangingSeats) -> SeatChange:
    """Return the change that the answers mean."""
    told = answered(state)
    kind, _, player = told["change"].partition(" ")
    if kind == JOINS:
        agreed, _ = ask(state)
        return Joins(agreed.names[-1], agreed.colours[-1], agreed.levels[-1])
    if kind == LEAVES:
        return Leaves(int(player), told["left"] == MARKERS_STAY)
    return Returns(int(player))


def start(situation: Situation, agreed: GameSettings) -> Situation:
    """Start the game or its roll-off, and remember the names."""
    named = tuple(name for name, colour in zip(agreed.names, agreed.colours, strict=True) if name != colour)
    situation = replace(situation, preferences=situation.preferences.remembering(named))
    if agreed.begins == ONE_DIE_EACH:
        return replace(situation, state=states.RollingOff(agreed, tuple(range(len(agreed.names)))))
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


def settings_of(told: GameSettings, begins: int) -> GameSettings:
    """Return the settings that a phone has sent, with all names spelt and who begins.

    Args:
        told: The settings as sent; "" is the name of one who is called by the colour, and of an opponent.
        begins: The number of the player who begins; the number of players for one die each.

    Raises:
        BadSeats: If they are impossible.
    """
    count = len(told.colours)
    last = count if count > 1 else 0
    if not count == len(told.names) == len(told.levels) or begins > last or {*told.levels} - {"", *OPPONENTS}:
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
    if str(told.columns_to_win) not in columns_for(len(told.levels)):
        raise BadSeats("columns", str(told.columns_to_win))
    try:
        Variants.of(told.columns_to_win, list(told.variants))
    except BadVariants:
        raise BadSeats("leap") from None
    return replace(told, names=tuple(names), begins=ONE_DIE_EACH if begins == count else names[begins])


def seats_given(situation: Situation, state: State, told: SeatsGiven) -> Situation | None:
    """Start a game with a phone's settings, before the first one or while the questions are asked."""
    return start(situation, told.settings) if is_before_a_game(state) else None


def answer_with(situation: Situation, state: states.NewGame, answer: str) -> Situation:
    """Answer the current question with one of its options; any other answer raises ValueError."""
    return take(situation, replace(state, cursor=question_of(state).options.index(answer)))


def turn_letters(situation: Situation, state: states.EnteringName, press: Press) -> Situation:
    """Offer another letter, wrapping around."""
    step = press.direction * (JUMP if press.long else 1)
    return replace(situation, state=replace(state, cursor=(state.cursor + step) % len(LETTERS)))


def take_letter(situation: Situation, state: states.EnteringName, *_: object) -> Situation | None:
    """Append the offered letter, if there is room."""
    if len(state.letters) >= LONGEST:
        return None
    return replace(situation, state=replace(state, letters=state.letters + LETTERS[state.cursor]))


def drop_letter(situation: Situation, state: states.EnteringName, *_: object) -> Situation:
    """Delete the last letter; without one, go back to the question."""
    if not state.letters:
        return replace(situation, state=state.before)
    return replace(situation, state=replace(state, letters=state.letters[:-1]))


def take_name(situation: Situation, state: states.EnteringName, *_: object) -> Situation | None:
    """Answer the question with the name, and remember it; an invalid name is not accepted."""
    question = state.before
    try:
        name = name_of(spelt(state.letters))
    except BadName:
        return None
    known = question.known if name in question.known else (*question.known, name)
    preferences = situation.preferences.remembering((name,))
    return answer_with(replace(situation, preferences=preferences), replace(question, known=known), name)


def roll_off(situation: Situation, state: states.RollingOff, read: DiceRead) -> Situation | None:
    """Accept one die of the roll-off."""
    if len(read.dice) != 1:
        return None
    if read.asked and read.dice == state.dice[-1:]:
        return None  # the previous player's die
    dice = (*state.dice, *read.dice)
    if len(dice) < len(state.contenders):
        return replace(situation, state=replace(state, dice=dice))
    highest = [player for player, die in zip(state.contenders, dice, strict=True) if die == max(dice)]
    if len(highest) == 1:
        return replace(_begin(situation, state.settings, highest[0]), state=states.Begins())
    return replace(situation, state=replace(state, contenders=tuple(highest), dice=(), tie=True))


def _begin(situation: Situation, agreed: GameSettings, begins: int) -> Situation:
    variants = Variants.of(agreed.columns_to_win, list(agreed.variants))
    game = Game.new(agreed.names, variants, begins, colours=agreed.colours, levels=agreed.levels)
    last = situation.game
    score = situation.wins if last is not None and (last.names, last.levels) == (game.names, game.levels) else ()
    return Situation(states.Waiting(), game, situation.number + 1, situation.preferences, score)
