"""The simulated box's temporary folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from device.sim.temporary_folder import PREFIX, temporary_folder

KEEPS_ITS_FOLDER = """
import sys
from device.sim.temporary_folder import temporary_folder
with temporary_folder() as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


@pytest.fixture
def program():
    with subprocess.Popen(
        [sys.executable, "-c", KEEPS_ITS_FOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as started:
        yield started
        started.kill()


def folder_of(program) -> Path:
    folder = Path(program.stdout.readline().strip())
    assert folder.is_dir()
    return folder


def test_a_folder_is_removed_at_the_end(temporary):
    with temporary_folder() as folder:
        assert folder.is_dir()
    assert list(temporary.iterdir()) == []


def test_the_folder_of_a_killed_program_is_removed_at_the_next_start(program):
    left = folder_of(program)
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    assert left.exists()
    with temporary_folder():
        assert not left.exists()


def test_the_folder_of_a_running_program_is_left_alone(program):
    used = folder_of(program)
    with temporary_folder():
        assert used.exists()


def test_other_things_with_such_a_name_are_left_alone(temporary):
    (temporary / f"{PREFIX}file").touch()
    (temporary / f"{PREFIX}folder").mkdir()
    (temporary / f"{PREFIX}link").symlink_to(temporary)
    with temporary_folder():
        pass
    assert len(list(temporary.iterdir())) == 3
