"""Each rule and variant in positions made for it."""

from __future__ import annotations

import pytest

from engine import (
    BadVariants,
    Bust,
    FastStart,
    Game,
    IllegalAction,
    MarkerMove,
    Play,
    Position,
    Rolled,
    RollOff,
    RunnerMove,
    SetTo,
    Stop,
    Variants,
    after,
    is_bust,
    marker_moves,
    may_roll,
    may_stop,
    parse_position,
    play_text,
    plays,
    position_text,
    runner_moves,
    stop_wins,
    why_no_stop,
)
from engine.rules import climb


def choices(line: str) -> list[str]:
    """List the legal plays of a position as texts."""
    return [play_text(play) for play in plays(parse_position(line))]


def runners(line: str, text: str) -> str:
    """Give the runners' field after the legal play that is written so."""
    position = parse_position(line)
    (play,) = (play for play in plays(position) if play_text(play) == text)
    return position_text(after(position, play)).split()[3]


def stopped(line: str) -> str:
    """Give the position after a stop."""
    return position_text(after(parse_position(line), Stop()))


# --- moving runners


def test_a_new_runner_starts_above_the_players_own_marker():
    assert runners("3 6:4/6:9 1 - 1-5-6-6", "6+12") == "6:5,12:1"


def test_another_players_marker_does_not_matter_without_leap():
    assert runners("3 -/6:1 1 - 1-5-6-6", "6+12") == "6:1,12:1"


def test_the_second_step_of_a_double_is_forfeited_if_only_one_is_left():
    line = "3 -/- 1 2:2 1-1-1-1"
    assert choices(line) == ["2+2: 2"]
    assert runners(line, "2+2: 2") == "2:3"


def test_a_runner_brought_in_just_below_the_top_forfeits_the_second_step():
    assert runners("3 2:2/- 1 - 1-1-1-1", "2+2: 2") == "2:3"


def test_a_double_that_ends_exactly_on_the_top_uses_both_steps():
    assert runners("3 2:1/- 1 - 1-1-1-1", "2+2") == "2:3"


def test_a_climb_begins_above_the_players_own_marker_and_ends_on_the_top_space():
    assert climb(parse_position("3 4:5/4:6 1 - -"), 4) == (6, 7)
    assert climb(parse_position("3 7:13/- 1 - -"), 7) == ()


def test_a_climb_leaps_over_markers():
    assert climb(parse_position("3+leap 4:3/4:4 1 - -"), 4) == (5, 6, 7)


def test_a_runner_on_the_top_space_cannot_be_used_but_the_other_sum_can():
    assert choices("3 -/- 1 2:3 1-1-5-5") == ["2+10: 10", "6+6"]


def test_with_only_one_usable_sum_the_pairing_is_a_single_choice():
    assert choices("3 -/7:13 1 - 3-4-6-6") == ["7+12: 12", "9+10"]


def test_with_no_free_runner_only_columns_with_runners_move():
    assert choices("3 -/- 1 4:1,9:1,11:1 1-3-3-6") == ["4+9"]
    assert choices("3 -/- 1 4:1,10:1,11:1 1-3-3-6") == ["4+9: 4"]


def test_a_player_may_choose_a_pairing_with_only_one_usable_sum():
    assert choices("3 -/5:9 1 - 1-4-2-5") == ["3+9", "5+7: 7", "6+6"]


def test_a_bust_can_come_before_three_runners_are_placed():
    position = parse_position("3 7:13/- 2 2:3 1-1-1-1")
    assert is_bust(position)
    assert position.free_runners == 2


def test_it_is_no_bust_with_a_play_or_without_a_roll():
    assert not is_bust(parse_position("3 -/- 1 - 1-1-1-1"))
    assert not is_bust(parse_position("3 -/- 1 - -"))


def test_a_bust_removes_the_runners_and_leaves_every_marker():
    assert position_text(after(parse_position("3 7:3/9:2 1 5:1,7:6,10:1 1-1-1-1"), Bust())) == "3 7:3/9:2 2 - -"


def test_turns_pass_from_each_player_to_the_next_and_from_the_last_to_the_first():
    assert stopped("3 -/-/- 1 7:1 -") == "3 7:1/-/- 2 - -"
    assert stopped("3 -/-/- 2 7:1 -") == "3 -/7:1/- 3 - -"
    assert stopped("3 -/-/- 3 7:1 -") == "3 -/-/7:1 1 - -"
    assert stopped("3 -/-/-/- 4 7:1 -") == "3 -/-/-/7:1 1 - -"


def test_after_a_choice_the_player_may_roll_or_stop():
    position = parse_position("3 -/- 1 7:1 -")
    assert may_roll(position)
    assert may_stop(position)


# --- winning columns and the game


def test_a_won_column_sends_the_others_markers_back():
    assert stopped("3 7:5/7:12,8:1/7:1 1 7:13 -") == "3 7:13/8:1/- 2 - -"


def test_a_runner_on_the_top_alone_does_not_win_the_column():
    position = parse_position("3 -/7:4 1 7:13 -")
    assert position.owners[7] is None
    moved_on = after(after(position, Rolled((1, 1, 6, 6))), Play((2, 12), (2, 12)))
    assert position_text(moved_on) == "3 -/7:4 1 2:1,7:13,12:1 -"


def test_no_player_not_even_its_winner_can_enter_a_won_column():
    for turn in (1, 2):
        assert choices(f"3 7:13/- {turn} - 3-4-3-4") == ["6+8"]
        assert choices(f"3 7:13/- {turn} - 1-6-1-6") == ["2+12"]


def test_the_game_is_won_by_stopping_with_the_third_column():
    position = parse_position("3 2:3,12:3/- 1 7:13 -")
    assert position.winner is None
    assert stop_wins(position)
    assert after(position, Stop()).winner == 0


def test_the_third_column_can_still_be_lost_to_a_bust():
    position = parse_position("3 2:3,12:3/- 1 7:13 1-1-6-6")
    assert is_bust(position)
    assert position_text(after(position, Bust())) == "3 2:3,12:3/- 2 - -"


def test_several_columns_can_be_won_with_one_stop():
    position = parse_position("3 -/- 1 2:3,7:13,12:3 -")
    assert after(position, Stop()).won(0) == (2, 7, 12)
    assert after(position, Stop()).winner == 0


def test_after_the_winning_stop_it_is_still_the_winners_turn_and_nothing_is_legal():
    won = after(parse_position("3 2:3,12:3/- 1 7:13 -"), Stop())
    assert won.turn == 0
    assert not may_roll(won)
    assert why_no_stop(won) == "the game is over"
    assert plays(won) == ()


@pytest.mark.parametrize(("players", "columns"), [(2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (4, 3)])
def test_the_agreed_number_of_columns_wins_and_one_fewer_does_not(players, columns):
    owned = ",".join(("2:3", "3:5", "4:7", "5:9")[: columns - 1])
    fewer = ",".join(("2:3", "3:5", "4:7", "5:9")[: columns - 2])
    rest = "/-" * (players - 1)
    assert after(parse_position(f"{columns} {owned}{rest} 1 12:3 -"), Stop()).winner == 0
    assert not stop_wins(parse_position(f"{columns} {fewer or '-'}{rest} 1 12:3 -"))
    assert after(parse_position(f"{columns} {fewer or '-'}{rest} 1 12:3 -"), Stop()).winner is None


@pytest.mark.parametrize(("players", "columns"), [(2, 2), (2, 6), (3, 5), (4, 4), (4, 5), (3, 2)])
def test_other_numbers_of_columns_are_refused(players, columns):
    with pytest.raises(BadVariants, match=f"columns win, not {columns}"):
        Position.start(players, Variants(columns_to_win=columns))


def test_a_solo_player_has_every_turn_and_wins_with_three_columns():
    game = Game.new(["yellow"]).do(Rolled((1, 1, 1, 1))).do(Play((2, 2), (2, 2))).do(Stop())
    assert game.player == "yellow"
    set_to = SetTo(parse_position("3 2:3,12:3 1 7:13 -"))
    assert game.do(set_to).do(Stop()).winner == "yellow"


# --- no stop on a marker


def test_no_stop_on_a_marker_forbids_stopping_on_another_players_marker():
    position = parse_position("3+no-stop -/7:2 1 7:2 -")
    assert why_no_stop(position) == "the runner in column 7 stands on another player's marker"
    assert may_roll(position)


def test_one_shared_space_is_enough_to_forbid_the_stop():
    assert not may_stop(parse_position("3+no-stop -/-/7:2 1 6:1,7:2,8:1 -"))


def test_the_stop_is_allowed_once_the_runner_has_moved_on():
    assert may_stop(parse_position("3+no-stop -/7:2 1 7:3 -"))


def test_without_the_variant_stopping_on_a_marker_is_allowed():
    assert stopped("3 -/7:2 1 7:2 -") == "3 7:2/7:2 2 - -"


def test_a_bust_still_ends_the_turn_if_no_stop_is_allowed():
    assert position_text(after(parse_position("3+no-stop -/7:2 1 7:2,8:1,9:1 1-1-1-1"), Bust())) == (
        "3+no-stop -/7:2 2 - -"
    )


# --- leap


def test_a_runner_that_comes_in_leaps_over_a_marker():
    assert runners("3+leap -/6:1 1 - 1-5-6-6", "6+12") == "6:2,12:1"


def test_a_step_leaps_over_several_markers():
    assert runners("3+leap 6:3/6:4/6:5 1 - 1-5-6-6", "6+12") == "6:6,12:1"


def test_each_step_of_a_double_leaps_separately():
    assert runners("3+leap -/6:2/6:4 1 6:1 3-3-3-3", "6+6") == "6:5"
    assert runners("3+leap -/6:3 1 6:1 3-3-3-3", "6+6") == "6:4"


def test_a_leap_can_end_on_the_top_space():
    assert runners("3+leap -/2:2 1 2:1 1-1-6-6", "2+12") == "2:3,12:1"


def test_a_double_whose_first_step_leaps_onto_the_top_forfeits_the_second():
    line = "3+leap -/2:2 1 2:1 1-1-1-1"
    assert choices(line) == ["2+2: 2"]
    assert runners(line, "2+2: 2") == "2:3"


def test_a_runner_starts_above_the_players_own_marker_and_never_leaps_over_it():
    assert runners("3+leap 6:3/6:1 1 - 1-5-6-6", "6+12") == "6:4,12:1"


def test_leap_and_no_stop_on_a_marker_exclude_each_other():
    with pytest.raises(BadVariants, match="cannot be combined"):
        Position.start(2, Variants(leap=True, no_stop_on_marker=True))


# --- fast start


def test_fast_start_counts_a_double_as_one_new_runner():
    assert choices("3 -/- 1 - 2-3-4-5") == ["5+9", "6+8", "7+7"]
    assert choices("3+fast -/- 1 - 2-3-4-5") == ["5+9", "6+8"]


def test_fast_start_allows_any_choice_once_none_brings_in_more_runners():
    assert choices("3+fast -/- 1 5:1,7:1,9:1 2-3-4-5") == ["5+9", "7+7"]


def test_fast_start_also_applies_after_the_first_roll():
    assert choices("3+fast -/- 1 7:1 2-3-4-5") == ["5+9", "6+8"]
    assert choices("3+fast -/- 1 5:1,9:1 2-3-4-5") == ["6+8: 6", "6+8: 8", "7+7"]


def test_strict_fast_start_demands_as_many_different_runners_as_can_move():
    assert choices("3+strict -/- 1 5:1,7:1,9:1 2-3-4-5") == ["5+9"]


def test_strict_fast_start_prefers_a_new_runner_plus_an_old_one_to_a_new_one_only():
    line = "-/- 1 5:1,8:1 2-3-4-5"
    assert choices(f"3+fast {line}") == ["5+9", "6+8", "7+7"]
    assert choices(f"3+strict {line}") == ["5+9", "6+8"]


def test_strict_fast_start_prefers_bringing_in_a_runner_to_moving_many():
    assert choices("3+strict -/- 1 2:1,9:1 1-1-3-6") == ["4+7: 4", "4+7: 7"]


@pytest.mark.parametrize("columns", [3, 4, 5])
@pytest.mark.parametrize("fast_start", FastStart)
@pytest.mark.parametrize("other", ["", "no stop on a marker", "leap"])
def test_every_other_combination_of_variants_can_be_played_by_two(columns, fast_start, other):
    variants = Variants.of(columns, [name for name in (fast_start.value, other) if name])
    assert Position.start(2, variants).problems() == ()
    assert Variants.of(variants.columns_to_win, list(variants.names)) == variants


def test_fast_start_and_leap_work_together():
    assert choices("3+fast+leap -/5:1 1 - 2-3-4-5") == ["5+9", "6+8"]
    assert runners("3+fast+leap -/5:1 1 - 2-3-4-5", "5+9") == "5:2,9:1"


@pytest.mark.parametrize("names", [["jump"], ["leap", "leap"], ["fast start", "fast start strict"]])
def test_variants_that_are_unknown_or_named_twice_are_refused(names):
    with pytest.raises(BadVariants):
        Variants.of(3, names)


# --- who begins


def test_the_highest_die_begins():
    assert RollOff((0, 1, 2)).rolled(3).rolled(6).rolled(5).beginner == 1


def test_ties_for_the_highest_roll_again():
    tied = RollOff((0, 1, 2)).rolled(5).rolled(2).rolled(5)
    assert tied == RollOff((0, 2))
    assert tied.rolled(1).rolled(4).beginner == 2


def test_a_tie_can_repeat():
    assert RollOff((0, 1)).rolled(4).rolled(4).rolled(2).rolled(2) == RollOff((0, 1))


def test_a_tie_below_the_highest_does_not_matter():
    assert RollOff((0, 1, 2)).rolled(2).rolled(2).rolled(3).beginner == 2


def test_the_roll_off_names_the_player_who_rolls_next():
    assert RollOff((0, 1, 2)).rolled(2).to_roll == 1
    assert RollOff((0, 1)).rolled(2).rolled(1).to_roll is None


def test_no_one_rolls_once_the_beginner_is_decided():
    with pytest.raises(IllegalAction, match="already decided"):
        RollOff((0, 1)).rolled(2).rolled(1).rolled(3)


def test_a_die_of_the_roll_off_must_show_1_to_6():
    with pytest.raises(ValueError, match="1 to 6"):
        RollOff((0, 1)).rolled(7)


def test_the_chosen_player_begins():
    assert Game.new(["a", "b", "c"], begins=2).player == "c"


# --- what to do on the real board


def test_runner_moves_name_each_runners_new_space():
    position = parse_position("3 4:1/- 1 9:8 1-3-4-5")
    assert runner_moves(position, Play((4, 9), (4, 9))) == (
        RunnerMove(4, 2, brought_in=True, top=False),
        RunnerMove(9, 9, brought_in=False, top=True),
    )


def test_a_double_is_one_runner_move():
    assert runner_moves(parse_position("3 -/- 1 - 3-3-3-3"), Play((6, 6), (6, 6))) == (
        RunnerMove(6, 2, brought_in=True, top=False),
    )


def test_marker_moves_name_the_markers_that_move_and_those_sent_back():
    assert marker_moves(parse_position("3 4:1,9:3/9:1/4:2,9:8 1 4:2,9:9 -")) == (
        MarkerMove(4, 2, old=1, won=False, sent_back=()),
        MarkerMove(9, 9, old=3, won=True, sent_back=(1, 2)),
    )


def test_a_game_lists_its_plays_and_says_whether_its_player_may_stop():
    game = Game.new(["a", "b"])
    assert (game.plays(), game.may_stop()) == ((), False)
    rolled = game.do(Rolled((3, 3, 5, 6)))
    assert (rolled.plays(), rolled.may_stop()) == ((Play((6, 11), (6, 11)), Play((8, 9), (8, 9))), False)
    moved = rolled.do(rolled.plays()[0])
    assert (moved.plays(), moved.may_stop()) == ((), True)
