"""The booted box on its bench, and its player."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from device.config import ButtonsConfig
from device.referee.box_care import first_start
from device.referee.inputs import Button
from device.referee.states import Situation
from engine import Bust, Stop
from tools.hardware.bench import Bench
from tools.hardware.boot.machine import Machine
from tools.hardware.boot.phone import Phone
from tools.hardware.boot.player import Player
from tools.hardware.boot.tree import HERE, PORT
from tools.hardware.tray import Tray
from tools.hardware.trees import PROJECT, Tree, TreeError, say

STAND_IN = PROJECT / "tools/hardware/camera"
PICTURES = HERE / "pictures"
LIFTED_S = 0.06
"""The time that a quick finger is off the button between two presses, in seconds; the box accepts 25 ms."""


class Table:
    """The booted box and its player."""

    def __init__(self, tree: Tree, bench: Bench, shims: Path, tray: Tray) -> None:
        """Prepare; entering `machine` boots.

        Args:
            tree: The tree to boot.
            bench: The simulated buttons and display.
            shims: The folder of the compiled shims.
            tray: The tray under its camera.
        """
        self.tree = tree
        self.bench = bench
        self.tray = tray
        self.machine = Machine(tree, {bench.folder: "/bench", shims: "/shims", STAND_IN: "/camera"})
        self.phone = Phone(f"http://127.0.0.1:{PORT}")
        begins = first_start(signals=("light", "sound"), with_frame=True)
        self.player = Player(Situation(begins), bench.oled.picture, self.push, self._wait_for, seed=1)

    def push(self, button: Button, *, long: bool = False) -> None:
        """Press a button and release it."""
        time.sleep(LIFTED_S)
        self.bench.press(ButtonsConfig().pins[button], ButtonsConfig().hold_s + 0.3 if long else 0.1, bounces=3)

    def throw(self, values: tuple[int, ...]) -> None:
        """Roll dice with these values under the camera."""
        self.tray.dice.throw(values=values)

    def keep_picture(self, name: str) -> None:
        """Save the OLED's picture."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.bench.oled.picture().resize((512, 256)).save(PICTURES / f"{name}.png")

    def play_turns(self, turns: int) -> None:
        """Play the given number of turns."""
        until = self._turns() + turns
        self.player.play(lambda: self._turns() >= until)

    def dies(self, how: str, signal: str) -> None:
        """Send the program a signal, and wait until the box is ready again and the OLED shows the game in progress."""
        old = self.machine.unit("MainPID")
        self.machine.do("systemctl", "kill", "--kill-whom=main", f"--signal={signal}", "cantstop")
        self.comes_back(old, how)

    def comes_back(self, old: str, what: str) -> None:
        """Wait until the box is ready as another process, and the OLED shows the game that was in progress."""
        back_s = self.machine.wait_for(lambda: self.machine.is_another(old), f"the box is back after {what}")
        self.player.was_restarted()
        seen_s = self.player.look()
        say(f"{what}: active again after {back_s:.1f} s, the same game on the OLED after {back_s + seen_s:.1f} s")
        self.keep_picture(what.replace(" ", "-").replace(",", ""))

    def _turns(self) -> int:
        game = self.player.situation.game
        return 0 if game is None else sum(isinstance(step, Stop | Bust) for step in game.steps)

    def _wait_for(self, happens: Callable[[], bool], what: str) -> float:
        try:
            return self.machine.wait_for(happens, what)
        except TreeError:
            self.keep_picture("when-it-failed")
            raise
