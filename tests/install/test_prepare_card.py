"""prepare_card.py: which cards it prepares, which it refuses, and that nothing of Raspberry Pi Imager's is changed."""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from types import ModuleType

import pytest

from device.config import parse
from tests.waiting import PATIENCE_S
from tools.hardware.boot.card_tree import WRITTEN
from tools.install.card.__main__ import FILES, lay_out
from tools.install.card.screens import texts

STARTED = WRITTEN["cmdline.txt"].replace(" resize", "")
"""What a start leaves of a file."""


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "card"
    lay_out(folder)
    return folder


@pytest.fixture
def card(tmp_path: Path) -> Path:
    folder = tmp_path / "bootfs"
    folder.mkdir()
    for name, text in WRITTEN.items():
        (folder / name).write_text(text)
    return folder


def prepare(laid_out: Path, card: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", laid_out / "prepare_card.py", *options, card]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def refused(laid_out: Path, card: Path, *options: str) -> str:
    before = {file: file.read_bytes() for file in card.rglob("*") if file.is_file()}
    result = prepare(laid_out, card, *options)
    assert result.returncode == 1
    assert {file: file.read_bytes() for file in card.rglob("*") if file.is_file()} == before
    return result.stderr


def module(laid_out: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("prepare_card", laid_out / "prepare_card.py")
    assert spec
    assert spec.loader
    loaded = importlib.util.module_from_spec(spec)
    # Bytecode beside the script would be an additional file in the card's folder.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        spec.loader.exec_module(loaded)
    return loaded


def test_all_files_are_copied_and_those_of_imager_stay(laid_out: Path, card: Path) -> None:
    for _ in range(2):  # a card may be prepared again before its first start
        result = prepare(laid_out, card)
        assert result.returncode == 0, result.stderr
    for file in (file for file in laid_out.rglob("*") if file.is_file() and file.name != "prepare_card.py"):
        assert (card / file.relative_to(laid_out)).read_bytes() == file.read_bytes()
    for name, text in WRITTEN.items():
        assert (card / name).read_text() == text
    assert {file.name for file in card.iterdir()} == {*WRITTEN, "cantstop", "vendor-data"}


def test_the_board_is_written_onto_the_card_and_an_unknown_one_refused(laid_out: Path, card: Path) -> None:
    told = refused(laid_out, card, "--board", "pirate")
    assert re.search(r"no board pirate. Choose from box, adafruit-bonnet, waveshare-1.3, spi-2.42", told)
    assert prepare(laid_out, card, "--board", "waveshare-1.3").returncode == 0
    assert parse((card / "cantstop/settings.txt").read_text()).board.kind == "waveshare-1.3"


def test_a_card_that_started_with_these_files_may_get_them_again_until_all_is_installed(
    laid_out: Path, card: Path
) -> None:
    prepare(laid_out, card)
    (card / "cmdline.txt").write_text(STARTED)
    (card / "cantstop.txt").write_text(texts()["damaged"] + "\r\n")
    (card / "cantstop/box.tar.gz").write_bytes(b"half of it")
    assert prepare(laid_out, card).returncode == 0
    assert (card / "cantstop/box.tar.gz").read_bytes() == (laid_out / "cantstop/box.tar.gz").read_bytes()
    (card / "cantstop.txt").write_text(texts()["installed"] + "\r\n")
    assert "is set up already" in refused(laid_out, card)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("user-data", "#cloud-config\n#users:\n#- name: me\n", "No user is set in Imager"),
        ("network-config", "#network:\n#  version: 2\n#  wifis:\n", "No Wi-Fi is set in Imager"),
    ],
)
def test_a_card_without_user_or_wifi_is_prepared_with_a_note(
    laid_out: Path, card: Path, name: str, text: str, told: str
) -> None:
    assert "Careful" not in prepare(laid_out, card).stdout
    (card / name).write_text(text)
    result = prepare(laid_out, card)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("Careful: ") == 1
    assert told in result.stdout


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("cmdline.txt", None, "not the boot partition"),
        ("cmdline.txt", STARTED, "was started before"),
        ("config.txt", None, "not the boot partition"),
        ("kernel8.img", None, "32-bit"),
        ("kernel7l.img", "", "32-bit"),
        ("user-data", None, "without cloud-init"),
        ("issue.txt", "Raspberry Pi reference 2025-10-01\n", "2025-10-01"),
        ("vendor-data", "#cloud-config\nruncmd: [reboot]\n", "vendor-data file from another program"),
        ("user-data", "#cloud-config\nbootcmd:\n- [ date ]\n", "its own bootcmd"),
        ("firstrun.sh", "#!/bin/bash\n", "an Imager before 2.0"),
        ("cmdline.txt", "rootwait resize systemd.run=/boot/firstrun.sh\n", "an Imager before 2.0"),
    ],
)
def test_an_unsuitable_card_is_refused_with_the_reason(
    laid_out: Path, card: Path, name: str, text: str | None, told: str
) -> None:
    if text is None:
        (card / name).unlink()
    else:
        (card / name).write_text(text)
    assert told in refused(laid_out, card)


def test_an_incomplete_download_is_not_copied_nor_anything_into_a_missing_folder(
    laid_out: Path, card: Path, tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(laid_out, damaged)
    (damaged / "cantstop/setup.sh").write_text("#!/bin/sh\n")
    assert "setup.sh is damaged" in refused(damaged, card)
    shutil.rmtree(damaged / "cantstop")
    assert "cantstop must be in" in refused(damaged, card)
    assert "not the boot partition" in refused(laid_out, tmp_path / "nothing")


def test_a_full_card_is_refused(laid_out: Path, card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = module(laid_out)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10_000, 0, 10_000))
    with pytest.raises(script.CardError, match="only 0 MB free"):
        script.copy(card)


def test_the_card_is_found_if_there_is_one_and_asked_for_if_there_are_more(
    laid_out: Path, card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = module(laid_out)
    monkeypatch.setattr(script, "mounted", lambda: [tmp_path / "usb-stick", card])
    assert script.find_card() == card
    monkeypatch.setattr(script, "mounted", lambda: [card, card])
    with pytest.raises(script.CardError, match="More than one card"):
        script.find_card()
    monkeypatch.setattr(script, "mounted", list)
    with pytest.raises(script.CardError, match="No card found"):
        script.find_card()


def test_it_runs_with_python_3_8() -> None:
    ast.parse((FILES / "prepare_card.py").read_text(), feature_version=(3, 8))


def test_vendor_data_uses_nothing_of_cloud_init_but_bootcmd(laid_out: Path) -> None:
    lines = (laid_out / "vendor-data").read_text().splitlines()
    assert lines[0] == "#cloud-config"
    assert [line for line in lines if line[0] not in "# -"] == ["bootcmd:"]
