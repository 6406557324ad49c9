"""After an interruption, a file that was being replaced is either the old one or the new one."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from vision.files import write_whole


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "folder" / "kept.json"
    write_whole(path, b"old")
    return path


def test_content_and_name_are_synced_to_the_disk_in_this_order_before_it_returns(file, monkeypatch):
    done = []
    fsync, replace = os.fsync, Path.replace

    def synced(handle):
        done.append(("fsync", Path(f"/proc/self/fd/{handle}").readlink().name))
        fsync(handle)

    def replaced(self, target):
        done.append(("replace", target.name))
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    write_whole(file, b"new")
    assert done == [("fsync", "kept.json.new"), ("replace", "kept.json"), ("fsync", "folder")]
    assert file.read_bytes() == b"new"


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_a_failed_write_changes_nothing_and_leaves_nothing_behind(file, monkeypatch, fails):
    full = Mock(side_effect=OSError(errno.ENOSPC, "no space left"))
    monkeypatch.setattr(*((os, "fsync") if fails == "fsync" else (Path, "replace")), full)
    with pytest.raises(OSError, match="no space"):
        write_whole(file, b"new")
    assert [(each.name, each.read_bytes()) for each in file.parent.iterdir()] == [("kept.json", b"old")]


def test_leftovers_of_a_power_cut_are_neither_in_the_way_nor_followed(file, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"not ours")
    file.with_name("kept.json.new").symlink_to(elsewhere)
    write_whole(file, b"new")
    assert (file.read_bytes(), elsewhere.read_bytes()) == (b"new", b"not ours")


def test_a_secret_file_is_never_readable_by_others(file):
    file.chmod(0o644)
    write_whole(file, b"secret", mode=0o600)
    assert file.stat().st_mode & 0o777 == 0o600
