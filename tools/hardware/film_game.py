"""A whole game with real dice from a film stream, with no simulated part: `python -m tools.hardware.film_game`.

A network camera on this machine films red dice that are thrown onto a sheet of paper on a wooden table. The program is
started as a person starts it, `cantstop play --camera URL`, and opens the stream through OpenCV. Whoever plays sees the
page's answers and nothing else, and presses the page's buttons. `--random` throws random dice instead of those of a
short game.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from device.referee.inputs import Button
from engine import TOP
from tools.hardware.boot.phone import Phone
from tools.hardware.mjpeg_server import MjpegServer
from vision.render.draw import draw
from vision.render.geometry import top_face
from vision.render.scene import PlacedDie, Scene, Surface, Texture, colour
from vision.render.table import IVORY, table_scene
from vision.render.throw import plan_throw
from vision.types import Frame

FRAMES_PER_S = 15.0
RED = replace(IVORY, body=colour("#b3202c"), pip=colour("#f4f1ea"))
SOON_S = 60.0
"""The longest wait for the program, in seconds; a busy machine renders slowly."""
UNREAD_S = 4.0
"""The time after which dice that lie still and were not read are thrown again, in seconds of the film."""
ROLLS = 3
"""The number of rolls in a turn after which the player stops, if allowed."""

PRESS_S = 0.8
"""The time from seeing a screen to pressing a button, in seconds; a STOP right after a change is ignored."""
SHORT_GAME = (
    (1, 2, 3, 4),  # the test roll
    *[(1, 1, 6, 6)] * 3,  # columns 2 and 12
    (1, 1, 1, 1),  # a bust, as column 2 is won
    *[(1, 1, 2, 2)] * 3,  # column 3
)
"""The rolls with which the first player wins in two turns."""

Table = dict[str, Any]


def paper_scene() -> Scene:
    """Return a sheet of A4 paper on a wooden table, seen by a webcam from 33 cm, tilted by 9 degrees."""
    scene = table_scene((640, 360))
    paper = Surface(colour("#efece4"), Texture.PLAIN, 0.02, seed=2)
    sheet = replace(
        scene.tray, width_mm=297.0, depth_mm=210.0, wall_mm=0.5, rim_mm=0.5, floor=paper, wall=paper,
        table=Surface(colour("#8a6a45"), Texture.WOOD, 0.12, seed=5),
    )  # fmt: skip
    return replace(scene, tray=sheet, camera=replace(scene.camera, height_mm=330.0, tilt_deg=9.0))


class FilmedTable:
    """Dice that are thrown onto the paper. A throw is rendered before it is shown, so that it moves smoothly."""

    def __init__(self, seed: int, rolls: Iterable[tuple[int, ...]] = ()) -> None:
        """Start with an empty sheet of paper; the dice show `rolls`, and random values after them."""
        self._rolls = iter(rolls)
        self._values: tuple[int, ...] = ()
        self._chance = np.random.default_rng(seed)
        self._noise = np.random.default_rng((seed, 1))
        self._grain = np.random.default_rng((seed, 2))
        self._scene = paper_scene()
        self._lock = threading.Lock()
        self._lying: tuple[PlacedDie, ...] = ()
        self._moving: deque[Frame] = deque()
        self._still = draw(self._scene, self._noise)
        self._shown_still = 0

    def throw(self, dice: int, *, again: bool = False) -> tuple[int, ...]:
        """Take away the dice that lie there and throw some, or the same again; return their values, sorted."""
        if not again:
            self._values = next(self._rolls, ()) or tuple(map(int, self._chance.integers(1, 7, dice)))
        values = self._values
        throw = plan_throw(self._scene, values, self._chance, bodies=[RED] * len(values), before=self._lying)
        times = np.arange(0.0, throw.still_s, 1 / FRAMES_PER_S)
        moving = deque(draw(throw.scene_at(float(time_s)), self._noise) for time_s in times)
        still = draw(throw.scene_at(throw.still_s), self._noise)
        with self._lock:
            self._moving, self._still, self._lying, self._shown_still = moving, still, throw.dice, 0
        return tuple(sorted(top_face(die)[0] for die in throw.dice))

    @property
    def still_s(self) -> float:
        """The time since the dice came to rest, in seconds of the film; 0 while they roll."""
        return self._shown_still / FRAMES_PER_S

    def frame(self, _: int) -> Frame:
        """Return the next picture; a scene at rest gets new noise each time."""
        with self._lock:
            if self._moving:
                return self._moving.popleft()
            self._shown_still += 1
            still = self._still
        grain = self._grain.integers(-2, 3, (*still.shape[:2], 1), dtype=np.int16)
        return np.asarray(np.clip(still + grain, 0, 255), np.uint8)


class Browser(Phone):
    """The page's API, as a browser on this computer uses it."""

    def __init__(self, link: str) -> None:
        """Pair by the link that the program prints."""
        address, _, code = link.partition("/P/")
        super().__init__(address)
        deadline = time.monotonic() + SOON_S
        while not self.is_served():
            if time.monotonic() > deadline:
                raise TimeoutError(f"no page at {address}")
            time.sleep(0.2)
        self.pair(code)

    def table(self) -> Table:
        """Return the table as it is now."""
        return self.ask("/api/table")

    def press_from(self, button: str, before: Table) -> Table:
        """Press a button as fast as a person does; return the table once it has changed."""
        time.sleep(PRESS_S)
        self.press(Button(button))
        deadline = time.monotonic() + SOON_S
        while (now := self.table())["serial"] == before["serial"]:
            if time.monotonic() > deadline:
                raise TimeoutError(f"pressing {button} has no effect: {now['oled']['text']}")
            time.sleep(0.1)
        return now


class Player:
    """Plays to the winner: the pairing that is the largest part of its columns, and STOP after `ROLLS` rolls."""

    def __init__(self, browser: Browser, film: FilmedTable) -> None:
        self._browser = browser
        self._film = film
        self._in_turn = 0
        self.read = self.unread = 0
        self.wrong: list[str] = []

    def play(self) -> Table:
        """Play until a player has won; return the last table."""
        now = self._browser.table()
        while now["state"] != "GameOver":
            now = self._act(now)
        return now

    def _act(self, now: Table) -> Table:
        state, game = now["state"], now["game"]
        may_stop = game is not None and game["may_stop"] and state in ("Telling", "Deciding")
        if may_stop and (self._in_turn >= ROLLS or game["stop_wins"]):
            self._in_turn = 0
            return self._browser.press_from("STOP", now)
        if state == "TrialThrow" and "-" in now["oled"]["text"][1]:
            return self._browser.press_from("C", now)
        if now["wants_dice"]:
            return self._roll(now)
        if state in ("Choosing", "ChoosingColumn"):
            return self._browser.press_from(max(now["choices"], key=_progress)["button"], now)
        if state in ("Busting", "Busted"):
            self._in_turn = 0
        return self._browser.press_from("C", now)

    def _roll(self, before: Table) -> Table:
        """Throw until the dice are read."""
        again = False
        while True:
            values = self._film.throw(before["wants_dice"], again=again)
            deadline = time.monotonic() + 4 * SOON_S
            while time.monotonic() < deadline:
                now = self._browser.table()
                if now["oled"]["text"] != before["oled"]["text"] and now["tray"] is None and _read(now) is not None:
                    self._in_turn += before["state"] != "TrialThrow"
                    self.read += 1
                    if _read(now) != values:
                        self.wrong.append(f"{values} read as {_read(now)}")
                    return now
                if self._film.still_s > UNREAD_S:
                    break
                time.sleep(0.1)
            self.unread += 1
            again = True


def _progress(choice: Table) -> float:
    """Return how much of its columns a choice moves; 0 if it is not possible."""
    return sum(1 / TOP[move["column"]] for play in choice["plays"][:1] for move in play)


def _read(now: Table) -> tuple[int, ...] | None:
    """Return the dice that the page shows, sorted; None while it shows none."""
    if now["state"] == "TrialThrow":
        text = now["oled"]["text"][1].partition(" ")[0]
        return tuple(sorted(map(int, text.split("-")))) if "-" in text else None
    if now["game"] is None or now["game"]["position"]["roll"] is None:
        return None
    return tuple(sorted(now["game"]["position"]["roll"]))


def main() -> int:
    """Play a game, and print its transcript and what was read; return 1 if a roll was read wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", action="store_true", help="throw random dice until somebody has won")
    args = parser.parse_args()
    film = FilmedTable(args.seed, () if args.random else SHORT_GAME)
    with tempfile.TemporaryDirectory() as state, MjpegServer(film.frame, FRAMES_PER_S) as camera:
        environ = {**os.environ, "XDG_STATE_HOME": state}
        words = [sys.executable, "-m", "device.cli"]
        command = [*words, "play", "--camera", camera.url, "--no-browser"]
        print(f"$ cantstop play --camera {camera.url} --no-browser", flush=True)
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environ
        ) as program:
            assert program.stdout is not None
            link = program.stdout.readline().rpartition(" ")[2].strip()
            try:
                player = Player(Browser(link), film)
                player.play()
            finally:
                program.send_signal(signal.SIGTERM)
        print(subprocess.run([*words, "games", "1"], env=environ, text=True, check=True, capture_output=True).stdout)
    print(f"{player.read} rolls read, {player.unread} thrown again, {len(player.wrong)} read wrong", *player.wrong)
    return bool(player.wrong)


if __name__ == "__main__":
    sys.exit(main())
