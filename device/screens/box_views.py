"""The screens of the box itself: first start, its menu, rules in short, its own check, switching off."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from functools import lru_cache
from importlib import metadata
from typing import Any

from device.preferences import choices
from device.referee.box_care import BOX_MENU, BUTTONS, PROBES, TOGGLED, topics
from device.referee.box_states import (
    About,
    BoxMenu,
    CalibratingTray,
    Checking,
    ChoosingLanguage,
    Network,
    OfferingPage,
    Rules,
    ShuttingDown,
    SwitchingOff,
    TrialThrow,
    TryingButtons,
)
from device.referee.inputs import Level
from device.referee.playing import LINES
from device.referee.states import Situation
from device.screens import rules_texts, texts
from device.screens.draw import SMALL_CHARACTERS
from device.screens.language import LANGUAGES, say
from device.screens.parts import listed, message, wrapped
from device.screens.screen import Line, Screen
from engine import roll_of, roll_text

SIGNS = {Level.FINE: "✓", Level.ADVICE: "!", Level.BAD: "X", Level.ABSENT: "-"}
"""What stands before a part of the box that was checked."""


def language_of(situation: Situation) -> str:
    """Tell in which language to speak: while one is chosen, in the one under the cursor."""
    state = situation.state
    if isinstance(state, ChoosingLanguage):
        return str(choices("language")[state.cursor])
    return situation.preferences.language


@lru_cache
def version() -> str:
    """Give the version of this program."""
    return metadata.version("cantstop-box")


def _running(title: str, text: str, footer: str) -> Screen:
    return Screen(title, tuple(Line("", line) for line in wrapped(text, LINES)), footer)


def _choosing_language(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, ChoosingLanguage)
    return listed(say(texts.LANGUAGE), list(LANGUAGES.values()), state.cursor, say(texts.MENU_KEYS))


def _testing_buttons(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, TryingButtons)
    done = " ".join(f"{button}✓" for button in BUTTONS[: state.pressed])
    if state.pressed == len(BUTTONS):
        return Screen(say(texts.BUTTONS), (Line(say(texts.BUTTONS_WORK)), Line("", done)), say(texts.GO_ON_C))
    asked = say(texts.PRESS, button=BUTTONS[state.pressed])
    other = say(texts.THAT_WAS, button=state.other) if state.other else ""
    return Screen(say(texts.BUTTONS), (Line(asked), Line("", other), Line("", done)), say(texts.HOLD_SKIP))


def _offering_page(_: Situation) -> Screen:
    yes, no = Line(say(texts.PAGE_YES), button="A"), Line(say(texts.PAGE_NO), button="B")
    lines = (yes, no, Line("", say(texts.PAGE_WHERE)))
    return Screen(say(texts.PAGE_OFFER), lines, say(texts.STOP_SKIP))


def _calibrating_tray(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, CalibratingTray)
    title = say(texts.TRAY)
    if state.asked:
        return Screen(title, (Line(say(texts.LOOKING)),), say(texts.STOP_SKIP))
    if state.advice is None:
        text = [Line("", line) for line in wrapped(say(texts.EMPTY_TRAY), 2)]
        return Screen(title, (*text, Line(say(texts.LOOK), button="C")), say(texts.STOP_SKIP))
    again = Line(say(texts.LOOK_AGAIN), button="A")
    if not state.problem and not state.advice:
        return Screen(title, (again, Line(""), Line(say(texts.ALL_FINE))), say(texts.GO_ON_C))
    what = state.problem or state.advice[state.page][0]
    last = state.page + 1 >= len(state.advice)
    if len(state.advice) > 1:
        title = f"{title} {state.page + 1}/{len(state.advice)}"
    text = [Line("", line) for line in wrapped(say(texts.FINDINGS[what]), 2)]
    return Screen(title, (again, *text), say(texts.GO_ON_C if last else texts.MORE))


def _trial_throw(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, TrialThrow)
    if not state.dice:
        waits = (Line(say(texts.THROW)), Line("", say(texts.READ_AGAIN), "B"))
        return Screen(say(texts.TRIAL), waits, say(texts.STOP_SKIP))
    read = Line(roll_text(roll_of(state.dice)), say(texts.AS_THEY_LIE))
    lines = (read, Line("", say(texts.READ_AGAIN), "B"), Line(say(texts.DONE), button="C"))
    return Screen(say(texts.TRIAL), lines, say(texts.OR_THROW))


def _box_menu(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, BoxMenu)
    options = []
    for item in BOX_MENU:
        values = {}
        if item in TOGGLED:
            value = getattr(now.preferences, item)
            shown = value if isinstance(value, str) else "on" if value else "off"
            values["choice"] = say(texts.CHOICES[shown])
        options.append(say(texts.BOX_ITEMS[item], **values))
    return listed(say(texts.BOX_MENU), options, state.cursor, say(texts.MENU_KEYS))


def _rules(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, Rules)
    variants = now.played.position.variants
    told = topics(variants)
    topic = told[state.page]
    title = f"{say(rules_texts.TITLES[topic])} {state.page + 1}/{len(told)}"
    text = say(rules_texts.TEXTS[topic], columns=variants.columns_to_win)
    return _running(title, text, say(texts.PAGE_KEYS))


def _about(_: Situation) -> Screen:
    lines = tuple(Line("", say(text, version=version())) for text in texts.ABOUT_LINES)
    return Screen(say(texts.ABOUT), lines, say(texts.STOP_BACK))


def _network(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, Network)
    title, footer = say(texts.NETWORK), say(texts.STOP_BACK)
    if state.addresses is None:
        return Screen(title, (Line(say(texts.ASKING)),), footer)
    if not state.addresses:
        return _running(title, say(texts.NO_NETWORK), footer)
    return Screen(title, tuple(Line("", address) for address in state.addresses[:LINES]), footer)


def _checking(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, Checking)
    found = {probe: (Level(level), what, dict(values)) for probe, level, what, values in state.findings}
    probe = PROBES[state.cursor]
    if state.opened and probe in found:
        _, what, values = found[probe]
        title, text = say(texts.PROBES[probe]), say(texts.FINDINGS[what], **values)
        is_short = len(textwrap.wrap(text, SMALL_CHARACTERS)) <= LINES
        return _running(title, text, say(texts.STOP_BACK)) if is_short else message(title, text)
    options = [f"{SIGNS[found[each][0]] if each in found else '…'} {say(texts.PROBES[each])}" for each in PROBES]
    return listed(say(texts.CHECK), options, state.cursor, say(texts.CHECK_KEYS))


def _shutting_down(_: Situation) -> Screen:
    lines = (Line("", say(texts.GAME_KEPT)), Line(""), Line(say(texts.HOLD_C_OFF)))
    return Screen(say(texts.SWITCH_OFF), lines, say(texts.STOP_BACK))


def _switching_off(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, SwitchingOff)
    text = texts.STAYS_ON if state.failed else texts.PULL_PLUG
    return _running(say(texts.SWITCHING_OFF), say(text), say(texts.STOP_BACK))


VIEWS: dict[type[Any], Callable[[Situation], Screen]] = {
    ChoosingLanguage: _choosing_language,
    TryingButtons: _testing_buttons,
    OfferingPage: _offering_page,
    CalibratingTray: _calibrating_tray,
    TrialThrow: _trial_throw,
    BoxMenu: _box_menu,
    Rules: _rules,
    About: _about,
    Network: _network,
    Checking: _checking,
    ShuttingDown: _shutting_down,
    SwitchingOff: _switching_off,
}
