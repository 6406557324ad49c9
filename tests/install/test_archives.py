"""A release's archives: the same bytes for the same commit, and all that the installer needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tools.install import dist
from tools.install.archives import installer_parts, pack, pack_zip, pi_archive, version

MEMBERS = [("b/run.sh", b"#!/bin/sh\n", True), ("a.txt", b"text", False)]
TIME_S = 1_700_000_000


def test_an_archive_depends_only_on_its_files(tmp_path: Path) -> None:
    pack(MEMBERS, tmp_path / "one.tar.gz", TIME_S)
    pack(reversed(MEMBERS), tmp_path / "other.tar.gz", TIME_S)
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "other.tar.gz").read_bytes()
    with tarfile.open(tmp_path / "one.tar.gz") as archive:
        assert [(entry.name, entry.mode, entry.mtime, entry.uid) for entry in archive] == [
            ("a.txt", 0o644, TIME_S, 0),
            ("b/run.sh", 0o755, TIME_S, 0),
        ]


def test_a_zip_depends_only_on_its_files(tmp_path: Path) -> None:
    for folder in ("one", "other"):
        (tmp_path / folder / "card").mkdir(parents=True)
        for name in ("a", "b") if folder == "one" else ("b", "a"):
            (tmp_path / folder / "card" / name).write_text(name)
            os.utime(tmp_path / folder / "card" / name, (len(folder), len(folder)))
        pack_zip(tmp_path / folder / "card", tmp_path / f"{folder}.zip", TIME_S)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.namelist() == ["card/a", "card/b"]


def test_a_version_is_released_once_from_committed_files_with_a_changelog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dist, "PROJECT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text("## Unreleased\n")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "One"]):
        subprocess.run([*git, *arguments], check=True)
    with pytest.raises(SystemExit, match="does not begin"):
        dist.check_release()
    (tmp_path / "CHANGELOG.md").write_text(f"## {version()} - 2026-11-28\n")
    with pytest.raises(SystemExit, match="not committed"):
        dist.check_release()
    subprocess.run([*git, "commit", "--quiet", "--all", "--message", "Two"], check=True)
    assert dist.check_release() == f"v{version()}"
    subprocess.run([*git, "tag", f"v{version()}"], check=True)
    with pytest.raises(SystemExit, match="exists"):
        dist.check_release()


def test_a_release_knows_where_newer_ones_are_if_its_builder_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for address in ("", "https://cantstop.example/releases"):
        monkeypatch.setenv("CANTSTOP_ADDRESS", address)
        pi_archive(tmp_path / "box.tar.gz", TIME_S)
        with tarfile.open(tmp_path / "box.tar.gz") as archive:
            found += [archive.extractfile(each).read() for each in archive if each.name.endswith("/address")]  # type: ignore[union-attr]
    assert found == [b"https://cantstop.example/releases\n"]


def test_the_archive_for_a_pi_is_a_whole_installer_with_what_it_installs(tmp_path: Path) -> None:
    pi_archive(tmp_path / "box.tar.gz", TIME_S)
    with tarfile.open(tmp_path / "box.tar.gz") as archive:
        names = archive.getnames()
    inside = [name.removeprefix(f"cantstop-box-{version()}/") for name in names]
    assert set(inside).isdisjoint(names)
    for part in installer_parts():
        assert any(name == part or name.startswith(f"{part}/") for name in inside), part
    assert not [name for name in names if "__pycache__" in name]
    if sys.platform != "linux" or shutil.which("dpkg") is None:
        pytest.skip("the installer wants a Debian")
    subprocess.run(["tar", "-xzf", tmp_path / "box.tar.gz", "-C", tmp_path], check=True)
    command = ["sh", tmp_path / f"cantstop-box-{version()}/install.sh", "--dry-run", "--container", "--anyway"]
    environment = {**os.environ, "CANTSTOP_ROOT": str(tmp_path / "pi")}
    (tmp_path / "pi/etc").mkdir(parents=True)
    (tmp_path / "pi/etc/os-release").write_text("ID=debian\nVERSION_CODENAME=trixie\n")
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert f"Can't Stop box {version()}-" in result.stdout
