"""The box about itself: first start, its menu, rules in short, its own check, switching off. No I/O here either."""

from __future__ import annotations

from dataclasses import replace

from device.referee import alone
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
    Button,
    DiceRead,
    Finding,
    Input,
    Level,
    NetworkSeen,
    Press,
    StaysOn,
    TrayMeasured,
    TraySeen,
    View,
)
from device.referee.outcome import Effect, Outcome
from device.referee.preferences import choices
from device.referee.state import State
from device.referee.states import Menu, Situation, Welcome
from engine import Variants

BOX_MENU = (
    "sound",
    "light",
    "odds",
    "page",
    "fewest",
    "language",
    "check",
    "buttons",
    "tray",
    "trial",
    "network",
    "about",
    "shut down",
)
"""The items of the box's own menu, top to bottom."""

TOGGLED = ("sound", "light", "odds", "page")
"""The items that are preferences: C goes to the next choice."""

PROBES = (
    "buttons",
    "camera",
    "sharpness",
    "light",
    "oled",
    "bus",
    "storage",
    "space",
    "clock",
    "heat",
    "power",
    "speech",
    "versions",
)
"""What the box checks of itself, in the order of the list."""

BUTTONS = tuple(Button)

_CAMERA_ADVICE = {
    "turn the lens": "sharpness",
    "more light": "light",
    "less glare": "light",
    "more even light": "light",
}
"""Which probe an advice of `vision.tray.advice.Change` belongs to; all others are the camera's."""


def first_start(*, with_page: bool = True, with_frame: bool = False) -> State:
    """Return the state of a box that is switched on for the first time: the steps, one within the other.

    Args:
        with_page: Whether there can be a page: then it is offered before the tray, as it shows what the camera sees.
        with_frame: Whether the display can be driven in more than one way: then that comes first, as nothing else can
            be read before.
    """
    tray = CalibratingTray(TrialThrow(Welcome()))
    steps = ChoosingLanguage(TryingButtons(OfferingPage(tray) if with_page else tray))
    return CheckingFrame(steps) if with_frame else steps


def topics(variants: Variants) -> tuple[str, ...]:
    """List what the rules in short are about, a page each: the base rules, then the variants agreed upon."""
    base = ("aim", "roll", "runners", "enter", "double", "both", "again", "bust", "stop", "top")
    return (*base, *variants.names)


# Moving and leaving


def back(situation: Situation, _: Input) -> Situation:
    """Go where the state leads; from an opened finding to the list."""
    state = situation.state
    if isinstance(state, Checking) and state.opened:
        return replace(situation, state=replace(state, opened=False))
    assert isinstance(
        state,
        ChoosingLanguage
        | OfferingPage
        | CalibratingTray
        | TrialThrow
        | BoxMenu
        | Rules
        | About
        | Network
        | Checking
        | ShuttingDown
        | SwitchingOff,
    )
    return replace(situation, state=state.before)


def move(situation: Situation, step: int) -> Situation:
    """Move the cursor or turn the page, round and round."""
    state = situation.state
    match state:
        case ChoosingLanguage():
            after: State = replace(state, cursor=(state.cursor + step) % len(choices("language")))
        case BoxMenu():
            after = replace(state, cursor=(state.cursor + step) % len(BOX_MENU))
        case Checking():
            after = replace(state, cursor=(state.cursor + step) % len(PROBES), opened=False)
        case _:
            assert isinstance(state, Rules)
            after = replace(state, page=(state.page + step) % len(topics(situation.played.position.variants)))
    return replace(situation, state=after)


# The menu of the box


def open_box_menu(situation: Situation, _: Input) -> Situation:
    """Open the box's own menu."""
    return replace(situation, state=BoxMenu(situation.state))


def take_item(situation: Situation, _: Input) -> Situation | Outcome:
    """Do what the item under the cursor says."""
    state = situation.state
    assert isinstance(state, BoxMenu)
    item = BOX_MENU[state.cursor]
    if item in TOGGLED:
        changed = replace(situation, preferences=situation.preferences.next(item))
        return Outcome(changed, (Effect.KEEP_PREFERENCES,))
    match item:
        case "fewest":
            return alone.open_fewest(situation, _)
        case "language":
            spoken = choices("language").index(situation.preferences.language)
            return replace(situation, state=ChoosingLanguage(state, spoken))
        case "check":
            return replace(situation, state=TryingButtons(Checking(state)))
        case "buttons":
            return replace(situation, state=TryingButtons(state))
        case "tray":
            return replace(situation, state=CalibratingTray(state))
        case "trial":
            return replace(situation, state=TrialThrow(state))
        case "network":
            return Outcome(replace(situation, state=Network(state)), (Effect.ASK_NETWORK,))
        case "about":
            return replace(situation, state=About(state))
    return replace(situation, state=ShuttingDown(state))


def take_language(situation: Situation, _: Input) -> Situation:
    """Speak the language under the cursor from now on."""
    state = situation.state
    assert isinstance(state, ChoosingLanguage)
    chosen = str(choices("language")[state.cursor])
    return replace(situation, state=state.before, preferences=replace(situation.preferences, language=chosen))


def network_seen(situation: Situation, seen: Input) -> Situation:
    """Show the addresses."""
    assert isinstance(seen, NetworkSeen)
    state = situation.state
    assert isinstance(state, Network)
    return replace(situation, state=replace(state, addresses=seen.addresses))


def switch_off(situation: Situation, _: Input) -> Situation:
    """Switch off: when the box is on again, it is where it was before the menus."""
    state: State = situation.state
    while isinstance(state, ShuttingDown | BoxMenu | Menu):
        state = state.before
    return replace(situation, state=SwitchingOff(state))


def stays_on(situation: Situation, refusal: Input) -> Situation:
    """Say that the system has refused to switch off."""
    assert isinstance(refusal, StaysOn)
    state = situation.state
    assert isinstance(state, SwitchingOff)
    return replace(situation, state=replace(state, failed=True))


# Buttons


def button_pressed(situation: Situation, press: Input) -> Situation | Outcome:
    """Tell whether the button that came is the one that was asked for; after the last one C goes on."""
    assert isinstance(press, Press)
    state = situation.state
    assert isinstance(state, TryingButtons)
    if state.pressed == len(BUTTONS):
        return skip_buttons(situation, press)
    if press.button is BUTTONS[state.pressed]:
        return replace(situation, state=replace(state, pressed=state.pressed + 1, other=""))
    return replace(situation, state=replace(state, other=str(press.button)))


def skip_buttons(situation: Situation, press: Input) -> Situation | Outcome:
    """Leave the test of the buttons; where the box checks itself, its other parts are next."""
    assert isinstance(press, Press)
    state = situation.state
    assert isinstance(state, TryingButtons)
    after = replace(situation, state=state.before)
    if not isinstance(state.before, Checking):
        return after
    # A button that is held to skip the test works: it is not among those that were not pressed.
    untried = [button for button in BUTTONS[state.pressed :] if button is not press.button]
    if not untried:
        found = Finding("buttons", Level.FINE, "buttons work")
    else:
        asked = str(untried[0])
        found = Finding("buttons", Level.ADVICE, "not pressed", (("button", asked),))
    return Outcome(found_out(after, found), (Effect.EXAMINE, Effect.MEASURE_TRAY))


# The tray


def look_at_tray(situation: Situation, _: Input) -> Situation | Outcome:
    """Ask the camera to look; once it has, show the next advice, and go on after the last."""
    state = situation.state
    assert isinstance(state, CalibratingTray)
    if state.advice is None:
        return Outcome(replace(situation, state=replace(state, asked=True)), (Effect.LEARN_TRAY,))
    if state.page + 1 < len(state.advice):
        return replace(situation, state=replace(state, page=state.page + 1))
    return replace(situation, state=state.before)


def look_again(situation: Situation, _: Input) -> Outcome | None:
    """Ask the camera once more, after something was changed."""
    state = situation.state
    assert isinstance(state, CalibratingTray)
    if state.advice is None:
        return None
    return Outcome(replace(situation, state=CalibratingTray(state.before, asked=True)), (Effect.LEARN_TRAY,))


def tray_measured(situation: Situation, measured: Input) -> Situation | None:
    """Show what the camera has made of the tray, if it was asked."""
    assert isinstance(measured, TrayMeasured)
    state = situation.state
    assert isinstance(state, CalibratingTray)
    if not state.asked:
        return None
    shown = replace(state, asked=False, problem=measured.problem, advice=measured.advice, page=0)
    return replace(situation, state=shown)


def camera_lost(situation: Situation, seen: Input) -> Situation | None:
    """Tell a camera that went while it was to look at the tray."""
    assert isinstance(seen, TraySeen)
    return tray_measured(situation, TrayMeasured("no camera")) if seen.view is View.NO_CAMERA else None


def take_trial(situation: Situation, read: Input) -> Situation | None:
    """Show the dice of a trial throw."""
    assert isinstance(read, DiceRead)
    state = situation.state
    assert isinstance(state, TrialThrow)
    return replace(situation, state=replace(state, dice=read.dice)) if len(read.dice) == 4 else None


# The check


def open_finding(situation: Situation, _: Input) -> Situation | None:
    """Show the finding under the cursor in full, or the list again."""
    state = situation.state
    assert isinstance(state, Checking)
    if PROBES[state.cursor] not in {probe for probe, *_ in state.findings}:
        return None
    return replace(situation, state=replace(state, opened=not state.opened))


def found_out(situation: Situation, found: Input) -> Situation:
    """Add a finding to the list."""
    assert isinstance(found, Finding)
    state = situation.state
    assert isinstance(state, Checking)
    others = tuple(each for each in state.findings if each[0] != found.probe)
    added = (found.probe, found.level.value, found.what, found.values)
    return replace(situation, state=replace(state, findings=(*others, added)))


def camera_found(situation: Situation, measured: Input) -> Situation:
    """Add what the camera has made of the tray to the findings."""
    assert isinstance(measured, TrayMeasured)
    for found in camera_findings(measured):
        situation = found_out(situation, found)
    return situation


def camera_gone(situation: Situation, seen: Input) -> Situation | None:
    """Tell a camera that is lost before it has answered."""
    assert isinstance(seen, TraySeen)
    state = situation.state
    assert isinstance(state, Checking)
    if seen.view is not View.NO_CAMERA or "camera" in {probe for probe, *_ in state.findings}:
        return None
    return camera_found(situation, TrayMeasured("no camera"))


def camera_findings(measured: TrayMeasured) -> tuple[Finding, ...]:
    """Tell what a look at the tray says of camera, sharpness and light."""
    if measured.problem:
        level = Level.BAD if measured.problem == "no camera" else Level.ADVICE
        unseen = [Finding(probe, Level.ABSENT, "not seen") for probe in ("sharpness", "light")]
        return (Finding("camera", level, measured.problem), *unseen)
    findings = []
    for probe, fine in (("camera", "sees the tray"), ("sharpness", "sharp"), ("light", "light enough")):
        told = [each for each in measured.advice if _CAMERA_ADVICE.get(each[0], "camera") == probe]
        what, hinders = told[0] if told else (fine, False)
        level = Level.FINE if not told else Level.BAD if hinders else Level.ADVICE
        findings.append(Finding(probe, level, what))
    return tuple(findings)
