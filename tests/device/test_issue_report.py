"""The archive of `cantstop doctor --report`: its contents, and everything that must not be in it."""

from __future__ import annotations

import fcntl
import getpass
import io
import json
import platform
import socket
import sys
import zipfile
from pathlib import Path
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from device.cli import main
from device.config import Config, LampConfig, WebConfig
from device.health.issue_report import LEFT_OUT, free_file, report
from device.health.machine import Machine
from device.paths import CALIBRATION, lock_file, state_file
from device.referee.box_care import PROBES
from device.referee.inputs import Finding, Grade
from tests.vision.known import KNOWN
from vision.tray.calibration import save

HOST, USER, WIFI, PLAYER, PHONE = "annekes-box", "anneke77", "Villa Kunterbunt", "Pippilotta", "Annika's phone"
ADDRESS = "192.168.178.123"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Somebody's machine: a user, a host, a network, players and phones, all with names."""
    home = tmp_path / USER
    state = home / ".local" / "state" / "cantstop"
    state.mkdir(parents=True)
    (state / "simulated-preferences.json").write_text(json.dumps({"names": [PLAYER]}))
    (state / "simulated-phones.json").write_text(json.dumps({"phones": [{"name": PHONE, "address": ADDRESS}]}))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USER", USER)
    monkeypatch.setenv("LOGNAME", USER)
    monkeypatch.setenv("XDG_STATE_HOME", str(home / ".local" / "state"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setattr(socket, "gethostname", lambda: HOST)
    monkeypatch.setattr(platform, "node", lambda: HOST)
    monkeypatch.chdir(home)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return home


def contents(path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def told(*findings: Finding, config: Config | None = None, root=None) -> dict:
    return json.loads(report(findings, config or Config(), Path("journal.txt"), machine=root and Machine(root)))


class Keyboard(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_report_has_versions_settings_findings_and_a_picture_but_nothing_that_says_whose_box_it_is(
    here, monkeypatch, capsys
):
    monkeypatch.setattr(sys, "stdin", Keyboard("yes\n"))
    assert main(["calibrate", "--simulate"]) == 0
    assert main(["doctor", "--simulate", "--report"]) == 0
    assert "Include a picture of what the camera sees now?" in capsys.readouterr().err
    files = contents(here / "cantstop-report.zip")
    picture = cv2.imdecode(np.frombuffer(files["picture.png"], np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (480, 640, 3)
    data = json.loads(files["report.json"])
    assert set(data["findings"]) == set(PROBES)
    assert data["settings"]["buttons"]["stop"] == Config().buttons.stop
    assert data["display"] == {"type": "ssd1306", "rotation": 0}
    assert data["calibration"]["frame_size"] == [640, 480]
    assert data["libraries"]["numpy"] == np.__version__
    assert data["machine"]["architecture"] == platform.machine()
    packed, text = (here / "cantstop-report.zip").read_bytes(), files["report.json"].decode()
    for secret in (HOST, USER, WIFI, PLAYER, PHONE, ADDRESS, str(here), "/home", ".local", "hostname"):
        assert secret not in text
        assert secret.encode() not in packed
    real = {platform.uname().node, socket.gethostname(), getpass.getuser()} - {"root"}
    assert not [name for name in real if f'"{name}"' in text]


@pytest.mark.parametrize("stdin", [Keyboard("no\n"), Keyboard("\n"), io.StringIO("y\n")])
def test_without_a_yes_at_a_terminal_no_picture_is_added(here, monkeypatch, stdin):
    monkeypatch.setattr(sys, "stdin", stdin)
    monkeypatch.setattr("device.cli.doctor._findings", lambda *_, **__: [])
    assert main(["doctor", "--simulate", "--report"]) == 0
    assert list(contents(here / "cantstop-report.zip")) == ["report.json"]


def test_free_texts_in_findings_are_left_out_but_not_numbers_and_versions():
    findings = told(
        Finding("storage", Grade.BAD, "storage fails", (("folder", f"/home/{USER}/cantstop"),)),
        Finding("camera", Grade.BAD, "failed", (("error", f"{HOST}: no route to {ADDRESS}, {WIFI}"),)),
        Finding("bus", Grade.ADVICE, "bus slow", (("khz", 100),)),
        Finding("versions", Grade.FINE, "versions", (("box", "1"), ("python", "3.13.1"), ("system", "Debian 13"))),
    )["findings"]
    for free in ("storage", "camera"):
        text = json.dumps(findings[free], ensure_ascii=False)
        assert LEFT_OUT in text
        assert not [secret for secret in (USER, HOST, ADDRESS, WIFI) if secret in text]
    assert findings["bus"]["text"] == "I2C at 100 kHz: set i2c_baudrate=400000 in config.txt"
    assert findings["versions"]["system"] == "Debian 13"


def test_host_name_and_addresses_in_settings_and_the_small_picture_of_the_empty_tray_are_left_out(here):
    save(KNOWN, state_file(CALIBRATION))
    config = Config(web=WebConfig(name=HOST, bind=ADDRESS), lamp=LampConfig(enabled=True, pin=12))
    found = told(config=config)
    assert set(found["settings"]["web"]) == {"enabled", "port", "watch"}
    assert found["settings"]["lamp"]["pin"] == 12
    assert set(found["calibration"]) == {"frame_size", "tray"}


def test_a_board_is_described_by_model_memory_and_firmware(tmp_path, monkeypatch):
    for path, content in (("proc/device-tree/model", b"Raspberry Pi 5\0"), ("proc/meminfo", b"MemTotal: 2059052 kB\n")):
        (tmp_path / "root" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "root" / path).write_bytes(content)
    program = tmp_path / "vcgencmd"
    program.write_text("#!/bin/sh\necho throttled=0x50000\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    machine = told(root=tmp_path / "root")["machine"]
    assert (machine["model"], machine["memory_mb"], machine["throttled"]) == ("Raspberry Pi 5", 2059, "0x50000")


def test_beside_a_running_box_a_report_is_written_without_a_picture(here, monkeypatch):
    monkeypatch.setattr(sys, "stdin", Keyboard("y\n"))
    with lock_file(here / ".local" / "state" / "cantstop" / "simulated.txt").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["doctor", "--simulate", "--report"]) == 0
    files = contents(here / "cantstop-report.zip")
    assert list(files) == ["report.json"]
    assert json.loads(files["report.json"])["findings"]["camera"]["what"] == "box is running"


@pytest.mark.parametrize(
    ("argv", "problem"),
    [
        (["--report", "gone/report.zip"], "the folder gone does not exist"),
        (["--report", "there.zip"], "there.zip already exists: remove it"),
    ],
)
def test_an_impossible_report_is_refused_before_anything_is_checked(here, capsys, argv, problem):
    (here / "there.zip").write_text("mine")
    assert main(["doctor", "--simulate", *argv]) == 2
    out, err = capsys.readouterr()
    assert problem in err
    assert not out
    assert (here / "there.zip").read_text() == "mine"


def test_a_report_that_cannot_be_written_is_reported(here, monkeypatch, capsys):
    full = Mock(side_effect=OSError(28, "No space left on device"))
    monkeypatch.setattr("device.health.issue_report.write", full)
    assert main(["doctor", "--simulate", "--report"]) == 2
    assert "cantstop-report.zip: No space left on device" in capsys.readouterr().err


def test_a_second_report_does_not_overwrite_the_first_and_a_read_only_folder_is_avoided(here, monkeypatch, tmp_path):
    (here / "cantstop-report.zip").write_text("the first")
    assert free_file() == here / "cantstop-report-2.zip"
    monkeypatch.setattr("os.access", lambda *_: False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert free_file() == tmp_path / "cantstop-report.zip"
