"""The box's own screens: first start, menu, rules summary, self-check and switching off. No I/O here either."""

from __future__ import annotations

from dataclasses import replace

from device.referee import after_game, states
from device.referee.inputs import (
    BackupGiven,
    Button,
    DiceRead,
    Finding,
    Grade,
    Press,
    TrayMeasured,
    VersionSeen,
)
from device.referee.outcome import Effect, Outcome
from device.referee.preferences import CHOICES
from device.referee.states import Situation, State, leave
from engine import Variants

BOX_MENU = (
    "sound", "light", "odds", "page", "fewest", "language", "check", "buttons", "tray", "trial", "network",
    "update", "go back", "shut down",
)  # fmt: skip
"""The items of the box's own menu, from top to bottom."""

TOGGLED = ("sound", "light", "odds", "page")
"""The items that are preferences: C selects the next choice."""

PROBES = (
    "buttons", "camera", "sharpness", "light", "oled", "bus", "storage", "space", "clock", "heat", "power", "speech",
    "versions",
)  # fmt: skip
"""The parts that the self-check examines, in the order of the list."""

BUTTONS = tuple(Button)

_CAMERA_ADVICE = {
    "turn the lens": "sharpness",
    "more light": "light",
    "less glare": "light",
}
"""The probe that each advice of `vision.tray.advice.Change` belongs to; by default the camera."""


def offer_backup(situation: Situation, state: State, told: BackupGiven) -> Situation | None:
    """Ask whether to take over a backup; not while a game is going on, which would be lost."""
    if situation.game is not None and situation.game.position.winner is None:
        return None
    return replace(situation, state=states.Restoring(state, told))


def restore(situation: Situation, state: states.Restoring, *_: object) -> Situation:
    """Take over the preferences, and go on with a box whose last game has the highest number."""
    number = max([situation.number, *(number for number, _ in state.backup.games)])
    page = situation.preferences.page  # the phone that has sent it goes on
    return Situation(states.Welcome(), None, number, replace(state.backup.preferences, page=page))


def first_start_on_a_computer(*, with_camera: bool) -> State:
    """Return the first state of a game on a computer: the language, and with a camera a test roll."""
    return states.ChoosingLanguage(states.TrialThrow(states.Welcome()) if with_camera else states.Welcome())


def first_start(
    *,
    signals: tuple[str, ...] = (),
    with_buttons: bool = True,
    with_page: bool = True,
    with_frame: bool = False,
) -> State:
    """Return the state of a box that is switched on for the first time: a chain of nested steps.

    Args:
        signals: The available signals, lamp and buzzer, by their preferences; each is tried after the buttons.
        with_buttons: Whether the box has buttons; without them, its page is on already.
        with_page: Whether a page is possible; it is then offered before the tray, since it shows the camera's picture.
        with_frame: Whether the display can be driven in several ways; choosing one then comes first, since nothing else
            is readable before.
    """
    steps: State = states.CalibratingTray(states.TrialThrow(states.Welcome()))
    if with_page and with_buttons:
        steps = states.OfferingPage(steps)
    for signal in reversed(signals):
        steps = states.TryingSignal(steps, signal)
    steps = states.ChoosingLanguage(states.TryingButtons(steps) if with_buttons else steps)
    return states.CheckingFrame(steps) if with_frame else steps


def topics(variants: Variants) -> tuple[str, ...]:
    """Return the topics of the rules summary, one page each: the base rules, then the variants in use."""
    base = ("aim", "roll", "runners", "enter", "double", "both", "again", "bust", "stop", "top")
    return (*base, *variants.names)


# Moving and leaving


def close_finding(situation: Situation, state: states.Checking, *_: object) -> Situation:
    """Return from an open finding to the list, or from the list to the menu."""
    return replace(situation, state=replace(state, opened=False)) if state.opened else leave(situation, state)


# The menu of the box


def take_item(situation: Situation, state: states.BoxMenu, *_: object) -> Situation | Outcome:
    """Perform the item under the cursor."""
    item = BOX_MENU[state.cursor]
    if item in TOGGLED:
        changed = replace(situation, preferences=situation.preferences.next(item))
        return Outcome(changed, (Effect.KEEP_PREFERENCES,))
    match item:
        case "fewest":
            return after_game.open_fewest(situation)
        case "language":
            spoken = CHOICES["language"].index(situation.preferences.language)
            return replace(situation, state=states.ChoosingLanguage(state, spoken))
        case "check":
            return replace(situation, state=states.TryingButtons(states.Checking(state)))
        case "buttons":
            return replace(situation, state=states.TryingButtons(state))
        case "tray":
            return replace(situation, state=states.CalibratingTray(state))
        case "trial":
            return replace(situation, state=states.TrialThrow(state))
        case "network":
            return Outcome(replace(situation, state=states.Network(state)), (Effect.ASK_NETWORK,))
        case "update" | "go back":
            return Outcome(replace(situation, state=states.ChangingVersion(state, item)), (Effect.ASK_VERSION,))
    return replace(situation, state=states.ShuttingDown(state))


def take_language(situation: Situation, state: states.ChoosingLanguage, *_: object) -> Situation:
    """Switch to the language under the cursor."""
    chosen = str(CHOICES["language"][state.cursor])
    return replace(situation, state=state.before, preferences=replace(situation.preferences, language=chosen))


def change_version(situation: Situation, state: states.ChangingVersion, *_: object) -> Situation | None:
    """Begin to change the version, unless that is going on."""
    return None if state.is_under_way else replace(situation, state=replace(state, progress="begin"))


def version_seen(situation: Situation, state: states.ChangingVersion, seen: VersionSeen) -> Situation:
    """Show how far it is. After an update to another version, this program no longer runs."""
    progress = seen.progress or ("newest" if state.is_under_way or state.progress == "newest" else "")
    return replace(situation, state=replace(state, progress=progress))


def switch_off(situation: Situation, *_: object) -> Situation:
    """Switch off: when the box is on again, it is where it was before the menus."""
    state: State = situation.state
    while isinstance(state, states.ShuttingDown | states.BoxMenu | states.Menu):
        state = state.before
    return replace(situation, state=states.SwitchingOff(state))


def stays_on(situation: Situation, state: states.SwitchingOff, *_: object) -> Situation:
    """Show that the system refused to switch off."""
    return replace(situation, state=replace(state, failed=True))


# Buttons


def button_pressed(situation: Situation, state: states.TryingButtons, press: Press) -> Situation | Outcome:
    """Compare the pressed button with the requested one; after the last one C continues."""
    if state.pressed == len(BUTTONS):
        return skip_buttons(situation, state, press)
    if press.button is BUTTONS[state.pressed]:
        return replace(situation, state=replace(state, pressed=state.pressed + 1, other=""))
    return replace(situation, state=replace(state, other=str(press.button)))


def skip_buttons(situation: Situation, state: states.TryingButtons, press: Press) -> Situation | Outcome:
    """Leave the test of the buttons; during a self-check, the other parts are next."""
    if not isinstance(state.before, states.Checking):
        return leave(situation, state)
    # A button that is held to skip the test works, so it does not count as not pressed.
    untried = [button for button in BUTTONS[state.pressed :] if button is not press.button]
    if not untried:
        found = Finding("buttons", Grade.FINE, "buttons work")
    else:
        asked = str(untried[0])
        found = Finding("buttons", Grade.ADVICE, "not pressed", (("button", asked),))
    return Outcome(found_out(situation, state.before, found), (Effect.CHECK_PARTS, Effect.MEASURE_TRAY))


# Lamp and buzzer


def answer_signal(situation: Situation, state: states.TryingSignal, press: Press) -> Situation:
    """Handle the answer, A: use the signal, which was seen or heard. B: do without; the menu can turn it on again."""
    preferences = situation.preferences.chosen(state.signal, press.button is Button.A)
    return leave(replace(situation, preferences=preferences), state)


# The tray


def look_at_tray(situation: Situation, state: states.CalibratingTray, *_: object) -> Situation | Outcome:
    """Request a look at the tray; after it, show the next advice, and continue after the last one."""
    if state.advice is None:
        return Outcome(replace(situation, state=replace(state, asked=True)), (Effect.LEARN_TRAY,))
    if state.page + 1 < len(state.advice):
        return replace(situation, state=replace(state, page=state.page + 1))
    return replace(situation, state=state.before)


def look_again(situation: Situation, state: states.CalibratingTray, *_: object) -> Outcome | None:
    """Request another look after something was changed."""
    if state.advice is None:
        return None
    return Outcome(replace(situation, state=states.CalibratingTray(state.before, asked=True)), (Effect.LEARN_TRAY,))


def tray_measured(situation: Situation, state: states.CalibratingTray, measured: TrayMeasured) -> Situation | None:
    """Show the result of a requested look at the tray."""
    if not state.asked:
        return None
    shown = replace(state, asked=False, problem=measured.problem, advice=measured.advice, page=0)
    return replace(situation, state=shown)


def take_trial(situation: Situation, state: states.TrialThrow, read: DiceRead) -> Situation | None:
    """Show the dice of a test roll."""
    return replace(situation, state=replace(state, dice=read.dice)) if len(read.dice) == 4 else None


# The check


def next_probe(situation: Situation, state: states.Checking, press: Press) -> Situation:
    """Move the cursor, wrapping around, and close the finding that is open."""
    cursor = (state.cursor + press.direction) % len(PROBES)
    return replace(situation, state=replace(state, cursor=cursor, opened=False))


def open_finding(situation: Situation, state: states.Checking, *_: object) -> Situation | None:
    """Show the finding under the cursor in full, or the list again."""
    if PROBES[state.cursor] not in {each.probe for each in state.findings}:
        return None
    return replace(situation, state=replace(state, opened=not state.opened))


def found_out(situation: Situation, state: states.Checking, *found: Finding) -> Situation:
    """Add findings to the list."""
    others = [each for each in state.findings if each.probe not in {one.probe for one in found}]
    return replace(situation, state=replace(state, findings=(*others, *found)))


def camera_found(situation: Situation, state: states.Checking, measured: TrayMeasured) -> Situation:
    """Add the result of the look at the tray to the findings."""
    return found_out(situation, state, *camera_findings(measured))


def camera_findings(measured: TrayMeasured) -> tuple[Finding, ...]:
    """Return the findings on camera, sharpness and light from a look at the tray."""
    if measured.problem:
        level = Grade.BAD if measured.problem == "no camera" else Grade.ADVICE
        unseen = [Finding(probe, Grade.ABSENT, "not seen") for probe in ("sharpness", "light")]
        return (Finding("camera", level, measured.problem), *unseen)
    findings = []
    for probe, fine in (("camera", "sees the tray"), ("sharpness", "sharp"), ("light", "light enough")):
        told = [each for each in measured.advice if _CAMERA_ADVICE.get(each[0], "camera") == probe]
        what, is_required = told[0] if told else (fine, False)
        level = Grade.FINE if not told else Grade.BAD if is_required else Grade.ADVICE
        findings.append(Finding(probe, level, what))
    return tuple(findings)
