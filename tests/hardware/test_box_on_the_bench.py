"""`cantstop play` itself, as a process on the bench: pressed, unplugged and killed, and seen by its OLED alone."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time

import cv2
import pytest

from device.cli import parser, player_options
from device.config import ButtonsConfig
from device.hardware.boards import BOARDS
from device.referee.inputs import Button
from device.referee.states import Situation, Waiting, Welcome
from tests.hardware.conftest import open_bench
from tests.page.helpers import Reader
from tests.waiting import PATIENCE_S
from tools.hardware.boot.player import Player
from tools.hardware.tray import filmed_tray
from tools.sim.oled_bus import OledBus

PINS = ButtonsConfig().pins
# A display that does not rest: its pictures are compared pixel by pixel, however slow this machine is.
SETTINGS = "[oled]\ndim_after_s = 3600\noff_after_s = 86400\nshift_every_s = 86400\n"

STARTED = player_options.start(parser().parse_args(["play", "--players", "2"]), Situation(Welcome()))
"""The start of a new box with `--players 2`, which skips the first start."""


class Service:
    """The box as a process."""

    def __init__(self, bench, folder, settings="", preload="", **environment) -> None:
        self._folder = folder
        (folder / "config.toml").write_text(SETTINGS + settings)
        (folder / "preferences.json").write_text(json.dumps({"language": "en"}))
        self._environment = {**bench.environment(), "GPIOZERO_PIN_FACTORY": "lgpio", "LG_WD": str(folder)}
        self._environment |= {"STATE_DIRECTORY": str(folder), "RUNTIME_DIRECTORY": str(folder)} | environment
        self._environment["LD_PRELOAD"] += f" {preload}"

    def start(self) -> None:
        command = [sys.executable, "-m", "device.cli", "play", "--players", "2"]
        command += ["--config", self._folder / "config.toml"]
        with (self._folder / "log").open("a") as log:
            self.process = subprocess.Popen(command, env=self._environment, stdout=log, stderr=log)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)


def player_at(bench, pins=PINS, board=BOARDS["box"]) -> Player:
    """A player with buttons that bounce."""

    def push(button: Button, *, long: bool = False) -> None:
        bench.press(pins[button], 1.3 if long else 0.1, bounces=5)
        time.sleep(0.06)

    def wait_for(happens, what: str) -> float:
        begun = time.monotonic()
        bench.wait_for(happens, what, PATIENCE_S)
        return time.monotonic() - begun

    return Player(STARTED, bench.oled.picture, push, wait_for, seed=3, board=board)


@pytest.fixture
def service(bench, tmp_path):
    made = Service(bench, tmp_path)
    made.start()
    yield made
    made.close()


def test_a_game_survives_bounces_a_pulled_display_and_a_kill(bench, service):
    player = player_at(bench)
    player.look()
    player.press_until(Waiting)
    player.enter_dice()

    bench.oled.breaks_after = 700  # in the middle of the next picture
    player.press_blind(Button.A)
    bench.wait_for(lambda: bench.oled.unplugged, "the box draws the next picture", PATIENCE_S)
    bench.oled.power_up()
    bench.oled.unplugged = False
    player.look()

    service.close()
    service.start()
    player.was_restarted()
    player.look()
    player.press(Button.C)

    service.process.terminate()
    assert service.process.wait(PATIENCE_S) == 0
    assert bench.oled.picture().getbbox() is None


def test_the_box_plays_with_a_usb_camera_and_notices_when_it_is_unplugged(bench, webcam, tmp_path):
    settings = f'[camera]\nsource = "{webcam.device}"\n'
    preload = webcam.environment.pop("LD_PRELOAD")
    service = Service(bench, tmp_path, settings, preload, **webcam.environment)

    def show(frame) -> None:
        """Show a picture in the middle of a wider one."""
        frame = cv2.resize(frame, (960, 720), interpolation=cv2.INTER_CUBIC)
        with contextlib.suppress(OSError):  # it is unplugged
            webcam.show(cv2.copyMakeBorder(frame, 0, 0, 160, 160, cv2.BORDER_REPLICATE))

    player = player_at(bench)
    service.start()
    with contextlib.closing(service), filmed_tray(show) as tray:
        player.look()
        player.press_until(Waiting)
        bench.wait_for(webcam.is_in_use, "the box uses the camera", PATIENCE_S)
        webcam.unplug()
        player.look_for_trouble()
        webcam.plug_in()
        player.look_again()  # dice that are thrown before the camera is open again would lie there at once
        player.dice = lambda values: tray.throw(values=values)
        player.roll()


def test_the_box_plays_on_a_board_with_its_own_keys_and_a_display_on_spi(tmp_path_factory, tmp_path):
    kind, keys = "waveshare-1.3", {Button.A: 21, Button.B: 20, Button.C: 16, Button.STOP: 13}
    with open_bench(tmp_path_factory, OledBus("sh1106"), "spidev0.0") as bench:
        service = Service(bench, tmp_path, f'[board]\nkind = "{kind}"\n')
        service.start()
        with contextlib.closing(service):
            player = player_at(bench, keys, BOARDS[kind])
            player.look()
            player.press_until(Waiting)
            player.enter_dice()

            service.close()
            bench.oled.power_up()
            service.start()
            player.was_restarted()
            player.look()

            service.process.terminate()
            assert service.process.wait(PATIENCE_S) == 0
        assert bench.oled.picture().getbbox() is None


def test_a_box_without_display_and_buttons_is_played_by_a_phone_and_opens_neither_bus_nor_pins(
    tmp_path_factory, tmp_path
):
    with open_bench(tmp_path_factory) as bench:
        service = Service(bench, tmp_path, '[board]\nkind = "none"\n[web]\nenabled = true\n')
        service.start()
        with contextlib.closing(service):
            bench.wait_for((tmp_path / "table.sock").exists, "the socket of the page", PATIENCE_S)
            page = Reader(tmp_path / "table.sock")
            key = page.ask("pair", code="", name="Anna")["data"]["key"]
            assert page.ask("press", key=key, button="B", long=False)["data"] == {}
            page.close()
            with pytest.raises(RuntimeError, match="no program has opened"):
                bench.line(PINS[Button.A])
            service.process.terminate()
            assert service.process.wait(PATIENCE_S) == 0
        assert bench.oled.bytes_written == 0
