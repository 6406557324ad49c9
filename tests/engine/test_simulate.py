"""Many games at once against the engine: the same rolls and choices lead to the same positions, in every variant."""

from __future__ import annotations

import numpy as np
import pytest

from engine import FastStart, Position, Stop, Variants, after, may_stop, plays, stop_wins
from engine.actions import Bust
from engine.opponents import LEVELS, WeightedSums, level
from engine.simulate import ROLLS, Games, RandomPlay, in_batches, play_games, play_singly

RULES = [
    (2, Variants()),
    (2, Variants(5)),
    (3, Variants(4, FastStart.ON)),
    (4, Variants(3, FastStart.STRICT)),
    (2, Variants(3, leap=True)),
    (4, Variants(3, FastStart.ON, leap=True)),
    (3, Variants(3, no_stop_on_marker=True)),
    (4, Variants(3, FastStart.STRICT, no_stop_on_marker=True)),
]


def named(value: object) -> str:
    return "+".join((str(value.columns_to_win), *value.names)) if isinstance(value, Variants) else str(value)


@pytest.mark.parametrize(("players", "variants"), RULES, ids=named)
def test_every_lane_plays_by_the_engines_rules_roll_by_roll(players, variants):
    lanes = 8
    chance = np.random.default_rng(players)
    games = Games(lanes, players, variants)
    positions = [Position.start(players, variants)] * lanes
    ended = 0
    for _ in range(400):
        may = games.may_stop()
        assert list(may) == [may_stop(position) for position in positions]
        assert [bool(wins) for wins in games.wins(games.lanes)] == [stop_wins(position) for position in positions]
        stopping = np.flatnonzero(may & (chance.random(lanes) < 0.3))
        over = games.stop(stopping)
        for lane in stopping:
            positions[lane] = after(positions[lane], Stop())
        assert list(over) == [lane for lane in range(lanes) if positions[lane].winner is not None]
        assert [games.position(lane) for lane in range(lanes)] == positions
        games.restart(over)
        ended += len(over)
        for lane in over:
            positions[lane] = Position.start(players, variants)

        rolls = chance.integers(0, len(ROLLS), lanes)
        options = games.options(rolls)
        good = options.legal.any(axis=0)
        slots = RandomPlay(chance).choose(games.turns_of(games.lanes), options)
        for lane in range(lanes):
            rolled = positions[lane].with_roll(ROLLS[rolls[lane]])
            assert options.plays(lane) == plays(rolled)
            positions[lane] = after(rolled, options.play(lane, slots[lane]) if good[lane] else Bust())
        games.play(options, slots[good], np.flatnonzero(good))
        games.pass_on(np.flatnonzero(~good))
        assert [games.position(lane) for lane in range(lanes)] == positions
    assert ended


@pytest.mark.parametrize("key", [one.key for one in LEVELS if isinstance(one.make(), WeightedSums)])
@pytest.mark.parametrize(("players", "variants"), [RULES[0], RULES[4], RULES[7]], ids=named)
def test_a_reference_decides_the_same_in_many_games_at_once_and_one_by_one(key, players, variants):
    strategy = level(key).make()
    fast = in_batches(strategy)
    games = Games(40, players, variants)
    chance = np.random.default_rng(8)
    for _ in range(60):
        turns = games.turns_of(np.flatnonzero(games.may_stop()))
        stops = fast.stops(turns)
        assert list(stops) == [strategy.stops(games.position(lane)) for lane in turns.lanes]
        games.restart(games.stop(turns.lanes[stops]))
        options = games.options(chance.integers(0, len(ROLLS), len(games)))
        good = options.legal.any(axis=0)
        lanes = np.flatnonzero(good)
        slots = fast.choose(games.turns_of(lanes), options)
        for lane, slot in zip(lanes, slots, strict=True):
            roll = ROLLS[options.rolls[lane]]
            assert options.play(lane, slot) == strategy.choose(games.position(lane), roll)
        games.play(options, slots, lanes)
        games.pass_on(np.flatnonzero(~good))


@pytest.mark.parametrize(("key", "turns"), [("rule-28-outer", 10.72), ("rule-28-inner", 10.71), ("evolved", 9.25)])
def test_the_references_need_the_published_number_of_solo_turns_to_three_columns(key, turns):
    outcomes = play_games([in_batches(level(key).make())], [[0]], 20_000, np.random.default_rng(28))
    standard_error = outcomes.turns.std() / len(outcomes.turns) ** 0.5
    assert abs(outcomes.turns.mean() - turns) < 0.02 + 3 * standard_error


@pytest.mark.parametrize(("key", "share"), [("rule-28-outer", 0.67), ("rule-28-inner", 0.61)])
def test_the_evolved_weights_beat_the_rule_of_28_as_often_as_published(key, share):
    both = [in_batches(level(one).make()) for one in ("evolved", key)]
    outcomes = play_games(both, [[0, 1], [1, 0]], 12_000, np.random.default_rng(28))
    won = (outcomes.winner == outcomes.table).mean()  # seating 0 has the evolved weights in seat 0, seating 1 in seat 1
    assert abs(won - share) < 0.005 + 3 * (share * (1 - share) / 12_000) ** 0.5


def test_every_requested_game_is_played_with_each_seating_equally_often():
    strategies = [RandomPlay(np.random.default_rng(1)), in_batches(level("evolved").make())]
    outcomes = play_games(strategies, [[0, 1, 1], [1, 0, 1], [1, 1, 0]], 300, np.random.default_rng(2))
    assert list(np.bincount(outcomes.table)) == [100, 100, 100]
    assert set(outcomes.winner) <= {0, 1, 2}
    assert (outcomes.turns > 0).all()


def test_games_played_one_by_one_have_the_same_outcomes_as_many_at_once():
    seatings = [[0, 1], [1, 0]]
    both = [level(one).make() for one in ("evolved", "rule-28-outer")]
    singly = play_singly(both, seatings, 300, np.random.default_rng(5))
    at_once = play_games([in_batches(one) for one in both], seatings, 3000, np.random.default_rng(6))
    assert list(np.bincount(singly.table)) == [150, 150]
    for outcomes, games in ((singly, 300), (at_once, 3000)):
        assert abs((outcomes.winner == outcomes.table).mean() - 0.67) < 4 * (0.67 * 0.33 / games) ** 0.5
    spread = at_once.turns.std() * (1 / 300 + 1 / 3000) ** 0.5
    assert abs(singly.turns.mean() - at_once.turns.mean()) < 4 * spread


def test_a_solo_player_always_wins():
    outcomes = play_singly([level("evolved").make()], [[0]], 20, np.random.default_rng(7))
    assert set(outcomes.winner) == {0}
    assert 5 < outcomes.turns.mean() < 14


def test_the_same_seed_produces_the_same_games():
    def play() -> list[int]:
        chance = np.random.default_rng(3)
        return list(play_games([RandomPlay(chance)], [[0, 0]], 50, chance).turns)

    assert play() == play()


def test_random_play_takes_each_legal_play_equally_often():
    games = Games(60_000, 2)
    chance = np.random.default_rng(4)
    options = games.options(np.full(len(games), ROLLS.index((1, 3, 5, 6))))
    slots = RandomPlay(chance).choose(games.turns_of(games.lanes), options)
    counts = np.bincount(slots, minlength=6)
    assert counts[[1, 3, 5]].sum() == 0  # no roll leaves a choice of columns on an empty board
    assert all(abs(count - 20_000) < 500 for count in counts[[0, 2, 4]])


def test_seatings_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="same number of seats"):
        play_games([RandomPlay(np.random.default_rng(1))], [[0, 0], [0]], 2, np.random.default_rng(1))
