"""The life of the service: notifications to systemd, the first and last screens, and the end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress

import pytest

from device.box import Box
from device.hardware.display import ReconnectingDisplay
from device.health.watchdog import DISK_S, FEEDS, Watchdog
from device.referee.inputs import Button, Press
from device.screens.draw import draw
from device.screens.views import starting
from device.storage.journal import Journal, JournalError
from device.storage.preferences_file import PreferencesFile
from tests.waiting import PATIENCE_S
from tools.sim.oled_bus import OledBus


class Service:
    """A service under a systemd that is this test."""

    def __init__(self, folder) -> None:
        self.log = folder / "log"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(folder / "notify"))
        self.socket.settimeout(PATIENCE_S)
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": "1000000",
            "GPIOZERO_PIN_FACTORY": "mock",
        }
        environment.pop("WATCHDOG_PID", None)
        command = [sys.executable, "-m", "tests.device.service", folder / "journal.txt", self.log]
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)

    def hears(self, wanted: str) -> list[str]:
        """Return all output up to the expected text."""
        heard = []
        while not heard or heard[-1] != wanted:
            heard.append(self.socket.recv(1000).decode())
        return heard

    def writes(self) -> list[tuple[int, int, bytes, set[str]]]:
        """What went over the wire, with the heavy modules that were loaded by then."""
        lines = self.log.read_text().splitlines()
        parts = [line.split(" ") for line in lines]
        return [
            (int(to), int(what), bytes.fromhex(data), set(heavy.split(",")) - {""}) for to, what, data, heavy in parts
        ]

    def pictures(self) -> list[tuple[bytes, set[str]]]:
        """Each picture that stood on the display, with the heavy modules that were loaded by then."""
        bus = OledBus()
        shown: list[tuple[bytes, set[str]]] = []
        for address, register, data, heavy in self.writes():
            bus.write_i2c_block_data(address, register, list(data))
            shown.append((bus.picture().tobytes(), heavy))
        return shown

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        assert self.process.stderr is not None
        assert "Traceback" not in self.process.stderr.read()
        return code

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)
        if self.process.stderr is not None:
            self.process.stderr.close()
        self.socket.close()


@pytest.fixture
def service(tmp_path):
    running = Service(tmp_path)
    yield running
    running.close()


def test_a_service_shows_a_picture_feeds_its_watchdog_and_turns_the_display_off_at_its_end(service):
    service.hears("READY=1")
    assert "WATCHDOG=1" in service.hears("WATCHDOG=1")
    heard = service.hears("WATCHDOG=1")
    assert service.end(signal.SIGTERM) == 0
    heard += service.hears("STOPPING=1")
    assert "STATUS=camera: missing" in heard
    pictures = service.pictures()
    first = draw(starting()).tobytes()
    assert first in [picture for picture, heavy in pictures if not heavy], "it is told before OpenCV is loaded"
    assert any("cv2" in heavy for _, heavy in pictures), "later pictures come with OpenCV loaded"
    assert not any(pictures[-1][0]), "dark in the end"


def test_the_watchdog_is_fed_often_enough_and_no_more(monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "20000000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    said, now = [], [0.0]
    watchdog = Watchdog(said.append, lambda: now[0])
    for _ in range(200):
        watchdog.beat()
        now[0] += 0.5
    assert said[0] == "READY=1"
    assert said.count("READY=1") == 1
    assert said.count("WATCHDOG=1") == pytest.approx(100 / 20 * FEEDS, abs=1)


def test_the_watchdog_allows_more_time_while_the_loop_waits_for_the_disk_unless_it_does_already(monkeypatch):
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    more = [f"WATCHDOG_USEC={round(DISK_S * 1e6)}", "it writes", "WATCHDOG_USEC=3000000"]
    for allowed, expected in (("3000000", more), ("60000000", ["it writes"]), ("", ["it writes"])):
        monkeypatch.setenv("WATCHDOG_USEC", allowed)
        said = []
        with suppress(JournalError), Watchdog(said.append).at_the_disk():
            said.append("it writes")
            raise JournalError
        assert said == expected


def test_a_box_writes_to_the_disk_only_with_the_longer_timeout(tmp_path, shown):
    allowed, written = [], []

    @contextmanager
    def at_the_disk():
        allowed.append(True)
        try:
            yield
        finally:
            allowed.pop()

    class Disk(Journal):
        def record(self, event, now):
            written.append(("game", bool(allowed)))
            super().record(event, now)

    class Chosen(PreferencesFile):
        def save(self, preferences):
            written.append(("preferences", bool(allowed)))
            super().save(preferences)

    journal = Disk(tmp_path / "journal.txt")
    # A first start asks for the language first, which is kept as soon as it is chosen.
    box = Box(journal, ReconnectingDisplay(shown.open), preferences=Chosen(tmp_path / "preferences.json"))
    for _ in range(3):
        box.put(Press(Button.C))
    box.stop()
    box.run(at_the_disk=at_the_disk)
    journal.close()
    assert {what for what, _ in written} == {"game", "preferences"}
    assert all(was_allowed for _, was_allowed in written)


def test_the_status_is_sent_when_it_changes_and_the_watchdog_of_another_process_is_not_fed(monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "1")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    said = []
    watchdog = Watchdog(said.append)
    for status in ("", "camera: missing", "camera: missing", ""):
        watchdog.beat(status)
    watchdog.stopping()
    assert said == ["READY=1", "STATUS=camera: missing", "STATUS=", "STOPPING=1"]


def test_without_systemd_or_its_socket_nothing_is_sent(monkeypatch, tmp_path):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    Watchdog().beat("anything")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    Watchdog().beat("camera: missing")
