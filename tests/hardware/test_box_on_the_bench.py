"""`cantstop play` itself, as a process on the bench: pressed, unplugged and killed, and seen by its OLED alone."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from device.config import ButtonsConfig
from device.referee.inputs import Button
from device.referee.states import Situation, Waiting, Welcome
from tests.waiting import PATIENCE_S
from tools.hardware.boot.player import Player

PINS = ButtonsConfig().pins
# A display that does not rest: its pictures are compared pixel by pixel, however slow this machine is.
SETTINGS = "[oled]\ndim_after_s = 3600\noff_after_s = 86400\nshift_every_s = 86400\n"


class Service:
    """The box as a process."""

    def __init__(self, bench, folder) -> None:
        self._folder = folder
        (folder / "config.toml").write_text(SETTINGS)
        (folder / "preferences.json").write_text(json.dumps({"language": "en"}))
        self._environment = {**bench.environment(), "GPIOZERO_PIN_FACTORY": "lgpio", "LG_WD": str(folder)}
        self._environment |= {"STATE_DIRECTORY": str(folder), "RUNTIME_DIRECTORY": str(folder)}

    def start(self) -> None:
        command = [sys.executable, "-m", "device.cli", "play", "--config", self._folder / "config.toml"]
        with (self._folder / "log").open("a") as log:
            self.process = subprocess.Popen(command, env=self._environment, stdout=log, stderr=log)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)


@pytest.fixture
def service(bench, tmp_path):
    made = Service(bench, tmp_path)
    made.start()
    yield made
    made.kill()


def test_a_game_survives_bounces_a_pulled_display_and_a_kill(bench, service):
    def push(button: Button, *, long: bool = False) -> None:
        bench.press(PINS[button], 1.3 if long else 0.1, bounces=5)
        time.sleep(0.06)

    def wait_for(happens, what: str) -> float:
        begun = time.monotonic()
        bench.wait_for(happens, what, PATIENCE_S)
        return time.monotonic() - begun

    player = Player(Situation(Welcome()), bench.oled.picture, push, wait_for, seed=3)
    player.look()
    player.go_to(Waiting)
    player.enter_dice()

    bench.oled.breaks_after = 700  # in the middle of the next picture
    player.press_blind(Button.A)
    bench.wait_for(lambda: bench.oled.unplugged, "the box draws the next picture", PATIENCE_S)
    bench.oled.power_up()
    bench.oled.unplugged = False
    player.look()

    service.kill()
    service.start()
    player.was_restarted()
    player.look()
    player.press(Button.C)

    service.process.terminate()
    assert service.process.wait(PATIENCE_S) == 0
    assert bench.oled.picture().getbbox() is None
