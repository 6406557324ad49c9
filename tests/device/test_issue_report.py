"""The archive of `cantstop doctor --report`: its contents, and everything that must not be in it."""

from __future__ import annotations

import getpass
import json
import platform
import socket
import zipfile
from functools import partial
from pathlib import Path
from unittest.mock import Mock, patch

import numpy as np
import pytest

from device.cli import main
from device.config import Config, LampConfig, WebConfig
from device.health import issue_report
from device.health.issue_report import LEFT_OUT, report, write
from device.health.machine import Machine
from device.paths import CALIBRATION, state_file
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
    return home


def contents(path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def told(*findings: Finding, config: Config | None = None, root=None) -> dict:
    with patch.object(issue_report, "Machine", partial(Machine, root or Path("/"))):
        return json.loads(report(findings, config or Config(), Path("journal.txt")))


def test_a_report_has_versions_settings_and_findings_but_nothing_that_says_whose_box_it_is(here):
    assert main(["calibrate", "--simulate"]) == 0
    assert main(["doctor", "--simulate", "--report"]) == 0
    files = contents(here / "cantstop-report.zip")
    assert list(files) == ["report.json"]
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
    config = Config(web=WebConfig(bind=ADDRESS), lamp=LampConfig(enabled=True, pin=12))
    found = told(config=config)
    assert set(found["settings"]["web"]) == {"enabled", "port", "watch"}
    assert found["settings"]["lamp"]["pin"] == 12
    assert set(found["calibration"]) == {"frame_size", "tray"}


def test_a_report_that_cannot_be_written_is_reported(here, monkeypatch, capsys):
    monkeypatch.setattr(zipfile.ZipFile, "writestr", Mock(side_effect=OSError(28, "No space left on device")))
    assert main(["doctor", "--simulate", "--report"]) == 2
    assert "No space left on device" in capsys.readouterr().err


def test_a_second_report_does_not_overwrite_the_first_and_a_read_only_folder_is_avoided(here, monkeypatch, tmp_path):
    (here / "cantstop-report.zip").write_text("the first")
    assert write(b"{}") == here / "cantstop-report-2.zip"
    monkeypatch.setattr("os.access", lambda *_: False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert write(b"{}") == tmp_path / "cantstop-report.zip"
