"""The life of the service: notifications to systemd, the first and last screens, and the end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress

from device.health.watchdog import DISK_S, Watchdog
from device.referee.inputs import Button, Press
from device.screens.draw import draw
from device.screens.views import starting
from device.storage.journal import JournalError
from device.storage.preferences_file import PreferencesFile
from tests.waiting import PATIENCE_S

SERVICE = """
import sys, warnings
import smbus2
from tools.sim.oled_bus import OledBus

class Bus(OledBus):
    def i2c_rdwr(self, message):
        self.take(message.addr, bytes(message))
        print(self.picture().tobytes().hex(), "cv2" in sys.modules, flush=True)

    def write_i2c_block_data(self, address, register, data):
        self.take(address, bytes([register, *data]))

smbus2.SMBus = lambda port, bus=Bus(): bus
Bus.close = lambda bus: None
warnings.simplefilter("ignore")  # luma still asks Pillow for `getdata`, which works and warns
from device.cli import main
sys.exit(main(["play", "--journal", sys.argv[1]]))
"""
"""The service as systemd starts it, with only the wires replaced; it prints each picture that stands on the display."""


def test_a_service_shows_a_picture_feeds_its_watchdog_and_turns_the_display_off_at_its_end(tmp_path):
    environment = os.environ | {"NOTIFY_SOCKET": f"{tmp_path}/notify", "WATCHDOG_USEC": "1000000"}
    environment["GPIOZERO_PIN_FACTORY"] = "mock"
    environment.pop("WATCHDOG_PID", None)
    command = [sys.executable, "-c", SERVICE, tmp_path / "journal.txt"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd, (tmp_path / "seen").open("w") as seen:
        systemd.bind(f"{tmp_path}/notify")
        systemd.settimeout(PATIENCE_S)
        process = subprocess.Popen(command, env=environment, stdout=seen, stderr=subprocess.PIPE, text=True)
        try:
            heard = iter(lambda: systemd.recv(1000).decode(), "STOPPING=1")
            told = [next(heard)]
            while told.count("WATCHDOG=1") < 2:
                told.append(next(heard))
            process.terminate()
            told += heard
            problems = process.communicate(timeout=PATIENCE_S)[1]
        finally:
            process.kill()
    assert (process.returncode, "Traceback" in problems) == (0, False)
    assert told[0] == "READY=1"
    assert "STATUS=camera: missing" in told
    pictures = (tmp_path / "seen").read_text().splitlines()
    assert f"{draw(starting()).tobytes().hex()} False" in pictures, "it is told before OpenCV is loaded"
    assert pictures[-1] == f"{bytes(1024).hex()} True", "dark in the end"


def test_each_heartbeat_feeds_the_watchdog_and_the_first_says_that_the_service_is_ready(monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "20000000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    said = []
    monkeypatch.setattr("device.health.watchdog.notify", said.append)
    watchdog = Watchdog()
    for _ in range(3):
        watchdog.beat()
    assert said == ["READY=1", *["WATCHDOG=1"] * 3]


def test_the_watchdog_allows_more_time_while_the_loop_waits_for_the_disk_unless_it_does_already(monkeypatch):
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    more = [f"WATCHDOG_USEC={round(DISK_S * 1e6)}", "it writes", "WATCHDOG_USEC=3000000"]
    for allowed, expected in (("3000000", more), ("60000000", ["it writes"]), ("", ["it writes"])):
        monkeypatch.setenv("WATCHDOG_USEC", allowed)
        said = []
        monkeypatch.setattr("device.health.watchdog.notify", said.append)
        with suppress(JournalError), Watchdog().at_the_disk():
            said.append("it writes")
            raise JournalError
        assert said == expected


def test_a_box_writes_to_the_disk_only_with_the_longer_timeout(tmp_path, journal, box_with, monkeypatch):
    allowed, written = [], []

    @contextmanager
    def at_the_disk():
        allowed.append(True)
        yield
        allowed.pop()

    preferences = PreferencesFile(tmp_path / "preferences.json")
    for owner, name in ((journal, "record"), (preferences, "save")):
        monkeypatch.setattr(owner, name, lambda *_, name=name: written.append((name, bool(allowed))))
    box = box_with(preferences=preferences)
    # A first start asks for the language first, which is kept as soon as it is chosen.
    for _ in range(3):
        box.put(Press(Button.C))
    box.stop()
    box.run(at_the_disk=at_the_disk)
    assert set(written) == {("record", True), ("save", True)}


def test_the_status_is_sent_when_it_changes_and_the_watchdog_of_another_process_is_not_fed(monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "1")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    said = []
    monkeypatch.setattr("device.health.watchdog.notify", said.append)
    watchdog = Watchdog()
    for status in ("", "camera: missing", "camera: missing", ""):
        watchdog.beat(status)
    watchdog.stopping()
    assert said == ["READY=1", "STATUS=camera: missing", "STATUS=", "STOPPING=1"]


def test_without_systemd_or_its_socket_nothing_is_sent(monkeypatch, tmp_path):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    Watchdog().beat("anything")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    Watchdog().beat("camera: missing")
