"""The box about itself: stories of the first start, its menu, rules in short, its check, and switching off."""

from __future__ import annotations

from dataclasses import replace

from device.referee import inputs, states
from device.referee.box_care import BOX_MENU, PROBES, camera_findings, first_start, topics
from device.referee.correcting import MENU
from device.referee.inputs import Button, Press
from device.referee.outcome import Effect
from device.referee.preferences import Preferences
from device.referee.states import Situation
from device.referee.transition_table import step
from device.screens.screen import Line
from device.screens.views import screen
from device.storage.state_text import from_data, to_data
from engine import FastStart, Variants
from tests.device.helpers import (
    HOLD_A,
    HOLD_B,
    HOLD_C,
    HOLD_STOP,
    STOP,
    A,
    B,
    C,
    Story,
    dice,
    tray,
    two_players,
)
from tests.every import every

FIRST = Situation(first_start(signals=("light", "sound")))


def box_menu(item: str, story: Story | None = None) -> Story:
    """A story in which an item of the box's menu was taken during a game."""
    story = (story or two_players()).do(HOLD_STOP, A, A, C)
    return story.do(*[B] * BOX_MENU.index(item), C)


def beginning(state: type[states.Overlay]) -> Story:
    """A story at a step of the first start, the last one."""
    return Story(Situation(state(states.Welcome())))


# The first start


def test_the_first_start_asks_for_the_language_tests_the_parts_and_a_roll_and_leads_to_a_game():
    story = Story(FIRST).do(B, B, C)
    assert story.now.preferences.language == "de"
    assert isinstance(story.state, states.TryingButtons)
    story.do(A, B, C, STOP, C)
    assert isinstance(story.state, states.TryingSignal)
    story.do(A, A)
    assert isinstance(story.state, states.OfferingPage)
    story.do(B)
    assert isinstance(story.state, states.CalibratingTray)
    story.do(C, inputs.TrayMeasured(), C)
    assert isinstance(story.state, states.TrialThrow)
    story.do(dice(1, 3, 5, 6), C)
    assert story.state == states.Welcome()
    assert screen(story.now).lines[2].text == "Neues Spiel"


def test_each_step_of_the_first_start_can_be_skipped_and_only_available_signals_are_asked_about():
    assert Story(FIRST).do(STOP, HOLD_B, STOP, STOP, STOP, STOP, STOP).state == states.Welcome()
    steps = str(first_start(signals=("sound",), with_page=False))
    assert ("'sound'" in steps, "'light'" in steps, "OfferingPage" in steps) == (True, False, False)
    assert "TryingSignal" not in str(first_start())


@every(signal=["light", "sound"], answers=[(A, True), (B, False), (STOP, True)])
def test_lamp_and_buzzer_are_used_unless_somebody_says_that_there_are_none(signal, answers):
    answer, is_used = answers
    story = Story(Situation(states.TryingSignal(states.CalibratingTray(states.Welcome()), signal)))
    story.do(C, answer)
    assert story.state == states.CalibratingTray(states.Welcome())
    assert story.now.preferences == replace(Preferences(), **{signal: is_used})


def test_what_is_chosen_is_saved_and_what_is_asked_is_looked_up():
    signal, calibrating = beginning(states.TryingSignal), beginning(states.CalibratingTray)
    network = two_players().do(HOLD_STOP, A, A, C, *[B] * BOX_MENU.index("network"))
    switched = box_menu("shut down")
    found = [
        (Story(FIRST), C, {Effect.KEEP_PREFERENCES}),
        *((signal, answer, {Effect.KEEP_PREFERENCES}) for answer in (A, B)),
        (offering(), A, {Effect.KEEP_PREFERENCES, Effect.ASK_PAGE, Effect.ASK_NETWORK}),
        (offering(), B, {Effect.KEEP_PREFERENCES}),
        *((box_menu(item), C, {Effect.KEEP_PREFERENCES}) for item in ("sound", "light", "odds", "page")),
        (calibrating, C, {Effect.LEARN_TRAY}),
        (Story(calibrating.now).do(C, inputs.TrayMeasured(advice=(("higher", True),))), A, {Effect.LEARN_TRAY}),
        (network, C, {Effect.ASK_NETWORK}),
        (box_menu("check").do(A, B, C, STOP), C, {Effect.CHECK_PARTS, Effect.MEASURE_TRAY}),
        (switched, HOLD_C, {Effect.SWITCH_OFF}),
        *((changing(item, begun=False), A, {Effect.CHANGE_VERSION}) for item in ("update", "go back")),
        (changing().do(inputs.VersionSeen("failed")), A, {Effect.CHANGE_VERSION}),
    ]
    for story, press, effects in found:
        assert set(story.step(press).effects) == effects, (story.state, press)
    assert [switched.refuses(press) for press in (A, B, C)] == [True, True, True]
    assert all(story.refuses(inputs.TrayMeasured()) for story in (calibrating, two_players())), "nobody has asked"


# The page for phones


def offering() -> Story:
    return Story(Situation(states.OfferingPage(states.CalibratingTray(states.Welcome()))))


def test_the_page_is_served_only_after_a_yes_which_shows_its_address_at_once():
    assert not any(story.now.preferences.page for story in (offering(), offering().do(STOP), offering().do(B)))
    story = offering().do(A)
    assert story.now.preferences.page
    story.do(inputs.PageReady("http://10.0.0.5:8017/", "481920"))
    assert screen(story.now).qr == "HTTP://10.0.0.5:8017/P/481920"
    assert story.do(C).state == states.CalibratingTray(states.Welcome())


def test_holding_b_offers_to_turn_the_page_on_if_it_is_off():
    story = two_players().do(HOLD_B, inputs.PageReady("", ""))
    assert screen(story.now).lines[0].text == "Turn on"
    assert story.do(A).now.preferences.page
    assert screen(story.do(inputs.PageReady("", "")).now).text[0] == "Page not running"


# Buttons


def test_a_wrong_button_is_named_and_the_right_one_still_awaited():
    story = beginning(states.TryingButtons).do(STOP)
    assert screen(story.now).text[0] == "That was STOP"
    assert screen(story.do(A).now).lines[0].text == "Press B"
    assert story.do(B, C, STOP, C).state == states.Welcome()


@every(works=Button)
def test_one_working_button_is_enough_to_leave_the_button_test(works):
    assert beginning(states.TryingButtons).do(Press(works, long=True)).state == states.Welcome()


# The tray


def test_the_advice_is_shown_page_by_page_and_after_a_change_the_camera_looks_again():
    story = beginning(states.CalibratingTray).do(C)
    story.do(inputs.TrayMeasured(advice=(("turn the lens", True), ("less tilt", False))))
    assert "Blurred" in screen(story.now).text[0]
    assert screen(Story(story.now).do(A).now).lines[0].text == "Checking…"
    assert "Point the" in screen(story.do(C).now).text[0]
    assert story.do(C).state == states.Welcome()


def test_a_test_roll_does_not_count():
    story = box_menu("trial")
    game = story.now.game
    story.do(tray(inputs.TrayView.ROLLING))
    assert isinstance(story.state, states.WatchingTray)
    story.do(dice(1, 3, 5, 6))
    assert screen(story.now).lines[0].text == "1-3-5-6"
    assert story.now.game == game
    assert isinstance(story.do(STOP).state, states.BoxMenu)


# The menu of the box


def test_an_item_of_the_menu_turns_its_preference_off_and_on_again():
    assert Story().do(HOLD_STOP).state == states.BoxMenu(states.Welcome()), "before the first game"
    for item, is_on in (("sound", False), ("light", False), ("page", True)):
        story = box_menu(item)
        assert getattr(story.now.preferences, item) is is_on
        assert is_on or "off" in screen(story.now).lines[BOX_MENU.index(item)].text
        assert getattr(story.do(C).now.preferences, item) is not is_on


def test_the_language_list_starts_at_the_current_language_and_stop_changes_nothing():
    story = box_menu("language").do(B, C)
    assert story.now.preferences.language == "nl"
    assert isinstance(story.state, states.BoxMenu)
    story.do(C, B, STOP)
    assert story.now.preferences.language == "nl"


@every(item=BOX_MENU)
def test_every_item_of_the_menu_leads_back_to_the_game_with_nothing_changed(item):
    before = two_players().do(dice(2, 3, 4, 5), B).now
    story = box_menu(item, Story(before))
    for _ in range(8):
        if story.state == before.state:
            break
        outcome = step(story.now, HOLD_C if isinstance(story.state, states.TryingButtons) else STOP)
        story = Story(outcome.situation)
    assert (story.state, story.now.game) == (states.Telling(), before.game)


# Rules in short


def test_the_rules_in_short_are_those_of_the_variant_and_their_pages_wrap_around():
    assert "leap" not in topics(Variants())
    assert topics(Variants(4, FastStart.STRICT, leap=True))[-2:] == ("fast start strict", "leap")
    story = two_players().do(HOLD_STOP, *[B] * MENU.index("rules"), C)
    first = story.state
    assert story.do(*[C] * len(topics(Variants()))).state == first
    assert story.do(A).state == replace(first, page=len(topics(Variants())) - 1)


# The check


def checked() -> Story:
    return box_menu("check").do(A, B, C, STOP, C)


def test_the_check_begins_with_the_buttons_and_then_asks_all_other_parts():
    for story in (checked(), box_menu("check").do(A, B, C, HOLD_STOP)):
        assert screen(story.now).lines[0] == Line("Buttons", "good", chosen=True)
    camera = checked().do(B)
    assert (screen(camera.now).lines[1].more, camera.refuses(C)) == ("…", True)


def test_a_button_that_was_neither_pressed_nor_held_is_reported():
    for presses, missing in (((A, HOLD_C), "B"), ((HOLD_A,), "B"), ((HOLD_C,), "A")):
        story = box_menu("check").do(*presses, C)
        assert screen(story.now).text[0].startswith(f"{missing} did not respond")


def test_every_part_has_a_line_that_opens_its_finding():
    story = checked()
    for probe in PROBES[1:]:
        story.do(inputs.Finding(probe, inputs.Grade.BAD, "no answer", (("seconds", 10),)))
    for _ in PROBES[1:]:
        story.do(B, C)
        assert screen(story.now).text == ("No answer within 10 s",)
        story.do(C)
    assert isinstance(story.do(B).state, states.Checking)
    hot = inputs.Finding("heat", inputs.Grade.ADVICE, "hot", (("degrees", 81),))
    story.do(hot)  # a later finding of a part replaces the earlier
    assert [found for found in story.state.findings if found.probe == "heat"] == [hot]


def test_a_look_at_the_tray_returns_findings_on_camera_sharpness_and_light():
    found = camera_findings(
        inputs.TrayMeasured(advice=(("turn the lens", True), ("less tilt", False), ("higher", False)))
    )
    assert [(each.probe, each.level) for each in found] == [
        ("camera", inputs.Grade.ADVICE),
        ("sharpness", inputs.Grade.BAD),
        ("light", inputs.Grade.FINE),
    ]
    assert found[0].what == "less tilt", "the first advice of a part matters most"
    assert camera_findings(inputs.TrayMeasured("no camera"))[0].level is inputs.Grade.BAD


# Another version


def changing(item: str = "update", *, begun: bool = True) -> Story:
    story = box_menu(item)
    return story.do(A) if begun else story


def test_the_version_is_changed_only_after_a_yes_and_each_step_is_shown():
    asked = changing(begun=False)
    assert screen(asked.now).lines[0].button == "A"
    assert isinstance(changing(begun=False).do(C).state, states.BoxMenu)
    story = changing()
    for seen, line in (("program", "Step 5 of 7"), ("unknown", "One moment…"), ("game", "After this game")):
        story.do(inputs.VersionSeen(seen))
        assert screen(story.now).lines[0].text == line
        assert story.refuses(A), "it is going on"
    assert isinstance(story.do(STOP).state, states.BoxMenu), "a game goes on meanwhile"
    assert story.refuses(inputs.VersionSeen("start"))
    story = changing().do(inputs.VersionSeen("download"), inputs.VersionSeen(""))
    assert screen(story.now).lines[0].text == "Nothing newer"


def test_a_question_for_another_version_is_over_after_a_restart_whichever_version_runs_then():
    assert isinstance(from_data(to_data(changing().state)), states.BoxMenu)


# Switching off
