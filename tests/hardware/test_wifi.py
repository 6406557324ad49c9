"""The Wi-Fi: the real nmcli against a simulated NetworkManager on a bus of its own."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from device.config import Config
from device.health.machine import Machine
from device.health.machine_control import MachineControl
from device.health.wifi import HOTSPOT, BadNetwork, Wifi, check_network
from device.referee.box_care import BOX_MENU
from device.referee.inputs import Button, WifiSeen
from device.referee.states import Hotspot, JoiningNetwork, Network, Situation, Welcome
from tests.page.test_whole_box import Box, folder, turn_on  # noqa: F401 - a fixture
from tests.waiting import until

TEMPLATE = Path(__file__).with_name("network_manager.py")
PYTHON = "/usr/bin/python3"

AIR = {"Home": "right password", "Café: 5\\6": " ends  with \\ ", "Open": "", "Neighbour": "unknown to us"}


def lacks() -> str:
    """Return what is missing for these tests, or ""."""
    for program in ("nmcli", "dbus-daemon"):
        if shutil.which(program) is None:
            return f"{program} is missing: sudo apt install network-manager dbus"
    found = subprocess.run([PYTHON, "-c", "import dbusmock, gi"], capture_output=True, check=False)
    return "" if found.returncode == 0 else "python-dbusmock is missing: sudo apt install python3-dbusmock"


pytestmark = pytest.mark.skipif(bool(lacks()), reason=lacks())


class Simulated:
    """A simulated NetworkManager, and what it has."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @property
    def state(self) -> dict:
        return json.loads(self._file.read_text())

    @property
    def active(self) -> str:
        return self.state["active"]

    @property
    def profiles(self) -> dict:
        return self.state["profiles"]


@pytest.fixture
def world(tmp_path, monkeypatch) -> Iterator[Callable[..., tuple[Machine, Simulated]]]:
    """Return a function that starts a simulated NetworkManager on the machine that it returns."""
    with ExitStack() as ending:

        def stop(process: subprocess.Popen) -> None:
            process.kill()
            process.wait()

        def start(**parameters: object) -> tuple[Machine, Simulated]:
            bus = subprocess.Popen(
                ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
            assert bus.stdout is not None
            ending.enter_context(bus.stdout)
            ending.callback(stop, bus)
            monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", bus.stdout.readline().strip())
            file = tmp_path / "state.json"
            told = json.dumps({"air": AIR, "file": str(file)} | parameters)
            command = [PYTHON, "-m", "dbusmock", "--system", "--template", str(TEMPLATE), "-p", told]
            log = ending.enter_context((tmp_path / "mock.log").open("w"))
            simulated = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
            ending.callback(stop, simulated)
            until(lambda: file.exists() or simulated.poll() is not None, "the simulated NetworkManager")
            assert simulated.poll() is None, (tmp_path / "mock.log").read_text()[-2000:]
            root = tmp_path / "root"
            (root / "etc").mkdir(parents=True)
            (root / "etc/hostname").write_text("cantstop\n")
            return Machine(root), Simulated(file)

        yield start


@pytest.fixture
def air(world) -> Callable[..., tuple[Wifi, Simulated]]:
    """Return a function that starts a simulated NetworkManager, for the product's own module."""

    def start(**parameters: object) -> tuple[Wifi, Simulated]:
        machine, simulated = world(**parameters)
        return Wifi(machine), simulated

    return start


def test_networks_in_range_are_listed_with_those_that_are_known(air):
    wifi, _ = air(known=["Home"])
    found = {each.name: (each.known, each.used) for each in wifi.networks()}
    assert found == {name: (name == "Home", False) for name in AIR}
    assert [each.name for each in wifi.networks()] == list(AIR), "strongest first"
    assert (wifi.seen().kind, wifi.seen().known) == ("off", ("Home",))


def test_a_new_network_is_joined_and_stored_and_its_password_reaches_only_networkmanager(air, caplog):
    wifi, simulated = air(known=["Home"])
    caplog.set_level("DEBUG")
    for name in ("Café: 5\\6", "Open"):
        assert wifi.join(name, AIR[name]) == ""
        made = simulated.profiles[name]
        assert (simulated.active, made["password"], made["saved"], made["auto"]) == (name, AIR[name], True, True)
        assert made["secured"] == bool(AIR[name])
        assert (wifi.seen().kind, wifi.seen().name) == ("on", name)
    assert AIR["Café: 5\\6"].strip() not in caplog.text


@pytest.mark.parametrize(("name", "trouble"), [("Home", "password"), ("Nowhere", "not found")])
def test_after_a_failed_attempt_the_former_network_is_back_and_nothing_is_stored(air, name, trouble):
    wifi, simulated = air(known=["Open"])
    assert wifi.join("Open") == ""
    before = simulated.profiles
    assert wifi.join(name, "wrong password") == trouble
    assert simulated.active == "old Open"
    assert simulated.profiles == before


def test_a_known_network_with_a_new_password_replaces_its_old_profile(air):
    wifi, simulated = air(known=["Home"])
    assert wifi.join("Home", AIR["Home"]) == ""
    assert list(simulated.profiles) == ["Home"]


def test_the_hotspot_has_its_own_password_and_remembers_the_networks_that_were_in_range(air):
    wifi, simulated = air(known=["Home"])
    assert wifi.join("Home") == ""
    assert wifi.open_hotspot() == ""
    seen = wifi.seen()
    assert (seen.kind, seen.name) == ("hotspot", "cantstop")
    made = simulated.profiles[HOTSPOT]
    assert simulated.active == HOTSPOT
    assert made == {
        "name": "cantstop", "mode": "ap", "secured": True, "shared": True, "hidden": False, "saved": False,
        "auto": False, "password": seen.password,
    }  # fmt: skip
    assert re.fullmatch("[a-hjkmnp-z2-9]{8}", seen.password)
    assert wifi.seen() == seen
    assert {each.name for each in wifi.networks()} == set(AIR)
    assert wifi.join("Neighbour", "wrong password") == "password"
    assert simulated.active == HOTSPOT, "the phone can come back to try again"
    assert wifi.seen() == seen
    wifi.close_hotspot()
    assert (simulated.active, list(simulated.profiles)) == ("old Home", ["old Home"])
    assert wifi.open_hotspot() == ""
    assert wifi.seen().password != seen.password
    assert wifi.join("Open", "") == ""
    assert (simulated.active, sorted(simulated.profiles)) == ("Open", ["Open", "old Home"])


def test_a_hotspot_of_a_program_that_was_killed_is_closed(world):
    machine, simulated = world(known=["Home"])
    assert Wifi(machine).open_hotspot() == ""
    assert Wifi(machine).seen().kind == "off", "nobody knows its password"
    assert list(simulated.profiles) == ["old Home"]


def test_without_adapter_or_networkmanager_it_says_so(air, monkeypatch):
    wifi, _ = air(adapter=False)
    assert wifi.seen() == WifiSeen("no adapter")
    assert wifi.open_hotspot() == wifi.join("Home", "some password") == "no adapter"
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere")
    assert wifi.seen() == WifiSeen("no manager")
    assert wifi.open_hotspot() == "hotspot"
    monkeypatch.setenv("PATH", "/nowhere")
    assert wifi.seen() == WifiSeen("no manager")


@pytest.mark.parametrize(
    ("name", "password", "bad"),
    [
        ("", "", "ssid"), ("x" * 33, "", "ssid"), ("ü" * 17, "", "ssid"), ("a\nb", "", "ssid"), (HOTSPOT, "", "ssid"),
        ("Home", "1234567", "psk"), ("Home", "x" * 64, "psk"), ("Home", "12345678\n", "psk"),
    ],
)  # fmt: skip
def test_names_and_passwords_that_no_network_can_have_are_refused(name, password, bad):
    with pytest.raises(BadNetwork) as refused:
        check_network(name, password)
    assert refused.value.kind == bad


def test_the_longest_names_and_passwords_are_accepted():
    for name, password in (("x" * 32, "x" * 63), ("ü" * 16, "x" * 8), ("Home", "")):
        check_network(name, password)


def test_a_phone_gives_the_box_another_network_through_the_hotspot(world, folder, monkeypatch):  # noqa: F811
    machine, simulated = world(known=["Home"])
    monkeypatch.setattr("device.health.machine_control.Machine", lambda: machine)
    control = MachineControl(folder, Config(), switches_off=True)
    assert control.wifi is not None
    assert control.wifi.join("Home") == ""
    box = Box(folder, Situation(Welcome()), machine=control)
    with box.on() as web:
        key = turn_on(box, web)
        box.comes_to(Welcome)
        assert (
            web.ask("GET", "/api/wifi")[0] == web.ask("POST", "/api/wifi", {"name": "Open", "password": ""})[0] == 401
        )
        box.press(Button.STOP, long=True)
        for _ in range(BOX_MENU.index("network")):
            box.press(Button.B)
        box.press(Button.C)
        until(lambda: box.comes_to(Network).wifi.name == "Home", "the network on the OLED")
        for button in (Button.A, Button.A, Button.C):
            box.press(button)
        until(lambda: box.comes_to(Hotspot).wifi.password, "the hotspot")
        seen = web.ask("GET", "/api/events", key=key)[2]
        assert box.state.wifi.password not in json.dumps(seen), "a password is only for people beside the box"
        assert set(base64.b64decode(seen["oled"])) == {0}
        status, _, told = web.ask("GET", "/api/wifi", key=key)
        assert (status, set(told["networks"])) == (200, set(AIR)), "those seen before"
        for name, password, error in (("x" * 33, "", "ssid"), ("Café: 5\\6", "short", "psk"), ("x" * 65, "", "bad")):
            refused, _, why = web.ask("POST", "/api/wifi", {"name": name, "password": password}, key=key)
            assert (refused, why["error"]) == (400, error)
        for password, trouble in (("wrong password", "password"), (AIR["Café: 5\\6"], "")):
            before, given = simulated.state, {"name": "Café: 5\\6", "password": password}
            until(lambda given=given: web.ask("POST", "/api/wifi", given, key=key)[0] == 200, "the hotspot on the OLED")
            box.comes_to(JoiningNetwork)
            assert simulated.state == before, "the box asks first"
            box.press(Button.A)
            if trouble:
                until(lambda: box.state.progress == "password", "why it was not joined")
                assert simulated.active == HOTSPOT
                box.press(Button.C)
        until(lambda: box.comes_to(Network).wifi.name == "Café: 5\\6", "the new network on the OLED")
        assert (simulated.active, sorted(simulated.profiles)) == ("Café: 5\\6", ["Café: 5\\6", "old Home"])
        box.press(Button.C)
        box.press(Button.STOP)
        box.comes_to(Welcome)
    kept = b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file() and file.name != "state.json")
    assert b"wrong password" not in kept


def test_the_box_may_ask_for_actions_that_networkmanager_has():
    rule = (Path(__file__).parents[2] / "tools/install/50-cantstop.rules").read_text()
    asked = re.search(r"\[(.+)\]\n", rule)
    assert asked
    policy = Path("/usr/share/polkit-1/actions/org.freedesktop.NetworkManager.policy").read_text()
    actions = set(re.findall(r'<action id="org.freedesktop.NetworkManager.([^"]+)"', policy))
    assert set(re.findall(r'"([^"]+)"', asked[1])) < actions
