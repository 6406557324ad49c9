"""Films a turn, a bust and a win on the page, as docs/page/game-night.webp: `python -m tools.docs.film`.

Each motion is paused at its beginning and set to one time after the other, so that a film has all of its frames on a
busy machine, too.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PIL import Image

from device.referee.inputs import Button, DiceRead, Input, Press
from device.referee.states import Deciding, Situation, Waiting
from device.referee.transition_table import step
from engine import Game, SetTo, parse_position
from tools.docs.browser import Browser
from tools.docs.page import FOLDER, Stage, open_view

FRAME_MS, MOST_MS, REST_MS = 100, 2000, 1200
"""The time between two frames, the longest part of a motion, and how long each state is shown after its motion."""
SIZE = 390, 844
PAUSE = """
  const animate = Element.prototype.animate;
  window.film = [];
  Element.prototype.animate = function (...given) {
    const one = animate.apply(this, given);
    one.pause();
    window.film.push(one);
    return one;
  };
  window.requestAnimationFrame = () => 0;
  document.body.append(Object.assign(document.createElement("style"), { textContent: ".ghost{animation:none}" }));"""
SET = "for (const one of window.film) one.currentTime = Math.min(arguments[0], one.effect.getComputedTiming().endTime)"
LONGEST = "return Math.max(0, ...window.film.map((one) => one.effect.getComputedTiming().endTime))"
END = "for (const one of window.film.splice(0)) one.finish()"

A, C, STOP = Press(Button.A), Press(Button.C), Press(Button.STOP)
SCENES: dict[str, tuple[str, bool, tuple[Input, ...]]] = {
    "turn": ("3 6:4,8:3/7:5,4:2 1 - -", False, (DiceRead((2, 3, 4, 5)), A, C, DiceRead((3, 4, 4, 5)), A, C)),
    "bust": ("3 6:4,8:3/7:5,4:2 1 2:1,3:2,12:1 -", True, (DiceRead((3, 3, 3, 5)), C)),
    "win": ("3 6:11,8:11,7:6/7:5,4:2 1 7:12,5:4 -", True, (DiceRead((1, 2, 3, 4)), A, STOP)),
}
"""A position, whether it is in the middle of a turn, and what happens then."""


def situations_of(name: str) -> Iterator[Situation]:
    """Yield the situations of a scene."""
    text, is_on, events = SCENES[name]
    position = parse_position(text)
    game = Game.new(("Ann", "Bob"), position.variants, colours=("red", "blue")).do(SetTo(position))
    now = Situation(Deciding() if is_on else Waiting(), game, 1)
    yield now
    for event in events:
        outcome = step(now, event)
        assert outcome is not None, (name, event)
        now = outcome.situation
        yield now


def frames(browser: Browser, stage: Stage, name: str) -> Iterator[tuple[Image.Image, int]]:
    """Yield a scene's pictures, each with the time for which it is shown, in milliseconds."""
    first, *others = situations_of(name)
    stage.show(first)
    open_view(browser, stage.address, "table")
    browser.run(PAUSE)
    yield shot(browser), REST_MS
    for now in others:
        browser.run("window.before = document.documentElement.dataset.serial")
        stage.show(now)
        shown = "return document.documentElement.dataset.serial !== window.before"
        browser.until(partial(browser.run, shown), "the next situation")
        for time_ms in range(0, min(int(browser.run(LONGEST)), MOST_MS), FRAME_MS):
            browser.run(SET, time_ms)
            yield shot(browser), FRAME_MS
        browser.run(END)
        browser.run("document.querySelector('[data-focus=lookA]')?.click()")
        yield shot(browser), REST_MS


def shot(browser: Browser) -> Image.Image:
    """Return what the page shows."""
    return Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")


def main() -> None:
    """Write the film; with a folder as argument, also each frame at 390 and 1280 pixels, to be looked at."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as own, Stage(Path(own)).open() as stage, Browser(*SIZE) as browser:
        stage.throw((2, 3, 4, 5))
        stage.show(next(situations_of("turn")))
        stage.pair(browser)
        for size in (SIZE, (1280, 800))[: 2 if folder else 1]:
            browser.resize(*size)
            film = [frame for name in SCENES for frame in frames(browser, stage, name)]
            if folder:
                for number, (picture, _) in enumerate(film):
                    picture.save(folder / f"{size[0]}-{number:03}.png")
            if size == SIZE:
                small = [picture.resize((234, 506), Image.Resampling.LANCZOS) for picture, _ in film]
                shown = [time_ms for _, time_ms in film]
                small[0].save(
                    FOLDER / "game-night.webp", save_all=True, append_images=small[1:], duration=shown, loop=0,
                    quality=40, method=6,
                )  # fmt: skip


if __name__ == "__main__":
    main()
