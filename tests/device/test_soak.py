"""The parts of the soak test: its damages, its small disk, and that it finds what is lost."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys

import pytest

from device.referee.transition_table import step
from device.storage.journal import Journal
from engine import transcript
from tools.soak.lives import ENDED, INTENDS, RESUMED, SHOWN, Card, Report, next_input


@pytest.fixture
def card(tmp_path):
    return Card(tmp_path, random.Random(1), Report())


def lost(card, *messages):
    card.take("".join(f"{message}\n" for message in messages))
    return card._report.lost


def test_only_what_was_shown_last_or_was_about_to_follow_may_be_found_at_the_start(card):
    assert lost(card, f"{RESUMED} a", f"{INTENDS} b", f"{SHOWN} b", f"{INTENDS} c") == []
    assert lost(card, f"{RESUMED} c", f"{INTENDS} d") == []
    assert lost(card, f"{RESUMED} c", f"{SHOWN} e") == []
    assert lost(card, f"{RESUMED} c") == ["c"]


def play(journal_file, *, leave=0) -> str:
    """Play a game into a journal, which does not get its last inputs; return the whole transcript."""
    chance = random.Random(4)
    journal = Journal(journal_file)
    now, played = journal.situation(), []
    while now.game is None or now.game.winner is None:
        event = next_input(now, 2, chance)
        now = step(now, event).situation
        played.append((event, now))
    for each in played[: len(played) - leave]:
        journal.record(*each)
    journal.close()
    return transcript(now.game)


@pytest.mark.parametrize(
    ("leave", "number", "is_damaged", "gone", "wrong"),
    [
        (0, 1, False, 0, 0),
        (9, 1, False, 0, 1),  # cut short
        (0, 2, False, 0, 1),  # missing
        (9, 1, True, 1, 0),
        (0, 2, True, 1, 0),
    ],
)
def test_a_game_that_is_missing_or_cut_short_is_wrong_unless_its_file_was_damaged(
    card, tmp_path, leave, number, is_damaged, gone, wrong
):
    played = play(tmp_path / "journal.txt", leave=leave)
    card.take(f"{ENDED} {json.dumps((number, played))}\n")
    card._is_game_damaged = is_damaged
    card.check()
    assert (card._report.gone, len(card._report.wrong)) == (gone, wrong)


FORGETFUL = """
import sys
from device.storage.journal import Journal
record = Journal.record
Journal.record = lambda journal, event, now: record(journal, event, now) if now.number == 0 else None
from tools.soak.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize(("program", "kills"), [(("-m", "tools.soak"), 20), (("-c", FORGETFUL), 5)])
def test_a_box_killed_at_any_moment_remembers_what_it_had_shown(program, kills):
    """A few kills (`make soak` does thousands), in a separate process because it forks."""
    forgets = program[0] == "-c"
    command = [sys.executable, *program, "--kills", str(kills), "--games", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == forgets, done.stdout + done.stderr
    assert re.search(rf"^kills: {kills}, .* it ended by itself: 0$", done.stdout, re.MULTILINE)
    shown, lost = map(int, re.search(r"inputs shown: (\d+); situations lost: (\d+)", done.stdout).groups())
    assert shown > 0
    assert (lost > 0) == forgets
