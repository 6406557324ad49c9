"""The page in a real browser. What takes minutes is done by `make browser`; this is the short part."""

from __future__ import annotations

import base64
import os

import pytest

from device.referee.inputs import Button, Press
from device.screens.draw import draw
from device.screens.views import screen
from tests.web.cable import Cable
from tools import browser as chromium
from tools.browser import Browser
from tools.page import SIZES, VIEWS, Stage, choosing, deciding, open_view

pytestmark = pytest.mark.skipif(bool(chromium.missing()), reason=chromium.missing() or "all is there")
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


def shown_pixels(browser: Browser) -> bytes:
    """What the page's copy of the OLED shows, a bit a pixel."""
    script = """
      const data = document.getElementById("oled").getContext("2d").getImageData(0, 0, 128, 64).data;
      let bytes = "";
      for (let i = 0; i < 1024; i++) {
        let byte = 0;
        for (let bit = 0; bit < 8; bit++) byte = byte << 1 | (data[4 * (8 * i + bit)] > 100);
        bytes += String.fromCharCode(byte);
      }
      return btoa(bytes);"""
    return base64.b64decode(browser.run(script))


def test_a_phone_sees_the_oleds_own_pixels_presses_a_button_and_comes_back_by_itself(stage, phone):
    open_view(phone, stage.address, "box")
    stage.show(choosing())
    phone.until(lambda: shown_pixels(phone) == draw(screen(choosing())).tobytes(), "the OLED's pixels")
    stage.pressed.clear()
    assert phone.run("return document.querySelector('#box [data-button=STOP]')") is None, "it does nothing here"
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


@long
def test_touching_a_choice_shows_on_the_board_what_it_would_do(stage, phone):
    stage.show(choosing())
    open_view(phone, stage.address, "table")
    phone.until(lambda: phone.run("return document.querySelectorAll('.ghost').length") == 2, "the preview of 5+9")
    phone.click("[data-focus=lookB]")
    phone.until(lambda: phone.run("return document.querySelectorAll('.ghost').length") == 2, "the preview of 6+8")
    phone.click("[data-focus=lookB]")
    phone.until(lambda: phone.run("return document.querySelectorAll('.ghost').length") == 0, "no preview")


@long
def test_a_key_of_a_keyboard_presses_its_button(stage, phone):
    open_view(phone, stage.address, "table")
    stage.pressed.clear()
    for key, press in (("a", Press(Button.A)), ("S", Press(Button.STOP, long=True)), ("t", "throw")):
        script = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))"
        phone.run(script, key)
        phone.until(lambda press=press: stage.pressed and stage.pressed[-1] == press, key)


@long
@pytest.mark.parametrize("language", ["en", "nl", "de", "fr"])
def test_no_text_is_wider_than_a_small_phone_in_any_language(stage, language):
    with Browser(320, 640) as small:
        stage.pair(small)
        small.run("localStorage.setItem('cantstop.lang', arguments[0])", language)
        for view in VIEWS:
            open_view(small, stage.address, view)
            small.until(lambda: small.run("return document.documentElement.lang") == language, language)
            wide = small.run("return document.documentElement.scrollWidth")
            assert wide <= 320, f"{view} is {wide} wide"


@long
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_serious_in_any_view(stage, size, dark):
    if not chromium.AXE.exists():
        pytest.skip("no axe-core: make browser fetches it")
    width, height, _ = SIZES[size]
    with Browser(width, height, dark=dark) as made:
        stage.pair(made)
        for now in (choosing(), deciding()):
            stage.show(now)
            for view in VIEWS:
                open_view(made, stage.address, view)
                assert made.axe() == [], view


@long
def test_a_finished_game_is_replayed_and_its_transcript_is_there(stage, phone):
    open_view(phone, stage.address, "games")
    last = phone.run("return Number(document.querySelector('#game input[type=range]').max)")
    assert last > 50
    phone.click("#game [data-step=first]")
    assert "begins" in phone.text("#game p")
    phone.click("#game [data-step=next]")
    assert "rolls" in phone.text("#game p")
    assert phone.text("#game pre").startswith("Can't Stop")
    assert phone.run("return document.querySelectorAll('#game .plot polyline').length") == 2


@long
def test_a_phone_that_is_sent_away_may_only_look(stage):
    with Browser() as made:
        stage.pair(made)
        made.click("#pairing li button")
        made.until(lambda: made.run("return !!document.querySelector('#pairing form')"), "the form to pair again")
        open_view(made, stage.address, "table")
        assert made.run("return document.querySelector('#table [data-button]')") is None
