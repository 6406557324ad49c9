"""The simulated box with its page leaves no process behind, however it ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.page.helpers import PATIENCE_S, Web, until


def descendants(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError):
            for child in map(int, (task / "children").read_text().split()):
                found |= {child} | descendants(child)
    return found


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_ending_the_simulated_box_ends_its_page_and_all_its_processes(tmp_path, how):
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "device.cli", "play", "--simulate", "--seed", "3", "--web"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            web = Web(int(address.split(":")[2].partition("/")[0]), process)
            until(lambda: web.ask("GET", "/api/figures")[0] == 200, "the statistics")
            started = descendants(process.pid)
            assert started, "the page"
        finally:
            process.send_signal(how)
            process.wait(PATIENCE_S)
    until(lambda: not any(map(lives, started)), "the end of what the box has started")
