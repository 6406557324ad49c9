"""The referee: one table of every transition, without I/O.

A row says: in this state, this input is handled by this function and may lead to these states. An input without a row
is not accepted and has no effect. `python -m tools.docs.architecture` prints the table in short. Rows that many
states share have a name, below; the table lists each state's inputs in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from device.referee import (
    box_care,
    correcting,
    fewest_turns,
    name_entry,
    opponents,
    phone_corrections,
    phone_page,
    playing,
    putting_back,
    setup,
)
from device.referee.box_states import (
    BOX_STATES,
    About,
    BoxMenu,
    CalibratingTray,
    Checking,
    CheckingFrame,
    ChoosingLanguage,
    Network,
    OfferingPage,
    Rules,
    ShuttingDown,
    SwitchingOff,
    TrialThrow,
    TryingButtons,
    TryingSignal,
)
from device.referee.inputs import Button, Input, Press, TrayView
from device.referee.outcome import Effect, Outcome
from device.referee.seat_states import EnteringName, FewestTurns, Moving, RollingOn, Thinking
from device.referee.state import State
from device.referee.states import (
    IN_TURN,
    TRANSIENT_STATES,
    Begins,
    Busted,
    Busting,
    Choosing,
    ChoosingColumn,
    CorrectingDice,
    Deciding,
    EnteringDice,
    GameOver,
    GivingUp,
    Menu,
    NewGame,
    PutBack,
    Resume,
    RollingOff,
    SettingBoard,
    ShowingPage,
    Situation,
    Stopped,
    StopPending,
    Telling,
    TooEarly,
    Waiting,
    WatchingTray,
    Welcome,
    leave,
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
STORED_BOX_STATES = tuple(state for state in BOX_STATES if state not in TRANSIENT_STATES)
"""The box's own states that are restored after a power cut."""

# Rows that many states share.
SHOW_PAGE = Transition(opens(ShowingPage), (ShowingPage,), (Effect.ASK_PAGE,))
TAKE_BACK = Transition(correcting.take_back, (*POSITION, PutBack))
OPEN_MENU = Transition(opens(Menu), (Menu,))
PHONE_BOARD = Transition(phone_corrections.correct_board, POSITION)
PHONE_DICE = Transition(phone_corrections.correct_dice, (*ROLLED, PutBack))
TAKE_ROLL = Transition(playing.take_roll, ROLLED)
DICE_TOO_EARLY = Transition(playing.too_early, (TooEarly,))
DICE_BY_HAND = Transition(correcting.by_hand, (EnteringDice,))
DICE_WRONG = Transition(correcting.dice_wrong, (CorrectingDice, EnteringDice))
CHOOSE = Transition(playing.choose, (Telling, ChoosingColumn))
STOP = Transition(playing.stop, (Stopped, GameOver))
GO_ON = Transition(playing.told, (Waiting,))
ENTER_DIE = Transition(correcting.enter_die, (EnteringDice,))
BACK_FROM_TOO_EARLY = Transition(
    leave, (Choosing, ChoosingColumn, Busting, Thinking, Moving, PutBack, CorrectingDice, EnteringDice, GameOver)
)
TRY_BUTTON = Transition(box_care.button_pressed, (TryingButtons, *AFTER_BUTTONS))
SKIP_BUTTONS = Transition(box_care.skip_buttons, AFTER_BUTTONS)


def _tray(state: type[State]) -> Transition:
    return Transition(playing.see_tray, (WatchingTray, state))


# fmt: off
TRANSITIONS: dict[tuple[type[State], str], Transition] = {
    # Before and after a game
    (Welcome, "C"): Transition(setup.new_game, (NewGame,)),
    (Welcome, "hold B"): SHOW_PAGE,
    (Welcome, "hold STOP"): Transition(opens(BoxMenu), (BoxMenu,)),

    (Resume, "C"): Transition(
        leave, (*IN_TURN, CorrectingDice, EnteringDice, Menu, GivingUp, SettingBoard, *STORED_BOX_STATES)),
    (Resume, "hold B"): SHOW_PAGE,

    (NewGame, "A"): Transition(setup.move_cursor, (NewGame,)),
    (NewGame, "B"): Transition(setup.move_cursor, (NewGame,)),
    (NewGame, "C"): Transition(setup.take, (NewGame, EnteringName, RollingOff, Waiting)),
    (NewGame, "STOP"): Transition(setup.back, (NewGame, Welcome, GameOver, *IN_TURN)),

    (EnteringName, "A"): Transition(name_entry.turn_letters, (EnteringName,)),
    (EnteringName, "B"): Transition(name_entry.turn_letters, (EnteringName,)),
    (EnteringName, "C"): Transition(name_entry.take_letter, (EnteringName,)),
    (EnteringName, "STOP"): Transition(name_entry.drop_letter, (EnteringName, NewGame)),
    (EnteringName, "hold A"): Transition(name_entry.turn_letters, (EnteringName,)),
    (EnteringName, "hold B"): Transition(name_entry.turn_letters, (EnteringName,)),
    (EnteringName, "hold C"): Transition(name_entry.take_name, (NewGame,), (Effect.KEEP_PREFERENCES,)),

    (RollingOff, "dice"): Transition(setup.roll_off, (RollingOff, Begins)),
    (RollingOff, "tray"): _tray(RollingOff),
    (RollingOff, "hold A"): Transition(opens(EnteringDice), (EnteringDice,)),

    (GameOver, "C"): Transition(fewest_turns.after_game, (NewGame, FewestTurns)),
    (GameOver, "hold B"): SHOW_PAGE, (GameOver, "hold C"): TAKE_BACK, (GameOver, "hold STOP"): OPEN_MENU,
    (GameOver, "dice"): DICE_TOO_EARLY, (GameOver, "phone board"): PHONE_BOARD,

    (FewestTurns, "A"): Transition(fewest_turns.turn_page, (FewestTurns,)),
    (FewestTurns, "B"): Transition(fewest_turns.turn_page, (FewestTurns,)),
    (FewestTurns, "C"): Transition(fewest_turns.go_on, (NewGame, BoxMenu)),
    (FewestTurns, "STOP"): Transition(leave, (GameOver, BoxMenu)),
    (FewestTurns, "fewest"): Transition(fewest_turns.fewest_known, (FewestTurns,)),

    # A turn
    (Begins, "C"): GO_ON,
    (Begins, "hold A"): DICE_BY_HAND, (Begins, "hold B"): SHOW_PAGE, (Begins, "hold C"): TAKE_BACK,
    (Begins, "hold STOP"): OPEN_MENU, (Begins, "dice"): TAKE_ROLL, (Begins, "tray"): _tray(Begins),
    (Begins, "phone dice"): PHONE_DICE, (Begins, "phone board"): PHONE_BOARD,

    (Waiting, "hold A"): DICE_BY_HAND, (Waiting, "hold B"): SHOW_PAGE, (Waiting, "hold C"): TAKE_BACK,
    (Waiting, "hold STOP"): OPEN_MENU, (Waiting, "dice"): TAKE_ROLL, (Waiting, "tray"): _tray(Waiting),
    (Waiting, "phone dice"): PHONE_DICE, (Waiting, "phone board"): PHONE_BOARD,

    (Choosing, "A"): CHOOSE, (Choosing, "B"): CHOOSE, (Choosing, "C"): CHOOSE,
    (Choosing, "hold A"): DICE_WRONG, (Choosing, "hold B"): SHOW_PAGE, (Choosing, "hold C"): TAKE_BACK,
    (Choosing, "hold STOP"): OPEN_MENU, (Choosing, "dice"): DICE_TOO_EARLY, (Choosing, "phone dice"): PHONE_DICE,
    (Choosing, "phone board"): PHONE_BOARD,

    (ChoosingColumn, "A"): Transition(playing.choose_column, (Telling,)),
    (ChoosingColumn, "B"): Transition(playing.choose_column, (Telling,)),
    (ChoosingColumn, "STOP"): Transition(playing.back_to_pairings, (Choosing,)),
    (ChoosingColumn, "hold A"): DICE_WRONG, (ChoosingColumn, "hold B"): SHOW_PAGE,
    (ChoosingColumn, "hold C"): TAKE_BACK, (ChoosingColumn, "hold STOP"): OPEN_MENU,
    (ChoosingColumn, "dice"): DICE_TOO_EARLY, (ChoosingColumn, "phone dice"): PHONE_DICE,
    (ChoosingColumn, "phone board"): PHONE_BOARD,

    (Telling, "C"): Transition(playing.told, (Deciding,)),
    (Telling, "STOP"): STOP,
    (Telling, "hold A"): DICE_BY_HAND, (Telling, "hold B"): SHOW_PAGE, (Telling, "hold C"): TAKE_BACK,
    (Telling, "hold STOP"): OPEN_MENU, (Telling, "dice"): TAKE_ROLL, (Telling, "tray"): _tray(Telling),
    (Telling, "phone dice"): PHONE_DICE, (Telling, "phone board"): PHONE_BOARD,

    (Deciding, "STOP"): STOP,
    (Deciding, "hold A"): DICE_BY_HAND, (Deciding, "hold B"): SHOW_PAGE, (Deciding, "hold C"): TAKE_BACK,
    (Deciding, "hold STOP"): OPEN_MENU, (Deciding, "dice"): TAKE_ROLL, (Deciding, "tray"): _tray(Deciding),
    (Deciding, "phone dice"): PHONE_DICE, (Deciding, "phone board"): PHONE_BOARD,

    (Busting, "A"): DICE_WRONG,
    (Busting, "C"): Transition(playing.bust, (Busted,)),
    (Busting, "hold A"): DICE_WRONG, (Busting, "hold B"): SHOW_PAGE, (Busting, "hold C"): TAKE_BACK,
    (Busting, "hold STOP"): OPEN_MENU, (Busting, "dice"): DICE_TOO_EARLY, (Busting, "phone dice"): PHONE_DICE,
    (Busting, "phone board"): PHONE_BOARD,

    (Busted, "C"): GO_ON,
    (Busted, "hold A"): DICE_BY_HAND, (Busted, "hold B"): SHOW_PAGE, (Busted, "hold C"): TAKE_BACK,
    (Busted, "hold STOP"): OPEN_MENU, (Busted, "dice"): TAKE_ROLL, (Busted, "tray"): _tray(Busted),
    (Busted, "phone dice"): PHONE_DICE, (Busted, "phone board"): PHONE_BOARD,

    (Stopped, "C"): Transition(playing.next_page, (Stopped, Waiting)),
    (Stopped, "hold A"): DICE_BY_HAND, (Stopped, "hold B"): SHOW_PAGE, (Stopped, "hold C"): TAKE_BACK,
    (Stopped, "hold STOP"): OPEN_MENU, (Stopped, "dice"): TAKE_ROLL, (Stopped, "tray"): _tray(Stopped),
    (Stopped, "phone dice"): PHONE_DICE, (Stopped, "phone board"): PHONE_BOARD,

    # An opponent's turn
    (Thinking, "decision"): Transition(opponents.decided, (Moving, RollingOn)),
    (Thinking, "hold A"): DICE_WRONG, (Thinking, "hold B"): SHOW_PAGE, (Thinking, "hold C"): TAKE_BACK,
    (Thinking, "hold STOP"): OPEN_MENU, (Thinking, "dice"): DICE_TOO_EARLY, (Thinking, "phone dice"): PHONE_DICE,
    (Thinking, "phone board"): PHONE_BOARD,

    (Moving, "C"): Transition(opponents.moved, (RollingOn, Stopped, GameOver)),
    (Moving, "hold A"): Transition(opponents.misread, (CorrectingDice, EnteringDice, PutBack)),
    (Moving, "dice"): Transition(playing.take_roll, (*ROLLED, TooEarly)),
    (Moving, "hold B"): SHOW_PAGE, (Moving, "hold C"): TAKE_BACK, (Moving, "hold STOP"): OPEN_MENU,
    (Moving, "tray"): _tray(Moving), (Moving, "phone dice"): PHONE_DICE, (Moving, "phone board"): PHONE_BOARD,

    (RollingOn, "hold A"): DICE_BY_HAND, (RollingOn, "hold B"): SHOW_PAGE, (RollingOn, "hold C"): TAKE_BACK,
    (RollingOn, "hold STOP"): OPEN_MENU, (RollingOn, "dice"): TAKE_ROLL, (RollingOn, "tray"): _tray(RollingOn),
    (RollingOn, "phone dice"): PHONE_DICE, (RollingOn, "phone board"): PHONE_BOARD,

    # Corrections
    (CorrectingDice, "A"): Transition(correcting.take_likely, ROLLED),
    (CorrectingDice, "B"): Transition(correcting.take_likely, ROLLED),
    (CorrectingDice, "C"): DICE_BY_HAND,
    (CorrectingDice, "STOP"): Transition(leave, (Choosing, ChoosingColumn, Busting, Thinking)),
    (CorrectingDice, "dice"): DICE_TOO_EARLY, (CorrectingDice, "phone dice"): PHONE_DICE,

    (EnteringDice, "A"): ENTER_DIE, (EnteringDice, "B"): ENTER_DIE,
    (EnteringDice, "C"): Transition(
        correcting.enter_die, (EnteringDice, *ROLLED, ChoosingColumn, RollingOff, Begins)),
    (EnteringDice, "STOP"): Transition(correcting.drop_die, (EnteringDice, *IN_TURN, RollingOff)),
    (EnteringDice, "hold A"): ENTER_DIE, (EnteringDice, "hold B"): ENTER_DIE, (EnteringDice, "hold C"): ENTER_DIE,
    (EnteringDice, "dice"): DICE_TOO_EARLY, (EnteringDice, "phone dice"): PHONE_DICE,

    (PutBack, "C"): Transition(putting_back.next_page, (PutBack, *POSITION, CorrectingDice, EnteringDice)),
    (PutBack, "hold A"): DICE_BY_HAND,
    (PutBack, "dice"): Transition(playing.take_roll, (*ROLLED, TooEarly)),
    (PutBack, "hold B"): SHOW_PAGE, (PutBack, "hold C"): TAKE_BACK, (PutBack, "hold STOP"): OPEN_MENU,
    (PutBack, "tray"): _tray(PutBack), (PutBack, "phone dice"): PHONE_DICE, (PutBack, "phone board"): PHONE_BOARD,

    (SettingBoard, "A"): Transition(correcting.next_column, (SettingBoard,)),
    (SettingBoard, "B"): Transition(correcting.next_space, (SettingBoard,)),
    (SettingBoard, "C"): Transition(correcting.take_row, (SettingBoard, *POSITION, *IN_TURN)),
    (SettingBoard, "STOP"): Transition(leave, BACK_IN_GAME),
    (SettingBoard, "phone board"): PHONE_BOARD,

    (TooEarly, "A"): BACK_FROM_TOO_EARLY, (TooEarly, "B"): BACK_FROM_TOO_EARLY,
    (TooEarly, "C"): BACK_FROM_TOO_EARLY, (TooEarly, "STOP"): BACK_FROM_TOO_EARLY,

    # The tray's contents. Inputs that are not accepted here belong to the state that waits for the dice, see `step`.
    (WatchingTray, "B"): Transition(leave, WAITS, (Effect.READ_AGAIN,)),
    (WatchingTray, "C"): Transition(leave, WAITS, (Effect.TRAY_CHECKED,)),
    (WatchingTray, "STOP"): Transition(playing.stop_once_still, (StopPending,)),
    (WatchingTray, "tray"): Transition(playing.see_tray, (WatchingTray, *WAITS)),

    # A roll belongs to the player who made it: STOP waits until it is read, or nothing moves any more.
    (StopPending, "tray"): Transition(playing.stop_if_still, (Telling, Deciding)),
    (StopPending, "dice"): Transition(playing.take_roll, (Choosing, Busting)),

    # The menu
    (Menu, "A"): Transition(correcting.move_cursor, (Menu,)),
    (Menu, "B"): Transition(correcting.move_cursor, (Menu,)),
    (Menu, "C"): Transition(
        correcting.take_item,
        (*POSITION, *IN_TURN, EnteringDice, SettingBoard, GivingUp, NewGame, Rules, BoxMenu)),
    (Menu, "STOP"): Transition(leave, BACK_IN_GAME),

    (GivingUp, "A"): Transition(correcting.give_up, (NewGame,)),
    (GivingUp, "C"): Transition(leave, IN_TURN),
    (GivingUp, "STOP"): Transition(leave, IN_TURN),

    (Rules, "A"): Transition(box_care.move, (Rules,)),
    (Rules, "B"): Transition(box_care.move, (Rules,)),
    (Rules, "C"): Transition(box_care.move, (Rules,)),
    (Rules, "STOP"): Transition(leave, (Menu,)),

    # The page
    (OfferingPage, "A"): Transition(phone_page.turn_on, (ShowingPage,), (Effect.KEEP_PREFERENCES, Effect.ASK_PAGE)),
    (OfferingPage, "B"): Transition(phone_page.turn_off, (CalibratingTray,), (Effect.KEEP_PREFERENCES,)),
    (OfferingPage, "STOP"): Transition(leave, (CalibratingTray,)),

    (ShowingPage, "A"): Transition(phone_page.press_a, (ShowingPage,)),
    (ShowingPage, "B"): Transition(phone_page.switch_view, (ShowingPage,)),
    (ShowingPage, "C"): Transition(leave, (Welcome, CalibratingTray, Resume, *BACK_IN_GAME)),
    (ShowingPage, "STOP"): Transition(leave, (Welcome, CalibratingTray, Resume, *BACK_IN_GAME)),
    (ShowingPage, "page"): Transition(phone_page.take_address, (ShowingPage,)),

    # The box itself
    (BoxMenu, "A"): Transition(box_care.move, (BoxMenu,)),
    (BoxMenu, "B"): Transition(box_care.move, (BoxMenu,)),
    (BoxMenu, "C"): Transition(
        box_care.take_item,
        (BoxMenu, FewestTurns, ChoosingLanguage, TryingButtons, CalibratingTray, TrialThrow, Network, About,
         ShuttingDown)),
    (BoxMenu, "STOP"): Transition(leave, (Menu, Welcome)),

    (CheckingFrame, "A"): Transition(leave, (ChoosingLanguage,), (Effect.KEEP_DISPLAY,)),
    (CheckingFrame, "B"): Transition(stay, (CheckingFrame,), (Effect.TRY_DISPLAY,)),

    (ChoosingLanguage, "A"): Transition(box_care.move, (ChoosingLanguage,)),
    (ChoosingLanguage, "B"): Transition(box_care.move, (ChoosingLanguage,)),
    (ChoosingLanguage, "C"): Transition(
        box_care.take_language, (TryingButtons, BoxMenu), (Effect.KEEP_PREFERENCES,)),
    (ChoosingLanguage, "STOP"): Transition(leave, (TryingButtons, BoxMenu)),

    (TryingButtons, "A"): TRY_BUTTON, (TryingButtons, "B"): TRY_BUTTON,
    (TryingButtons, "C"): TRY_BUTTON, (TryingButtons, "STOP"): TRY_BUTTON,
    (TryingButtons, "hold A"): SKIP_BUTTONS, (TryingButtons, "hold B"): SKIP_BUTTONS,
    (TryingButtons, "hold C"): SKIP_BUTTONS, (TryingButtons, "hold STOP"): SKIP_BUTTONS,

    (TryingSignal, "A"): Transition(box_care.answer_signal, AFTER_SIGNAL, (Effect.KEEP_PREFERENCES,)),
    (TryingSignal, "B"): Transition(box_care.answer_signal, AFTER_SIGNAL, (Effect.KEEP_PREFERENCES,)),
    (TryingSignal, "C"): Transition(stay, (TryingSignal,)),
    (TryingSignal, "STOP"): Transition(leave, AFTER_SIGNAL),

    (CalibratingTray, "A"): Transition(box_care.look_again, (CalibratingTray,)),
    (CalibratingTray, "C"): Transition(box_care.look_at_tray, (CalibratingTray, TrialThrow, BoxMenu)),
    (CalibratingTray, "STOP"): Transition(leave, (TrialThrow, BoxMenu)),
    (CalibratingTray, "measured"): Transition(box_care.tray_measured, (CalibratingTray,)),
    (CalibratingTray, "tray"): Transition(box_care.camera_lost, (CalibratingTray,)),

    (TrialThrow, "B"): Transition(stay, (TrialThrow,), (Effect.READ_AGAIN,)),
    (TrialThrow, "C"): Transition(leave, (Welcome, BoxMenu)),
    (TrialThrow, "STOP"): Transition(leave, (Welcome, BoxMenu)),
    (TrialThrow, "dice"): Transition(box_care.take_trial, (TrialThrow,)),
    (TrialThrow, "tray"): _tray(TrialThrow),

    (Network, "C"): Transition(leave, (BoxMenu,)),
    (Network, "STOP"): Transition(leave, (BoxMenu,)),
    (Network, "network"): Transition(box_care.network_seen, (Network,)),

    (About, "C"): Transition(leave, (BoxMenu,)),
    (About, "STOP"): Transition(leave, (BoxMenu,)),

    (Checking, "A"): Transition(box_care.move, (Checking,)),
    (Checking, "B"): Transition(box_care.move, (Checking,)),
    (Checking, "C"): Transition(box_care.open_finding, (Checking,)),
    (Checking, "STOP"): Transition(box_care.close_finding, (BoxMenu, Checking)),
    (Checking, "finding"): Transition(box_care.found_out, (Checking,)),
    (Checking, "measured"): Transition(box_care.camera_found, (Checking,)),
    (Checking, "tray"): Transition(box_care.camera_gone, (Checking,)),

    (ShuttingDown, "hold C"): Transition(box_care.switch_off, (SwitchingOff,), (Effect.SWITCH_OFF,)),
    (ShuttingDown, "STOP"): Transition(leave, (BoxMenu,)),

    (SwitchingOff, "STOP"): Transition(leave, (*BACK_IN_GAME, Welcome)),
    (SwitchingOff, "stays on"): Transition(box_care.stays_on, (SwitchingOff,)),
}
# fmt: on

ANSWERS = {TrayView.MOVED: "C", TrayView.MISSED: "B", TrayView.HAND: "STOP", TrayView.ROLLING: "STOP"}
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
