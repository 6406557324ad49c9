"""The self-check: probes of a simulated machine, their deadlines, and the command."""

from __future__ import annotations

import fcntl
import json
import os
import queue
import shutil
import struct
import threading
import time
from pathlib import Path

import pytest

from device.cli import main
from device.config import Config, OledConfig
from device.health import machine as machine_module
from device.health import machine_control as machine_control_module
from device.health import probes
from device.health.machine import Machine, NoAnswer, box_is_running
from device.health.machine_control import MachineControl, addresses, machine_probes
from device.health.probe_runner import run_probes
from device.paths import lock_file
from device.referee.box_care import PROBES
from device.referee.inputs import Finding, Grade, NetworkSeen, StaysOn, VersionSeen, WifiSeen
from device.screens import fault_texts, texts
from device.screens.language import say
from tests.waiting import PATIENCE_S, until


@pytest.fixture
def pi(tmp_path, monkeypatch):
    return MadePi(tmp_path, monkeypatch)


class MadePi:
    """A made Raspberry Pi: its files below a folder, its programs alone in the path."""

    def __init__(self, folder: Path, monkeypatch) -> None:
        self._root = folder / "root"
        self._programs = folder / "bin"
        self._programs.mkdir(parents=True)
        monkeypatch.setenv("PATH", str(self._programs))
        self.machine = Machine(self._root)
        monkeypatch.setattr("device.health.machine_control.Machine", lambda: self.machine)
        self.file("proc/device-tree/model", b"Raspberry Pi 4 Model B Rev 1.4\0")

    def file(self, path: str, content: bytes) -> None:
        (self._root / path).parent.mkdir(parents=True, exist_ok=True)
        (self._root / path).write_bytes(content)

    def program(self, name: str, script: str) -> None:
        (self._programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (self._programs / name).chmod(0o755)


def collected(start, count: int) -> list:
    """Return the expected number of findings from `start`, each within a deadline."""
    answers: queue.Queue = queue.Queue()
    start(answers.put)
    return [answers.get(timeout=PATIENCE_S) for _ in range(count)]


# Probes


def one_bus(machine: Machine) -> Finding:
    return probes.bus(machine, OledConfig())


def spi_bus(machine: Machine) -> Finding:
    return probes.bus(machine, OledConfig(interface="spi"))


HEAT = "sys/class/thermal/thermal_zone0/temp"
SPEED = "sys/bus/i2c/devices/i2c-1/of_node/clock-frequency"
FOUND = [
    # The power supply is judged by the firmware's flags
    (probes.power, {"vcgencmd": '[ "$1" = get_throttled ] && echo "throttled=0x0"'}, Grade.FINE, "power good"),
    (probes.power, {"vcgencmd": "echo throttled=0x50000"}, Grade.ADVICE, "power was weak"),
    (probes.power, {"vcgencmd": "echo throttled=0x50005"}, Grade.BAD, "power weak now"),
    (probes.power, {"vcgencmd": "echo throttled=0x20000"}, Grade.FINE, "power good"),
    (probes.power, {"vcgencmd": "echo VCHI initialization failed"}, Grade.ABSENT, "power unknown"),
    (probes.power, {}, Grade.ABSENT, "power unknown"),
    # The temperature, in whole degrees
    (probes.heat, {HEAT: b"48312\n"}, Grade.FINE, "cool", ("degrees", 48)),
    (probes.heat, {HEAT: b"80000\n"}, Grade.ADVICE, "hot", ("degrees", 80)),
    (probes.heat, {HEAT: b""}, Grade.ABSENT, "heat unknown"),
    # A slow bus, and one that is turned off
    (one_bus, {"dev/i2c-1": b"", SPEED: struct.pack(">I", 400_000)}, Grade.FINE, "bus fast", ("khz", 400)),
    (one_bus, {"dev/i2c-1": b"", SPEED: struct.pack(">I", 100_000)}, Grade.ADVICE, "bus slow", ("khz", 100)),
    (one_bus, {}, Grade.BAD, "no bus"),
    (spi_bus, {"dev/i2c-1": b""}, Grade.BAD, "no spi"),
    (spi_bus, {"dev/spidev0.0": b""}, Grade.FINE, "spi"),
    # Whether the network has set the clock
    (probes.clock, {"timedatectl": "echo yes"}, Grade.FINE, "clock set"),
    (probes.clock, {"timedatectl": "echo no"}, Grade.ABSENT, "clock not set"),
]
"""A probe, the machine's programs and files, and its finding."""


def test_each_probe_grades_what_the_machine_says(tmp_path, monkeypatch):
    found = []
    for number, (probe, machine, *_) in enumerate(FOUND):
        pi = MadePi(tmp_path / str(number), monkeypatch)
        for name, content in machine.items():
            pi.file(name, content) if isinstance(content, bytes) else pi.program(name, content)
        finding = probe(pi.machine)
        found.append((probe, machine, finding.level, finding.what, *finding.values))
    assert found == FOUND
    assert one_bus(Machine(tmp_path / "laptop")).level is Grade.ABSENT, "no fault but on a Pi"


def test_a_folder_is_fine_if_what_is_written_can_be_read_back_and_the_test_file_is_removed(tmp_path, monkeypatch):
    assert probes.storage(tmp_path / "box").level is Grade.FINE
    assert list((tmp_path / "box").iterdir()) == []
    (tmp_path / "file").write_text("")
    found = probes.storage(tmp_path / "file" / "box")
    assert (found.level, found.what) == (Grade.BAD, "storage fails")
    monkeypatch.setattr("os.fsync", lambda number: os.ftruncate(number, 3))
    assert probes.storage(tmp_path).level is Grade.BAD


def test_little_free_space_is_reported(tmp_path, monkeypatch):
    assert probes.space(tmp_path / "not" / "there").values[0][0] == "mb"
    monkeypatch.setattr(probes, "SHORT_MB", 10**9)
    assert probes.space(tmp_path).what == "space short"


def test_every_probe_of_the_machine_has_its_line_in_the_list_and_a_text(pi, tmp_path):
    named = machine_probes(pi.machine, tmp_path, Config())
    assert set(named) <= set(PROBES)
    found = {name: probe() for name, probe in named.items()}
    assert [each.probe for each in found.values()] == list(named)
    assert found["power"].level is Grade.ABSENT, "there is no vcgencmd"
    assert not [each for each in found.values() if "{" in say(fault_texts.FINDINGS[each.what], **dict(each.values))]
    assert probes.display("", OledConfig()).level is Grade.FINE
    assert probes.display("the OLED does not answer", OledConfig()).level is Grade.BAD
    assert probes.display("", OledConfig(interface="spi")).what == "display mute"


# Programs and deadlines


def test_a_hung_program_is_abandoned(pi, monkeypatch):
    monkeypatch.setattr(machine_module, "PROGRAM_S", 0.2)
    pi.program("vcgencmd", "exec /bin/sleep 3600")
    begun = time.monotonic()
    assert probes.power(pi.machine).level is Grade.ABSENT
    assert time.monotonic() - begun < PATIENCE_S


def test_a_failed_program_has_no_answer(pi):
    for script in ("exit 1", "printf '\\377\\376'"):
        pi.program("vcgencmd", script)
        with pytest.raises(NoAnswer):
            pi.machine.ask("vcgencmd")


def test_a_hung_probe_is_reported_once_and_does_not_delay_others(monkeypatch):
    monkeypatch.setattr("device.health.probe_runner.DEADLINE_S", 0.3)
    late = threading.Event()
    answers: queue.Queue = queue.Queue()
    run_probes({"heat": lambda: late.wait() and probes.versions(), "versions": probes.versions}, answers.put)
    found = {each.probe: each for each in (answers.get(timeout=PATIENCE_S) for _ in range(2))}
    assert found["heat"] == Finding("heat", Grade.BAD, "no answer", (("seconds", 0),))
    assert found["versions"].level is Grade.FINE
    late.set()
    with pytest.raises(queue.Empty):
        answers.get(timeout=0.3)


def test_a_failed_probe_is_reported_with_its_error():
    (found,) = collected(lambda put: run_probes({"heat": lambda: 1 / 0}, put), 1)
    assert (found.probe, found.what) == ("heat", "failed")
    assert "division" in dict(found.values)["error"]


# Caretaker


LINKS = [
    {"ifname": "lo", "addr_info": [{"family": "inet", "local": "127.0.0.1", "scope": "host"}]},
    {
        "ifname": "wlan0",
        "addr_info": [
            {"family": "inet6", "local": "fd00::7", "scope": "global"},
            {"family": "inet6", "local": "fd00::8", "scope": "global", "temporary": True},
            {"family": "inet6", "local": "fe80::1", "scope": "link"},
            {"family": "inet", "local": "192.168.1.7", "scope": "global"},
        ],
    },
]


def test_name_and_permanent_addresses_are_listed_ipv4_first(pi):
    pi.file("etc/hostname", b"cantstop\n")
    pi.program("ip", f"cat <<'END'\n{json.dumps(LINKS)}\nEND")
    (pi.machine.root.parent / "bin" / "cat").symlink_to("/bin/cat")
    assert addresses(pi.machine) == ("cantstop.local", "192.168.1.7", "fd00::7")


def test_without_a_network_there_are_no_addresses(pi):
    pi.file("etc/hostname", b"cantstop\n")
    for script in ("exit 1", "echo nonsense", "echo '[]'", "echo '{}'", "echo '[{\"addr_info\": [{}]}]'"):
        pi.program("ip", script)
        assert addresses(pi.machine) == (), script


def machine_control(pi, tmp_path) -> MachineControl:
    return MachineControl(tmp_path, Config(), switches_off=True)


def test_all_parts_but_buttons_and_camera_are_checked(pi, tmp_path):
    control = machine_control(pi, tmp_path)
    found = collected(lambda put: control.check_parts(put, "lost"), len(PROBES) - 4)
    assert Finding("oled", Grade.BAD, "display lost") in found
    assert {each.probe for each in found} == set(PROBES) - {"buttons", "camera", "sharpness", "light"}


def test_a_missing_network_and_a_refusal_to_switch_off_are_reported(pi, tmp_path):
    pi.program("systemctl", "exit 1")
    assert collected(machine_control(pi, tmp_path).ask_network, 1) == [NetworkSeen(wifi=WifiSeen("no manager"))]
    assert collected(machine_control(pi, tmp_path).switch_off, 1) == [StaysOn()]


def test_switching_off_and_changing_the_version_asks_systemd_on_a_box_alone(pi, tmp_path):
    pi.program("systemctl", f'echo "$@" > {tmp_path}/asked.new; exec /bin/mv {tmp_path}/asked.new {tmp_path}/asked')
    no_box = MachineControl(tmp_path, Config())
    assert collected(no_box.switch_off, 1) == [StaysOn()]
    assert collected(lambda put: no_box.change_version("update", put, begin=True), 1) == [VersionSeen("failed")]
    answers: queue.Queue = queue.Queue()
    machine_control(pi, tmp_path).switch_off(answers.put)
    until((tmp_path / "asked").exists, "the question")
    assert (tmp_path / "asked").read_text() == "--no-ask-password poweroff\n"
    assert answers.empty()


STATUS = """
if [ "$1" != show ]; then echo "$@" >> {asked}; exit; fi
line=$(head -n 1 {steps}); sed -i 1d {steps}
printf 'ActiveState=%s\\nStatusText=%s\\n%s\\n\\nActiveState=%s\\nStatusText=\\n' $line
"""


def version_shown(pi, tmp_path, *lines: str) -> Path:
    """Let systemctl show one line after the other: state, status and job of the unit asked for, state of the other."""
    (tmp_path / "steps").write_text("".join(f"{line}\n" for line in lines))
    for tool in ("head", "sed"):
        pi.program(tool, f'exec {shutil.which(tool, path=os.defpath)} "$@"')
    pi.program("systemctl", STATUS.format(asked=tmp_path / "asked", steps=tmp_path / "steps"))
    return tmp_path / "asked"


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(machine_control_module, "LOOK_S", 0.001)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("item", "unit"), [("update", "cantstop-update"), ("go back", "cantstop-rollback")])
def test_a_change_of_the_version_is_begun_by_systemd_and_observed_until_it_ends(pi, tmp_path, item, unit):
    lines = ("activating download Job=7 inactive",) * 3 + (
        "activating program Job=7 inactive",
        "failed x Job= inactive",
    )
    asked = version_shown(pi, tmp_path, *lines)
    found = collected(lambda put: machine_control(pi, tmp_path).change_version(item, put, begin=True), 3)
    assert found == [VersionSeen("download"), VersionSeen("program"), VersionSeen("failed")]
    assert asked.read_text() == f"--no-ask-password --no-block start {unit}.service\n"


@pytest.mark.usefixtures("quick")
def test_looking_at_the_version_begins_nothing_and_sees_the_other_change_and_what_systemd_does_not_say(pi, tmp_path):
    asked = version_shown(pi, tmp_path, "failed x Job= activating", "inactive x Job= failed")
    look = machine_control(pi, tmp_path).change_version
    assert collected(lambda put: look("update", put, begin=False), 2) == [VersionSeen("begin"), VersionSeen("")]
    pi.program("systemctl", "exit 1")
    assert collected(lambda put: look("update", put, begin=True), 1) == [VersionSeen("failed")]
    assert not asked.exists()


# The command


@pytest.fixture
def on_this_machine(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return tmp_path


def test_the_command_checks_a_simulated_box(on_this_machine, capsys):
    assert main(["doctor", "--simulate"]) == 0
    shown = capsys.readouterr().out
    signs = {part: sign for part in PROBES for sign in "✓!X-" if f"{sign}  {texts.PROBES[part]} " in shown}
    assert list(signs) == list(PROBES)
    assert [signs[part] for part in ("camera", "sharpness", "light", "oled", "storage")] == ["✓"] * 5
    assert "numpy" in shown


def test_on_a_laptop_missing_parts_are_named_without_an_error(on_this_machine, capsys):
    assert main(["doctor"]) == 1
    out, err = capsys.readouterr()
    assert "no camera" in out
    assert "only on a Raspberry Pi" in out
    assert "Traceback" not in err


def test_a_running_box_is_left_alone(on_this_machine, capsys):
    journal = on_this_machine / "journal.txt"
    with lock_file(journal).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert box_is_running(journal)
        assert main(["doctor", "--journal", str(journal)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for part in ("camera", "oled", "buttons"):
        assert any(line.startswith(f"-  {texts.PROBES[part]} ") and "running box" in line for line in lines), part
    assert not box_is_running(journal)
