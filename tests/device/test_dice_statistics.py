"""`cantstop dice` and the record of readings that it is made from."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cli import main
from device.referee.inputs import DiceRead, DieSeen
from device.referee.states import Resume, Situation, Waiting
from device.referee.transition_table import step
from device.statistics.dice_sets import colour_names, dice_sets, lab
from device.statistics.fairness import chance_above, change, fairness, how_often, smallest_bias, verdict
from device.statistics.readings import DieThrown, Throw, throws, with_corrections
from device.storage.journal import Journal
from device.storage.past_game_file import Reading, parse_readings, readings_text
from engine import roll_of
from tests.device.helpers import HOLD_A, HOLD_C, STOP, A, B, C
from tests.device.journals import begun, leave_journal, play, won
from tests.every import every

WHITE, RED, GREEN, BLUE = (230, 220, 200), (180, 40, 45), (40, 120, 60), (30, 70, 160)


def seen(*values: int, colours=(WHITE,) * 4, asked: bool = False, likely=()) -> DiceRead:
    dice = tuple(DieSeen(value, 0.99, colour) for value, colour in zip(values, colours, strict=False))
    return DiceRead(tuple(sorted(values)), likely, dice, asked)


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
UNEQUAL = DiceRead(
    (1, 2, 5, 5),
    LIKELY,
    (DieSeen(5, 0.999, RED), DieSeen(5, 0.9, BLUE), DieSeen(2, 0.99, WHITE), DieSeen(1, 0.99, GREEN)),
)
READ_AND_TRUE = [
    # A correction applies to the least confident die, unless it is undone
    ((UNEQUAL, HOLD_A, A), [[(5, 5), (5, 3), (2, 2), (1, 1)]]),
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
        assert [[(die.read, die.value) for die in throw.dice] for throw in found] == expected


def test_dice_rolled_too_early_count_and_are_not_corrected_with_the_roll_before(journal):
    now = record(journal, seen(1, 2, 5, 5, likely=((1, 2, 3, 5),)))
    journal.record(seen(6, 6, 6, 6), now)
    journal.record("corrected", step(step(now, HOLD_A).situation, A).situation)
    rolled, too_early = throws(journal.games())
    assert sorted(die.value for die in rolled.dice) == [1, 2, 3, 5]
    assert [die.value for die in too_early.dice] == [6, 6, 6, 6]


def test_dice_read_again_on_request_count_once(journal):
    record(journal, seen(2, 3, 4, 5), HOLD_C)
    record(journal, seen(2, 3, 4, 5, asked=True), B, C, STOP, C)
    record(journal, seen(2, 3, 4, 5))
    assert len(throws(journal.games())) == 2


readings = st.builds(
    Reading,
    st.one_of(st.none(), st.integers(0, 400)),
    st.lists(
        st.builds(
            DieSeen,
            st.integers(1, 6),
            st.integers(0, 10_000).map(lambda part: part / 10_000),
            st.one_of(st.none(), st.tuples(*[st.integers(0, 255)] * 3)),
        ),
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
        "# read 1: 7:9000:-",
        "# read 1: 1:9000",
        "# read 1: 1:9000:#12",
        "# read x: 1:9000:-",
        "1:9:-",
    ]
)
def test_a_damaged_reading_is_left_out_and_the_next_one_is_not(line):
    assert [one.step for one in parse_readings(f"{line}\n# read 3: 1:9000:-")] == [2]


def test_the_roll_off_for_a_game_is_in_its_file_and_not_in_that_of_the_game_before(tmp_path):
    journal = Journal(tmp_path / "j.txt")
    die = DiceRead((6,), (), (DieSeen(6, 0.99, WHITE),))
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
    st.lists(st.tuples(st.integers(1, 6), st.floats(0.5, 1)), min_size=4, max_size=4),
    st.lists(st.integers(1, 6), min_size=4, max_size=4),
)
def test_after_a_correction_the_dice_show_the_corrected_roll_whatever_was_read(read, true):
    dice = tuple(DieSeen(value, sure) for value, sure in read)
    assert roll_of([die.value for die in with_corrections(dice, tuple(sorted(true)))]) == roll_of(true)


def thrown(colours, values) -> Throw:
    return Throw(1, tuple(DieThrown(value, value, colour) for value, colour in zip(values, colours, strict=True)))


def shaded(chance, colour) -> tuple[int, int, int]:
    return tuple(int(level) for level in np.clip(np.array(colour) * chance.uniform(0.93, 1.05), 0, 255))


def test_dice_are_told_apart_by_colour():
    chance = np.random.default_rng(1)
    throws = [
        thrown([shaded(chance, colour) for colour in (RED, WHITE, BLUE, WHITE)], chance.integers(1, 7, 4))
        for _ in range(40)
    ]
    (found,) = dice_sets(throws)
    assert found.name == "blue, red, 2 white"
    assert {colour: len(values) for colour, values in found.values.items()} == {"blue": 40, "red": 40, "white": 80}
    assert found.values["red"] == [throw.dice[0].value for throw in throws]


def test_sets_of_dice_are_recognised_by_their_colours_the_most_used_set_first():
    several = [thrown([WHITE] * 4, (1, 2, 3, 4))] * 3 + [thrown([RED] * 4, (1, 1, 1, 1))] * 5
    assert [(one.name, one.throws) for one in dice_sets(several)] == [("4 red", 5), ("4 white", 3)]
    without = [Throw(1, (DieThrown(1, 1, WHITE),)), thrown([None] * 4, (1, 2, 3, 4))]  # one is of a roll-off
    assert [(one.name, one.throws) for one in dice_sets(without)] == [("4 any colour", 1)]
    glare = [thrown([RED, RED, BLUE, BLUE], (1, 2, 3, 4))] * 60 + [thrown([RED, RED, BLUE, (120, 150, 240)], (1,) * 4)]
    assert colour_names(glare)[120, 150, 240] == "blue"
    alike = [thrown([(20, 60, 150), (20, 60, 150), (110, 140, 210), (110, 140, 210)], (1, 2, 3, 4))]
    assert set(colour_names(alike).values()) == {"blue", "blue 2"}


def test_fair_counts_are_unremarkable_loaded_ones_are_not_and_too_few_have_no_verdict():
    fair = fairness([1, 2, 3, 4, 5, 6] * 50)
    assert verdict(fair) == "nothing unusual: fair dice are this uneven nearly always"
    loaded = fairness([1, 2, 3, 4, 5, 6] * 50 + [6] * 60)
    assert verdict(loaded).startswith("unusual: fair dice are this uneven less than one time in a million")
    few = fairness([6] * 29)
    assert (verdict(few), smallest_bias(few)) == ("too few rolls to tell: 29 of at least 30", "")
    # One odd result among many tests may be chance
    once = fairness([1] * 33 + [2] * 13 + [3] * 20 + [4] * 19 + [5] * 18 + [6] * 17)
    assert verdict(once).startswith("unusual")
    assert verdict(once, questions=5).startswith("nothing unusual")


def test_a_probability_is_given_in_everyday_words():
    words = {1.0: "nearly always", 0.9: "nine times in ten", 0.76: "three times in four", 0.65: "two times in three",
             0.55: "one time in two", 0.33: "one time in three", 0.1: "one time in ten", 0.0433: "one time in 23",
             0.00123: "one time in 810", 1e-5: "one time in 100,000",
             1e-30: "less than one time in a million"}  # fmt: skip
    assert {p: how_often(p) for p in words} == words


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A journal with 150 throws, one of them corrected."""
    path = tmp_path_factory.mktemp("many") / "many.txt"
    journal = Journal(path)
    chance = np.random.default_rng(5)
    colours = (RED, WHITE, BLUE, GREEN)
    record(journal, *[C] * 6)
    for _ in range(150):
        record(journal, seen(*map(int, chance.integers(1, 7, 4)), colours=colours), HOLD_C)
    record(journal, seen(1, 2, 5, 5, colours=colours, likely=((1, 2, 3, 5),)), HOLD_A, A)
    journal.close()
    return path


def test_the_report_has_counts_and_a_verdict_for_each_die(many, capsys):
    assert main(["dice", "--journal", str(many)]) == 0
    out = capsys.readouterr().out
    assert "blue, green, red, white: 151 rolls" in out
    assert "nothing unusual: fair dice are this uneven" in out
    assert "this many rolls would show, 4 times in 5, a face that comes up" in out
    assert "Players corrected 1 of 604 dice (read 5 for 3: 1)." in out
    assert "no change" in out
    counts = {name: list(map(int, row.split())) for name, row in re.findall(r"^ (\w+) +([\d ]+)$", out, re.MULTILINE)}
    assert list(counts) == ["all", "blue", "green", "red", "white"]
    assert all(sum(faces) == rolls for *faces, rolls in counts.values())
    assert [rolls for *_, rolls in counts.values()] == [604, 151, 151, 151, 151]
    assert main(["dice", "--journal", str(many), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (dice,) = report["sets"]
    assert (report["throws"], report["misread"]) == (151, [{"read": 5, "was": 3, "times": 1}])
    assert [dice["all"]["counts"], *(one["counts"] for _, one in sorted(dice["by_colour"].items()))] == [
        faces for *faces, _ in counts.values()
    ]


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (["--journal", "{tmp}/none.txt"], 2, "journal not found"),
        (["--journal", "{tmp}/by-hand.txt"], 1, "has not read any dice yet"),
    ],
)
def test_an_impossible_report_is_explained(tmp_path, capsys, words, status, reason):
    leave_journal(tmp_path / "by-hand.txt", begun(1))
    assert main(["dice", *(word.format(tmp=tmp_path) for word in words)]) == status
    assert reason in capsys.readouterr().err


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
    assert "blue, green, red, white: 151 rolls" in done.stdout


def test_chances_the_noticed_bias_and_a_change_over_time_are_those_that_scipy_computes():
    chances = {  # chi2.sf, SciPy 1.17.1
        (0.0, 1): 1.0, (0.5, 1): 0.47950012218695337, (3.841, 1): 0.050013683763956804, (1.145, 5): 0.9500437784479228,
        (11.07, 5): 0.050009618622405425, (60.0, 5): 1.2154569777183007e-11, (20.0, 10): 0.029252688076961124,
        (55.76, 40): 0.04998592624419688, (180.0, 40): 1.1492512409480192e-19,
    }  # fmt: skip
    assert {each: chance_above(*each) for each in chances} == pytest.approx(chances, rel=1e-9, abs=0)
    noticed = {1: 0.22115844, 5: 0.23098168, 40: 0.24095130}  # where ncx2.sf is 0.8, by the number of questions
    even = [1, 2, 3, 4, 5, 6] * 100
    assert {asked: fairness(even, asked).noticed for asked in noticed} == pytest.approx(noticed, abs=1e-8)
    periods = [[1] * 30 + [2, 3, 4, 5, 6] * 14, [1, 2, 3, 4, 5, 6] * 17]
    assert change(periods) == pytest.approx(0.41246671524757)  # chi2_contingency


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_a_colours_place_is_that_of_opencv(colour):
    expected = cv2.cvtColor(np.array([[colour]], np.float32) / 255, cv2.COLOR_RGB2Lab)[0, 0]
    assert math.dist(lab(colour), expected) < 1  # OpenCV's cube root is not exact
