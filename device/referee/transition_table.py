"""The referee: one table of every transition, without I/O.

A row says: in this state, this input is handled by this function and may lead to these states. An input without a row
is not accepted and has no effect. Rows that many states share have a name; a state's own rows replace them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from device.referee import (
    box_care,
    coaching,
    correcting,
    fewest_turns,
    game_story,
    name_entry,
    network,
    opponents,
    phone_corrections,
    phone_page,
    playing,
    putting_back,
    setup,
)
from device.referee.inputs import Button, Input, LineTapped, Press, TrayView
from device.referee.outcome import Effect, Outcome
from device.referee.questions import question_of
from device.referee.states import (
    BOX_STATES,
    IN_TURN,
    TRANSIENT_STATES,
    About,
    Begins,
    BoxMenu,
    Busted,
    Busting,
    CalibratingTray,
    ChangingSeats,
    ChangingVersion,
    Checking,
    CheckingFrame,
    Choosing,
    ChoosingColumn,
    ChoosingLanguage,
    ChoosingNetwork,
    Coaching,
    CorrectingDice,
    Deciding,
    EnteringDice,
    EnteringName,
    FewestTurns,
    GameOver,
    GameStory,
    GivingUp,
    Hotspot,
    JoiningNetwork,
    Menu,
    Moving,
    Network,
    NewGame,
    OfferingPage,
    PutBack,
    Restoring,
    Resume,
    RollingOff,
    RollingOn,
    Rules,
    SettingBoard,
    ShowingPage,
    ShuttingDown,
    Situation,
    State,
    Stopped,
    StopPending,
    SwitchingOff,
    Telling,
    Thinking,
    TooEarly,
    TrialThrow,
    TryingButtons,
    TryingSignal,
    Undecided,
    Waiting,
    WatchingTray,
    Welcome,
    Whereabouts,
    leave,
    list_mark,
    opens,
    stay,
)

Handler = Callable[[Situation, Any, Any], Situation | Outcome | None]
"""Handles an input. Arguments: the situation, its state and the input, of the types in its rows."""


@dataclass(frozen=True, slots=True)
class Transition:
    """One row of the table.

    Attributes:
        handle: Returns the new situation, or an outcome if the effects depend on more than the row; None if the input
            is not accepted after all.
        to: The possible new states.
        effects: What else the box has to do when it is accepted.
    """

    handle: Handler
    to: tuple[type[State], ...]
    effects: tuple[Effect, ...] = ()


Rows = dict[str, Transition]
"""The rows of a state, by the key of their input."""

BUTTONS = tuple(map(str, Button))
ROLLED = (Choosing, Busting, Thinking)
POSITION = (Waiting, Deciding, *ROLLED, GameOver)
"""The possible states of a game's position."""
WAITS = (*playing.WANTS_FOUR_DICE, RollingOff)
"""The states that wait for dice."""
BACK_IN_GAME = (*IN_TURN, GameOver)
AFTER_SIGNAL = (TryingSignal, OfferingPage, CalibratingTray)
"""The next states after the trial of lamp or buzzer: the rest of the first start."""
AFTER_BUTTONS = (*AFTER_SIGNAL, BoxMenu, Checking)
"""The next states after the test of the buttons: the rest of the first start, the menu, or the rest of the
self-check."""
BELOW_NETWORK = (BoxMenu, ShowingPage, Welcome, GameOver)
"""The states below the screens of the network."""
STORED_BOX_STATES = tuple(state for state in BOX_STATES if state not in TRANSIENT_STATES)
"""The box's own states that are restored after a power cut."""

# Rows that many states share.
SHOW_PAGE = Transition(opens(ShowingPage), (ShowingPage,), (Effect.ASK_PAGE, Effect.ASK_NETWORK))
TAKE_BACK = Transition(correcting.take_back, (*POSITION, PutBack))
OPEN_MENU = Transition(opens(Menu), (Menu,))
PHONE_BOARD = Transition(phone_corrections.correct_board, POSITION)
PHONE_SEATS = Transition(setup.seats_given, (RollingOff, Waiting), (Effect.KEEP_PREFERENCES,))
PHONE_BACKUP = Transition(box_care.offer_backup, (Restoring,))
PHONE_WIFI = Transition(network.offer, (JoiningNetwork,))
PHONE_DICE = Transition(phone_corrections.correct_dice, (*ROLLED, PutBack))
TAKE_ROLL = Transition(playing.take_roll, ROLLED)
DICE_TOO_EARLY = Transition(playing.too_early, (TooEarly,))
DICE_BY_HAND = Transition(correcting.by_hand, (EnteringDice,))
DICE_WRONG = Transition(correcting.dice_wrong, (CorrectingDice, EnteringDice))
CHOOSE = Transition(playing.choose, (Telling, ChoosingColumn))
STOP = Transition(playing.stop, (Stopped, GameOver))
SAME_DICE = Transition(playing.same_dice, ROLLED)
EARLY_STOP = Transition(playing.stop_once_still, (StopPending,), (Effect.AWAIT_STILL,))
GO_ON = Transition(playing.told, (Waiting,))
ROLL_OR_TOO_EARLY = Transition(playing.take_roll, (*ROLLED, TooEarly))

# Rows that many states share together.
IN_GAME: Rows = {
    "where": Transition(opens(Whereabouts), (Whereabouts,)),
    "hold B": SHOW_PAGE,
    "hold C": TAKE_BACK,
    "hold STOP": OPEN_MENU,
    "phone board": PHONE_BOARD,
}
"""What every state of a game accepts."""
HAS_ROLL: Rows = IN_GAME | {"hold A": DICE_WRONG, "dice": DICE_TOO_EARLY, "phone dice": PHONE_DICE}
"""What a state accepts whose roll was not played yet."""


def _tray(state: type[State]) -> Rows:
    """Return the row of a state that shows the tray's contents."""
    return {"tray": Transition(playing.see_tray, (WatchingTray, state))}


def _waits_for_roll(state: type[State]) -> Rows:
    """Return what a state of a game accepts that waits for a roll, or takes one as the answer."""
    return IN_GAME | _tray(state) | {"hold A": DICE_BY_HAND, "dice": TAKE_ROLL, "phone dice": PHONE_DICE}


def _each(presses: Iterable[str], row: Transition) -> Rows:
    """Return the same row for several presses."""
    return dict.fromkeys(presses, row)


def _list(take: Transition, count: Callable[[Any], int]) -> Rows:
    """Return what a list accepts: C takes the option under the cursor, and a phone one of its `count` options."""

    def tapped(situation: Situation, state: Any, event: LineTapped) -> Situation | Outcome | None:  # noqa: ANN401
        if event.shown != list_mark(state) or event.line >= count(state):
            return None
        under = replace(state, cursor=event.line)
        return take.handle(replace(situation, state=under), under, Press(Button.C))

    return {"C": take, "phone line": Transition(tapped, take.to, take.effects)}


# fmt: off
_ROWS: dict[type[State], Rows] = {
    # Before and after a game
    Welcome: {
        "C": Transition(setup.new_game, (NewGame,)),
        "hold B": SHOW_PAGE,
        "hold STOP": Transition(opens(BoxMenu), (BoxMenu,)),
        "phone seats": PHONE_SEATS, "backup": PHONE_BACKUP, "wifi": PHONE_WIFI,
    },
    Resume: {
        "C": Transition(
            leave, (*IN_TURN, CorrectingDice, EnteringDice, Menu, GivingUp, SettingBoard, *STORED_BOX_STATES)),
        "hold B": SHOW_PAGE,
    },
    NewGame: _each("AB", Transition(setup.move_cursor, (NewGame,))) | _list(
        Transition(setup.take, (NewGame, EnteringName, RollingOff, Waiting)),
        lambda state: len(question_of(state).options)) | {
        "STOP": Transition(setup.back, (NewGame, Welcome, GameOver, *IN_TURN)),
        "phone seats": PHONE_SEATS,
    },
    ChangingSeats: _each("AB", Transition(setup.move_cursor, (ChangingSeats,))) | _list(
        Transition(setup.take, (ChangingSeats, EnteringName, *POSITION, PutBack)),
        lambda state: len(question_of(state).options)) | {
        "STOP": Transition(setup.back, (ChangingSeats, *IN_TURN)),
    },
    EnteringName: _each(("A", "B", "hold A", "hold B"), Transition(name_entry.turn_letters, (EnteringName,))) | {
        "C": Transition(name_entry.take_letter, (EnteringName,)),
        "STOP": Transition(name_entry.drop_letter, (EnteringName, NewGame, ChangingSeats)),
        "hold C": Transition(name_entry.take_name, (NewGame, *POSITION, PutBack), (Effect.KEEP_PREFERENCES,)),
        "phone seats": PHONE_SEATS,
    },
    RollingOff: _tray(RollingOff) | {
        "dice": Transition(setup.roll_off, (RollingOff, Begins)),
        "hold A": Transition(opens(EnteringDice), (EnteringDice,)),
    },
    GameOver: IN_GAME | {
        "B": Transition(game_story.open_story, (GameStory,), (Effect.ASK_STORY,)),
        "C": Transition(fewest_turns.after_game, (NewGame, FewestTurns)),
        "backup": PHONE_BACKUP, "wifi": PHONE_WIFI,
    },
    FewestTurns: _each("AB", Transition(fewest_turns.turn_page, (FewestTurns,))) | {
        "C": Transition(fewest_turns.go_on, (NewGame, BoxMenu)),
        "STOP": Transition(leave, (GameOver, BoxMenu)),
        "fewest": Transition(fewest_turns.fewest_known, (FewestTurns,)),
    },
    GameStory: _each("ABC", Transition(game_story.turn_page, (GameStory,))) | {
        "STOP": Transition(leave, (GameOver,)),
        "story": Transition(game_story.story_known, (GameStory,)),
    },

    # A turn
    Begins: _waits_for_roll(Begins) | {"C": GO_ON},
    Waiting: _waits_for_roll(Waiting),
    Choosing: HAS_ROLL | _each("ABC", CHOOSE),
    ChoosingColumn: HAS_ROLL | _each("AB", Transition(playing.choose_column, (Telling,))) | {
        "STOP": Transition(playing.back_to_pairings, (Choosing,)),
    },
    Telling: _waits_for_roll(Telling) | {
        "B": SAME_DICE, "C": Transition(playing.moved, (Deciding,)), "STOP": STOP, "early STOP": EARLY_STOP,
    },
    Deciding: _waits_for_roll(Deciding) | {"B": SAME_DICE, "STOP": STOP, "early STOP": EARLY_STOP},
    Busting: HAS_ROLL | {"A": DICE_WRONG, "C": Transition(playing.bust, (Busted,))},
    Busted: _waits_for_roll(Busted) | {"C": GO_ON},
    Stopped: _waits_for_roll(Stopped) | {"C": Transition(playing.next_page, (Stopped, Waiting))},

    # An opponent's turn
    Thinking: HAS_ROLL | {
        "decision": Transition(opponents.decided, (Moving, RollingOn)),
        "no decision": Transition(opponents.undecided, (Undecided,)),
    },
    Undecided: HAS_ROLL | {
        "A": Transition(leave, (Thinking,)),
        "C": Transition(opponents.choose_for_it, (Choosing, Deciding)),
    },
    Moving: _waits_for_roll(Moving) | {
        "C": Transition(opponents.moved, (RollingOn, Stopped, GameOver)),
        "hold A": Transition(opponents.misread, (CorrectingDice, EnteringDice, PutBack)),
        "dice": ROLL_OR_TOO_EARLY,
    },
    RollingOn: _waits_for_roll(RollingOn),

    # Corrections
    CorrectingDice: _each("AB", Transition(correcting.take_likely, ROLLED)) | {
        "C": DICE_BY_HAND,
        "STOP": Transition(leave, (Choosing, ChoosingColumn, Busting, Thinking)),
        "dice": DICE_TOO_EARLY, "phone dice": PHONE_DICE,
    },
    EnteringDice: _each(
        ("A", "B", "hold A", "hold B", "hold C"), Transition(correcting.enter_die, (EnteringDice,))) | {
        "C": Transition(correcting.enter_die, (EnteringDice, *ROLLED, ChoosingColumn, RollingOff, Begins)),
        "STOP": Transition(correcting.drop_die, (EnteringDice, *IN_TURN, RollingOff)),
        "dice": DICE_TOO_EARLY, "phone dice": PHONE_DICE,
    },
    PutBack: _waits_for_roll(PutBack) | {
        "C": Transition(putting_back.next_page, (PutBack, *POSITION, CorrectingDice, EnteringDice)),
        "dice": ROLL_OR_TOO_EARLY,
    },
    SettingBoard: {
        "A": Transition(correcting.next_column, (SettingBoard,)),
        "B": Transition(correcting.next_space, (SettingBoard,)),
        "C": Transition(correcting.take_row, (SettingBoard, *POSITION, *IN_TURN)),
        "STOP": Transition(leave, BACK_IN_GAME),
        "phone board": PHONE_BOARD,
    },
    TooEarly: _each(BUTTONS, Transition(
        leave,
        (Choosing, ChoosingColumn, Busting, Thinking, Undecided, Moving, PutBack, CorrectingDice, EnteringDice))),

    # The tray's contents. Inputs that are not accepted here belong to the state that waits for the dice, see `step`.
    WatchingTray: {
        "B": Transition(leave, WAITS, (Effect.READ_AGAIN,)),
        "C": Transition(leave, WAITS, (Effect.TRAY_CHECKED,)),
        "tray": Transition(playing.see_tray, (WatchingTray, *WAITS)),
    },
    # A roll belongs to the player who made it: STOP waits until it is read, or nothing has moved for a second.
    StopPending: {
        "still": Transition(playing.stop_if_still, (Stopped, GameOver)),
        "tray": Transition(playing.stop_unseen, (Stopped, GameOver)),
        "dice": Transition(playing.take_roll, (Choosing, Busting)),
    },

    # The menu
    Menu: _each("AB", Transition(correcting.move_cursor, (Menu,))) | _list(
        Transition(
            correcting.take_item,
            (*POSITION, *IN_TURN, EnteringDice, SettingBoard, Whereabouts, Coaching, ChangingSeats, GivingUp, NewGame,
             Rules, BoxMenu)),
        lambda _: len(correcting.MENU)) | {
        "STOP": Transition(leave, BACK_IN_GAME),
    },
    GivingUp: _each(("C", "STOP"), Transition(leave, IN_TURN)) | {"A": Transition(correcting.give_up, (NewGame,))},
    Coaching: _each("ABC", Transition(coaching.turn_page, (Coaching,))) | {
        "STOP": Transition(leave, (Choosing, ChoosingColumn, Telling, Deciding)),
        "advice": Transition(coaching.advised, (Coaching,)),
    },
    Whereabouts: _each("ABC", Transition(correcting.turn_board_page, (Whereabouts,))) | {
        "STOP": Transition(leave, BACK_IN_GAME),
    },
    Rules: _each("ABC", Transition(box_care.move, (Rules,))) | {"STOP": Transition(leave, (Menu,))},

    # The page
    OfferingPage: {
        "A": Transition(phone_page.turn_on, (ShowingPage,),
                        (Effect.KEEP_PREFERENCES, Effect.ASK_PAGE, Effect.ASK_NETWORK)),
        "B": Transition(phone_page.turn_off, (CalibratingTray,), (Effect.KEEP_PREFERENCES,)),
        "STOP": Transition(leave, (CalibratingTray,)),
    },
    ShowingPage: _each(
        ("C", "STOP"),
        Transition(phone_page.back, (ShowingPage, Hotspot, Welcome, CalibratingTray, Resume, *BACK_IN_GAME))) | {
        "A": Transition(phone_page.press_a, (ShowingPage,)),
        "B": Transition(phone_page.switch_view, (ShowingPage,)),
        "page": Transition(phone_page.take_address, (ShowingPage,)),
        "network": Transition(network.missing, (Network,)),
        "wifi": PHONE_WIFI,
    },

    # The box itself
    BoxMenu: _each("AB", Transition(box_care.move, (BoxMenu,))) | _list(
        Transition(
            box_care.take_item,
            (BoxMenu, FewestTurns, ChoosingLanguage, TryingButtons, CalibratingTray, TrialThrow, Network,
             ChangingVersion, About, ShuttingDown)),
        lambda _: len(box_care.BOX_MENU)) | {
        "STOP": Transition(leave, (Menu, Welcome)),
    },
    CheckingFrame: {
        "A": Transition(leave, (ChoosingLanguage,), (Effect.KEEP_DISPLAY,)),
        "B": Transition(stay, (CheckingFrame,), (Effect.TRY_DISPLAY,)),
    },
    ChoosingLanguage: _each("AB", Transition(box_care.move, (ChoosingLanguage,))) | {
        "C": Transition(box_care.take_language, (TryingButtons, BoxMenu), (Effect.KEEP_PREFERENCES,)),
        "STOP": Transition(leave, (TryingButtons, BoxMenu)),
    },
    TryingButtons: {
        **_each(BUTTONS, Transition(box_care.button_pressed, (TryingButtons, *AFTER_BUTTONS))),
        **_each(map("hold {}".format, BUTTONS), Transition(box_care.skip_buttons, AFTER_BUTTONS)),
    },
    TryingSignal: _each("AB", Transition(box_care.answer_signal, AFTER_SIGNAL, (Effect.KEEP_PREFERENCES,))) | {
        "C": Transition(stay, (TryingSignal,)),
        "STOP": Transition(leave, AFTER_SIGNAL),
    },
    CalibratingTray: {
        "A": Transition(box_care.look_again, (CalibratingTray,)),
        "C": Transition(box_care.look_at_tray, (CalibratingTray, TrialThrow, BoxMenu)),
        "STOP": Transition(leave, (TrialThrow, BoxMenu)),
        "measured": Transition(box_care.tray_measured, (CalibratingTray,)),
        "tray": Transition(box_care.camera_lost, (CalibratingTray,)),
    },
    TrialThrow: _tray(TrialThrow) | _each(("C", "STOP"), Transition(leave, (Welcome, BoxMenu))) | {
        "B": Transition(stay, (TrialThrow,), (Effect.READ_AGAIN,)),
        "dice": Transition(box_care.take_trial, (TrialThrow,)),
    },
    Network: _each(("C", "STOP"), Transition(leave, BELOW_NETWORK)) | {
        "A": Transition(network.choose, (ChoosingNetwork,)),
        "network": Transition(network.seen, (Network, Hotspot)),
        "wifi": PHONE_WIFI,
    },
    ChoosingNetwork: _each("AB", Transition(network.move, (ChoosingNetwork,))) | _list(
        Transition(network.take, (JoiningNetwork, Hotspot)), lambda state: len(state.names) + 1) | {
        "STOP": Transition(leave, (Network,)),
    },
    Hotspot: {
        "C": Transition(network.show_page, (ShowingPage,), (Effect.ASK_PAGE,)),
        "STOP": Transition(network.close_hotspot, (Network,), (Effect.CLOSE_HOTSPOT,)),
        "network": Transition(network.hotspot_seen, (Hotspot,)),
        "wifi": PHONE_WIFI,
    },
    JoiningNetwork: _each(
        ("C", "STOP"), Transition(network.leave_joining, (Network, Hotspot, *BELOW_NETWORK))) | {
        "A": Transition(network.join, (JoiningNetwork,), (Effect.JOIN_NETWORK,)),
        "network": Transition(network.joined, (JoiningNetwork, Network)),
    },
    Restoring: _each(("C", "STOP"), Transition(leave, (Welcome, GameOver))) | {
        "A": Transition(box_care.restore, (Welcome,), (Effect.RESTORE, Effect.KEEP_PREFERENCES)),
    },
    About: _each(("C", "STOP"), Transition(leave, (BoxMenu,))),
    Checking: _each("AB", Transition(box_care.move, (Checking,))) | {
        "C": Transition(box_care.open_finding, (Checking,)),
        "STOP": Transition(box_care.close_finding, (BoxMenu, Checking)),
        "finding": Transition(box_care.found_out, (Checking,)),
        "measured": Transition(box_care.camera_found, (Checking,)),
        "tray": Transition(box_care.camera_gone, (Checking,)),
    },
    ChangingVersion: _each(("C", "STOP"), Transition(leave, (BoxMenu,))) | {
        "A": Transition(box_care.change_version, (ChangingVersion,), (Effect.CHANGE_VERSION,)),
        "version": Transition(box_care.version_seen, (ChangingVersion,)),
    },
    ShuttingDown: {
        "hold C": Transition(box_care.switch_off, (SwitchingOff,), (Effect.SWITCH_OFF,)),
        "STOP": Transition(leave, (BoxMenu,)),
    },
    SwitchingOff: {
        "STOP": Transition(leave, (*BACK_IN_GAME, Welcome)),
        "stays on": Transition(box_care.stays_on, (SwitchingOff,)),
    },
}
# fmt: on

TRANSITIONS = {(state, key): row for state, rows in _ROWS.items() for key, row in rows.items()}
"""The table: the row of each state and input that it accepts."""

ANSWERS = {TrayView.MOVED: "C", TrayView.MISSED: "B"}
"""The button that answers each view of the tray; all others work as in the state before."""


def step(situation: Situation, event: Input) -> Outcome | None:
    """Return the outcome of an input; None if it is not accepted here and has no effect."""
    state = situation.state
    key = event.key
    row = TRANSITIONS.get((type(state), key))
    answers = not isinstance(state, WatchingTray) or key in ("tray", ANSWERS.get(state.seen.view))
    after = row.handle(situation, state, event) if row and answers else None
    if row is not None and after is not None:
        outcome = after if isinstance(after, Outcome) else Outcome(after)
        return replace(outcome, effects=(*row.effects, *outcome.effects))
    if not isinstance(state, WatchingTray):
        return None
    # The tray's contents cover nothing: the input belongs to the state that waits for the dice.
    before = replace(situation, state=state.before)
    below = step(before, event)
    if below is None and key == "A" and state.seen.view is TrayView.NO_CAMERA:
        return step(before, Press(Button.A, long=True))
    return below
