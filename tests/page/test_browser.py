"""The page in a real browser: the quick tests. `make browser` also runs those that take minutes."""

from __future__ import annotations

import base64
import json
import os
import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from device.page import web_side
from device.referee.correcting import MENU
from device.referee.inputs import BackupGiven, BoardCorrection, Button, DiceCorrection, Press, WifiGiven
from device.referee.preferences import Preferences
from device.referee.states import Choosing, Rules, Waiting
from device.referee.transition_table import step
from device.screens.button_labels import labels
from device.screens.draw import draw
from device.screens.views import screen
from device.storage.backup import backup
from engine import Rolled, SetTo, parse_position, plays
from engine.opponents import level
from tests.device.camera_helpers import simulated_frame
from tests.page.cable import Cable
from tools.docs import browser as chromium
from tools.docs.browser import Browser
from tools.docs.page import CORRECTIONS, SIZES, STATES, VIEWS, Stage, TwoCameras, choosing, deciding, open_view
from tools.docs.screens import situations

pytestmark = pytest.mark.skipif(bool(chromium.missing()), reason=chromium.missing() or "all is there")
WORDS = json.loads((Path(web_side.__file__).parent / "words" / "en.json").read_text(encoding="utf-8"))
long = pytest.mark.skipif(not os.environ.get("CANTSTOP_BROWSER"), reason="takes minutes: make browser")


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with Stage(tmp_path_factory.mktemp("stage")).open() as made:
        made.show(choosing())
        made.throw((2, 3, 4, 5))
        yield made


@pytest.fixture(scope="module")
def phone(stage):
    with Browser() as made:
        stage.pair(made)
        yield made


@pytest.fixture
def made(phone):
    """The phone, for a page of another box, which it leaves afterwards."""
    yield phone
    phone.go("about:blank")
    phone.complaints()


def shown_pixels(browser: Browser) -> bytes:
    """What the page's copy of the OLED shows, a bit a pixel."""
    script = """
      const canvas = document.querySelector("#box canvas");
      if (!canvas) return "";
      const data = canvas.getContext("2d").getImageData(0, 0, 128, 64).data;
      let bytes = "";
      for (let i = 0; i < 1024; i++) {
        let byte = 0;
        for (let bit = 0; bit < 8; bit++) byte = byte << 1 | (data[4 * (8 * i + bit)] > 100);
        bytes += String.fromCharCode(byte);
      }
      return btoa(bytes);"""
    return base64.b64decode(browser.run(script))


def test_a_phone_shows_the_oleds_pixels_presses_a_button_and_reconnects_automatically(stage, phone):
    open_view(phone, stage.address, "box")
    stage.show(choosing())
    phone.until(lambda: shown_pixels(phone) == draw(screen(choosing())).tobytes(), "the OLED's pixels")
    stage.pressed.clear()
    assert "hold" in phone.text("#box [data-button=STOP]"), "pressed it does nothing here, held it opens the menu"
    phone.click("#box [data-button=B]")
    phone.until(lambda: stage.pressed == [Press(Button.B)], "the press")
    assert phone.complaints() == []
    with Cable(int(stage.address.rstrip("/").rpartition(":")[2])) as cable:
        phone.go(f"http://127.0.0.1:{cable.port}/#box")
        phone.until(lambda: shown_pixels(phone) == draw(screen(choosing())).tobytes(), "the OLED over the cable")
        cable.pull()
        phone.until(lambda: phone.run("return document.documentElement.dataset.line") == "lost", "the loss")
        stage.show(deciding())
        assert shown_pixels(phone) == draw(screen(choosing())).tobytes()
        cable.plug_in()
        phone.until(lambda: shown_pixels(phone) == draw(screen(deciding())).tobytes(), "the table again")


def test_a_reopened_page_does_not_wait_for_pages_that_were_closed(stage, phone):
    """A browser keeps pages that were left, and opens six lines to a box: theirs must be free."""
    stage.show(choosing())
    for _ in range(8):
        began = time.monotonic()
        open_view(phone, stage.address, "table")
        assert time.monotonic() - began < 10.0


def test_a_phone_shows_the_buttons_and_an_opponents_reasons_in_its_own_language(stage, phone):
    phone.run("localStorage.setItem('cantstop.lang', 'de')")
    try:
        stage.show(situations()["moving"])
        open_view(phone, stage.address, "table")
        phone.until(lambda: phone.text("#moves"), "what to move")
        assert phone.text("#odds") == "Erfahren nimmt 8+9. Erfahren stoppt: mit 31\xa0% Risiko sind 9 Felder verloren"
        stage.show(situations()["rolling-on"])
        open_view(phone, stage.address, "table")
        phone.until(lambda: "Felder verloren" in phone.text("#odds"), "why it rolls again")
        assert phone.text("#odds") == "Erfahren würfelt weiter: mit 8\xa0% Risiko sind 3 Felder verloren"
        stage.show(deciding())
        german = labels(replace(deciding(), preferences=Preferences(language="de")))
        phone.until(lambda: german["STOP"] in phone.text("#actions"), "the buttons")
        menu = situations()["menu"]
        stage.show(menu)
        german = screen(replace(menu, preferences=Preferences(language="de")))
        phone.until(lambda: german.lines[0].text in phone.text("#says"), "the menu's lines")
        assert phone.run("return document.querySelector('#screen').hidden")
    finally:
        phone.run("localStorage.removeItem('cantstop.lang')")


def test_one_tap_asks_the_coach_while_the_odds_are_on(stage, phone):
    stage.show(choosing())
    open_view(phone, stage.address, "table")
    phone.until(lambda: phone.text("#actions"), "the choices")
    assert phone.text("#odds") == ""
    now = replace(choosing(), preferences=Preferences(odds="on"))
    stage.show(now)
    phone.until(lambda: phone.text("#odds") == "What would Master do?", "the button")
    phone.click("[data-focus=coach]")
    master = level("strongest").make()
    roll = now.played.position.roll
    assert roll is not None
    pairing = "+".join(map(str, master.choose(now.played.position, roll).pairing))
    phone.until(lambda: f"Master takes {pairing}" in phone.text("#odds"), "the answer")
    assert phone.text("#odds").count("% chance to win") == len(plays(now.played.position))


def test_a_list_of_the_box_is_tapped_on_a_phone(stage, phone):
    menu = situations()["menu"]
    stage.show(menu)
    open_view(phone, stage.address, "table")
    phone.until(lambda: phone.run("return document.querySelectorAll('#says button').length") == len(MENU), "the list")
    stage.pressed.clear()
    phone.click(f"[data-focus=line{MENU.index('rules')}]")
    phone.until(lambda: stage.pressed, "the tap")
    tapped = step(menu, stage.pressed[0])
    assert tapped is not None
    assert tapped.situation.state == Rules(replace(menu.state, cursor=MENU.index("rules")))
    assert step(menu, replace(stage.pressed[0], line=len(MENU))) is None
    assert step(tapped.situation, stage.pressed[0]) is None, "the box shows another list by now"


def test_a_backup_that_a_phone_chooses_reaches_the_box_and_another_file_is_refused_in_words(stage, phone, tmp_path):
    stage.show(situations()["game-over"])
    open_view(phone, stage.address, "more")
    phone.until(lambda: phone.run("return !!document.querySelector('#keeping input')"), "the backup")
    stage.pressed.clear()
    for name, content in (("photo.json", b"\xff\xd8"), ("good.json", json.dumps(backup([], Preferences())).encode())):
        (tmp_path / name).write_bytes(content)
        phone.driver.find_element("css selector", "#keeping input").send_keys(str(tmp_path / name))
        words = WORDS["e_backup"] if name == "photo.json" else WORDS["backup_asked"].format(games=0)
        phone.until(lambda words=words: words in phone.text("#keeping"), "the answer")
    assert stage.pressed == [BackupGiven((), Preferences())]


def test_a_network_that_a_phone_names_reaches_the_box_and_an_impossible_password_is_refused_in_words(stage, phone):
    stage.show(situations()["game-over"])
    open_view(phone, stage.address, "more")
    offered = "return [...document.querySelectorAll('#networks option')].map((option) => option.value)"
    assert phone.run(offered) == ["FRITZ!Box 7590", "Café"]
    stage.pressed.clear()
    for password, words in (("\u00e4" * 40, "e_psk"), ("a secret", "wifi_asked")):
        for field, value in (("name", "Café"), ("password", password)):
            phone.run("document.querySelector(`#wifi [name=${arguments[0]}]`).value = arguments[1]", field, value)
        phone.click("#wifi [type=submit]")
        phone.until(lambda words=words: WORDS[words] in phone.text("#wifi"), "the answer")
    assert stage.pressed == [WifiGiven("Café", "a secret")]


def test_a_phone_whose_key_is_gone_is_not_paired_any_more_and_a_code_brings_it_to_the_table(stage, phone):
    stage.show(choosing())
    open_view(phone, stage.address, "more")
    phone.until(lambda: WORDS["paired"] in phone.text("#pairing"), "the pairing")
    stage.keys.unpair_all()
    phone.until(lambda: WORDS["pair_how"] in phone.text("#pairing"), "the form to pair again")
    assert WORDS["paired"] not in phone.text("#pairing")
    assert phone.run("return document.querySelector('[name=code]').inputMode") == "numeric"
    phone.run("document.querySelector('[name=code]').value = arguments[0]", "INVITED")
    phone.click("#pairing button")
    phone.until(lambda: phone.run("return location.hash") == "#table", "the table")
    phone.until(lambda: "Choose" in phone.text("#actions"), "the buttons")
    phone.complaints()


def test_the_form_to_pair_appears_when_the_box_is_heard_and_is_not_drawn_again_over_what_is_typed(tmp_path, made):
    with Stage(tmp_path).open() as stage:
        made.go(stage.address + "#more")
        made.until(lambda: made.text("#settings"), "the settings")
        assert not made.text("#pairing")
        stage.show(choosing())
        made.until(lambda: WORDS["pair_how"] in made.text("#pairing"), "the form")
        made.run("document.querySelector('[name=code]').value = '12'")
        stage.show(choosing())
        time.sleep(1.0)
        assert made.run("return document.querySelector('[name=code]').value") == "12"


def test_the_first_phone_of_a_box_without_display_needs_no_code_and_shows_it_to_the_next(tmp_path, made):
    first, box = made, Stage(tmp_path)
    box.keys.shows_code = False
    with box.open() as stage, Browser() as second:
        stage.show(choosing())
        first.go(stage.address + "#more")
        first.until(lambda: WORDS["pair_first_phone"] in first.text("#pairing"), "the form")
        first.click("#pairing button")
        first.until(lambda: first.run("return location.hash") == "#table", "the table")
        open_view(first, stage.address, "more")
        first.until(lambda: WORDS["paired"] in first.text("#pairing"), "the pairing")
        assert WORDS["code_for_others"].format(code=stage.keys.code) in first.text("#pairing")
        second.go(stage.address + "#more")
        second.until(lambda: WORDS["pair_first_phone"] in second.text("#pairing"), "the form")
        second.click("#pairing button")
        second.until(lambda: second.text("#pairing [role=alert]"), "that a code is needed")
        second.run("document.querySelector('[name=code]').value = arguments[0]", stage.keys.code)
        second.click("#pairing button")
        second.until(lambda: second.run("return location.hash") == "#table", "the table")


def test_a_phones_form_seats_four_named_players_and_names_what_is_wrong(stage, phone):
    stage.show(situations()["new-players"])
    open_view(phone, stage.address, "table")
    stage.pressed.clear()
    phone.complaints()
    phone.click("[data-focus=seatcount4]")
    phone.until(lambda: phone.run("return document.querySelectorAll('#seats input').length") == 4, "four names")
    phone.driver.find_element("css selector", "[data-focus=seatname0]").click()
    for name in ("Ann", "blue", "Cleo", "Dan"):  # Enter goes to the next one
        phone.driver.switch_to.active_element.send_keys(name + "\n")
    assert stage.pressed == []
    phone.click("[data-focus=seatstart]")
    phone.until(lambda: "'blue' can't be a name" in phone.text("#seats [role=alert]"), "the reason")
    assert stage.pressed == []
    phone.driver.find_element("css selector", "[data-focus=seatname1]").send_keys("\b" * 4 + "Bob")
    phone.click("[data-focus=seatstart]")
    phone.until(lambda: stage.pressed, "the game")
    assert stage.pressed[0].settings.names == ("Ann", "Bob", "Cleo", "Dan")
    began = step(situations()["new-players"], stage.pressed[0])
    assert began is not None
    stage.show(began.situation)
    phone.until(lambda: "Ann: roll the dice" in phone.text("#status"), "the box to follow")
    assert len(phone.complaints()) == 1, "the refusal itself"


@long
def test_touching_a_choice_previews_it_on_the_board(stage, phone):
    stage.show(choosing())
    open_view(phone, stage.address, "table")
    phone.until(lambda: phone.run("return document.querySelectorAll('.ghost').length") == 2, "the preview of 5+9")
    phone.click("[data-focus=lookB]")
    phone.until(lambda: phone.run("return document.querySelectorAll('.ghost').length") == 2, "the preview of 6+8")
    phone.click("[data-focus=lookB]")
    phone.until(lambda: phone.run("return document.querySelectorAll('.ghost').length") == 0, "no preview")


def test_touching_a_column_chooses_the_only_pairing_that_moves_it(stage, phone):
    stage.show(choosing())
    open_view(phone, stage.address, "table")
    stage.pressed.clear()
    touch = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    phone.run(touch, '#board [data-column="8"][data-space="1"]')
    phone.until(lambda: stage.pressed == [Press(Button.B)], "6+8")


def test_the_dice_of_a_pairing_have_its_colours_and_no_motion_delays_what_is_shown(stage, phone):
    now = choosing()
    wait = replace(now, state=Waiting(), game=now.played.undo().do(SetTo(replace(now.played.position, roll=None))))
    stage.show(wait)
    open_view(phone, stage.address, "table")
    moving = "return document.querySelector('#dice').getAnimations({subtree: true}).length"
    stage.show(replace(wait, state=Choosing(), game=wait.played.do(Rolled((2, 3, 4, 5)))))
    phone.until(lambda: phone.run(moving) == 4, "four dice that tumble")
    phone.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'x', bubbles: true}))")
    assert phone.run(moving) == 0, "any key ends it"
    phone.click("[data-focus=lookB]")
    pairs = "return [...document.querySelectorAll('#dice .die')].map((one) => one.classList.contains('pair'))"
    assert phone.run(pairs) == [True, False, True, False], "2+4 and 3+5"
    phone.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    try:
        stage.show(wait)
        phone.until(lambda: not phone.text("#dice"), "no dice")
        stage.show(replace(wait, state=Choosing(), game=wait.played.do(Rolled((1, 3, 4, 6)))))
        phone.until(lambda: phone.run("return document.querySelectorAll('#dice .die').length") == 4, "the dice")
        assert phone.run(moving) == 0, "no motion for those who want none"
    finally:
        phone.resize(*SIZES["phone"])


def test_an_impossible_pairing_never_looks_selected(stage, phone):
    now = deciding()
    stage.show(
        replace(now, state=Choosing(), game=now.played.do(SetTo(parse_position("3 -/7:4 1 7:2,8:1,6:1 1-1-6-6"))))
    )
    open_view(phone, stage.address, "table")
    phone.until(lambda: phone.run("return document.querySelectorAll('.choice button:disabled').length") > 0, "it")
    phone.click("[data-focus=lookA][aria-pressed=true]")  # open_view has selected it
    assert phone.run("return document.querySelector('.choice :disabled[aria-pressed=true]')") is None


def test_a_winning_stop_is_the_primary_button_not_the_roll(stage, phone):
    stage.show(situations()["deciding-wins"])
    open_view(phone, stage.address, "table")
    phone.until(lambda: "wins" in phone.text("[data-focus=pressSTOP]"), "the offer to win")
    assert phone.run("return [...document.querySelectorAll('#actions .main')].map((one) => one.dataset.focus)") == [
        "pressSTOP"
    ]


@long
def test_a_misread_die_and_the_board_are_corrected_with_a_few_touches(stage, phone):
    now = choosing()
    stage.show(replace(now, state=Choosing(), likely=((2, 3, 4, 6),)))
    open_view(phone, stage.address, "table")
    for touches, dice in (
        (["likely2346"], (2, 3, 4, 6)),
        (["dice", "die3", "face6", "take"], (2, 3, 4, 6)),
        (["dice", "face1", "face1", "take"], (1, 1, 4, 5)),
    ):
        stage.pressed.clear()
        for touch in touches:
            phone.click(f"[data-focus=put{touch}]")
        phone.until(lambda dice=dice: stage.pressed == [DiceCorrection(dice, 1, 1)], f"{touches}")
    stage.pressed.clear()
    phone.click("[data-focus=putboard]")
    phone.click("[data-focus=putpiece0]")
    touch = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    phone.run(touch, '#board [data-column="12"][data-space="2"]')
    phone.click("[data-focus=puttake]")
    phone.until(lambda: stage.pressed and isinstance(stage.pressed[-1], BoardCorrection), "the board")
    assert stage.pressed[-1].markers[0] == (*now.played.position.markers[0][:12], 2)
    phone.until(lambda: phone.text("#correct fieldset legend") == "Corrections", "the form to be closed")


@long
def test_an_impossible_board_is_explained_and_not_sent(stage, phone):
    stage.show(choosing())
    open_view(phone, stage.address, "table")
    stage.pressed.clear()
    phone.complaints()
    phone.click("[data-focus=putboard]")
    phone.click("[data-focus=putpiece-1]")
    script = "const s = document.querySelector(arguments[0]); s.value = 2; s.dispatchEvent(new Event('change'))"
    for column in (2, 3, 4):
        phone.run(script, f"[data-focus=putcolumn{column}]")
    phone.click("[data-focus=puttake]")
    phone.until(lambda: "3 runners, not 5" in phone.text("#correct"), "the reason")
    assert stage.pressed == []
    assert len(phone.complaints()) == 1, "the refusal itself"
    phone.click("[data-focus=putleave]")


@long
def test_the_last_setup_step_saves_the_tray_or_says_why_not(stage, phone):
    open_view(phone, stage.address, "camera")
    phone.click("#keeper button")
    phone.until(lambda: phone.text("#keeper p") == WORDS["no_tray"], "the answer")
    phone.until(lambda: phone.run("return !document.querySelector('#keeper button').disabled"), "another try")


@long
def test_a_key_of_a_keyboard_presses_its_button(stage, phone):
    stage.show(situations()["waiting"])
    open_view(phone, stage.address, "table")
    stage.pressed.clear()
    for key, press in (("a", Press(Button.A)), ("S", Press(Button.STOP, long=True)), ("t", "throw")):
        script = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))"
        phone.run(script, key)
        phone.until(lambda press=press: stage.pressed and stage.pressed[-1] == press, key)


@pytest.fixture
def small(phone):
    """The phone as the smallest one; afterwards it is as it was, in its own language."""
    phone.resize(320, 640)
    yield phone
    phone.run("localStorage.removeItem('cantstop.lang')")
    phone.resize(*SIZES["phone"])


@long
@pytest.mark.parametrize(
    ("language", "written"), [("en", r"\d\.\d%"), ("nl", r"\d,\d%"), ("de", r"\d,\d\xa0%"), ("fr", r"\d,\d\xa0%")]
)
def test_every_text_fits_a_small_phone_and_numbers_are_written_as_the_language_writes_them(
    stage, small, language, written
):
    small.run("localStorage.setItem('cantstop.lang', arguments[0])", language)
    for view in VIEWS:
        open_view(small, stage.address, view)
        small.until(lambda: small.run("return document.documentElement.lang") == language, language)
        wide = small.run("return document.documentElement.scrollWidth")
        assert wide <= 320, f"{view} is {wide} wide"
    game = deciding().played.do(SetTo(parse_position("3 -/- 1 6:1,7:1,8:1 -")))  # a bust in 8.0 of 100 rolls
    stage.show(replace(deciding(), game=game, preferences=Preferences(odds="on")))
    open_view(small, stage.address, "table")
    small.until(lambda: re.search(written, small.run("return document.body.innerText")), "the odds")


def table_states(stage, browser: Browser):
    """Show each state of a game on the table, then each of the page's own corrections; yield the names."""
    for state in STATES:
        stage.show(situations()[state])
        open_view(browser, stage.address, "table")
        yield state
    stage.show(choosing())
    for what in CORRECTIONS:
        open_view(browser, stage.address, "table")
        browser.click(f"[data-focus=put{what}]")
        yield what


@long
@pytest.mark.parametrize("size", ["tablet-across", "desktop"])
def test_a_wide_screen_shows_the_whole_table_without_scrolling(stage, phone, size):
    phone.resize(*SIZES[size])
    script = """
      const page = document.documentElement;
      return page.scrollHeight > innerHeight || page.scrollWidth > innerWidth;"""
    scrolls = [state for state in table_states(stage, phone) if phone.run(script)]
    phone.resize(*SIZES["phone"])
    assert scrolls == []


@long
def test_every_button_of_a_game_is_within_a_thumbs_reach_on_a_phone(stage, phone):
    script = """
      const bar = document.querySelector("nav").getBoundingClientRect().top;
      const inReach = ({ top, bottom }) => top > innerHeight / 3 && bottom <= bar;
      const buttons = [...document.querySelectorAll("#actions button")];
      return buttons.filter((one) => !inReach(one.getBoundingClientRect())).map((one) => one.innerText);"""
    found = {state: phone.run(script) for state in table_states(stage, phone)}
    assert {state: found[state] for state in STATES if found[state]} == {}


@pytest.fixture(params=SIZES)
def screen_size(phone, request):
    """The browser at each size; afterwards it is a phone again."""
    yield SIZES[request.param]
    phone.resize(*SIZES["phone"])


@long
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious_in_any_view(stage, phone, screen_size, dark):
    if not chromium.AXE.exists():
        pytest.skip("no axe-core: make browser fetches it")
    phone.resize(*screen_size, dark=dark)
    # What is played is to be seen in two of the views.
    ends = [(situations()[name], ("table",)) for name in ("busted", "game-over", "new-players", "menu")]
    for now, views in (*ends, (deciding(), ("table", "box")), (choosing(), VIEWS)):
        stage.show(now)
        for view in views:
            open_view(phone, stage.address, view)
            assert phone.axe() == [], view
    open_view(phone, stage.address, "table")
    for what in ("dice", "board"):
        phone.click(f"[data-focus=put{what}]")
        assert phone.axe() == [], what
        phone.click("[data-focus=putleave]")


@long
def test_a_finished_game_is_replayed_with_its_transcript(stage, phone):
    open_view(phone, stage.address, "games")
    last = phone.run("return Number(document.querySelector('#game input[type=range]').max)")
    assert last > 50
    phone.click("#game [data-step=first]")
    assert "begins" in phone.text("#game p")
    phone.click("#game [data-step=next]")
    assert "rolls" in phone.text("#game p")
    assert phone.text("#game pre").startswith("Can't Stop")
    assert phone.run("return document.querySelectorAll('#game .plot polyline').length") == 2


def test_a_photograph_of_the_dice_counts_or_is_shown_with_the_reason(tmp_path, made):
    three, four, note = (tmp_path / name for name in ("three.jpg", "four.jpg", "note.jpg"))
    exif = Image.Exif()
    exif[0x0112] = 6
    for file, dice in ((three, (2, 3, 4)), (four, (2, 3, 4, 5))):
        Image.fromarray(np.rot90(simulated_frame(dice))[:, :, ::-1].copy()).save(file, exif=exif)
    note.write_text("no picture")
    with Stage(tmp_path, simulated=False).open() as stage:
        stage.show(situations()["waiting"])
        stage.pair(made)

        def choose(file: Path) -> None:
            made.until(lambda: made.run("return !!document.querySelector('#photo button:enabled')"), "the button")
            made.driver.find_element("css selector", "#photo input").send_keys(str(file))

        choose(note)
        made.until(lambda: WORDS["e_picture"] in made.text("#photo"), "the error")
        choose(three)
        made.until(lambda: WORDS["r_count"].format(dice=3) in made.text("#photo figcaption"), "the reason")
        assert made.run("return document.querySelectorAll('#photo .seenvalue').length") == 3
        width, height = made.run("const {width, height} = document.querySelector('#photo img'); return [width, height]")
        assert width > height, "upright"
        assert stage.pressed == []
        choose(four)
        made.until(lambda: stage.pressed, "the roll")
        assert [roll.dice for roll in stage.pressed] == [(2, 3, 4, 5)]
        assert stage.watching.thrown.reading.values == (2, 3, 4, 5), "the last roll's picture"
        rolled = step(situations()["waiting"], stage.pressed[0])
        assert rolled is not None
        telling = step(rolled.situation, Press(Button.A))
        assert telling is not None
        stage.show(telling.situation)
        choose(four)
        made.until(lambda: WORDS["photo_again"] in made.text("#photo"), "the question")
        assert len(stage.pressed) == 1
        made.click("#photo .row .main")
        made.until(lambda: len(stage.pressed) == 2, "the new roll")
        stage.show(situations()["choosing"])
        made.until(lambda: not made.text("#photo"), "the end of the button")


def test_a_camera_that_is_not_known_is_asked_for_at_once_and_chosen_by_a_tap_on_its_picture(tmp_path, made):
    cameras = TwoCameras()
    with Stage(tmp_path, simulated=False, cameras=cameras).open() as stage:
        stage.show(situations()["waiting"])
        stage.pair(made)
        made.until(lambda: made.run("return document.querySelectorAll('#cameras img').length") == 2, "the pictures")
        assert WORDS["which_camera"] in made.text("#cameras")
        made.click("#cameras li:last-child button")
        made.until(lambda: cameras.source == "/dev/video2", "the choice")
        made.until(lambda: WORDS["other_cameras"] in made.text("#cameras"), "the way to change it")


def test_dice_are_tapped_or_typed_where_a_roll_is_awaited(tmp_path, made):
    waiting = situations()["waiting"]
    about = waiting.number, len(waiting.game.steps)
    with Stage(tmp_path, simulated=False).open() as stage:
        stage.show(waiting)
        stage.pair(made)
        made.until(lambda: made.run("return document.querySelectorAll('#pad .face').length") == 6, "the pad")
        for value in (5, 2, 3, 3):
            made.click(f"[data-focus=pad{value}]")
        made.until(lambda: stage.pressed, "the roll that was tapped")
        assert stage.pressed.pop() == DiceCorrection((5, 2, 3, 3), *about)

        body = made.driver.find_element("css selector", "body")
        body.send_keys("16\ue003" + "24")  # Backspace takes the 6 back
        assert made.run("return document.querySelectorAll('#pad .row .die').length") == 3
        assert stage.pressed == []
        body.send_keys("4")
        made.until(lambda: stage.pressed, "the roll that was typed")
        assert stage.pressed.pop() == DiceCorrection((1, 2, 4, 4), *about)

        chosen = situations()["choosing"]
        stage.show(chosen)
        made.until(lambda: not made.text("#pad"), "the end of the pad")
        body.send_keys("6666")
        made.until(lambda: stage.pressed, "the correction")
        assert stage.pressed.pop() == DiceCorrection((6,) * 4, chosen.number, len(chosen.game.steps))
