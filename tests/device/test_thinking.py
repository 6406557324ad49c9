"""Opponents decide in separate threads: those that answer, fail, cheat or never answer."""

from __future__ import annotations

import queue
import threading

import pytest

from device.referee.inputs import Decided, NoDecision
from device.thinking import Thinker, decision
from engine import Play, Position, may_stop, parse_position, plays
from engine.odds import loss_chance
from engine.opponents import OPPONENTS, Hasty, level, networks
from engine.opponents.values import values_for
from tests.waiting import PATIENCE_S

ROLLED = parse_position("3 7:4,6:2/8:5 1 5:2,8:3 3-3-5-6")
DECIDING = parse_position("3 -/8:5 1 7:2,8:3,12:2 -")


class Fails(Hasty):
    def stops(self, position: Position) -> bool:
        raise RuntimeError("a bug")


class Cheats(Hasty):
    def choose(self, position: Position, roll) -> Play:
        return Play((2, 12), (2, 12))


class StopsTooSoon(Hasty):
    def stops(self, position: Position) -> bool:
        return True


def ask(position: Position, make, deadline_s: float = PATIENCE_S) -> Decided | NoDecision:
    answers: queue.Queue = queue.Queue()
    Thinker(answers.put, make, deadline_s).ask(position, "level")
    return answers.get(timeout=PATIENCE_S)


@pytest.mark.parametrize("key", OPPONENTS)
@pytest.mark.parametrize("position", [ROLLED, DECIDING])
def test_each_level_returns_a_legal_decision_and_its_reason(key, position):
    answers: queue.Queue = queue.Queue()
    Thinker(answers.put).ask(position, key)
    decided = answers.get(timeout=PATIENCE_S)
    assert decided.position == position
    assert (decided.play is None) == (position.roll is None)
    assert decided.play is None or decided.play in plays(position)
    assert decided == decision(level(key).make(), position)


def test_the_reason_has_the_chance_of_losing_the_turn_and_the_stake():
    decided = decision(Hasty(), DECIDING)
    assert decided.loss == loss_chance(DECIDING)
    assert decided.at_stake == 7


@pytest.mark.parametrize(("broken", "position"), [(Fails, ROLLED), (Fails, DECIDING), (Cheats, ROLLED)])
def test_an_opponent_that_fails_or_cheats_has_no_decision(broken, position):
    assert ask(position, lambda _: broken()) == NoDecision(position)


def test_an_illegal_stop_is_not_a_decision():
    forced = parse_position("3+no-stop -/8:2 1 7:3,8:2 -")
    assert not may_stop(forced)
    assert ask(forced, lambda _: StopsTooSoon()) == NoDecision(forced)


def test_an_opponent_that_cannot_be_created_has_no_decision():
    def broken(_: str) -> Hasty:
        raise OSError("its file is gone")

    assert ask(DECIDING, broken) == NoDecision(DECIDING)


def test_an_unknown_level_has_no_decision():
    answers: queue.Queue = queue.Queue()
    Thinker(answers.put).ask(ROLLED, "grandmaster of another version")
    assert answers.get(timeout=PATIENCE_S) == NoDecision(ROLLED)


def test_no_other_level_plays_for_one_that_was_not_trained_for_the_rules(monkeypatch):
    monkeypatch.setattr(networks, "_names", lambda _: frozenset({"2x4"}))
    values_for.cache_clear()
    unsolved = parse_position("3 3:1/4:1 1 - 1-2-3-4")
    answers: queue.Queue = queue.Queue()
    Thinker(answers.put).ask(unsolved, OPPONENTS[-1])
    assert answers.get(timeout=PATIENCE_S) == NoDecision(unsolved)


def test_an_opponent_that_never_answers_is_abandoned():
    asked = []
    ends = threading.Event()

    class Hangs(Hasty):
        def stops(self, position: Position) -> bool:
            asked.append(position)
            ends.wait()
            return False

    answers: queue.Queue = queue.Queue()
    thinker = Thinker(answers.put, lambda _: Hangs(), deadline_s=0.2)
    try:
        for _ in range(2):
            thinker.ask(DECIDING, "level")
            assert answers.get(timeout=PATIENCE_S) == NoDecision(DECIDING)
        assert len(asked) == 1
    finally:
        ends.set()


def test_an_opponent_is_created_once():
    made = []

    def make(key: str) -> Hasty:
        made.append(key)
        return Hasty()

    answers: queue.Queue = queue.Queue()
    thinker = Thinker(answers.put, make)
    for _ in range(3):
        thinker.ask(DECIDING, "level")
        answers.get(timeout=PATIENCE_S)
    assert made == ["level"]
