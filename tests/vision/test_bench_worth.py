"""The benchmark of each row of the verdict."""

from __future__ import annotations

import pytest

from tools.bench.worth import SEED, main, outcome, worth
from tools.scenes.kinds import SceneToScore


def test_a_reading_of_a_scene_that_must_be_refused_is_wrong() -> None:
    assert outcome(None, (1, 2, 3, 4)) == "wrong"
    assert outcome(None, None) == "refused"


def test_only_the_values_in_the_scene_are_right() -> None:
    assert outcome((1, 2, 3, 4), (1, 2, 3, 4)) == "right"
    assert outcome((1, 2, 3, 4), (1, 2, 3, 5)) == "wrong"


def test_without_its_row_a_worn_middle_pip_is_misread() -> None:
    assert worth([SceneToScore("worn", SEED + 1)]) == {"middle worn": {"wrong": 1}}


def test_a_scene_that_is_read_counts_for_no_row() -> None:
    assert worth([SceneToScore("readable", SEED + 1)]) == {}


def test_the_reader_expects_the_number_of_dice_of_the_kind_of_scene() -> None:
    assert worth([SceneToScore("one", SEED)]) == {}


def test_the_table_names_the_row_that_refused(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--kinds", "worn", "--scenes", "1", "--seed", str(SEED + 1)])
    assert "middle worn" in capsys.readouterr().out


def test_an_unknown_kind_is_an_error_that_names_the_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--kinds", "sunny"])
    assert "no kind 'sunny'; choose from readable" in capsys.readouterr().err
