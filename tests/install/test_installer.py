"""install.sh, run for real in a separate folder, with doubles of the commands that change a system.

That it also works with the real commands is what `make boot` and `make arm64` show.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.install.pi import CONFIG_TXT, JOURNAL, PROJECT, Pi
from tests.waiting import PATIENCE_S, until
from tools.hardware.release_server import ReleaseServer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the installer is written for Debian's commands")

PAST_GAME = "var/lib/cantstop/games/00001.txt"


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Pi:
    """A Pi on which the box was installed once, for tests that only look."""
    pi = Pi(tmp_path_factory.mktemp("installed"))
    said = pi.works()
    assert "is installed" in said
    assert "sudo reboot" in said
    return pi


def test_shellcheck_accepts_the_scripts() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("no shellcheck here: apt install shellcheck")
    scripts = ["install.sh", "tools/install/setup.sh", "tools/install/lock.sh", "tests/install/doubles.sh"]
    scripts += ["tools/install/cantstop", "tools/install/card/files/cantstop/setup.sh"]
    result = subprocess.run([shellcheck, "-x", *scripts], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_one_command_installs_the_box_and_starts_it(installed: Pi) -> None:
    pi = installed
    assert "apt-get -o DPkg::Lock::Timeout=600 install -qy --no-install-recommends --fix-broken python3-venv" in (
        "\n".join(pi.calls())
    )
    assert pi.there("opt/cantstop/current/bin/cantstop")
    assert (pi.root / "etc/cantstop/config.toml").read_text() == "# the settings\n[lamp]\n# enabled = true\n"
    for unit in (PROJECT / "systemd").iterdir():
        assert (pi.root / "etc/systemd/system" / unit.name).read_text() == unit.read_text()
    assert pi.there(".world/active/cantstop.service")
    assert pi.there(".world/enabled/cantstop.service")
    assert pi.there(".world/i2c")
    assert not pi.there("opt/cantstop/tmp")
    assert (pi.root / "run/cantstop-install.lock").stat().st_mode & 0o077 == 0, "only root may hold it"


def test_a_second_run_changes_nothing(installed: Pi) -> None:
    before = installed.everything()
    assert "nothing was changed" in installed.works()
    assert installed.everything() == before


def test_a_dry_run_lists_the_steps_and_does_nothing_and_all_else_needs_root(pi: Pi) -> None:
    pi.put(".world/uid", "1000\n")
    before = pi.everything()
    said = pi.works("--dry-run")
    for thing in ("apt's packages", "user cantstop", "I2C is on", "400 kHz", "environment", "settings", "the service"):
        assert [line for line in said.splitlines() if line.startswith("  would") and thing in line], thing
    for options in ((), ("--rollback",), ("--uninstall",)):
        result = pi.run(*options)
        assert result.returncode == 2
        assert "sudo ./install.sh" in result.stderr
    assert pi.everything() == before


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("etc/os-release", "ID=raspbian\nVERSION_CODENAME=bookworm\n", "32-bit"),
        ("etc/os-release", "ID=debian\nVERSION_CODENAME=bullseye\n", "debian bullseye"),
        ("etc/os-release", "ID=ubuntu\nVERSION_CODENAME=noble\n", "ubuntu noble"),
        (".world/architecture", "armhf\n", "armhf"),
        (".world/architecture", "amd64\n", "amd64"),
        ("proc/device-tree/model", "Radxa ROCK 5B\0", "Radxa ROCK 5B"),
    ],
)
def test_an_unsupported_board_or_system_is_refused_unless_anyway_is_given(
    pi: Pi, name: str, content: str, told: str
) -> None:
    pi.put(name, content)
    before = pi.everything()
    result = pi.run()
    assert result.returncode == 2
    assert told in result.stderr
    assert pi.everything() == before
    assert told in pi.works("--anyway")


@pytest.mark.parametrize(
    ("cause", "content", "told"),
    [
        ("unknown/python3-picamera2", "", "apt cannot find python3-picamera2. It is part of Raspberry Pi OS"),
        ("pip-takes-another-numpy", "", "numpy.dtype size changed"),
        ("python", "3.10\n", "Python 3.10"),
    ],
)
def test_a_system_without_what_the_box_needs_is_refused_and_gets_no_version(
    pi: Pi, cause: str, content: str, told: str
) -> None:
    pi.put(f".world/{cause}", content)
    result = pi.run()
    assert result.returncode == 1
    assert told in result.stderr
    assert not pi.there("opt/cantstop/current")


def test_without_free_space_or_with_an_unknown_option_nothing_is_installed(pi: Pi) -> None:
    (pi.world / "bin" / "df").write_text("#!/bin/sh\necho Head\necho /dev/x 1 1 4000 1% /\n")
    (pi.world / "bin" / "df").chmod(0o755)
    for options, told in (((), "only 4 MB are free"), (("--instal",), "--instal")):
        result = pi.run(*options)
        assert result.returncode == 2
        assert told in result.stderr
    assert not pi.there("opt/cantstop")


def test_pip_installs_only_the_pinned_files_and_of_them_only_numpy_is_left_to_apt(installed: Pi) -> None:
    packages, program = (call for call in installed.calls() if call.startswith("python -I -m pip install"))
    assert "--no-deps --require-hashes --only-binary :all: --requirement" in packages
    assert "--no-deps --no-index --no-build-isolation" in program
    pinned = (PROJECT / "tools/install/lock/play.txt").read_text()
    handed_over = (installed.root / ".world/requirements").read_text()
    without = re.sub(r"^numpy==.*\n(    --hash=.*\n)+", "", pinned, flags=re.MULTILINE)
    assert handed_over == without != pinned


STEPS_THAT_CAN_FAIL = [
    *("raspi-config nonint do_i2c", "apt-get -o DPkg::Lock::Timeout=600 --error-on=any update"),
    *("apt-get -o DPkg::Lock::Timeout=600 install", "useradd", "usermod", "python3 -I -c", "python3 -I -m venv"),
    *("python -I -m pip", "cantstop config show", "systemctl daemon-reload", "systemctl enable", "systemctl restart"),
]
"""In the installer's order."""


def test_any_failed_step_is_reported_and_the_next_run_continues_from_there(pi: Pi) -> None:
    for step in STEPS_THAT_CAN_FAIL:
        result = pi.run(fails=step)
        assert result.returncode == 1, step
        assert "It failed at: " in result.stderr, step
        assert result.stderr.startswith("install: "), step
    assert "is installed" in pi.works()


def test_packages_that_a_power_cut_has_torn_are_installed_again(pi: Pi) -> None:
    pi.put(".world/torn", "ok python3-venv\nreinstreq python3-numpy\nreinstreq libdrm2:arm64\n")
    assert "is installed" in pi.run(fails="dpkg --configure").stdout
    (again,) = (call for call in pi.calls() if "--reinstall" in call)
    assert again.startswith("apt-get")
    assert again.endswith("--reinstall python3-numpy libdrm2:arm64")


@pytest.mark.parametrize("step", ["python -I -m pip", "systemctl stop", "systemctl enable", "systemctl restart"])
def test_a_failed_update_keeps_the_previous_version(pi: Pi, step: str) -> None:
    pi.works()
    version = pi.version()
    units = {unit.name: unit.read_text() for unit in (pi.root / "etc/systemd/system").iterdir()}
    pi.change()
    newer = pi.sources / "systemd/cantstop.service"
    newer.write_text(newer.read_text() + "# newer\n")
    assert pi.run(fails=step).returncode == 1
    assert pi.version() == version
    assert {unit.name: unit.read_text() for unit in (pi.root / "etc/systemd/system").iterdir()} == units
    assert "is installed" in pi.works()
    assert pi.version() != version


def test_an_update_that_does_not_start_is_reverted(pi: Pi) -> None:
    pi.works()
    version = pi.version()
    pi.change()
    newer = pi.works("--dry-run").splitlines()[1].split()[-1]
    pi.works("--now")
    assert pi.version() == newer
    pi.works("--rollback")
    pi.put(f"opt/cantstop/releases/{newer}/does-not-start")
    result = pi.run()
    assert result.returncode == 1
    assert "The previous version keeps running" in result.stderr
    assert pi.version() == version
    assert pi.there(".world/active/cantstop.service")


def test_an_update_waits_for_the_end_of_the_game_or_for_now(pi: Pi) -> None:
    pi.works()
    version = pi.version()
    pi.put(JOURNAL, "games")
    pi.put(".world/under-way", "game 7 is in progress: yellow against green, green's turn\n")
    pi.change()
    result = pi.run()
    assert result.returncode == 3
    assert "game 7 is in progress: yellow against green" in result.stdout
    assert "--now" in result.stdout
    assert pi.version() == version
    assert not [call for call in pi.calls() if call.startswith("systemctl stop")]
    pi.works("--now")
    assert pi.version() != version
    assert (pi.root / JOURNAL).read_text() == "games"
    (pi.world / "under-way").unlink()
    second = pi.version()
    pi.change("newest")
    pi.works()
    assert pi.version() != second


def test_two_versions_are_kept_to_go_back_and_forth_between_also_without_the_sources(pi: Pi) -> None:
    pi.works()
    result = pi.run("--rollback")
    assert result.returncode == 2
    assert "no previous version" in result.stderr
    for text in "ab":
        first = pi.version()
        pi.change(text)
        pi.works()
    second = pi.version()
    assert first != second
    assert pi.version("previous") == first
    assert pi.versions() == {first, second}
    shutil.rmtree(pi.sources)
    pi.sources = pi.root / "opt/cantstop/current/installer"
    pi.works("--rollback")
    assert (pi.version(), pi.version("previous")) == (first, second)
    pi.works("--rollback")
    assert (pi.version(), pi.version("previous")) == (second, first)
    pi.works("--uninstall")
    assert not pi.there("opt/cantstop")


def test_rolling_back_to_a_version_that_cannot_read_newer_games_restores_its_own_and_keeps_both(pi: Pi) -> None:
    pi.works()
    first = pi.version()
    pi.put(JOURNAL, "games of the first")
    pi.put(PAST_GAME, "a past game")
    pi.change()
    pi.works()
    pi.put(JOURNAL, "games of the second")
    pi.put(PAST_GAME.replace("1", "2"), "a second past game")
    pi.put(f".world/cannot-read/{first}")
    second = pi.version()
    assert "cannot read the games" in pi.works("--rollback")
    assert (pi.root / JOURNAL).read_text() == "games of the first"
    kept = pi.root / "var/lib/cantstop/kept" / second / "journal.txt"
    assert kept.read_text() == "games of the second"
    assert [file.name for file in (pi.root / PAST_GAME).parent.iterdir()] == ["00001.txt"]
    assert sorted(file.name for file in (kept.parent / "games").iterdir()) == ["00001.txt", "00002.txt"]


def test_existing_settings_stay_and_their_problems_are_reported(pi: Pi) -> None:
    pi.put("etc/cantstop/config.toml", "mine\n")
    pi.put(".world/bad-settings")
    assert "config.toml line 3: no" in pi.works()
    assert (pi.root / "etc/cantstop/config.toml").read_text() == "mine\n"


def test_an_unedited_file_of_an_earlier_installer_gets_the_new_defaults_and_an_edited_one_stays(pi: Pi) -> None:
    old = "# the settings\n[lamp]\nenabled = false\n"
    pi.works()
    pi.put(f"opt/cantstop/releases/{pi.version()}/default", "false")
    file = pi.put("etc/cantstop/config.toml", old)
    pi.change()
    assert "would   settings" in pi.works("--dry-run")
    assert file.read_text() == old
    pi.works()
    assert file.read_text() == "# the settings\n[lamp]\n# enabled = true\n"
    file.write_text(old + "[oled]\ntype = 'sh1106'\n")
    pi.works()
    assert file.read_text() == old + "[oled]\ntype = 'sh1106'\n"


@pytest.mark.parametrize(
    ("kind", "said", "sign"),
    [("waveshare-1.3", "SPI is on", "spi"), ("none", "the voice: espeak-ng", "installed/espeak-ng")],
)
def test_spi_and_the_voice_are_there_only_for_a_board_that_needs_them(pi: Pi, kind: str, said: str, sign: str) -> None:
    pi.works()
    assert not pi.there(f".world/{sign}")
    pi.put("etc/cantstop/config.toml", f'[board]\nkind = "{kind}"\n')
    assert f"done    {said}" in pi.works()
    assert pi.there(f".world/{sign}")
    assert "nothing was changed" in pi.works()


def test_the_i2c_speed_is_set_for_all_models_unless_it_is_set_already(pi: Pi) -> None:
    pi.works()
    text = (pi.root / "boot/firmware/config.txt").read_text()
    assert text.startswith(CONFIG_TXT)
    assert text.index("[all]") < text.index("dtparam=i2c_arm_baudrate=400000")
    chosen = "dtparam=i2c_arm=on,i2c_arm_baudrate=100000\n"
    pi.put("boot/firmware/config.txt", chosen)
    pi.works()
    assert (pi.root / "boot/firmware/config.txt").read_text() == chosen


def test_uninstalling_keeps_games_settings_and_other_software(pi: Pi) -> None:
    pi.works()
    pi.put(JOURNAL, "games")
    pi.put("boot/firmware/cantstop/setup.sh", "")
    pi.put("boot/firmware/vendor-data", "bootcmd:\n- sh /boot/firmware/cantstop/setup.sh begin\n")
    for name in ("boot/firmware/cantstop.txt", "var/lib/cantstop-setup/done", "var/log/cantstop-setup.log"):
        pi.put(name, "")
    pi.works("--uninstall")
    left = ("boot/firmware/cantstop*", "boot/firmware/vendor-data", "var/lib/cantstop-setup", "var/log/cantstop*")
    assert not [found for pattern in left for found in pi.root.glob(pattern)]
    assert not pi.there("opt/cantstop")
    assert not pi.there("usr/local/bin/cantstop")
    assert not pi.there("etc/polkit-1/rules.d/50-cantstop.rules")
    assert not pi.there(".world/active/cantstop.service")
    assert not pi.there(".world/enabled/cantstop.service")
    assert not list((pi.root / "etc/systemd/system").iterdir())
    assert (pi.root / "boot/firmware/config.txt").read_text() == CONFIG_TXT
    assert (pi.root / JOURNAL).read_text() == "games"
    assert pi.there("etc/cantstop/config.toml")
    assert pi.there("opt/somebody-else's")
    pi.works("--purge")
    assert not pi.there("var/lib/cantstop")
    assert not pi.there("etc/cantstop")
    assert not pi.there(".world/user/cantstop")


@pytest.fixture
def releases(tmp_path: Path) -> Iterator[ReleaseServer]:
    if shutil.which("curl") is None or shutil.which("openssl") is None:
        pytest.skip("no curl or openssl here: apt install curl openssl")
    with ReleaseServer(tmp_path / "releases") as server:
        yield server


def released(pi: Pi, releases: ReleaseServer, *, damaged: bool = False) -> str:
    """Install a box from a release, publish a newer one, and return the box's version."""
    (pi.sources / "address").write_text(f"{releases.address}\n")
    pi.works()
    pi.change()
    releases.publish(pi.sources, damaged=damaged)
    pi.sources = pi.root / "opt/cantstop/current/installer"
    pi.environment["CURL_CA_BUNDLE"] = str(releases.certificate)
    return pi.version()


def test_a_box_from_a_release_fetches_the_newest_one_and_knows_the_way_afterwards(
    pi: Pi, releases: ReleaseServer
) -> None:
    version = released(pi, releases)
    assert "is installed" in pi.works("--update")
    assert pi.version() != version
    assert "nothing was changed" in pi.works("--update")
    pi.works("--rollback")
    assert pi.version() == version


@pytest.mark.parametrize("trouble", ["damaged", "stranger", "away"])
def test_nothing_of_a_release_that_is_damaged_or_from_a_stranger_or_cannot_be_fetched_is_run(
    pi: Pi, releases: ReleaseServer, trouble: str
) -> None:
    version = released(pi, releases, damaged=trouble == "damaged")
    if trouble == "stranger":
        del pi.environment["CURL_CA_BUNDLE"]
    if trouble == "away":
        (pi.root / "opt/cantstop/current/installer/address").write_text(f"{releases.address}/elsewhere\n")
    result = pi.run("--update")
    assert result.returncode == 1
    assert "could not be fetched" in result.stderr
    why = {"damaged": "computed checksum did NOT match", "stranger": "certificate", "away": "404"}
    assert why[trouble] in result.stderr
    assert pi.version() == version
    assert not pi.there("opt/cantstop/newest/install.sh")


def test_a_box_that_does_not_know_where_newer_versions_are_says_so(pi: Pi) -> None:
    for address in ("", "http://cantstop.example/releases\n", "ftp://x\n"):
        (pi.sources / "address").write_text(address)
        result = pi.run("--update")
        assert result.returncode == 2
        assert "nothing says where newer versions are" in result.stderr


def test_an_update_from_the_menu_waits_until_the_game_has_ended(pi: Pi) -> None:
    pi.works()
    version = pi.version()
    pi.put(JOURNAL, "games")
    pi.put(".world/under-way", "game 7 is in progress\n")
    pi.change()
    assert "is installed" in pi.works("--wait")
    assert pi.version() != version
    calls = pi.calls()
    assert calls.index("sleep 30") < calls.index("systemctl stop cantstop.service")


def test_a_second_run_at_the_same_time_changes_nothing_and_from_the_menu_waits(pi: Pi) -> None:
    os.mkfifo(pi.world / "held")
    with pi.running() as first:
        until((pi.world / "goes").exists, "the first run's apt-get")
        before, calls = pi.everything(), pi.calls()
        for options in ((), ("--update",), ("--rollback",), ("--uninstall",)):
            second = pi.run(*options)
            assert second.returncode == 3
            assert re.search(r"another run of the installer: install since \d\d:\d\d, process \d", second.stdout)
            assert "Run this again once the other has ended" in second.stdout
        assert pi.everything() == before
        assert set(pi.calls()[len(calls) :]) == {"id -u"}
        assert "would" in pi.works("--dry-run")
        with pi.running("--wait") as menu:
            assert menu.stdout is not None
            assert "another run" in menu.stdout.readline()
            (pi.world / "goes").write_text("go on\n")
            assert first.wait(PATIENCE_S) == 0
            assert "nothing was changed" in menu.communicate(timeout=PATIENCE_S)[0]


def test_an_update_from_a_clone_holds_the_lock_until_the_newest_installer_has_ended(pi: Pi) -> None:
    (pi.sources / ".git").mkdir()
    pi.put(".world/newer.py", '"""Newer."""\n')
    pi.works()
    version, clone = pi.version(), pi.sources
    pi.sources = pi.root / "opt/cantstop/current/installer"
    os.mkfifo(pi.world / "held")
    (pi.world / "installed/python3-venv").unlink()
    with pi.running("--update") as update:
        until((pi.world / "goes").exists, "apt-get of the update")
        assert pi.run().returncode == 3
        (pi.world / "goes").write_text("go on\n")
        assert update.wait(PATIENCE_S) == 0
    assert pi.version() != version
    assert any(f"git -C {clone} pull" in call for call in pi.calls())
