"""The simulator in C plays by the engine's rules and decides like its levels; and the trainer. Both need gcc."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace

import numpy as np
import pytest

from engine import FastStart, Variants
from engine.opponents import level
from tools import tournament
from tools.matches import play_match
from tools.training.opponents import learn, simulator
from tools.training.opponents.learn import Stage
from tools.training.opponents.simulator import EVOLVED, INNER, KINDS, OUTER, Player, match, rules_of

RULES = [
    (1, Variants()),
    (2, Variants()),
    (2, Variants(5)),
    (3, Variants(4, FastStart.ON)),
    (4, Variants(3, FastStart.STRICT)),
    (2, Variants(3, leap=True)),
    (4, Variants(3, FastStart.ON, leap=True)),
    (3, Variants(3, no_stop_on_marker=True)),
    (4, Variants(3, FastStart.STRICT, no_stop_on_marker=True)),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The simulator, compiled from the current sources."""
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulator, "BUILD", tmp_path_factory.mktemp("build"))
        simulator.compiled.cache_clear()
        return simulator.compiled()


def test_the_simulator_plays_the_same_games_as_the_engine_in_every_variant(library):
    # Winner and turns of whole games: any other play, stop, roll or rule leads to other games.
    differences = []
    for number, (players, variants) in enumerate(RULES):
        levels = random.Random(number).choices([key for key in KINDS if key != "strongest"], k=players)
        seats = [Player(KINDS[key], None, 0) for key in levels]
        fast = match(rules_of(players, variants), seats, 8, seed=1000 * number)
        slow = list(play_match([level(key).make() for key in levels], 8, 1000 * number, variants))
        differences += [
            (levels, variants, game) for game, (one, other) in enumerate(zip(fast, slow, strict=True)) if one != other
        ]
    assert differences == []


@pytest.mark.parametrize(
    ("other", "rules", "games", "seed"),
    [("evolved", Variants(), 2, 28), ("strongest", Variants(5, leap=True), 1, 37)],
)
def test_master_plays_the_same_games_in_the_simulator_as_on_the_box(library, other, rules, games, seed):
    levels = ["strongest", other]
    fast = tournament._in_c(levels, tournament.Piece(*levels, 2, rules, games, seed))
    slow = list(play_match([level(key).make() for key in levels], games, seed, rules))
    assert fast == slow


def test_the_references_need_the_published_number_of_solo_turns_to_three_columns(library):
    for kind, published in ((OUTER, 10.72), (INNER, 10.71), (EVOLVED, 9.25)):
        turns = [one.turns for one in match(rules_of(1, Variants()), [Player(kind, None, 0)], 8_000, seed=28)]
        mean = sum(turns) / len(turns)
        spread = (sum((one - mean) ** 2 for one in turns) / len(turns)) ** 0.5
        assert abs(mean - published) < 0.02 + 3 * spread / len(turns) ** 0.5


def test_the_evolved_weights_beat_the_rule_of_28_as_often_as_published(library):
    for kind, share in ((OUTER, 0.67), (INNER, 0.61)):
        players = [Player(EVOLVED, None, 0), Player(kind, None, 0)]
        games = match(rules_of(2, Variants()), players, 6_000, seed=28)
        won = sum(one.winner == 0 for one in games) / len(games)
        assert abs(won - share) < 0.005 + 3 * (share * (1 - share) / 6_000) ** 0.5


def test_each_player_begins_equally_often_and_the_same_seed_gives_the_same_games():
    players = [level(key).make() for key in ("rule-28-outer", "child", "hasty")]
    first = list(play_match(players, 12, seed=3))
    assert first == list(play_match(players, 12, seed=3))
    assert first != list(play_match(players, 12, seed=30))
    # A match from the second game on has the next player first, and the next game's dice.
    rotated = [players[1], players[2], players[0]]
    assert [(one.winner + 1) % 3 for one in play_match(rotated, 11, seed=4)] == [one.winner for one in first[1:]]


# The trainer


STAGE = Stage(1, 3, rounds=6, games=3, seed=5)


@pytest.fixture
def quick(monkeypatch, library):
    """Learning that tells of every other round, and watches no references first."""
    monkeypatch.setattr(learn, "REPORT_EVERY", 2)
    monkeypatch.setattr(simulator.Learner, "watch", lambda *_, **__: None)


def test_the_same_course_gives_the_same_numbers_and_a_finished_network_is_not_trained_again(quick, tmp_path, capsys):
    folders = [tmp_path / name for name in ("one", "again", "other")]
    for folder, stage in zip(folders, (STAGE, STAGE, replace(STAGE, seed=6)), strict=True):
        folder.mkdir()
        learn.learn(stage, folder)
    assert "1x3 round 6 of 6" in capsys.readouterr().out
    one, again, other = (np.load(folder / "1x3.npy") for folder in folders)
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    learn.learn(STAGE, folders[2])
    assert np.array_equal(np.load(folders[2] / "1x3.npy"), other)


def test_learning_does_not_turn_subnormal_numbers_into_zero(quick, tmp_path):
    learn.learn(replace(STAGE, rounds=1), tmp_path)
    assert float(np.nextafter(0.0, 1.0)) * 1.0 > 0.0
