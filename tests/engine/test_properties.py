"""Properties of every game, tested on random games with every combination of variants and 2 to 4 players."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import engine
from engine.board import EMPTY
from engine.odds import weighted_rolls

NAMES = ("yellow", "orange", "green", "blue")

ALL_ROLLS = [roll for roll, _ in weighted_rolls()]
rolls = st.sampled_from(ALL_ROLLS)


@st.composite
def new_games(draw: st.DrawFn) -> engine.Game:
    """Any game before its first roll."""
    players = draw(st.integers(2, 4))
    other = draw(st.sampled_from(["", "no stop on a marker", "leap"]))
    variants = engine.Variants(
        draw(st.integers(3, engine.MOST_COLUMNS_TO_WIN[players])),
        draw(st.sampled_from(engine.FastStart)),
        no_stop_on_marker=other == "no stop on a marker",
        leap=other == "leap",
    )
    return engine.Game.new(NAMES[:players], variants, draw(st.integers(0, players - 1)))


def legal_by_hand(position: engine.Position) -> set[tuple[tuple[int, int], tuple[tuple[int, int], ...]]]:
    """Return the plays that the rule sheet allows, implemented from its text alone, without the engine's helpers.

    Returns:
        Each legal choice as (pairing, ((column, space on which its runner ends), …)).
    """
    assert position.roll is not None
    mine = position.markers[position.turn]
    others = [markers for player, markers in enumerate(position.markers) if player != position.turn]
    won = {
        column for column in range(2, 13) if any(markers[column] == engine.TOP[column] for markers in position.markers)
    }

    def walk(order: tuple[int, ...]) -> dict[int, int]:
        """Make the steps that are possible, one after the other; return the runners that moved."""
        runners = {column: position.runners[column] for column in range(2, 13) if position.runners[column]}
        moved = {}
        for column in order:
            if column in won or runners.get(column) == engine.TOP[column]:
                continue
            if column not in runners and len(runners) == 3:
                continue
            space = runners.get(column, mine[column]) + 1
            while position.variants.leap and any(markers[column] == space for markers in others):
                space += 1
            runners[column] = moved[column] = space
        return moved

    found = set()
    for a, b, c, d in permutations(position.roll):
        # Whichever sum comes first gets the last free runner: both orders together are the player's choice.
        if moved := walk((a + b, c + d)):
            pairing = (min(a + b, c + d), max(a + b, c + d))
            found.add((pairing, tuple(sorted(moved.items()))))

    if position.variants.fast_start is not engine.FastStart.OFF and found:

        def new(choice) -> int:
            return sum(1 for column, _ in choice[1] if not position.runners[column])

        found = {choice for choice in found if new(choice) == max(map(new, found))}
        if position.variants.fast_start is engine.FastStart.STRICT:
            most = max(len(choice[1]) for choice in found)
            found = {choice for choice in found if len(choice[1]) == most}
    return found


def legal_by_engine(position: engine.Position) -> list[tuple[tuple[int, int], tuple[tuple[int, int], ...]]]:
    """Return the plays that the engine allows, in the same form."""
    return [
        (play.pairing, tuple((move.column, move.space) for move in engine.runner_moves(position, play)))
        for play in engine.plays(position)
    ]


class WholeGames(RuleBasedStateMachine):
    """Plays games by every kind of step, and asks at every moment whether all is as it must be."""

    @initialize(game=new_games())
    def begin(self, game: engine.Game) -> None:
        self.game = game

    def next(self, position: engine.Position) -> int:
        """The player who is next: the first after this one, round the table, who has not left."""
        turn = (position.turn + 1) % position.players
        while turn in position.out:
            turn = (turn + 1) % position.players
        return turn

    def do(self, step: engine.Action) -> None:
        self.game = self.game.do(step)

    @precondition(lambda self: engine.may_roll(self.game.position))
    @rule(roll=rolls)
    def roll(self, roll) -> None:
        self.do(engine.Rolled(roll))
        assert self.game.position.roll == roll

    @precondition(lambda self: engine.plays(self.game.position))
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        position = self.game.position
        play = data.draw(st.sampled_from(engine.plays(position)))
        assert engine.parse_play(engine.play_text(play), engine.plays(position)) == play
        self.do(play)
        after = self.game.position
        assert after.roll is None
        assert after.markers == position.markers
        for column in engine.COLUMNS:
            if column in play.columns:
                assert after.runners[column] > max(position.runners[column], position.markers[position.turn][column])
            else:
                assert after.runners[column] == position.runners[column]

    @precondition(lambda self: engine.is_bust(self.game.position))
    @rule()
    def bust(self) -> None:
        before = self.game.position
        self.do(engine.Bust())
        assert self.game.position == engine.Position(before.variants, before.markers, self.next(before), out=before.out)

    @precondition(lambda self: engine.may_stop(self.game.position))
    @rule()
    def stop(self) -> None:
        before, moves = self.game.position, engine.marker_moves(self.game.position)
        self.do(engine.Stop())
        after = self.game.position
        assert (after.winner is not None) == engine.stop_wins(before)
        assert after.turn == (before.turn if after.winner is not None else self.next(before))
        expected = [list(markers) for markers in before.markers]
        for move in moves:
            expected[before.turn][move.column] = move.space
            for player in move.sent_back:
                expected[player][move.column] = 0
        assert after.markers == tuple(map(tuple, expected))
        assert not any(after.runners)
        for player, column in product(range(before.players), engine.COLUMNS):
            old, new = before.markers[player][column], after.markers[player][column]
            has_climbed, is_sent_back = new > old and player == before.turn, new == 0 and player != before.turn
            assert new == old or has_climbed or (is_sent_back and after.owners[column] == before.turn)

    @precondition(lambda self: self.game.position.roll is not None)
    @rule(roll=rolls)
    def correct(self, roll) -> None:
        self.do(engine.Corrected(roll))
        assert self.game.position.roll == roll

    @precondition(lambda self: self.game.steps)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        # Usually a step or two, so games progress; sometimes back to any moment, across turns.
        steps = data.draw(st.one_of(st.integers(1, min(2, len(self.game.steps))), st.integers(0, len(self.game.steps))))
        start = self.game.start
        earlier = engine.Game.new(self.game.names[: start.players], start.variants, start.turn)
        for step in self.game.steps[: len(self.game.steps) - steps]:
            earlier = earlier.do(step)
        undone = self.game.undo(steps)
        assert undone == earlier
        self.game = undone

    @precondition(lambda self: self.game.steps)
    @rule(data=st.data())
    def set_by_hand(self, data: st.DataObject) -> None:
        now = self.game.position
        same = [each for each in self.game.positions if (each.players, each.out) == (now.players, now.out)]
        position = data.draw(st.sampled_from(same))
        self.do(engine.SetTo(position))
        assert self.game.position == position

    @precondition(lambda self: self.game.position.winner is None and self.game.position.free_runners)
    @rule(data=st.data())
    def set_a_runner_by_hand(self, data: st.DataObject) -> None:
        """Put a runner on a top space or on another marker, so wins and shared spaces are frequent."""
        position = self.game.position
        mine = position.markers[position.turn]
        usable = [column for column in engine.COLUMNS if position.usable[column]]
        shared = [
            (column, markers[column])
            for column in usable
            for markers in position.markers
            if markers[column] > mine[column] and not position.variants.leap
        ]
        contested = [column for column in usable if any(markers[column] for markers in position.markers)]
        places = shared + [(column, engine.TOP[column]) for column in contested or usable]
        if places:
            column, space = data.draw(st.sampled_from(places))
            runners = tuple(space if c == column else old for c, old in enumerate(position.runners))
            self.do(engine.SetTo(replace(position, runners=runners, roll=None)))

    @precondition(lambda self: self.game.position.winner is None and len(self.here()) > 1)
    @rule(data=st.data(), markers_stay=st.booleans())
    def leave(self, data: st.DataObject, markers_stay: bool) -> None:
        before, player = self.game.position, data.draw(st.sampled_from(self.here()))
        self.do(engine.Leaves(player, markers_stay))
        after = self.game.position
        goes_on = player != before.turn
        follows = before.turn if goes_on else self.next(replace(before, out=after.out, roll=None, turn=player))
        assert (after.runners, after.roll) == ((before.runners, before.roll) if goes_on else (EMPTY, None))
        assert after.turn == follows
        for each, own in enumerate(before.markers):
            assert after.markers[each] == (own if each != player or markers_stay else EMPTY)

    @precondition(lambda self: self.game.position.winner is None and self.game.position.out)
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        before = self.game.position
        player = data.draw(st.sampled_from(before.out))
        self.do(engine.Returns(player))
        assert self.game.position == replace(before, out=tuple(one for one in before.out if one != player))

    @precondition(lambda self: self.game.position.winner is None)
    @rule(name=st.sampled_from(["Zoe", "Yan"]))
    def join(self, name: str) -> None:
        before, seats = self.game.position, len(self.game.names)
        try:
            before.variants.check(before.players + 1)
        except engine.BadVariants:
            return
        if name in self.game.names:
            return
        self.do(engine.Joins(name, f"colour of {name}"))
        assert self.game.position == replace(before, markers=(*before.markers, EMPTY))
        assert self.game.names[seats:] == (name,)

    def here(self) -> list[int]:
        """The players who have not left."""
        return [player for player in range(self.game.position.players) if player not in self.game.position.out]

    @invariant()
    def a_stop_is_allowed_exactly_when_the_rule_sheet_allows_it(self) -> None:
        position = self.game.position
        shares = any(
            space and markers[column] == space
            for player, markers in enumerate(position.markers)
            for column, space in enumerate(position.runners)
            if player != position.turn
        )
        forbidden = position.variants.no_stop_on_marker and shares
        allowed = position.winner is None and position.roll is None and any(position.runners) and not forbidden
        assert engine.may_stop(position) == allowed

    @invariant()
    def something_can_always_be_done_until_the_game_is_won(self) -> None:
        position = self.game.position
        ways = [engine.may_roll(position), bool(engine.plays(position)), engine.is_bust(position)]
        assert sum(ways) == (0 if position.winner is not None else 1)

    @invariant()
    def the_legal_plays_are_those_of_the_rule_sheet(self) -> None:
        if self.game.position.roll is not None:
            by_engine = legal_by_engine(self.game.position)
            assert len(by_engine) == len(set(by_engine))
            assert set(by_engine) == legal_by_hand(self.game.position)
            assert engine.is_bust(self.game.position) == (not legal_by_hand(self.game.position))

    @invariant()
    def at_most_three_runners_stand_and_nothing_is_above_the_top(self) -> None:
        position = self.game.position
        assert sum(1 for space in position.runners if space) <= 3
        for spaces in (*position.markers, position.runners):
            assert all(space <= top for space, top in zip(spaces, engine.TOP, strict=True))

    @invariant()
    def a_won_column_holds_one_marker_only(self) -> None:
        position = self.game.position
        for column in engine.COLUMNS:
            if position.owners[column] is not None:
                assert sum(1 for markers in position.markers if markers[column]) == 1
                assert not position.runners[column]

    @invariant()
    def with_leap_no_space_is_shared(self) -> None:
        if self.game.position.variants.leap:
            for column in engine.COLUMNS:
                standing = [markers[column] for markers in self.game.position.markers if markers[column]]
                if self.game.position.runners[column]:
                    standing.append(self.game.position.runners[column])
                assert len(set(standing)) == len(standing)

    @invariant()
    def the_position_makes_sense_and_reads_back(self) -> None:
        assert self.game.position.problems() == ()
        assert engine.parse_position(str(self.game.position)) == self.game.position

    @invariant()
    def the_game_reads_back_from_its_transcript(self) -> None:
        if len(self.game.steps) % 4:  # a whole game each time: after some steps is enough, at the end as well
            return
        text = engine.transcript(self.game)
        read = engine.parse_transcript(text)
        assert read == self.game
        assert engine.transcript(read) == text


TestWholeGames = WholeGames.TestCase
TestWholeGames.settings = settings(max_examples=45, stateful_step_count=50)


@pytest.mark.parametrize("runners", ["-", "7:1", "6:11,7:12", "2:3,7:1,8:1", "2:1,8:1"])
@pytest.mark.parametrize("rules", ["3", "3+fast", "3+strict", "3+leap", "3+fast+leap", "3+strict+leap"])
def test_all_126_rolls_allow_what_the_rule_sheet_allows(rules, runners):
    position = engine.parse_position(f"{rules} 3:1,12:3/5:9,7:2,8:2/8:3,7:6,2:2 1 {runners} -")
    for roll in ALL_ROLLS:
        rolled = position.with_roll(roll)
        assert set(legal_by_engine(rolled)) == legal_by_hand(rolled)
