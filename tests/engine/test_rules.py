"""Each rule in positions made for it, the worked examples of the printed sheets, and numbers of other sources.

For missing pictures of the sheets, dice that fit the text are used.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import pytest

import engine
from engine.rules import climb


def choices(line: str) -> list[str]:
    """List the legal plays of a position as texts."""
    return [engine.play_text(play) for play in engine.plays(engine.parse_position(line))]


def runners(line: str, text: str) -> str:
    """Give the runners' field after the legal play that is written so."""
    position = engine.parse_position(line)
    (play,) = (play for play in engine.plays(position) if engine.play_text(play) == text)
    return engine.position_text(engine.after(position, play)).split()[3]


def stopped(line: str) -> str:
    """Give the position after a stop."""
    return engine.position_text(engine.after(engine.parse_position(line), engine.Stop()))


CHOICES = [
    # The second step of a double is forfeited if only one is left
    ("3 -/- 1 2:2 1-1-1-1", ["2+2: 2"]),
    # A runner on the top space cannot be used but the other sum can
    ("3 -/- 1 2:3 1-1-5-5", ["2+10: 10", "6+6"]),
    # With only one usable sum the pairing is a single choice
    ("3 -/7:13 1 - 3-4-6-6", ["7+12: 12", "9+10"]),
    # With no free runner only columns with runners move
    ("3 -/- 1 4:1,9:1,11:1 1-3-3-6", ["4+9"]),
    ("3 -/- 1 4:1,10:1,11:1 1-3-3-6", ["4+9: 4"]),
    # A player may choose a pairing with only one usable sum
    ("3 -/5:9 1 - 1-4-2-5", ["3+9", "5+7: 7", "6+6"]),
    # A double whose first step leaps onto the top forfeits the second
    ("3+leap -/2:2 1 2:1 1-1-1-1", ["2+2: 2"]),
    # No player, not even its winner, can enter a won column
    ("3 7:13/- 1 - 3-4-3-4", ["6+8"]),
    ("3 7:13/- 2 - 1-6-1-6", ["2+12"]),
    # Fast start counts a double as one new runner
    ("3 -/- 1 - 2-3-4-5", ["5+9", "6+8", "7+7"]),
    ("3+fast -/- 1 - 2-3-4-5", ["5+9", "6+8"]),
    # Fast start allows any choice once none brings in more runners
    ("3+fast -/- 1 5:1,7:1,9:1 2-3-4-5", ["5+9", "7+7"]),
    # Fast start also applies after the first roll
    ("3+fast -/- 1 7:1 2-3-4-5", ["5+9", "6+8"]),
    ("3+fast -/- 1 5:1,9:1 2-3-4-5", ["6+8: 6", "6+8: 8", "7+7"]),
    # Strict fast start demands as many different runners as can move
    ("3+strict -/- 1 5:1,7:1,9:1 2-3-4-5", ["5+9"]),
    # Strict fast start prefers a new runner plus an old one to a new one only
    ("3+fast -/- 1 5:1,8:1 2-3-4-5", ["5+9", "6+8", "7+7"]),
    ("3+strict -/- 1 5:1,8:1 2-3-4-5", ["5+9", "6+8"]),
    # Strict fast start prefers bringing in a runner to moving many
    ("3+strict -/- 1 2:1,9:1 1-1-3-6", ["4+7: 4", "4+7: 7"]),
    # Fast start and leap work together
    ("3+fast+leap -/5:1 1 - 2-3-4-5", ["5+9", "6+8"]),
    # Printed examples
    ("3 -/- 1 8:1,9:1 1-4-5-6", ["5+11: 5", "5+11: 11", "6+10: 6", "6+10: 10", "7+9"]),
    ("3 -/- 1 6:1,8:1 1-1-5-6", ["2+11: 2", "2+11: 11", "6+7"]),
    ("3+fast 6:11/- 1 - 1-1-4-5", ["2+9"]),
    ("3+fast 6:11/- 1 2:1,9:1 1-1-3-6", ["4+7: 4", "4+7: 7"]),
    ("3 -/- 1 5:1,7:1,10:1 1-3-3-5", []),
    ("4 7:13,8:11/9:9 1 - 3-4-4-5", []),
]
"""Positions, and the plays that they allow."""
MOVES = [
    # A new runner starts above the player's own marker
    ("3 6:4/6:9 1 - 1-5-6-6", "6+12", "6:5,12:1"),
    # Another player's marker does not matter without leap
    ("3 -/6:1 1 - 1-5-6-6", "6+12", "6:1,12:1"),
    # The second step of a double is forfeited if only one is left
    ("3 -/- 1 2:2 1-1-1-1", "2+2: 2", "2:3"),
    # A runner brought in just below the top forfeits the second step
    ("3 2:2/- 1 - 1-1-1-1", "2+2: 2", "2:3"),
    # A double that ends exactly on the top uses both steps
    ("3 2:1/- 1 - 1-1-1-1", "2+2", "2:3"),
    # A runner that comes in leaps over a marker
    ("3+leap -/6:1 1 - 1-5-6-6", "6+12", "6:2,12:1"),
    # A step leaps over several markers
    ("3+leap 6:3/6:4/6:5 1 - 1-5-6-6", "6+12", "6:6,12:1"),
    # Each step of a double leaps separately
    ("3+leap -/6:2/6:4 1 6:1 3-3-3-3", "6+6", "6:5"),
    ("3+leap -/6:3 1 6:1 3-3-3-3", "6+6", "6:4"),
    # A leap can end on the top space
    ("3+leap -/2:2 1 2:1 1-1-6-6", "2+12", "2:3,12:1"),
    # A double whose first step leaps onto the top forfeits the second
    ("3+leap -/2:2 1 2:1 1-1-1-1", "2+2: 2", "2:3"),
    # A runner starts above the player's own marker and never leaps over it
    ("3+leap 6:3/6:1 1 - 1-5-6-6", "6+12", "6:4,12:1"),
    # Fast start and leap work together
    ("3+fast+leap -/5:1 1 - 2-3-4-5", "5+9", "5:2,9:1"),
    # Printed examples
    ("3 -/- 1 - 2-3-4-5", "5+9", "5:1,9:1"),
    ("3 -/- 1 - 2-3-4-5", "6+8", "6:1,8:1"),
    ("3 -/- 1 - 2-3-4-5", "7+7", "7:2"),
    ("3 -/- 1 8:1,9:1 1-4-5-6", "7+9", "7:1,8:1,9:2"),
    ("3 -/- 1 8:1,9:1 1-4-5-6", "6+10: 6", "6:1,8:1,9:1"),
    ("3 -/- 1 8:1,9:1 1-4-5-6", "6+10: 10", "8:1,9:1,10:1"),
    ("3 -/- 1 8:1,9:1 3-4-5-6", "9+9", "8:1,9:3"),
    ("3 -/- 1 6:1,8:1 1-1-5-6", "6+7", "6:2,7:1,8:1"),
    ("3 -/- 1 6:1 1-2-4-5", "6+6", "6:3"),
]
"""Positions, a play, and the runners after it."""
STOPS = [
    # Turns pass from each player to the next and from the last to the first
    ("3 -/-/- 1 7:1 -", "3 7:1/-/- 2 - -"),
    ("3 -/-/- 2 7:1 -", "3 -/7:1/- 3 - -"),
    ("3 -/-/- 3 7:1 -", "3 -/-/7:1 1 - -"),
    ("3 -/-/-/- 4 7:1 -", "3 -/-/-/7:1 1 - -"),
    # A won column sends the others markers back
    ("3 7:5/7:12,8:1/7:1 1 7:13 -", "3 7:13/8:1/- 2 - -"),
    # Without the variant stopping on a marker is allowed
    ("3 -/7:2 1 7:2 -", "3 7:2/7:2 2 - -"),
]
"""Positions, and those after a stop."""


def test_the_rules_allow_these_plays_and_no_others():
    assert [(line, choices(line)) for line, _ in CHOICES] == CHOICES


def test_a_play_moves_the_runners_as_the_rules_say():
    assert [(line, play, runners(line, play)) for line, play, _ in MOVES] == MOVES


def test_a_stop_moves_the_markers_as_the_rules_say():
    assert [(line, stopped(line)) for line, _ in STOPS] == STOPS


PAIRINGS = {
    (1, 3, 5, 6): {(4, 11), (6, 9), (7, 8)}, (2, 3, 3, 4): {(5, 7), (6, 6)}, (2, 4, 5, 6): {(6, 11), (7, 10), (8, 9)},
    (1, 3, 3, 5): {(4, 8), (6, 6)}, (2, 2, 4, 4): {(4, 8), (6, 6)}, (2, 3, 4, 5): {(5, 9), (6, 8), (7, 7)},
}  # fmt: skip


def test_a_roll_makes_the_pairings_that_the_sheets_print():
    assert {roll: set(engine.pairings(roll)) for roll in PAIRINGS} == PAIRINGS


@pytest.mark.parametrize(
    ("begins", "turn", "stops", "ends"),
    [
        ("3 -/- 1 - -", ["3-3-5-6 8+9", "4-4-5-5 9+9", "1-3-5-6 7+8"], False, "3 -/- 1 7:1,8:2,9:3 -"),
        (
            "3 7:2,9:1/9:6 1 - -",
            ["1-3-3-6 4+9", "1-3-3-4 4+7", *["3-4-4-5 7+9"] * 3, "1-1-3-6 2+9: 9"],
            True,
            "3 4:2,7:6,9:6/9:6 2 - -",
        ),
    ],
)
def test_a_turn_ends_as_the_sheets_print(begins, turn, stops, ends):
    game = engine.Game(("yellow", "green"), (), (engine.parse_position(begins),))
    for roll, text in (line.split(" ", 1) for line in turn):
        game = game.do(engine.Rolled(engine.parse_roll(roll)))
        game = game.do(next(play for play in game.plays() if engine.play_text(play) == text))
    assert engine.position_text((game.do(engine.Stop()) if stops else game).position) == ends


ORDERED = [engine.roll_of(dice) for dice in product(range(1, 7), repeat=4)]
"""The 1,296 ordered rolls, each as its multiset."""


@pytest.mark.parametrize(("column", "count"), [(2, 171), (7, 834), (12, 171)])
def test_a_sum_can_be_formed_in_as_many_rolls_as_franjos_prints(column, count):
    assert sum(any(column in pairing for pairing in engine.pairings(roll)) for roll in ORDERED) == count


@pytest.mark.parametrize(("runners", "count"), [("6:1,7:1,8:1", 1192), ("2:1,3:1,12:1", 568)])
def test_the_number_of_rolls_that_move_a_runner_is_the_golden_one(runners, count):
    position = engine.parse_position(f"3 -/- 1 {runners} -")
    assert sum(not engine.is_bust(position.with_roll(roll)) for roll in ORDERED) == count


def test_126_rolls_have_one_pairing_810_have_two_and_360_have_three():
    assert len(engine.all_rolls()) == len(set(engine.all_rolls())) == len(set(ORDERED)) == 126
    assert Counter(len(engine.pairings(roll)) for roll in ORDERED) == {1: 126, 2: 810, 3: 360}


@cache
def leaves(position: engine.Position, depth: int) -> int:
    """Count the leaves of the tree of choices in one turn; each of the 126 rolls counts once, a bust as one leaf."""
    if not depth:
        return 1
    rolled = (engine.after(position, engine.Rolled(roll)) for roll in engine.all_rolls())
    return sum(sum(leaves(engine.after(each, play), depth - 1) for play in engine.plays(each)) or 1 for each in rolled)


@pytest.mark.parametrize(
    ("rules", "first", "second"), [("3", 231, 76_995), ("3+fast", 203, 68_154), ("3+strict", 203, 49_080)]
)
def test_the_tree_of_choices_has_the_golden_number_of_leaves(rules, first, second):
    start = engine.parse_position(f"{rules} -/- 1 - -")
    assert (leaves(start, 1), leaves(start, 2)) == (first, second)


def test_a_climb_begins_above_the_players_own_marker_and_ends_on_the_top_space():
    assert climb(engine.parse_position("3 4:5/4:6 1 - -"), 4) == (6, 7)
    assert climb(engine.parse_position("3 7:13/- 1 - -"), 7) == ()
    assert climb(engine.parse_position("3+leap 4:3/4:4 1 - -"), 4) == (5, 6, 7)


def test_a_bust_can_come_before_three_runners_are_placed():
    position = engine.parse_position("3 7:13/- 2 2:3 1-1-1-1")
    assert engine.is_bust(position)
    assert position.free_runners == 2
    assert not engine.is_bust(engine.parse_position("3 -/- 1 - -")), "without a roll"


BUSTS = [
    ("3 7:3/9:2 1 5:1,7:6,10:1 1-1-1-1", "3 7:3/9:2 2 - -"),
    ("3 2:3,12:3/- 1 7:13 1-1-6-6", "3 2:3,12:3/- 2 - -"),  # the third column
    ("3+no-stop -/7:2 1 7:2,8:1,9:1 1-1-1-1", "3+no-stop -/7:2 2 - -"),  # where no stop is allowed
]


def test_a_bust_removes_the_runners_and_leaves_every_marker():
    assert [
        (line, engine.position_text(engine.after(engine.parse_position(line), engine.Bust()))) for line, _ in BUSTS
    ] == BUSTS


def test_a_runner_on_the_top_alone_does_not_win_the_column():
    position = engine.parse_position("3 -/7:4 1 7:13 -")
    assert position.owners[7] is None
    moved_on = engine.after(engine.after(position, engine.Rolled((1, 1, 6, 6))), engine.Play((2, 12), (2, 12)))
    assert engine.position_text(moved_on) == "3 -/7:4 1 2:1,7:13,12:1 -"


def test_after_the_winning_stop_it_is_still_the_winners_turn_and_nothing_is_legal():
    before = engine.parse_position("3 2:3,12:3/- 1 7:13 -")
    assert (before.winner, engine.stop_wins(before)) == (None, True)
    assert engine.after(engine.parse_position("3 -/- 1 2:3,7:13,12:3 -"), engine.Stop()).won(0) == (2, 7, 12), (
        "several at once"
    )
    won = engine.after(before, engine.Stop())
    assert (won.winner, won.turn) == (0, 0)
    assert not engine.may_roll(won)
    assert engine.why_no_stop(won) == "the game is over"
    assert engine.plays(won) == ()


@pytest.mark.parametrize(("players", "columns"), [(2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (4, 3)])
def test_the_agreed_number_of_columns_wins_and_one_fewer_does_not(players, columns):
    owned = ",".join(("2:3", "3:5", "4:7", "5:9")[: columns - 1])
    fewer = ",".join(("2:3", "3:5", "4:7", "5:9")[: columns - 2])
    rest = "/-" * (players - 1)
    assert engine.after(engine.parse_position(f"{columns} {owned}{rest} 1 12:3 -"), engine.Stop()).winner == 0
    assert not engine.stop_wins(engine.parse_position(f"{columns} {fewer or '-'}{rest} 1 12:3 -"))
    assert engine.after(engine.parse_position(f"{columns} {fewer or '-'}{rest} 1 12:3 -"), engine.Stop()).winner is None


def test_a_solo_player_has_every_turn_and_wins_with_three_columns():
    game = engine.Game.new(["yellow"]).do(engine.Rolled((1, 1, 1, 1))).do(engine.Play((2, 2), (2, 2))).do(engine.Stop())
    assert game.player == "yellow"
    set_to = engine.SetTo(engine.parse_position("3 2:3,12:3 1 7:13 -"))
    assert game.do(set_to).do(engine.Stop()).winner == "yellow"


def test_no_stop_on_a_marker_forbids_stopping_on_another_players_marker():
    position = engine.parse_position("3+no-stop -/7:2 1 7:2 -")
    assert engine.why_no_stop(position) == "the runner in column 7 stands on another player's marker"
    assert engine.may_roll(position)
    assert not engine.may_stop(engine.parse_position("3+no-stop -/-/7:2 1 6:1,7:2,8:1 -"))  # one of three is enough
    assert engine.may_stop(engine.parse_position("3+no-stop -/7:2 1 7:3 -"))


def test_the_highest_die_begins_and_ties_for_the_highest_roll_again():
    assert engine.RollOff((0, 1, 2)).rolled(3).rolled(6).rolled(5).beginner == 1
    assert engine.RollOff((0, 1, 2)).rolled(2).rolled(2).rolled(3).beginner == 2, (
        "a tie below the highest does not matter"
    )
    tied = engine.RollOff((0, 1, 2)).rolled(5).rolled(2).rolled(5)
    assert tied == engine.RollOff((0, 2))
    assert tied.rolled(1).rolled(4).beginner == 2


def test_the_roll_off_names_the_player_who_rolls_next():
    assert engine.RollOff((0, 1, 2)).rolled(2).to_roll == 1
    assert engine.RollOff((0, 1)).rolled(4).rolled(4).rolled(2).rolled(2) == engine.RollOff((0, 1))  # a tie can repeat
    assert engine.RollOff((0, 1)).rolled(2).rolled(1).to_roll is None


def test_runner_moves_name_each_runners_new_space():
    position = engine.parse_position("3 4:1/- 1 9:8 1-3-4-5")
    assert engine.runner_moves(position, engine.Play((4, 9), (4, 9))) == (
        engine.RunnerMove(4, 2, brought_in=True, top=False),
        engine.RunnerMove(9, 9, brought_in=False, top=True),
    )


def test_marker_moves_name_the_markers_that_move_and_those_sent_back():
    assert engine.marker_moves(engine.parse_position("3 4:1,9:3/9:1/4:2,9:8 1 4:2,9:9 -")) == (
        engine.MarkerMove(4, 2, old=1, won=False, sent_back=()),
        engine.MarkerMove(9, 9, old=3, won=True, sent_back=(1, 2)),
    )
