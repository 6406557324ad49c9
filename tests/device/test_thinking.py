"""Opponents decide in separate threads: those that answer, fail, cheat or never answer."""

from __future__ import annotations

import queue
import threading
from unittest.mock import Mock, patch

import pytest

from device import thinking
from device.health.probe_runner import ask_aside
from device.referee.inputs import Decided, NoDecision
from device.thinking import Thinker, decision
from engine import Play, Position, may_stop, parse_position, plays
from engine.odds import bust_chance
from engine.opponents import OPPONENTS, level, values
from engine.opponents.simple import Hasty
from tests.waiting import PATIENCE_S

ROLLED = parse_position("3 7:4,6:2/8:5 1 5:2,8:3 3-3-5-6")
DECIDING = parse_position("3 -/8:5 1 7:2,8:3,12:2 -")


def test_other_work_is_answered_from_a_thread_also_if_it_fails():
    answers: queue.Queue = queue.Queue()
    nothing, done = NoDecision(DECIDING), NoDecision(ROLLED)
    for work, answer in ((lambda: done, done), (lambda: 1 / 0, nothing)):
        ask_aside(work, answers.put, nothing)
        assert answers.get(timeout=PATIENCE_S) == answer


def ask(position: Position, make, key: str = "level") -> Decided | NoDecision:
    answers: queue.Queue = queue.Queue()
    with patch.multiple(thinking, level=lambda key: Mock(make=lambda: make(key)), DEADLINE_S=PATIENCE_S):
        Thinker(answers.put).ask(position, key)
        return answers.get(timeout=PATIENCE_S)


@pytest.mark.parametrize("key", OPPONENTS)
@pytest.mark.parametrize("position", [ROLLED, DECIDING])
def test_each_level_returns_a_legal_decision_and_its_reason(key, position):
    decided = ask(position, lambda key: level(key).make(), key)
    assert decided.position == position
    assert (decided.play is None) == (position.roll is None)
    assert decided.play is None or decided.play in plays(position)
    assert decided == decision(level(key).make(), position)


def test_a_decision_has_its_reason_and_what_it_risks():
    reasons = {
        ("3 2:3,12:3/- 1 3:5,6:1,7:1 -", True): "wins",
        ("3 -/8:5 1 7:2,8:3,12:2 -", True): "risk",
        ("3 -/8:5 1 7:2,8:3,12:2 -", False): "risk",
        ("3 -/- 1 7:1 -", False): "safe",  # with free runners no roll is a bust
        ("3 -/- 1 - -", False): "must",
        ("3+no-stop -/2:2 1 2:2,3:4,12:2 -", False): "must",
    }
    made = {
        (line, stops): decision(Mock(stops=lambda _, stops=stops: stops), parse_position(line))
        for line, stops in reasons
    }
    assert {which: one.why for which, one in made.items()} == reasons
    risky = made["3 -/8:5 1 7:2,8:3,12:2 -", True]
    assert (risky.loss, risky.at_stake) == (bust_chance(DECIDING), 7)


def test_an_opponent_that_fails_cheats_or_is_unknown_has_no_decision():
    fails = Mock(choose=Mock(return_value=plays(ROLLED)[0]), stops=Mock(side_effect=RuntimeError("a bug")))
    cheats = Mock(choose=Mock(return_value=Play((2, 12), (2, 12))), stops=Mock(return_value=False))
    for opponent, position in ((fails, ROLLED), (fails, DECIDING), (cheats, ROLLED)):
        assert ask(position, lambda _, opponent=opponent: opponent) == NoDecision(position)
    assert ask(DECIDING, Mock(side_effect=OSError("its file is gone"))) == NoDecision(DECIDING)
    assert ask(ROLLED, level, key="grandmaster of another version") == NoDecision(ROLLED)


def test_an_opponent_is_not_asked_to_stop_where_that_is_forbidden():
    forced = parse_position("3+no-stop -/8:2 1 7:3,8:2 -")
    assert not may_stop(forced)
    assert not decision(Mock(stops=Mock(side_effect=AssertionError)), forced).stops


def test_no_other_level_plays_for_one_whose_networks_are_damaged(monkeypatch, tmp_path):
    damaged = tmp_path / "values.npz"
    damaged.write_bytes(b"not a file of networks")
    monkeypatch.setattr(values, "FILE", damaged)
    values.values_for.cache_clear()
    unsolved = parse_position("3 3:1/4:1 1 - 1-2-3-4")
    assert ask(unsolved, lambda key: level(key).make(), key=OPPONENTS[-1]) == NoDecision(unsolved)


def test_an_opponent_that_never_answers_is_abandoned(monkeypatch):
    asked = []
    ends = threading.Event()

    class Hangs(Hasty):
        def stops(self, position: Position) -> bool:
            asked.append(position)
            ends.wait()
            return False

    answers: queue.Queue = queue.Queue()
    monkeypatch.setattr(thinking, "level", lambda _: Mock(make=Hangs))
    monkeypatch.setattr(thinking, "DEADLINE_S", 0.2)
    thinker = Thinker(answers.put)
    for _ in range(2):
        thinker.ask(DECIDING, "level")
        assert answers.get(timeout=PATIENCE_S) == NoDecision(DECIDING)
    ends.set()
    assert len(asked) == 1
