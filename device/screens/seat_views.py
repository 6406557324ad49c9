"""The screens of the seats: questions before a game, entering a name, an opponent's turn."""

from __future__ import annotations

from collections.abc import Sequence

from device.referee import states
from device.referee.after_game import just_played
from device.referee.inputs import Moment
from device.referee.players import LETTERS, LONGEST, spelt
from device.referee.playing import LINES
from device.referee.questions import ask
from device.referee.states import Situation, State
from device.screens import fault_texts, texts, widgets
from device.screens.language import say
from device.screens.screen import LIST_KEYS, Line, Screen
from device.screens.widgets import ScreenOf, called, titled
from engine import Game, Play, play_text, roll_text
from engine.opponents.strategy import Advice

COACH = "strongest"
"""The level of the opponent who gives advice."""


def who(game: Game) -> str:
    """Return the title of a turn: the player, and an opponent's level."""
    if not game.level:
        return titled(game.player)
    return say(texts.SEAT, player=titled(game.player), level=_level(game.level))


def throw(game: Game) -> str:
    """Return the text that asks for a roll: people roll for an opponent."""
    return texts.THROW_FOR if game.level else texts.THROW


def _level(level: str) -> str:
    """Return a level's name; for a level of another version, its key."""
    return say(texts.LEVELS[level]) if level in texts.LEVELS else level


def _new_game(now: Situation, state: states.NewGame) -> Screen:
    agreed, question = ask(state)
    assert question is not None
    colour = called(agreed.colours[-1]) if agreed.colours else ""
    title = say(texts.QUESTIONS[question.topic], number=len(agreed.names) + 1, colour=colour)

    def option(answer: str) -> str:
        if question.topic == "change":
            kind, _, player = answer.partition(" ")
            return say(texts.CHANGES[kind], player=titled(agreed.names[int(player)]) if player else "")
        if question.topic == "seat" and not answer:
            return say(texts.JUST, colour=colour)
        if question.topic in ("seat", "level") and answer in texts.LEVELS:
            return _level(answer)
        is_number = answer.isdecimal() and not (answer == "1" and question.topic in ("players", "count"))
        return answer if is_number else say(texts.ANSWERS[answer]) if answer in texts.ANSWERS else titled(answer)

    if why := texts.EXPLAINED.get(question.topic):
        answer, scroll = question.options[state.cursor], (state.cursor, len(question.options))
        return widgets.explained(title, option(answer), say(why.get(answer, why[""])), scroll)
    return widgets.listed(title, list(map(option, question.options)), state.cursor)


def _entering_name(now: Situation, state: states.EnteringName) -> Screen:
    agreed, _ = ask(state.before)
    shown = spelt(state.letters)
    if len(shown) < LONGEST:
        letter = spelt(state.letters + LETTERS[state.cursor])[-1]
        shown += f"[{letter}]"
    title = say(texts.QUESTIONS["seat"], colour=called(agreed.colours[-1]))
    lines = (Line(shown), Line("", say("Hold C: done")), Line(say(texts.TAKE_LETTER)))
    return Screen(title, lines, widgets.back_hint(title), keys=LIST_KEYS)


def _thinking(now: Situation, *_: object) -> Screen:
    lines = (Line(say("Thinking…")),)
    dice = now.played.position.roll or ()
    return Screen(titled(now.played.player), lines, text=(say(texts.HOLD_A_WRONG),), dice=dice)


def _undecided(now: Situation, *_: object) -> Screen:
    lines = (
        Line(say("Ask again"), button="A"),
        Line("", say(fault_texts.UNDECIDED)),
        Line(say("Choose for it"), button="C"),
    )
    return Screen(titled(now.played.player), lines, dice=now.played.position.roll or ())


def _moving(now: Situation, state: states.Moving) -> Screen:
    game = now.played
    play = game.steps[-1] if game.steps else None
    title = say(texts.STOPS if state.stops else texts.ROLLS_ON, player=titled(game.player))
    moves: list[Line] = []
    if isinstance(play, Play):
        pairing = "+".join(map(str, play.pairing))
        title = say("{player} takes {pairing}", player=titled(game.player), pairing=pairing)
        moves += widgets.runner_lines(game.positions[-2], play)
    return Screen(title, (*widgets.filled(moves), Line(say(texts.DONE), _then(state), "C")))


def _then(state: states.Moving) -> str:
    """Return in two words whether an opponent stops or rolls again after its move."""
    if state.stops:
        return say(texts.STOPS_WINS if state.why == "wins" else texts.THEN_STOPS)
    return say(texts.ROLLS_MUST if state.why == "must" else texts.THEN_ROLLS)


def _rolling_on(now: Situation, state: states.RollingOn) -> Screen:
    game = now.played
    plain = {"safe": texts.IS_SAFE, "must": texts.HAS_TO}
    why = plain.get(state.why, texts.RISKS)
    text = widgets.runners(game.position), say(why, loss=widgets.percent(state.loss), spaces=state.at_stake)
    return Screen(say(texts.ROLLS_ON, player=titled(game.player)), (Line(say(texts.THROW_FOR)),), text=text)


def _fewest_turns(now: Situation, state: states.FewestTurns) -> Screen:
    title, mine = say(texts.FEWEST), just_played(now, state)
    has_pages = len(state.games or ()) > LINES
    keys = LIST_KEYS if has_pages else f"  {LIST_KEYS[-1]}"
    if not state.games:
        empty = say("No solo game finished yet" if state.is_readable else fault_texts.NOT_READABLE)
        text = say(texts.ASKING) if state.games is None else empty
        return widgets.message(title, text, widgets.back_hint(title))
    first = state.page * LINES
    lines = tuple(
        Line(
            f"{one.place}. {one.turns}",
            _level(one.level) if one.level else titled(one.name),
            chosen=one.number == mine,
        )
        for one in state.games[first : first + LINES]
    )
    return Screen(
        title, lines, widgets.back_hint(title), scroll=(first, len(state.games)) if has_pages else None, keys=keys
    )


def story_lines(moments: Sequence[Moment]) -> list[tuple[str, str]]:
    """Return a title and a text for each moment."""
    told = []
    for one in moments:
        title, text = texts.STORIES[one.kind]
        chances = {name: widgets.percent(getattr(one, name)) for name in ("before", "after", "loss")}
        dice = roll_text(one.dice) if one.dice else ""
        text = say(text, player=titled(one.player), turn=one.turn, dice=dice, spaces=one.spaces, **chances)
        told.append((say(title), text))
    return told


def _game_story(now: Situation, state: states.GameStory) -> Screen:
    if not state.moments:
        text = say(texts.ASKING if state.moments is None else "Nothing to tell this time.")
        return widgets.message(say(texts.STORY), text, widgets.back_hint(say(texts.STORY)))
    title, text = story_lines(state.moments)[state.page]
    return widgets.message(title, text, say(texts.C_MORE) if len(state.moments) > 1 else widgets.back_hint(title))


def _coaching(now: Situation, state: states.Coaching) -> Screen:
    title, is_alone = say("{player} would:", player=_level(COACH)), len(now.played.names) == 1
    if not state.choices:
        text = say(texts.ASKING if state.choices is None else "No advice this time.")
        return widgets.message(title, text, widgets.back_hint(title))

    def worth(value: float) -> str:
        if is_alone:
            # Beside a choice of the coach: the turns that are left
            return say("turns: {turns}", turns=f"{value:.1f}")
        # Beside a choice of the coach: the chance to win
        return say("wins: {chance}%", chance=widgets.percent(value))

    valued = sorted((one for choice in state.choices for one in _valued(choice)), key=lambda one: one[1])
    rows = [Line(name, worth(value)) for name, value in (valued if is_alone else reversed(valued))]
    first = state.page * LINES
    hint = say(texts.C_MORE) if len(rows) > LINES else widgets.back_hint(title)
    return Screen(title, tuple(rows[first : first + LINES]), hint)


def _valued(one: Advice) -> list[tuple[str, float]]:
    """Return what can be chosen, with its value: a play; or to stop and to roll again."""
    if one.play is not None:
        return [(play_text(one.play), one.stop if one.stop is not None and one.stops else one.roll)]
    stop = [] if one.stop is None else [(say("Stop"), one.stop)]
    return [*stop, (say("Roll on"), one.roll)]


VIEWS: dict[type[State], ScreenOf] = {
    states.NewGame: _new_game,
    states.ChangingSeats: _new_game,
    states.EnteringName: _entering_name,
    states.Thinking: _thinking,
    states.Undecided: _undecided,
    states.Moving: _moving,
    states.RollingOn: _rolling_on,
    states.FewestTurns: _fewest_turns,
    states.GameStory: _game_story,
    states.Coaching: _coaching,
}
