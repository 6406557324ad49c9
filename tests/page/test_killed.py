"""The simulated box with its page leaves no process behind, however it ends."""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path

import pytest

from tests.page.helpers import simulated_box, until


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
    with simulated_box(tmp_path, "--seed", "3", ends_by=how) as (_, box):
        until(lambda: box.ask("GET", "/api/figures")[0] == 200, "the statistics")
        started = descendants(box.process.pid)
        assert started, "the page"
    until(lambda: not any(map(lives, started)), "the end of what the box has started")
