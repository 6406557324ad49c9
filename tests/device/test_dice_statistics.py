"""`cantstop dice` and the record of readings that it is made from."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cli import main
from device.referee.inputs import DiceRead
from device.referee.states import Resume, Situation, Waiting
from device.referee.transition_table import step
from device.statistics.fairness import fairness, throws, verdict, with_corrections
from device.storage.journal import Journal
from device.storage.past_game_file import Reading, parse_readings, readings_text
from engine import roll_of
from tests.device.helpers import HOLD_A, HOLD_C, STOP, A, B, C
from tests.device.journals import begun, play, won
from tests.every import every


def seen(*values: int, asked: bool = False, likely=()) -> DiceRead:
    return DiceRead(tuple(sorted(values)), likely, by_camera=True, asked=asked)


def record(journal: Journal, *events) -> Situation:
    now = journal.situation()
    if isinstance(now.state, Resume):
        now = replace(now, state=now.state.before)
    return play(journal, *events, now=now)


@pytest.fixture
def journal(tmp_path):
    with_game = Journal(tmp_path / "j.txt")
    record(with_game, *[C] * 6)
    yield with_game
    with_game.close()


LIKELY = ((1, 2, 3, 5),)
READ_AND_TRUE = [
    # A correction counts, unless it is undone
    ((seen(1, 2, 5, 5, likely=LIKELY), HOLD_A, A), [[(1, 1), (2, 2), (5, 3), (5, 5)]]),
    ((seen(1, 2, 5, 5, likely=LIKELY), HOLD_A, A, HOLD_C), [[(1, 1), (2, 2), (5, 5), (5, 5)]]),
    # A roll entered by hand is not a reading, and neither is its correction
    ((seen(1, 2, 5, 5), HOLD_C, HOLD_A, C, HOLD_A, A, C), [[(1, 1), (2, 2), (5, 5), (5, 5)]]),
    # An undone roll still counts
    ((seen(1, 2, 5, 5), HOLD_C, seen(1, 1, 1, 1)), [[(1, 1), (2, 2), (5, 5), (5, 5)], [(1, 1)] * 4]),
]
"""Inputs from the first roll of a game, and the dice of each throw as they were read and as they are."""


def test_each_die_counts_as_it_was_read_and_as_it_was_corrected(tmp_path):
    for number, (events, expected) in enumerate(READ_AND_TRUE):
        with closing(Journal(tmp_path / f"{number}.txt")) as journal:
            record(journal, *[C] * 6, *events)
            found = throws(journal.games())
        assert list(map(sorted, found)) == expected


def test_dice_rolled_too_early_count_and_are_not_corrected_with_the_roll_before(journal):
    now = record(journal, seen(1, 2, 5, 5, likely=((1, 2, 3, 5),)))
    journal.record(seen(6, 6, 6, 6), now)
    journal.record("corrected", step(step(now, HOLD_A).situation, A).situation)
    rolled, too_early = throws(journal.games())
    assert sorted(value for _, value in rolled) == [1, 2, 3, 5]
    assert [value for _, value in too_early] == [6, 6, 6, 6]


def test_dice_read_again_on_request_count_once(journal):
    record(journal, seen(2, 3, 4, 5), HOLD_C)
    record(journal, seen(2, 3, 4, 5, asked=True), B, C, STOP, C)
    record(journal, seen(2, 3, 4, 5))
    assert len(throws(journal.games())) == 2


readings = st.builds(
    Reading,
    st.one_of(st.none(), st.integers(0, 400)),
    st.lists(
        st.integers(1, 6),
        min_size=1,
        max_size=5,
    ).map(tuple),
)


@given(st.lists(readings, max_size=4))
def test_stored_readings_can_be_read_back(found):
    assert parse_readings(readings_text(found)) == tuple(found)


@every(
    line=[
        "",
        "# read 1:",
        "# read 1: 7-1-1-1",
        "# read 1: 1-",
        "# read 1: 1:9000",
        "# read x: 1-2-3-4",
        "1-2-3-4",
    ]
)
def test_a_damaged_reading_is_left_out_and_the_next_one_is_not(line):
    assert [one.step for one in parse_readings(f"{line}\n# read 3: 1-2-3-4")] == [2]


def test_the_roll_off_for_a_game_is_in_its_file_and_not_in_that_of_the_game_before(tmp_path):
    journal = Journal(tmp_path / "j.txt")
    die = DiceRead((6,), by_camera=True)
    journal.record(die, Situation(Waiting()))
    journal.close()
    journal = Journal(journal.path)
    journal.record("begins", begun(1))
    journal.record("won", won(1))
    journal.record(die, won(1))
    journal.record(die, won(1))
    journal.record("begins", begun(2))
    journal.close()
    assert [len(game.readings) for game in journal.games()] == [1, 2]


@given(
    st.lists(st.integers(1, 6), min_size=4, max_size=4),
    st.lists(st.integers(1, 6), min_size=4, max_size=4),
)
def test_after_a_correction_the_dice_show_the_corrected_roll_whatever_was_read(read, true):
    found = with_corrections(read, true)
    assert roll_of([value for _, value in found]) == roll_of(true)
    assert roll_of([value for value, _ in found]) == roll_of(read)
    assert sum(one != other for one, other in found) == 4 - (Counter(read) & Counter(true)).total()


def test_fair_counts_are_unremarkable_loaded_ones_are_not_and_too_few_have_no_verdict():
    counted = {
        (50,) * 6: "Nothing unusual: fair dice are at least this uneven in 100 % of cases.",
        (32, 13, 20, 19, 18, 18): "Nothing unusual: fair dice are at least this uneven in 7 % of cases.",
        (33, 13, 20, 19, 18, 17): "Unusual: fair dice are this uneven in only 4.1 % of cases.",
        (50, 50, 50, 50, 50, 110): "Unusual: fair dice are this uneven in less than 0.01 % of cases.",
        (0, 0, 0, 0, 0, 29): "Too few rolls to say whether the dice are fair: 29 of at least 30.",
    }
    rolled = {counts: [face for face, count in enumerate(counts, 1) for _ in range(count)] for counts in counted}
    assert {counts: verdict(fairness(values)) for counts, values in rolled.items()} == counted


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A journal with 150 throws, one of them corrected."""
    path = tmp_path_factory.mktemp("many") / "many.txt"
    journal = Journal(path)
    chance = np.random.default_rng(5)
    record(journal, *[C] * 6)
    for _ in range(150):
        record(journal, seen(*map(int, chance.integers(1, 7, 4))), HOLD_C)
    record(journal, seen(1, 2, 5, 5, likely=((1, 2, 3, 5),)), HOLD_A, A)
    journal.close()
    return path


def test_the_report_has_counts_a_verdict_and_what_was_misread(many, capsys):
    assert main(["dice", "--journal", str(many)]) == 0
    out = capsys.readouterr().out
    assert "151 rolls" in out
    assert "Nothing unusual: fair dice are at least this uneven in" in out
    assert "Players corrected 1 of 604 dice (read 5 for 3: 1)." in out
    assert main(["dice", "--journal", str(many), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["throws"], report["misread"]) == (151, [{"read": 5, "was": 3, "times": 1}])
    assert sum(report["counts"]) == 604
    assert " ".join(map(str, (*report["counts"], 604))) in " ".join(out.split())


def test_the_report_needs_neither_scipy_nor_numpy(many):
    """On a card and after `make play` there is no scipy; a fresh process has none of what other tests have loaded."""
    program = (
        "import sys; sys.modules |= dict.fromkeys(('scipy', 'scipy.stats'));"
        "from device.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "dice", "--journal", str(many)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "151 rolls" in done.stdout


def test_the_chance_of_uneven_faces_is_that_which_scipy_computes():
    chances = {  # scipy.stats.chisquare, SciPy 1.17.1
        (5, 5, 5, 5, 5, 5): 1.0, (10, 10, 10, 10, 10, 16): 0.7419441389609444,
        (9, 5, 5, 5, 5, 1): 0.2692187989871035, (20, 10, 10, 10, 10, 40): 2.316223940754815e-08,
    }  # fmt: skip
    rolled = {counts: [face for face, count in enumerate(counts, 1) for _ in range(count)] for counts in chances}
    found = {counts: fairness(values).p for counts, values in rolled.items()}
    assert found == pytest.approx(chances, rel=1e-9, abs=0)
