"""setup.sh, run for real in a separate folder, with a double of install.sh: its messages, and when it gives up.

That it installs the real box is what `make card-test` shows.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from device.screens.box_views import INSTALLER_STEPS
from tests.device.helpers import overflows
from tests.waiting import PATIENCE_S
from tools.install.archives import PROJECT
from tools.install.card.__main__ import FILES
from tools.install.card.screens import FOLDER, STEPS, TROUBLES, enlarged, packed, picture, screens, texts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the setting up is written for Debian's commands")

DEFAULT_ROUTE = "Iface\tDestination\tGateway\neth0\t00000000\t010200C0\n"
APT_FAILS = "echo 'install: apt could not install its packages.' >&2; exit 1"
PIP_FAILS = "echo 'install: pip could not fetch the Python packages.' >&2; exit 1"
COMMANDS = {
    "systemctl": 'echo "systemctl $*" >>"$CANTSTOP_ROOT/calls"; case $* in *is-active*) exit 3 ;; esac',
    "raspi-config": 'echo "raspi-config $*" >>"$CANTSTOP_ROOT/calls"; : >"$CANTSTOP_ROOT/dev/i2c-1"',
    "python3": 'echo "${2##*/}" >>"$CANTSTOP_ROOT/oled"',
    "sleep": ":",
    "sync": ":",
}


class FirstStart:
    """A Pi below a folder, and its card."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "pi"
        self.card = folder / "bootfs"
        self.home = self.card / "cantstop"
        for place in ("dev", "proc/net", "run", "var/lib", "var/log", "bin"):
            (self.root / place).mkdir(parents=True)
        (self.home / "screens").mkdir(parents=True)
        for file in (FILES / "cantstop").iterdir():
            (self.home / file.name).write_bytes(file.read_bytes())
        for name, text in texts().items():
            (self.home / f"screens/{name}.txt").write_text(text + "\n")
        for name, screen in screens().items():
            (self.home / f"screens/{name}.oled").write_bytes(packed(picture(screen)))
        for name, text in COMMANDS.items():
            (self.root / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
            (self.root / "bin" / name).chmod(0o755)
        (self.root / "proc/net/route").write_text(DEFAULT_ROUTE)
        (self.root / "dev/i2c-1").touch()
        self.installer("")

    def installer(self, script: str) -> None:
        """Put an installer into the card's archive."""
        says = 'step() { sh "$CANTSTOP_PROGRESS" step "$1" || exit 1; }\necho "$*" >>"$CANTSTOP_ROOT/options"\n'
        text = f"{says}{script}\n".encode()
        with tarfile.open(self.home / "box.tar.gz", "w:gz") as archive:
            entry = tarfile.TarInfo("cantstop-box/install.sh")
            entry.size = len(text)
            archive.addfile(entry, BytesIO(text))
        digest = hashlib.sha256((self.home / "box.tar.gz").read_bytes()).hexdigest()
        (self.home / "SHA256SUMS").write_text(f"{digest}  box.tar.gz\n")

    def run(self, *words: str) -> int:
        environment = {"PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "CANTSTOP_ROOT": str(self.root)}
        command = ["sh", self.home / "setup.sh", *words]
        return subprocess.run(command, env=environment, capture_output=True, timeout=PATIENCE_S, check=False).returncode

    def read(self, name: str) -> list[str]:
        file = self.root / name
        return file.read_text().splitlines() if file.exists() else []

    @property
    def oled(self) -> list[str]:
        return [Path(name).stem for name in self.read("oled")]

    @property
    def told(self) -> str:
        return (self.card / "cantstop.txt").read_bytes().decode()

    @property
    def is_done(self) -> bool:
        return (self.root / "var/lib/cantstop-setup/done").exists()


@pytest.fixture
def pi(tmp_path: Path) -> FirstStart:
    return FirstStart(tmp_path)


def test_the_installers_steps_are_shown_and_completion_is_reported_once(pi: FirstStart) -> None:
    steps = list(STEPS)
    pi.installer("\n".join(f"step {step}" for step in steps[1:]))
    assert pi.run("install") == 0
    assert pi.oled == steps
    assert pi.is_done
    assert pi.told == texts()["installed"] + "\r\n"


def test_every_start_continues_the_service_until_it_is_done(pi: FirstStart) -> None:
    assert pi.run("begin") == 0
    unit = pi.root / "run/systemd/system/cantstop-setup.service"
    assert unit.read_text() == (FILES / "cantstop/cantstop-setup.service").read_text()
    assert "systemctl start --no-block cantstop-setup.service" in pi.read("calls")
    pi.run("install")
    (pi.root / "calls").unlink()
    assert pi.run("begin") == 0
    assert pi.read("calls") == []


def test_a_damaged_archive_is_reported_and_not_retried(pi: FirstStart) -> None:
    (pi.home / "box.tar.gz").write_bytes(b"half")
    assert pi.run("install") == 65
    assert pi.oled == ["check", "damaged"]
    (pi.root / "dev/i2c-1").unlink()
    (pi.root / "oled").unlink()
    pi.run("install")
    assert pi.oled == ["damaged"], "a problem turns I2C on, so that it can be shown"
    assert pi.told.startswith(texts()["damaged"])
    assert pi.read("options") == []


def test_settings_on_the_card_become_those_of_the_box_unless_it_has_some(pi: FirstStart) -> None:
    settings, card = pi.root / "etc/cantstop/config.toml", pi.home / "settings.txt"
    card.write_text('[board]\nkind = "waveshare-1.3"\n')
    assert pi.run("install") == 0
    assert settings.read_text() == card.read_text()
    settings.write_text("")
    assert pi.run("install") == 0
    assert settings.read_text() == ""


def test_it_restarts_once_for_i2c_and_then_continues(pi: FirstStart) -> None:
    pi.installer("case $* in *--card*) exit 4 ;; esac")
    assert pi.run("install") == 0
    assert "systemctl --no-block reboot" in pi.read("calls")
    assert not pi.is_done
    assert pi.run("install") == 0
    assert pi.is_done
    assert pi.read("options") == ["--card", ""]


@pytest.mark.parametrize(
    ("script", "route", "status", "name"),
    [
        ("step packages; echo reached >>$CANTSTOP_ROOT/reached", "Iface\n", 1, "no-network"),
        ("step program; exit 1", "Iface\n", 1, "no-network"),
        (f"step packages; {APT_FAILS}", DEFAULT_ROUTE, 1, "no-packages"),
        (f"step program; {PIP_FAILS}", DEFAULT_ROUTE, 1, "no-packages"),
        ("step program; echo 'install: pip failed' >&2; exit 1", DEFAULT_ROUTE, 1, "failed"),
        ("step start; exit 1", DEFAULT_ROUTE, 1, "failed"),
        ("echo 'install: this is a Radxa, not a Raspberry Pi.' >&2; exit 2", DEFAULT_ROUTE, 65, "refused"),
    ],
)
def test_problems_are_reported_on_the_oled_and_on_the_card(
    pi: FirstStart, script: str, route: str, status: int, name: str
) -> None:
    pi.installer(script)
    (pi.root / "proc/net/route").write_text(route)
    assert pi.run("install") == status
    assert pi.oled[-1] == name
    assert pi.told.startswith(texts()[name])
    assert not pi.is_done
    assert pi.read("reached") == []  # without a network apt would try for many minutes
    if name == "refused":
        assert "this is a Radxa, not a Raspberry Pi." in pi.told
    pi.installer("")
    assert pi.run("install") == 0
    assert pi.is_done


def test_an_ipv6_only_network_counts_as_a_network(pi: FirstStart) -> None:
    pi.installer(f"step packages; {APT_FAILS}")
    (pi.root / "proc/net/route").write_text("Iface\n")
    zeros = "0" * 32
    lines = [f"{zeros} 00 {zeros} 00 {zeros} ffffffff 00000001 00000000 00200200       lo"]
    (pi.root / "proc/net/ipv6_route").write_text("\n".join(lines))
    pi.run("install")
    assert pi.oled[-1] == "no-network"
    (pi.root / "oled").unlink()
    lines.append(f"{zeros} 00 {zeros} 00 fe80{'0' * 27}1 00000400 00000001 00000000 00000003     eth0")
    (pi.root / "proc/net/ipv6_route").write_text("\n".join(lines))
    pi.run("install")
    assert pi.oled[-1] == "no-packages"


def test_neither_a_card_that_cannot_be_written_nor_a_silent_display_ends_the_installation(pi: FirstStart) -> None:
    (pi.card / "cantstop.new").mkdir()
    (pi.root / "bin/python3").write_text("#!/bin/sh\nexit 1\n")
    assert pi.run("install") == 0
    assert pi.is_done


def test_every_screen_fits_and_matches_its_approved_picture() -> None:
    assert {file.stem for file in FOLDER.glob("*.png")} == set(screens())
    for name, screen in screens().items():
        approved = Image.open(FOLDER / f"{name}.png")
        assert ImageChops.difference(enlarged(name), approved).getbbox() is None, f"run: make docs ({name})"
        assert overflows(screen) == [], name
        if name in TROUBLES:
            assert " ".join(screen.text) == TROUBLES[name][1]


def test_the_installer_names_the_steps_that_the_card_knows() -> None:
    source = (PROJECT / "install.sh").read_text()
    named = [line.split()[1] for line in source.splitlines() if line.strip().startswith("progress ")]
    assert named == ["download", *list(STEPS)[1:]], "the first one is that of an update"
    assert named == list(INSTALLER_STEPS), "which the box's menu shows"


def test_the_installers_message_about_packages_is_the_one_that_the_card_expects() -> None:
    said = "".join((PROJECT / "tools/install" / name).read_text() for name in ("system.sh", "release.sh"))
    assert said.count('fail "apt could not') == 2
    assert said.count('fail "pip could not') == said.count('fail "pip could not fetch') == 1
