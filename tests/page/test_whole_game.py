"""A whole game with the page's buttons, while another phone watches and loses its network: `make browser`."""

from __future__ import annotations

import contextlib
import os
import time

import pytest

from device.box import HASTY_S
from device.storage.journal import Journal
from engine import parse_transcript, transcript
from tests.page.cable import Cable
from tests.page.helpers import simulated_box
from tools.docs import browser as chromium
from tools.docs.browser import Browser

pytestmark = [
    pytest.mark.skipif(not os.environ.get("CANTSTOP_BROWSER"), reason="takes minutes: make browser"),
    pytest.mark.skipif(bool(chromium.missing()), reason=chromium.missing() or "all is there"),
]

MOST_ACTIONS = 600


def state(browser: Browser) -> tuple[str, str]:
    """Return the state of the box as the page shows it, and the number of its snapshot."""
    data = browser.run("return {...document.documentElement.dataset}")
    return data.get("state", ""), data.get("serial", "")


def touch(browser: Browser, *labels: str) -> bool:
    """Touch the first button with one of these labels; return whether there is one."""
    script = """
      for (const label of arguments[0])
        for (const one of document.querySelectorAll("#actions button:not(:disabled)"))
          if (one.innerText.startsWith(label)) { one.click(); return true; }
      return false;"""
    return bool(browser.run(script, labels))


def act(browser: Browser) -> None:
    """Play like a player who stops after two good rolls or with three runners, and wait for the result.

    The player knows what the buttons say, and no letters.
    """
    now, before = state(browser)
    if now == "StopPending":  # a roll that is on its way would still count
        browser.until(lambda: state(browser)[0] != now, "the end of the turn")
        return
    tray = browser.text("#line")
    stops = browser.run("return document.querySelectorAll('#board .here').length") == 3
    if now in {"Telling", "Deciding"} and stops:
        time.sleep(HASTY_S)  # as people do: the box does not take one that follows a new screen at once
        done = touch(browser, "STOP wins", "Stop")
    elif "read" in tray or (now not in {"Stopped", "Busted"} and not tray):
        # A roll that cannot be read is rolled again.
        done = touch(browser, "Roll the dice", "Choose", "Yes, bust", "Done", "More", "OK")
    else:
        done = touch(browser, "Remove runners", "More", "Done", "New game", "OK")
    if not done:  # the dice have just begun to roll, or have come to rest
        browser.until(
            lambda: (state(browser)[0], browser.text("#line")) != (now, tray), f"something after {now}: {tray}"
        )
        return
    browser.until(lambda: state(browser)[1] != before, f"something after {now}")
    browser.until(
        lambda: browser.run("return !/roll|hand/.test(document.querySelector('#line').innerText)"), "still dice"
    )


def test_a_whole_game_is_played_on_one_phone_while_another_looks_and_loses_its_network(tmp_path):
    with contextlib.ExitStack() as stack:
        journal = ("--journal", str(tmp_path / "journal.txt"))
        link, box = stack.enter_context(simulated_box(tmp_path, "--seed", "4", "--players", "2", *journal))
        player, onlooker = stack.enter_context(Browser()), stack.enter_context(Browser(844, 390))
        cable = stack.enter_context(Cable(box.port))
        player.go(link)
        player.until(lambda: player.run("return document.documentElement.dataset.paired") == "true", "pairing")
        onlooker.go(f"http://127.0.0.1:{cable.port}/#table")
        onlooker.until(lambda: state(onlooker)[0], "the table")
        assert onlooker.run("return document.querySelector('[data-focus^=press]')") is None
        for count in range(MOST_ACTIONS):
            if state(player)[0] == "GameOver":
                break
            if count == 20:
                cable.pull()
                onlooker.until(
                    lambda: onlooker.run("return document.documentElement.dataset.line") == "lost", "the loss"
                )
                frozen = state(onlooker)
            if count == 30:
                assert state(onlooker) == frozen
                cable.plug_in()
            act(player)
        assert state(player)[0] == "GameOver", player.text("header")
        onlooker.until(lambda: state(onlooker) == state(player), "the onlooker's view of the end")
        assert onlooker.text("#said") == player.text("#said")
    with contextlib.closing(Journal(tmp_path / "journal.txt", to_write=False)) as kept:
        game = kept.game(1)
    assert game.winner is not None
    assert parse_transcript(transcript(game)) == game
