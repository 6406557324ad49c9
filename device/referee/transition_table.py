"""The referee: one table of every transition, without I/O.

A row says: in this state, this input is handled by this function. An input without a row is not accepted and has no
effect. Rows that many states share have a name; a state's own rows replace them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from device.referee import (
    after_game,
    box_care,
    coaching,
    correcting,
    inputs,
    network,
    opponents,
    playing,
    putting_back,
    setup,
    states,
)
from device.referee.box_care import BUTTONS
from device.referee.inputs import Button, Input, LineTapped, Press, TrayView
from device.referee.outcome import Effect, Outcome
from device.referee.playing import LINES
from device.referee.preferences import CHOICES
from device.referee.questions import question_of
from device.referee.states import Situation, State, leave, list_mark, opens, stay

Handler = Callable[[Situation, Any, Any], Situation | Outcome | None]
"""Handles an input. Arguments: the situation, its state and the input, of the types in its rows. Returns the new
situation, or an outcome if the box has to do more; None if the input is not accepted after all."""

Count = Callable[[Situation, Any], int]
"""Returns the number of options or pages of a state."""

Rows = dict[str | type[Input], Handler]
"""The rows of a state, by the key of their input: a press as text, or another input's class."""


def _and(handle: Handler, *effects: Effect) -> Handler:
    """Return a handler that also lets the box do something, if the input is accepted."""

    def handled(situation: Situation, state: Any, event: Any) -> Outcome | None:  # noqa: ANN401
        after = handle(situation, state, event)
        if after is None:
            return None
        outcome = after if isinstance(after, Outcome) else Outcome(after)
        return replace(outcome, effects=(*effects, *outcome.effects))

    return handled


# Rows that many states share.
SHOW_PAGE = _and(opens(states.ShowingPage), Effect.ASK_PAGE, Effect.ASK_NETWORK)
PHONE_SEATS = _and(setup.seats_given, Effect.KEEP_PREFERENCES)
EARLY_STOP = _and(playing.stop_once_still, Effect.AWAIT_STILL)
IN_GAME: Rows = {
    inputs.WhereIsEverybody: opens(states.Whereabouts),
    "hold B": SHOW_PAGE,
    "hold C": correcting.take_back,
    "hold STOP": opens(states.Menu),
    inputs.BoardCorrection: correcting.correct_board,
}
"""What every state of a game accepts."""
HAS_ROLL: Rows = IN_GAME | {
    "hold A": correcting.dice_wrong,
    inputs.DiceRead: playing.too_early,
    inputs.DiceCorrection: correcting.correct_dice,
}
"""What a state accepts whose roll was not played yet."""
WAITS_FOR_ROLL: Rows = IN_GAME | {
    inputs.TraySeen: playing.see_tray,
    "hold A": correcting.by_hand,
    inputs.DiceRead: playing.take_roll,
    inputs.DiceCorrection: correcting.correct_dice,
}
"""What a state of a game accepts that waits for a roll, or takes one as the answer."""
ENDS_TURN: Rows = WAITS_FOR_ROLL | {"B": playing.same_dice, "STOP": playing.stop, inputs.EarlyStop: EARLY_STOP}
"""What a state accepts in which the player may stop."""


def _each(presses: Iterable[str], handle: Handler) -> Rows:
    """Return the same row for several presses."""
    return dict.fromkeys(presses, handle)


def _moves(what: str, presses: Iterable[str], count: Count) -> Rows:
    """Return the row that moves the cursor or turns the page, wrapping around; not accepted if there is only one."""

    def moved(situation: Situation, state: Any, press: Press) -> Situation | None:  # noqa: ANN401
        number = count(situation, state)
        at = (getattr(state, what) + press.direction) % max(1, number)
        return replace(situation, state=replace(state, **{what: at})) if number > 1 else None

    return _each(presses, moved)


def _list(take: Handler, count: Count) -> Rows:
    """Return what a list accepts: C takes the option under the cursor, and a phone one of its `count` options."""

    def tapped(situation: Situation, state: Any, event: LineTapped) -> Situation | Outcome | None:  # noqa: ANN401
        if event.shown != list_mark(state) or event.line >= count(situation, state):
            return None
        under = replace(state, cursor=event.line)
        return take(replace(situation, state=under), under, Press(Button.C))

    return _moves("cursor", "AB", count) | {"C": take, LineTapped: tapped}


QUESTIONS: Rows = _list(setup.take, lambda _, state: len(question_of(state).options)) | {"STOP": setup.back}
"""What the questions before and during a game accept."""

# fmt: off
_ROWS: dict[type[State], Rows] = {
    # Before and after a game
    states.Welcome: {
        "C": setup.new_game,
        "hold B": SHOW_PAGE,
        "hold STOP": opens(states.BoxMenu),
        inputs.SeatsGiven: PHONE_SEATS, inputs.BackupGiven: box_care.offer_backup, inputs.WifiGiven: network.offer,
    },
    states.Resume: {"C": leave, "hold B": SHOW_PAGE},
    states.NewGame: QUESTIONS | {inputs.SeatsGiven: PHONE_SEATS},
    states.ChangingSeats: QUESTIONS,
    states.EnteringName: _each(("A", "B", "hold A", "hold B"), setup.turn_letters) | {
        "C": setup.take_letter,
        "STOP": setup.drop_letter,
        "hold C": _and(setup.take_name, Effect.KEEP_PREFERENCES),
        inputs.SeatsGiven: PHONE_SEATS,
    },
    states.RollingOff: {
        inputs.TraySeen: playing.see_tray, inputs.DiceRead: setup.roll_off, "hold A": opens(states.EnteringDice),
    },
    states.GameOver: IN_GAME | {
        "B": after_game.open_story, "C": after_game.after_game,
        inputs.BackupGiven: box_care.offer_backup, inputs.WifiGiven: network.offer,
    },
    states.FewestTurns: _moves("page", "AB", lambda _, state: -(-len(state.games or ()) // LINES)) | {
        "C": after_game.close_fewest, "STOP": leave, inputs.FewestKnown: after_game.fewest_known,
    },
    states.GameStory: _moves("page", "ABC", lambda _, state: len(state.moments or ())) | {
        "STOP": leave, inputs.StoryKnown: after_game.story_known,
    },

    # A turn
    states.Begins: WAITS_FOR_ROLL | {"C": playing.told},
    states.Waiting: WAITS_FOR_ROLL,
    states.Choosing: HAS_ROLL | _each("ABC", playing.choose),
    states.ChoosingColumn: HAS_ROLL | _each("AB", playing.choose_column) | {"STOP": playing.back_to_pairings},
    states.Telling: ENDS_TURN | {"C": playing.told},
    states.Deciding: ENDS_TURN,
    states.Busting: HAS_ROLL | {"A": correcting.dice_wrong, "C": playing.bust},
    states.Busted: WAITS_FOR_ROLL | {"C": playing.told},
    states.Stopped: WAITS_FOR_ROLL | {"C": playing.next_page},

    # An opponent's turn
    states.Thinking: HAS_ROLL | {inputs.Decided: opponents.decided, inputs.NoDecision: opponents.undecided},
    states.Undecided: HAS_ROLL | {"A": leave, "C": opponents.choose_for_it},
    states.Moving: WAITS_FOR_ROLL | {"C": opponents.moved, "hold A": opponents.misread},
    states.RollingOn: WAITS_FOR_ROLL,

    # Corrections
    states.CorrectingDice: _each("AB", correcting.take_likely) | {
        "C": correcting.by_hand, "STOP": leave,
        inputs.DiceRead: playing.too_early, inputs.DiceCorrection: correcting.correct_dice,
    },
    states.EnteringDice: _each(("A", "B", "C", "hold A", "hold B", "hold C"), correcting.enter_die) | {
        "STOP": correcting.drop_die,
        inputs.DiceRead: playing.too_early, inputs.DiceCorrection: correcting.correct_dice,
    },
    states.PutBack: WAITS_FOR_ROLL | {"C": putting_back.next_page},
    states.SettingBoard: {
        "A": correcting.next_column, "B": correcting.next_space, "C": correcting.take_row,
        "STOP": leave,
        inputs.BoardCorrection: correcting.correct_board,
    },
    states.TooEarly: _each(BUTTONS, leave),

    # The tray's contents. Inputs that are not accepted here belong to the state that waits for the dice, see `step`.
    states.WatchingTray: {
        "B": _and(leave, Effect.READ_AGAIN), "C": _and(leave, Effect.TRAY_CHECKED), inputs.TraySeen: playing.see_tray,
    },
    # A roll belongs to the player who made it: STOP waits until it is read, or nothing has moved for a second.
    states.StopPending: {
        inputs.TrayStill: playing.stop_if_still, inputs.TraySeen: playing.stop_unseen,
        inputs.DiceRead: playing.take_roll,
    },

    # The menu
    states.Menu: _list(correcting.take_item, lambda *_: len(correcting.MENU)) | {"STOP": leave},
    states.GivingUp: _each(("C", "STOP"), leave) | {"A": correcting.give_up},
    states.Coaching: _moves("page", "ABC", lambda _, state: -(-len(state.choices or ()) // LINES)) | {
        "STOP": leave, inputs.Advised: coaching.advised,
    },
    states.Whereabouts: _moves("page", "ABC", lambda now, _: len(now.played.names) + 1) | {"STOP": leave},
    states.Rules: _moves("page", "ABC", lambda now, _: len(box_care.topics(now.played.position.variants))) | {
        "STOP": leave,
    },

    # The page
    states.OfferingPage: {
        "A": _and(network.turn_on, Effect.KEEP_PREFERENCES, Effect.ASK_PAGE, Effect.ASK_NETWORK),
        "B": _and(network.turn_off, Effect.KEEP_PREFERENCES),
        "STOP": leave,
    },
    states.ShowingPage: _each(("C", "STOP"), network.leave_page) | {
        "A": network.press_a, "B": network.switch_view,
        inputs.PageReady: network.take_address, inputs.NetworkSeen: network.missing, inputs.WifiGiven: network.offer,
    },

    # The box itself
    states.BoxMenu: _list(box_care.take_item, lambda *_: len(box_care.BOX_MENU)) | {"STOP": leave},
    states.CheckingFrame: {"A": _and(leave, Effect.KEEP_DISPLAY), "B": _and(stay, Effect.TRY_DISPLAY)},
    states.ChoosingLanguage: _list(
        _and(box_care.take_language, Effect.KEEP_PREFERENCES), lambda *_: len(CHOICES["language"])
    ) | {"STOP": leave},
    states.TryingButtons: {
        **_each(BUTTONS, box_care.button_pressed), **_each(map("hold {}".format, BUTTONS), box_care.skip_buttons),
    },
    states.TryingSignal: _each("AB", _and(box_care.answer_signal, Effect.KEEP_PREFERENCES)) | {
        "C": stay, "STOP": leave,
    },
    states.CalibratingTray: {
        "A": box_care.look_again, "C": box_care.look_at_tray, "STOP": leave,
        inputs.TrayMeasured: box_care.tray_measured,
    },
    states.TrialThrow: _each(("C", "STOP"), leave) | {
        "B": _and(stay, Effect.READ_AGAIN), inputs.TraySeen: playing.see_tray, inputs.DiceRead: box_care.take_trial,
    },
    states.Network: _each(("C", "STOP"), leave) | {
        "A": network.choose, inputs.NetworkSeen: network.seen, inputs.WifiGiven: network.offer,
    },
    states.ChoosingNetwork: _list(network.take_network, lambda _, state: len(state.names) + 1) | {"STOP": leave},
    states.Hotspot: {
        "C": _and(network.show_page, Effect.ASK_PAGE),
        "STOP": _and(network.close_hotspot, Effect.CLOSE_HOTSPOT),
        inputs.NetworkSeen: network.hotspot_seen, inputs.WifiGiven: network.offer,
    },
    states.JoiningNetwork: _each(("C", "STOP"), network.leave_joining) | {
        "A": _and(network.join, Effect.JOIN_NETWORK), inputs.NetworkSeen: network.joined,
    },
    states.Restoring: _each(("C", "STOP"), leave) | {
        "A": _and(box_care.restore, Effect.RESTORE, Effect.KEEP_PREFERENCES),
    },
    states.Checking: _each("AB", box_care.next_probe) | {
        "C": box_care.open_finding, "STOP": box_care.close_finding,
        inputs.Finding: box_care.found_out, inputs.TrayMeasured: box_care.camera_found,
    },
    states.ChangingVersion: _each(("C", "STOP"), leave) | {
        "A": _and(box_care.change_version, Effect.CHANGE_VERSION), inputs.VersionSeen: box_care.version_seen,
    },
    states.ShuttingDown: {"hold C": _and(box_care.switch_off, Effect.SWITCH_OFF), "STOP": leave},
    states.SwitchingOff: {"STOP": leave, inputs.StaysOn: box_care.stays_on},
}
# fmt: on

TRANSITIONS = {(state, key): handle for state, rows in _ROWS.items() for key, handle in rows.items()}
"""The table: the handler of each state and input that it accepts."""

STATES = tuple(_ROWS)
"""All states of the box."""

ANSWERS = {TrayView.MOVED: "C", TrayView.MISSED: "B"}
"""The button that answers each view of the tray; all others work as in the state before."""


def step(situation: Situation, event: Input) -> Outcome | None:
    """Return the outcome of an input; None if it is not accepted here and has no effect."""
    state = situation.state
    key = event.key
    handle = TRANSITIONS.get((type(state), key))
    answers = not isinstance(state, states.WatchingTray) or key in (inputs.TraySeen, ANSWERS.get(state.seen.view))
    after = handle(situation, state, event) if handle and answers else None
    if after is not None:
        return after if isinstance(after, Outcome) else Outcome(after)
    if not isinstance(state, states.WatchingTray):
        return None
    # The tray's contents cover nothing: the input belongs to the state that waits for the dice.
    before = replace(situation, state=state.before)
    below = step(before, event)
    if below is None and key == "A" and state.seen.view is TrayView.NO_CAMERA:
        return step(before, Press(Button.A, long=True))
    return below
