"""The trainer of the strongest opponent: interrupted training has the same result. Needs gcc."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest

from tools.training.opponents import learn, simulator
from tools.training.opponents.learn import COURSE, Stage, learn_all

STAGE = Stage(1, 3, rounds=6, games=3, seed=5)


class PowerCut(Exception):
    """The power went."""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The trainer, compiled from the current sources."""
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulator, "BUILD", tmp_path_factory.mktemp("build"))
        simulator.compiled.cache_clear()
        return simulator.compiled()


@pytest.fixture
def quick(monkeypatch, library):
    """Learning that writes down its state every other round, and watches no references first."""
    monkeypatch.setattr(learn, "KEEP_EVERY", 2)
    monkeypatch.setattr(simulator.Learner, "watch", lambda *_, **__: None)


def test_interrupted_learning_ends_with_the_same_numbers(quick, tmp_path, monkeypatch, capsys):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    whole.mkdir()
    cut.mkdir()
    learn_all([STAGE], whole)
    writes = learn._keep
    monkeypatch.setattr(learn, "_keep", lambda *state: writes(*state) or (_ for _ in ()).throw(PowerCut))
    for _ in range(2):
        with pytest.raises(PowerCut):
            learn_all([STAGE], cut)
    assert not (cut / "1x3.npy").exists()
    monkeypatch.setattr(learn, "_keep", writes)
    learn_all([STAGE], cut)
    assert np.array_equal(np.load(whole / "1x3.npy"), np.load(cut / "1x3.npy"))
    assert [file.name for file in cut.iterdir()] == ["1x3.npy"]
    assert "1x3 round 6 of 6" in capsys.readouterr().out


def test_learning_restarts_if_the_course_has_changed(quick, tmp_path, monkeypatch):
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    writes = learn._keep
    monkeypatch.setattr(learn, "_keep", lambda *state: writes(*state) or (_ for _ in ()).throw(PowerCut))
    with pytest.raises(PowerCut):
        learn_all([replace(STAGE, seed=6)], one)
    monkeypatch.setattr(learn, "_keep", writes)
    learn_all([STAGE], one)
    learn_all([STAGE], other)
    assert np.array_equal(np.load(one / "1x3.npy"), np.load(other / "1x3.npy"))


def test_the_course_has_a_network_for_every_number_of_players_and_columns_that_the_rules_allow():
    assert {(stage.players, stage.columns) for stage in COURSE} == {
        (1, 3), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (4, 3)
    }  # fmt: skip
    assert len({stage.seed for stage in COURSE}) == len(COURSE)


def test_learning_does_not_turn_subnormal_numbers_into_zero(quick, tmp_path):
    learn_all([replace(STAGE, rounds=1)], tmp_path)
    assert float(np.nextafter(0.0, 1.0)) * 1.0 > 0.0
