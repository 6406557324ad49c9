"""Takes the screenshots of the page in docs/page: `make pages`. A box without a loop publishes the table."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from device.camera.seen_frame import SeenFrame
from device.camera.simulated import SimulatedTray
from device.camera.sources import FoundCamera
from device.camera.tray_look import TrayLook
from device.health.wifi import InRange
from device.laptop.page import served
from device.page.box_side.answers import Answers
from device.page.box_side.phone_keys import PhoneKeys
from device.page.box_side.publisher import Publisher
from device.referee.inputs import DiceRead, TrayMeasured
from device.referee.players import COLOURS
from device.referee.preferences import Preferences
from device.referee.states import Choosing, Deciding, GameOver, Situation
from device.screens.draw import draw
from device.screens.views import screen
from device.storage.journal import Journal
from engine import Bust, Game, Rolled, SetTo, Stop, may_stop, parse_position, plays, roll_of
from tools.docs.browser import Browser
from tools.docs.screens import situations
from vision.pictures import save_png
from vision.reader import read
from vision.tray.known import Tray
from vision.types import Frame

FOLDER = Path(__file__).parents[2] / "docs" / "page"

SIZES = {
    "phone": (390, 844),
    "phone-across": (844, 390),
    "tablet": (820, 1180),
    "tablet-across": (1180, 820),
    "desktop": (1440, 900),
}
STATES = (
    "waiting",
    "choosing",
    "choosing-column",
    "telling",
    "deciding",
    "busting",
    "busted",
    "stopped",
    "game-over",
    "correcting-dice",
)
"""The states of the table in a game."""
CORRECTIONS = ("dice", "board")
"""The page's own corrections during the choice of a pairing."""
VIEWS = ("table", "box", "camera", "games", "more")
SHOWN = (
    *(("table", size) for size in ("phone", "tablet-across", "desktop")),
    ("box", "phone"),
    ("camera", "tablet-across"),
    ("games", "tablet"),
    ("more", "phone"),
)
"""The views and sizes in the docs, which also show two corrections and the table in the dark."""


class InRangeAlways:
    """A Wi-Fi adapter that always finds the same networks."""

    def networks(self) -> list[InRange]:
        """Return two of them."""
        return [InRange(name, known=False, used=False) for name in ("FRITZ!Box 7590", "Café")]


@dataclass
class SimulatedPictures:
    """A simulated camera's last picture."""

    seen: SeenFrame | None = None
    thrown: SeenFrame | None = None

    def current_frame(self, timeout_s: float) -> SeenFrame | None:
        """Return the last picture."""
        return self.seen

    tray: Tray | None = None
    """What is known about the tray."""

    def advice(self) -> str:
        """Return no advice."""
        return ""

    def measure(self, *, learn: bool) -> TrayLook:
        """Report at once that there is no tray."""
        look = TrayLook(learn=learn)
        look.told = TrayMeasured("no tray")
        return look


class Stage:
    """A box that shows given situations, its page, and a phone's key."""

    def __init__(self, folder: Path, *, simulated: bool = True, cameras: Any = None) -> None:  # noqa: ANN401 - a double
        """Prepare; `simulated` is whether the dice are simulated, too, so that the page rolls them."""
        self.file = folder / "table.sock"
        journal = folder / "journal.txt"
        _play_a_game(journal)
        self.watching = SimulatedPictures()
        watching: Any = self.watching
        self.keys = PhoneKeys(None, invitation="INVITED")
        self.pressed: list[object] = []
        misread = folder / "misread"
        networks: Any = InRangeAlways()
        self.answers = Answers(
            self.keys, journal, misread, put=self.pressed.append, watching=watching,
            throw=self._throw if simulated else None, picture=self._picture if simulated else None,
            needs_tray=simulated, cameras=cameras, wifi=networks,
        )  # fmt: skip
        self.publisher = Publisher(self.file, self.answers)
        self.address = ""

    def _throw(self) -> None:
        self.pressed.append("throw")

    def _picture(self) -> Frame | None:
        return self.watching.seen.frame if self.watching.seen is not None else None

    @contextmanager
    def open(self) -> Iterator[Stage]:
        """Publish and serve."""
        self.publisher.start()
        try:
            with served(self.file, 0) as self.address:
                yield self
        finally:
            self.publisher.close()

    def show(self, situation: Situation) -> None:
        """Show a situation."""
        shown = screen(situation)
        self.publisher.show(situation, shown, draw(shown))

    def throw(self, dice: tuple[int, ...]) -> None:
        """Set the picture of a roll."""
        frame = lying(*dice)
        self.watching.seen = self.watching.thrown = SeenFrame(frame, read(frame))

    def pair(self, browser: Browser) -> None:
        """Pair a browser by the invitation's link."""
        browser.go(f"{self.address}P/INVITED")
        browser.until(lambda: browser.run("return document.documentElement.dataset.paired === 'true'"), "pairing")


def lying(*dice: int) -> Frame:
    """Return the picture of a simulated tray with these dice, which have come to rest."""
    tray = SimulatedTray(7, hurried=True)
    tray.throw(values=dice)
    return [tray.frame(1.0)[1] for _ in range(40)][-1]


def choosing() -> Situation:
    """Return a game of four players: shared spaces, a won column, two runners, a choice."""
    return _situation(
        "3 4:3,6:6,7:13/6:6,8:4,10:2/6:6,3:2/8:4,11:1,6:6 2 5:2,8:6 2-3-4-5", tuple(COLOURS)[:4], Choosing()
    )


def deciding() -> Situation:
    """Return a game of two players, with the odds."""
    now = _situation("3 5:6,7:9/7:9,8:11,9:2 1 4:2,6:8,7:12 -", tuple(COLOURS)[:2], Deciding())
    return replace(now, preferences=Preferences(odds="on"))


def _situation(position: str, names: tuple[str, ...], state: Choosing | Deciding) -> Situation:
    start = parse_position(position)
    return Situation(state, Game.new(names, start.variants).do(SetTo(start)), 1)


def _play_a_game(path: Path) -> None:
    """Write a finished game of two players into a journal: random legal plays, each roll read by a camera."""
    chance, game = random.Random(3), Game.new(tuple(COLOURS)[:2])
    with closing(Journal(path)) as journal:
        while game.winner is None:
            position = game.position
            if position.roll is not None:
                choices = plays(position)
                game = game.do(chance.choice(choices) if choices else Bust())
            elif may_stop(position) and chance.random() < 0.25:
                game = game.do(Stop())
            else:
                dice = roll_of(chance.choices(range(1, 7), k=4))
                game = game.do(Rolled(dice))
                seen = DiceRead(dice, by_camera=True)
                journal.record(seen, Situation(Choosing(), game, 1))
        journal.record(DiceRead((1, 1, 1, 1)), Situation(GameOver(), game, 1))


def main() -> None:
    """Write the screenshots that the docs show."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as own:
        _pictures_without_a_box(Path(own))
    with tempfile.TemporaryDirectory() as own, Stage(Path(own)).open() as stage, Browser() as browser:
        stage.show(choosing())
        stage.throw((2, 3, 4, 5))
        stage.pair(browser)
        for view, size in SHOWN:
            browser.resize(*SIZES[size])
            open_view(browser, stage.address, view)
            browser.picture(FOLDER / f"{view}-{size}.png")
        for what, size in (("dice", "phone"), ("board", "tablet")):
            browser.resize(*SIZES[size])
            _picture_of_correcting(browser, stage, what, FOLDER / f"put-{what}-{size}.png")
        stage.show(deciding())
        browser.resize(*SIZES["phone"], dark=True)
        open_view(browser, stage.address, "table")
        browser.picture(FOLDER / "table-dark.png")


class TwoCameras:
    """Two cameras of a computer, of which one is chosen: one sees dice, the other an empty tray."""

    def __init__(self) -> None:
        """Start without a choice."""
        self.source = ""

    def others(self) -> list[FoundCamera]:
        """Return the cameras that are not in use."""
        found = [
            FoundCamera("/dev/video0", "Integrated camera", picture=SimulatedTray(7, hurried=True).frame(1.0)[1]),
            FoundCamera("/dev/video2", "USB camera", picture=lying(2, 3, 4, 5)),
        ]
        return [each for each in found if each.source != self.source]

    def choose(self, source: str) -> bool:
        """Use one of them."""
        self.source = source
        return True


def _pictures_without_a_box(folder: Path) -> None:
    """Write the screenshots of a photograph that is refused, and of the choice of a camera."""
    photograph = folder / "three.png"
    save_png(lying(2, 3, 4), photograph)
    with Stage(folder, simulated=False, cameras=TwoCameras()).open() as stage, Browser() as browser:
        browser.resize(*SIZES["phone"])
        stage.show(situations()["waiting"])
        stage.pair(browser)
        browser.until(lambda: browser.run("return !!document.querySelector('#cameras img')"), "the cameras")
        browser.picture(FOLDER / "cameras-phone.png")
        browser.go(f"{stage.address}#table")
        browser.until(lambda: browser.run("return !!document.querySelector('#photo button:enabled')"), "the button")
        browser.driver.find_element("css selector", "#photo input").send_keys(str(photograph))
        browser.until(lambda: browser.run("return !!document.querySelector('#photo figure img')"), "the answer")
        browser.run("document.querySelector('#photo').scrollIntoView({block: 'end'})")
        browser.picture(FOLDER / "photograph-phone.png")


def _picture_of_correcting(browser: Browser, stage: Stage, what: str, file: Path) -> None:
    open_view(browser, stage.address, "table")
    browser.click(f"[data-focus=put{what}]")
    browser.run("document.querySelector('#correct').scrollIntoView({block: 'end'})")
    browser.picture(file)


def open_view(browser: Browser, address: str, view: str) -> None:
    """Open a view, and wait until it is complete."""
    browser.go("about:blank")
    browser.go(f"{address}#{view}")
    browser.until(lambda: browser.run("return document.documentElement.dataset.line === 'up'"), "the table")
    browser.until(lambda: browser.run("return document.documentElement.dataset.paired"), "whether it is paired")
    ready = {
        "table": "#board svg",
        "box": "#throw img",
        "camera": "#keeper button",
        "games": "#gamelist button",
        "more": "#pairing .good",
    }[view]
    browser.until(lambda: browser.run("return !!document.querySelector(arguments[0])", ready), ready)
    if view == "table":
        tray = "return document.querySelector('#desk').hidden || !!document.querySelector('#tray img')"
        browser.until(lambda: browser.run(tray), "the tray")
        browser.run("document.querySelector('[data-focus=lookA]')?.click()")
    if view == "more":
        browser.until(lambda: browser.run("return !!document.querySelector('#wifi button')"), "the Wi-Fi")
        browser.click("#wifi button")
        browser.until(lambda: browser.run("return !!document.querySelector('#wifi option')"), "the networks")
    if view == "games":
        browser.until(lambda: browser.run("return !!document.querySelector('#gamelist table')"), "the figures")
        browser.click("#gamelist button")
        browser.click("#game [data-step=previous]")


if __name__ == "__main__":
    main()
