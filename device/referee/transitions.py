"""The referee: one table of every transition, without I/O.

A row says: in this state, this input is handled by this function and may lead to these states. What is not in the
table is not accepted, and nothing happens. `python -m device.referee.diagram` prints the table as a diagram.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from device.referee import (
    alone,
    box_care,
    by_page,
    correcting,
    frame_check,
    opponents,
    page,
    playing,
    putting_back,
    setup,
    spelling,
)
from device.referee.box_states import (
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
)
from device.referee.inputs import (
    BoardTold,
    Button,
    Decided,
    DiceRead,
    DiceTold,
    FewestKnown,
    Finding,
    Input,
    NetworkSeen,
    PageReady,
    Press,
    StaysOn,
    TrayMeasured,
    TraySeen,
    View,
)
from device.referee.outcome import Effect, Outcome
from device.referee.seat_states import EnteringName, FewestTurns, Moving, RollingOn, Thinking
from device.referee.state import State
from device.referee.states import (
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
    Reading,
    Resume,
    RollingOff,
    SettingBoard,
    ShowingPage,
    Situation,
    Stopped,
    Telling,
    TooEarly,
    Waiting,
    Welcome,
)

Handler = Callable[[Situation, Input], Situation | Outcome | None]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table.

    Attributes:
        handle: Gives the new situation, with effects of its own where they depend on more than the row; None where the
            input is not accepted after all.
        to: The states that it may lead to.
        effects: What else is to be done when it is accepted.
    """

    handle: Handler
    to: tuple[type[State], ...]
    effects: tuple[Effect, ...] = ()


KEYS: dict[type[Input], str] = {
    TraySeen: "tray",
    DiceRead: "dice",
    Finding: "finding",
    TrayMeasured: "measured",
    NetworkSeen: "network",
    StaysOn: "stays on",
    Decided: "decision",
    PageReady: "page",
    FewestKnown: "fewest",
    DiceTold: "told dice",
    BoardTold: "told board",
}
"""The names of all inputs that are no presses."""


def key_of(event: Input) -> str:
    """Give the name under which the table lists an input: a button, "hold" and a button, or one of `KEYS`."""
    return str(event) if isinstance(event, Press) else KEYS[type(event)]


def _same(situation: Situation, _: Input) -> Situation:
    return situation


def _resume(situation: Situation, _: Input) -> Situation:
    assert isinstance(situation.state, Resume)
    return replace(situation, state=situation.state.before)


ROLLED = (Choosing, Busting, Thinking)
POSITION = (Waiting, Deciding, *ROLLED, GameOver)
"""The states that a game's position can put the box in."""
AN_OPPONENTS = (Thinking, Moving, RollingOn)
"""The states that only an opponent's turn has."""
IN_TURN = (
    Begins,
    Waiting,
    Choosing,
    ChoosingColumn,
    Telling,
    Deciding,
    Busting,
    Busted,
    Stopped,
    *AN_OPPONENTS,
    PutBack,
)
"""The states of a game under way, apart from corrections and menu."""
TOO_EARLY = (Choosing, ChoosingColumn, Busting, Thinking, Moving, PutBack, CorrectingDice, EnteringDice, GameOver)
"""The states in which something else comes before the next throw."""

KEPT_OF_THE_BOX = (
    CheckingFrame,
    ChoosingLanguage,
    TryingButtons,
    OfferingPage,
    CalibratingTray,
    TrialThrow,
    BoxMenu,
    Rules,
    About,
    ShuttingDown,
)
"""The states of the box itself that it is in again after a power cut."""
AFTER_BUTTONS = (OfferingPage, CalibratingTray, BoxMenu, Checking)
"""Where the test of the buttons leads: on with the first start, back to the menu, or on with the box's check."""

TABLE: dict[tuple[type[Any], str], Row] = {
    # Around a game
    (Welcome, "C"): Row(setup.new_game, (NewGame,)),
    (Resume, "C"): Row(
        _resume, (*IN_TURN, CorrectingDice, EnteringDice, Menu, GivingUp, SettingBoard, *KEPT_OF_THE_BOX)
    ),
    (NewGame, "A"): Row(lambda now, _: setup.move_cursor(now, -1), (NewGame,)),
    (NewGame, "B"): Row(lambda now, _: setup.move_cursor(now, +1), (NewGame,)),
    (NewGame, "C"): Row(setup.take, (NewGame, EnteringName, RollingOff, Waiting)),
    (NewGame, "STOP"): Row(setup.back, (NewGame, Welcome, GameOver, *IN_TURN)),
    (RollingOff, "dice"): Row(setup.roll_off, (RollingOff, Begins)),
    (RollingOff, "hold A"): Row(setup.die_by_hand, (EnteringDice,)),
    (Begins, "C"): Row(playing.told, (Waiting,)),
    (GameOver, "C"): Row(alone.after_game, (NewGame, FewestTurns)),
    # The turn
    (Choosing, "A"): Row(playing.choose, (Telling, ChoosingColumn)),
    (Choosing, "B"): Row(playing.choose, (Telling, ChoosingColumn)),
    (Choosing, "C"): Row(playing.choose, (Telling, ChoosingColumn)),
    (ChoosingColumn, "A"): Row(playing.choose_column, (Telling,)),
    (ChoosingColumn, "B"): Row(playing.choose_column, (Telling,)),
    (ChoosingColumn, "STOP"): Row(playing.back_to_pairings, (Choosing,)),
    (Telling, "C"): Row(playing.told, (Deciding,)),
    (Telling, "STOP"): Row(playing.stop, (Stopped, GameOver)),
    (Deciding, "STOP"): Row(playing.stop, (Stopped, GameOver)),
    (Busting, "C"): Row(playing.bust, (Busted,)),
    (Busting, "A"): Row(correcting.dice_wrong, (CorrectingDice, EnteringDice)),
    (Busted, "C"): Row(playing.told, (Waiting,)),
    (Stopped, "C"): Row(playing.next_page, (Stopped, Waiting)),
    # An opponent's turn
    (Thinking, "decision"): Row(opponents.decided, (Moving, RollingOn)),
    (Thinking, "hold A"): Row(correcting.dice_wrong, (CorrectingDice, EnteringDice)),
    (Moving, "C"): Row(opponents.moved, (RollingOn, Stopped, GameOver)),
    (Moving, "dice"): Row(playing.take_roll, (*ROLLED, TooEarly)),
    (Moving, "hold A"): Row(opponents.misread, (CorrectingDice, EnteringDice, PutBack)),
    # Spelling a name
    (EnteringName, "A"): Row(lambda now, _: spelling.turn_letters(now, -1), (EnteringName,)),
    (EnteringName, "B"): Row(lambda now, _: spelling.turn_letters(now, +1), (EnteringName,)),
    (EnteringName, "hold A"): Row(lambda now, _: spelling.turn_letters(now, -spelling.JUMP), (EnteringName,)),
    (EnteringName, "hold B"): Row(lambda now, _: spelling.turn_letters(now, +spelling.JUMP), (EnteringName,)),
    (EnteringName, "C"): Row(spelling.take_letter, (EnteringName,)),
    (EnteringName, "STOP"): Row(spelling.drop_letter, (EnteringName, NewGame)),
    (EnteringName, "hold C"): Row(spelling.take_name, (NewGame,), (Effect.KEEP_PREFERENCES,)),
    # The table of those who played alone
    (FewestTurns, "fewest"): Row(alone.fewest_known, (FewestTurns,)),
    (FewestTurns, "A"): Row(lambda now, _: alone.turn_page(now, -1), (FewestTurns,)),
    (FewestTurns, "B"): Row(lambda now, _: alone.turn_page(now, +1), (FewestTurns,)),
    (FewestTurns, "C"): Row(alone.go_on, (NewGame, BoxMenu)),
    (FewestTurns, "STOP"): Row(alone.back, (GameOver, BoxMenu)),
    # Corrections
    (CorrectingDice, "A"): Row(correcting.take_likely, ROLLED),
    (CorrectingDice, "B"): Row(correcting.take_likely, ROLLED),
    (CorrectingDice, "C"): Row(correcting.by_hand, (EnteringDice,)),
    (CorrectingDice, "STOP"): Row(correcting.back, (Choosing, ChoosingColumn, Busting, Thinking)),
    (EnteringDice, "C"): Row(correcting.enter_die, (EnteringDice, *ROLLED, ChoosingColumn, RollingOff, Begins)),
    (EnteringDice, "STOP"): Row(correcting.drop_die, (EnteringDice, *IN_TURN, RollingOff)),
    (PutBack, "C"): Row(putting_back.next_page, (PutBack, *POSITION, CorrectingDice, EnteringDice)),
    (PutBack, "dice"): Row(playing.take_roll, (*ROLLED, TooEarly)),
    (PutBack, "hold A"): Row(correcting.by_hand, (EnteringDice,)),
    (SettingBoard, "A"): Row(correcting.next_column, (SettingBoard,)),
    (SettingBoard, "B"): Row(correcting.next_space, (SettingBoard,)),
    (SettingBoard, "C"): Row(correcting.take_row, (SettingBoard, *POSITION, *IN_TURN)),
    (SettingBoard, "STOP"): Row(correcting.back, (*IN_TURN, GameOver)),
    # The menu
    (Menu, "A"): Row(lambda now, _: correcting.move_cursor(now, -1), (Menu,)),
    (Menu, "B"): Row(lambda now, _: correcting.move_cursor(now, +1), (Menu,)),
    (Menu, "C"): Row(
        correcting.take_item, (*POSITION, *IN_TURN, EnteringDice, SettingBoard, GivingUp, NewGame, Rules, BoxMenu)
    ),
    (Menu, "STOP"): Row(correcting.back, (*IN_TURN, GameOver)),
    (GivingUp, "A"): Row(correcting.give_up, (NewGame,)),
    (GivingUp, "C"): Row(correcting.back, IN_TURN),
    (GivingUp, "STOP"): Row(correcting.back, IN_TURN),
    (Rules, "A"): Row(lambda now, _: box_care.move(now, -1), (Rules,)),
    (Rules, "B"): Row(lambda now, _: box_care.move(now, +1), (Rules,)),
    (Rules, "C"): Row(lambda now, _: box_care.move(now, +1), (Rules,)),
    (Rules, "STOP"): Row(box_care.back, (Menu,)),
    # The box itself
    (Welcome, "hold STOP"): Row(box_care.open_box_menu, (BoxMenu,)),
    (BoxMenu, "A"): Row(lambda now, _: box_care.move(now, -1), (BoxMenu,)),
    (BoxMenu, "B"): Row(lambda now, _: box_care.move(now, +1), (BoxMenu,)),
    (BoxMenu, "C"): Row(
        box_care.take_item,
        (
            BoxMenu,
            FewestTurns,
            ChoosingLanguage,
            TryingButtons,
            CalibratingTray,
            TrialThrow,
            Network,
            About,
            ShuttingDown,
        ),
    ),
    (BoxMenu, "STOP"): Row(box_care.back, (Menu, Welcome)),
    (ChoosingLanguage, "A"): Row(lambda now, _: box_care.move(now, -1), (ChoosingLanguage,)),
    (ChoosingLanguage, "B"): Row(lambda now, _: box_care.move(now, +1), (ChoosingLanguage,)),
    (ChoosingLanguage, "C"): Row(box_care.take_language, (TryingButtons, BoxMenu), (Effect.KEEP_PREFERENCES,)),
    (ChoosingLanguage, "STOP"): Row(box_care.back, (TryingButtons, BoxMenu)),
    (OfferingPage, "A"): Row(page.want, (ShowingPage,), (Effect.KEEP_PREFERENCES, Effect.ASK_PAGE)),
    (OfferingPage, "B"): Row(page.do_without, (CalibratingTray,), (Effect.KEEP_PREFERENCES,)),
    (OfferingPage, "STOP"): Row(box_care.back, (CalibratingTray,)),
    (CalibratingTray, "A"): Row(box_care.look_again, (CalibratingTray,)),
    (CalibratingTray, "C"): Row(box_care.look_at_tray, (CalibratingTray, TrialThrow, BoxMenu)),
    (CalibratingTray, "STOP"): Row(box_care.back, (TrialThrow, BoxMenu)),
    (CalibratingTray, "measured"): Row(box_care.tray_measured, (CalibratingTray,)),
    (CalibratingTray, "tray"): Row(box_care.camera_lost, (CalibratingTray,)),
    (TrialThrow, "dice"): Row(box_care.take_trial, (TrialThrow,)),
    (TrialThrow, "B"): Row(_same, (TrialThrow,), (Effect.READ_AGAIN,)),
    (TrialThrow, "C"): Row(box_care.back, (Welcome, BoxMenu)),
    (TrialThrow, "STOP"): Row(box_care.back, (Welcome, BoxMenu)),
    (Network, "network"): Row(box_care.network_seen, (Network,)),
    (Network, "C"): Row(box_care.back, (BoxMenu,)),
    (Network, "STOP"): Row(box_care.back, (BoxMenu,)),
    (About, "C"): Row(box_care.back, (BoxMenu,)),
    (About, "STOP"): Row(box_care.back, (BoxMenu,)),
    (Checking, "A"): Row(lambda now, _: box_care.move(now, -1), (Checking,)),
    (Checking, "B"): Row(lambda now, _: box_care.move(now, +1), (Checking,)),
    (Checking, "C"): Row(box_care.open_finding, (Checking,)),
    (Checking, "STOP"): Row(box_care.back, (BoxMenu, Checking)),
    (Checking, "tray"): Row(box_care.camera_gone, (Checking,)),
    (Checking, "finding"): Row(box_care.found_out, (Checking,)),
    (Checking, "measured"): Row(box_care.camera_found, (Checking,)),
    (ShuttingDown, "hold C"): Row(box_care.switch_off, (SwitchingOff,), (Effect.SWITCH_OFF,)),
    (ShuttingDown, "STOP"): Row(box_care.back, (BoxMenu,)),
    (SwitchingOff, "stays on"): Row(box_care.stays_on, (SwitchingOff,)),
    (SwitchingOff, "STOP"): Row(box_care.back, (*IN_TURN, GameOver, Welcome)),
    # The table's page
    (ShowingPage, "page"): Row(page.take_address, (ShowingPage,)),
    (ShowingPage, "A"): Row(page.take_a, (ShowingPage,)),
    (ShowingPage, "B"): Row(page.turn_over, (ShowingPage,)),
    (ShowingPage, "C"): Row(page.back, (Welcome, CalibratingTray, Resume, GameOver, *IN_TURN)),
    (ShowingPage, "STOP"): Row(page.back, (Welcome, CalibratingTray, Resume, GameOver, *IN_TURN)),
}

TABLE[CheckingFrame, "A"] = Row(frame_check.whole, (ChoosingLanguage,), (Effect.KEEP_DISPLAY,))
TABLE[CheckingFrame, "B"] = Row(frame_check.not_whole, (CheckingFrame,), (Effect.TRY_DISPLAY,))
_state: type[State]
for _state in (Welcome, Resume, GameOver, *IN_TURN):
    TABLE[_state, "hold B"] = Row(page.open_page, (ShowingPage,), (Effect.ASK_PAGE,))
for _state in (*IN_TURN, GameOver):
    TABLE[_state, "hold C"] = Row(correcting.take_back, (*POSITION, PutBack))
    TABLE[_state, "hold STOP"] = Row(correcting.open_menu, (Menu,))
for _state in (Begins, Waiting, Telling, Deciding, Busted, Stopped, RollingOn):
    TABLE[_state, "dice"] = Row(playing.take_roll, ROLLED)
    TABLE[_state, "hold A"] = Row(correcting.by_hand, (EnteringDice,))
for _state in (Choosing, ChoosingColumn, Busting):
    TABLE[_state, "hold A"] = Row(correcting.dice_wrong, (CorrectingDice, EnteringDice))
for _state in (*IN_TURN, CorrectingDice, EnteringDice):
    TABLE[_state, "told dice"] = Row(by_page.dice_told, (*ROLLED, PutBack))
for _state in (Choosing, ChoosingColumn, Busting, Thinking, CorrectingDice, EnteringDice, GameOver):
    TABLE[_state, "dice"] = Row(playing.too_early, (TooEarly,))
for _button in (Button.A, Button.B, Button.C):
    for _key in (str(_button), f"hold {_button}"):
        TABLE.setdefault((EnteringDice, _key), Row(correcting.enter_die, (EnteringDice,)))
for _button in Button:
    TABLE[TooEarly, _button.value] = Row(playing.back_from_too_early, TOO_EARLY)
for _state in (*IN_TURN, GameOver):
    TABLE[_state, "told board"] = Row(by_page.board_told, POSITION)
TABLE[SettingBoard, "told board"] = Row(by_page.board_told, POSITION)
for _button in Button:
    TABLE[TryingButtons, _button.value] = Row(box_care.button_pressed, (TryingButtons, *AFTER_BUTTONS))
    TABLE[TryingButtons, f"hold {_button}"] = Row(box_care.skip_buttons, AFTER_BUTTONS)
for _waits in (*playing.WANTS_FOUR_DICE, RollingOff):
    TABLE[_waits, "tray"] = Row(playing.see_tray, (Reading, _waits))
TABLE[Reading, "tray"] = Row(playing.see_tray, (Reading, *playing.WANTS_FOUR_DICE, RollingOff))
TABLE[Reading, "C"] = Row(playing.tray_checked, (*playing.WANTS_FOUR_DICE, RollingOff), (Effect.TRAY_CHECKED,))
TABLE[Reading, "B"] = Row(playing.read_missed, (*playing.WANTS_FOUR_DICE, RollingOff), (Effect.READ_AGAIN,))
ANSWERS = {View.MOVED: "C", View.MISSED: "B"}
"""Which button answers what is seen in the tray; all others do what they do in the state before."""


def step(situation: Situation, event: Input) -> Outcome | None:
    """Let an input happen.

    Args:
        situation: What the box knows.
        event: A press, a look at the tray, or dice.

    Returns:
        What it leads to, or None where the input is not accepted here: then nothing happens.
    """
    state = situation.state
    key = key_of(event)
    if isinstance(state, Reading) and key not in ("tray", ANSWERS.get(state.view)):
        # A reading takes nothing away: the input belongs to the state that waits for the dice.
        before = replace(situation, state=state.before)
        outcome = step(before, event)
        if outcome is None and key == "A" and state.view is View.NO_CAMERA:
            return step(before, Press(Button.A, long=True))
        return outcome
    row = TABLE.get((type(state), key))
    after = row.handle(situation, event) if row else None
    if row is None or after is None:
        return None
    if isinstance(after, Outcome):
        return replace(after, effects=(*row.effects, *after.effects))
    return Outcome(after, row.effects)
