"""The soak test finds what is lost, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

FORGETFUL = """
import sys
from device.storage.journal import Journal
record = Journal.record
Journal.record = lambda journal, event, now: record(journal, event, now) if now.number == 0 else None
from tools.soak.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize(("program", "kills"), [(("-m", "tools.soak"), 10), (("-c", FORGETFUL), 3)])
def test_a_box_killed_at_any_moment_remembers_what_it_had_shown(program, kills):
    """A few kills (`make soak` does thousands), in a separate process because it forks."""
    forgets = program[0] == "-c"
    command = [sys.executable, *program, "--kills", str(kills), "--games", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == forgets, done.stdout + done.stderr
    assert f"\nkills: {kills}\n" in done.stdout
    assert re.search(r"^inputs shown: [1-9]", done.stdout, re.MULTILINE)
    assert ("situation lost" in done.stdout) == forgets
    assert "ended by itself" not in done.stdout
