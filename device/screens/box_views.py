"""The screens of the box itself: first start, menu, rules summary, self-check and switching off."""

from __future__ import annotations

from importlib import metadata

from device.referee import states
from device.referee.box_care import BOX_MENU, BUTTONS, PROBES, TOGGLED, topics
from device.referee.network import is_off
from device.referee.preferences import CHOICES
from device.referee.states import Situation, State
from device.screens import fault_texts, texts
from device.screens.draw import LARGE, LIST_ROOM, SMALL, SMALL_CHARACTERS, SMALL_LINES, WIDTH
from device.screens.language import LANGUAGES, say
from device.screens.screen import Line, Screen
from device.screens.widgets import ScreenOf, back_hint, listed, message, shortened, wrapped
from engine import roll_of, roll_text


def language_of(situation: Situation) -> str:
    """Return the language of the screen: while one is chosen, the one under the cursor."""
    state = situation.state
    if isinstance(state, states.ChoosingLanguage):
        return str(CHOICES["language"][state.cursor])
    return situation.preferences.language


def _choosing_language(now: Situation, state: states.ChoosingLanguage) -> Screen:
    return listed(say("Language"), list(LANGUAGES.values()), state.cursor)


def _testing_buttons(now: Situation, state: states.TryingButtons) -> Screen:
    title = say("Buttons")
    done = " ".join(f"{button}✓" for button in BUTTONS[: state.pressed])
    if state.pressed == len(BUTTONS):
        return Screen(title, (Line(say("All four work")), Line("", done), Line(say(texts.GO_ON), button="C")))
    asked = Line(say("Press {button}", button=BUTTONS[state.pressed]))
    other = say(fault_texts.THAT_WAS, button=state.other) if state.other else say("Hold any to skip")
    return Screen(title, (asked,), text=(other, done))


def _trying_signal(_: Situation, state: states.TryingSignal) -> Screen:
    question, without = texts.SIGNALS[state.signal]
    answers = ((texts.YES, "A"), (without, "B"), (texts.SIGNAL_AGAIN, "C"))
    return Screen(say(question), tuple(Line(say(text), button=button) for text, button in answers))


def _offering_page(*_: object) -> Screen:
    yes, no = Line(say(texts.YES), button="A"), Line(say(texts.NO), button="B")
    return Screen(say("Phone page?"), (yes, no, Line("", say("On this network only"))))


def _calibrating_tray(now: Situation, state: states.CalibratingTray) -> Screen:
    title = say("Tray")
    if state.asked:
        return Screen(title, (Line(say("Checking…")),), say(texts.STOP_SKIP))
    if state.advice is None:
        lines = (Line(), Line(), Line(say("Check"), button="C"))
        text = wrapped(say("Empty the tray and keep your hands out"), 2)
        return Screen(title, lines, say(texts.STOP_SKIP), text, running=True)
    again = Line(say("Check again"), button="A")
    if not state.problem and not state.advice:
        return Screen(title, (again, Line(say("All good")), Line(say(texts.GO_ON), button="C")))
    what = state.problem or state.advice[state.page][0]
    last = state.page + 1 >= len(state.advice)
    if len(state.advice) > 1:
        title = f"{title} {state.page + 1}/{len(state.advice)}"
    hint = say("C: continue" if last else texts.C_MORE)
    return Screen(title, (again,), hint, wrapped(_finding(what), 2), running=True)


def _finding(what: str, **values: object) -> str:
    text = say(fault_texts.FINDINGS[what], **values)
    return text[:1].upper() + text[1:]


def _trial_throw(now: Situation, state: states.TrialThrow) -> Screen:
    again = Line(say(texts.READ_AGAIN), button="B")
    if not state.dice:
        return Screen(say(texts.TRIAL), (Line(say(texts.THROW)), again, Line("", say(texts.STOP_SKIP))))
    read = Line(roll_text(roll_of(state.dice)), say(texts.DICE_RIGHT))
    return Screen(say(texts.TRIAL), (read, again, Line(say(texts.DONE), button="C")))


def _box_menu(now: Situation, state: states.BoxMenu) -> Screen:
    options = []
    for item in BOX_MENU:
        values = {}
        if item in TOGGLED:
            value = getattr(now.preferences, item)
            shown = value if isinstance(value, str) else "on" if value else "off"
            values["choice"] = say(shown)
        options.append(say(texts.BOX_ITEMS[item], **values))
    return listed(say("The box"), options, state.cursor)


def _rules(now: Situation, state: states.Rules) -> Screen:
    variants = now.played.position.variants
    told = topics(variants)
    topic = told[state.page]
    title, text = texts.RULES[topic]
    text = say(text, columns=variants.columns_to_win)
    return message(f"{say(title)} {state.page + 1}/{len(told)}", text, say(texts.C_MORE))


def _network(now: Situation, state: states.Network) -> Screen:
    wifi = state.wifi
    title = shortened(wifi.name, SMALL, WIDTH // 2) or say(texts.NETWORK)
    hint = back_hint(title)
    if state.addresses is None:
        return Screen(title, (Line(say(texts.ASKING)),), hint)
    lines = (Line(say("Change Wi-Fi"), button="A"),) if wifi.can_change else ()
    room = SMALL_LINES[-1 - len(lines)]
    if not state.addresses:
        text = wrapped(say(fault_texts.WIFI.get(wifi.kind, fault_texts.NO_NETWORK)), room)
        return Screen(title, lines, hint, text, running=True)
    return Screen(title, lines, hint, state.addresses[:room])


def _choosing_network(_: Situation, state: states.ChoosingNetwork) -> Screen:
    names = [shortened(name, LARGE, LIST_ROOM) for name in state.names]
    # The last option: a Wi-Fi that a phone names
    return listed(say(texts.NETWORK), [*names, say("New, by phone")], state.cursor)


def _hotspot(_: Situation, state: states.Hotspot) -> Screen:
    wifi, title = state.wifi, say(texts.NETWORK)
    if wifi.trouble:
        return message(title, say(fault_texts.WIFI[wifi.trouble]), back_hint(title))
    if not wifi.name:
        return Screen(title, (Line(say(texts.ASKING)),), back_hint(title))
    lines = (Line("", wifi.password), Line(), Line(say(texts.MORE), button="C"))
    return Screen(wifi.name, lines, qr=f"WIFI:T:WPA;S:{wifi.name};P:{wifi.password};;")


def _joining_network(_: Situation, state: states.JoiningNetwork) -> Screen:
    name = Line("", shortened(state.name, SMALL, WIDTH))
    # The title above the name of a network
    title = say("Join this Wi-Fi?")
    if not state.progress:
        return Screen(title, (Line(say(texts.YES), button="A"), name, Line(say(texts.NO), button="C")))
    title = say(texts.NETWORK)
    if state.progress == "joining":
        return Screen(title, (Line(say(texts.ASKING)), name), back_hint(title))
    return message(title, say(fault_texts.WIFI[state.progress]), back_hint(title))


def _checking(now: Situation, state: states.Checking) -> Screen:
    found = {each.probe: each for each in state.findings}
    probe = PROBES[state.cursor]
    if state.opened and probe in found:
        title = say(texts.PROBES[probe])
        return message(title, _finding(found[probe].what, **dict(found[probe].values)), back_hint(title))
    grades = [say(texts.GRADES[found[each].level]) if each in found else "…" for each in PROBES]
    return listed(say(texts.CHECK), [say(texts.PROBES[each]) for each in PROBES], state.cursor, grades)


def _shutting_down(*_: object) -> Screen:
    title = say("Switch off?")
    lines = (Line(), Line(), Line(say("Hold: switch off"), button="C"))
    return Screen(title, lines, back_hint(title), (say("The game is saved"),))


def _switching_off(now: Situation, state: states.SwitchingOff) -> Screen:
    text = say(fault_texts.STAYS_ON if state.failed else "When the Pi's green light goes out, pull the plug")
    title = say("Switching off…")
    return message(title, text, back_hint(title))


def _checking_frame(*_: object) -> Screen:
    # While the display is driven by the wrong controller, nothing is readable: the frame along its border must do.
    lines = (Line(say(texts.YES), button="A"), Line(say(texts.NO), button="B"))
    # The small text is beside a picture that is complete but upside down: the answer is no
    return Screen(say("Whole frame visible?"), lines, text=(say("Upside down? Press B"),), frame=True)


def _page(now: Situation, state: states.ShowingPage) -> Screen:
    """Return the screen; without a page it says so."""
    title, back = say(texts.PAGE), Line(say(texts.PAGE_BACK), button="C")
    told = state.page
    if told is None:
        return Screen(title, (Line(say(texts.ASKING)), Line(), back))
    if state.asks and told.phones:
        return Screen(say("Unpair all?"), (Line(say(texts.PAGE_FORGET), button="A"), Line(), back))
    if is_off(now, state):
        return Screen(title, (Line(say("Turn on"), button="A"), Line("", say("The page is off")), back))
    if not told.address:
        return Screen(title, (Line(), Line(), back), text=(say(fault_texts.PAGE_OFF), say("See docs/page.md")))
    code = say("Code {code}", code=told.code)
    if state.in_words:
        address = told.address.removeprefix("http://").rstrip("/")
        lines = [address[start : start + SMALL_CHARACTERS] for start in range(0, len(address), SMALL_CHARACTERS)]
        text = (*lines[:1], say(fault_texts.PAGE_GUESSED_AT_IN_WORDS)) if told.guessed_at else tuple(lines[:2])
        return Screen(code, (Line(), Line(), back), say("B: QR"), text)
    unpair = Line(say(texts.PAGE_FORGET), button="A") if told.phones else Line()
    # In capitals, for which a QR code has a denser alphabet; host names and schemes ignore case.
    link = f"{told.address}P/{told.code}".upper()
    # The QR code contains the pairing code, so the text can be replaced by the warning.
    title = say(fault_texts.PAGE_GUESSED_AT) if told.guessed_at else told.code
    # Beside a QR code: up to 7 letters of the large font
    return Screen(title, (unpair, Line(say("Text"), button="B"), back), qr=link)


def _restoring(_: Situation, state: states.Restoring) -> Screen:
    games = Line("", say("New games: {games}", games=len(state.backup.games)))
    return Screen(say("Restore backup?"), (Line(say(texts.YES), button="A"), games, Line(say(texts.NO), button="C")))


INSTALLER_STEPS = ("download", "display", "packages", "user", "program", "settings", "start")
"""The installer's steps, in order."""


def _changing_version(_: Situation, state: states.ChangingVersion) -> Screen:
    title = say(texts.BOX_ITEMS[state.item])
    version = say("Version {version}", version=metadata.version("cantstop-box"))
    yes, no = Line(say(texts.YES), button="A"), Line(say(texts.NO), button="C")
    match state.progress:
        case "":
            return Screen(title, (yes, Line("", version), no))
        case "failed":
            again = Line(say(texts.SIGNAL_AGAIN), button="A")
            return Screen(title, (again,), back_hint(title), wrapped(say(fault_texts.VERSION_FAILED), 2), running=True)
        case "newest":
            line = say("Nothing newer")
        case "game":
            line = say("After this game")
        case step if step in INSTALLER_STEPS:
            line = say("Step {number} of {steps}", number=INSTALLER_STEPS.index(step) + 1, steps=len(INSTALLER_STEPS))
        case _:
            line = say(texts.ASKING)
    return Screen(title, (Line(line), Line("", version)), back_hint(title))


VIEWS: dict[type[State], ScreenOf] = {
    states.ChoosingLanguage: _choosing_language,
    states.TryingButtons: _testing_buttons,
    states.TryingSignal: _trying_signal,
    states.OfferingPage: _offering_page,
    states.CalibratingTray: _calibrating_tray,
    states.TrialThrow: _trial_throw,
    states.BoxMenu: _box_menu,
    states.Rules: _rules,
    states.Network: _network,
    states.ChoosingNetwork: _choosing_network,
    states.Hotspot: _hotspot,
    states.JoiningNetwork: _joining_network,
    states.Checking: _checking,
    states.Restoring: _restoring,
    states.ChangingVersion: _changing_version,
    states.ShuttingDown: _shutting_down,
    states.SwitchingOff: _switching_off,
    states.CheckingFrame: _checking_frame,
    states.ShowingPage: _page,
}
