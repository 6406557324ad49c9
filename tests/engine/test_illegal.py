"""Illegal actions raise and nothing happens: the game is the same afterwards, in every part."""

from __future__ import annotations

import inspect

import pytest

import engine
from engine import (
    BadPlayers,
    BadPosition,
    BadRoll,
    BadText,
    BadVariants,
    Bust,
    Corrected,
    EngineError,
    Game,
    IllegalAction,
    Play,
    Position,
    Rolled,
    RollOff,
    SetTo,
    Stop,
    Variants,
    action_text,
    odds,
    opponents,
    pairings,
    parse_action,
    parse_play,
    parse_position,
    parse_roll,
    parse_transcript,
    position_text,
)
from engine.board import EMPTY, with_piece
from engine.opponents.levels import UnknownLevelError

FRESH = "3 -/- 1 - -"
WON = "3 2:3,7:13,12:3/- 1 - -"


def game_at(line: str) -> Game:
    """Return a game at this position."""
    position = parse_position(line)
    return Game(("yellow", "green", "blue", "red")[: position.players], (), (position,))


def refuses(game: Game, action, reason: str, kind: type[ValueError] = IllegalAction) -> None:
    """Assert that the action raises for this reason, and that every part of the game is as before."""
    before = (game.names, game.steps, game.positions, position_text(game.position), game.player, game.winner)
    with pytest.raises(kind, match=reason):
        game.do(action)
    assert (game.names, game.steps, game.positions, position_text(game.position), game.player, game.winner) == before


def test_every_function_that_takes_a_position_refuses_what_is_none():
    asked = [
        function
        for package in (engine, odds, opponents)
        for name in package.__all__
        if inspect.isfunction(function := getattr(package, name))
        and [each.annotation for each in inspect.signature(function).parameters.values()][:1] == ["Position"]
    ]
    assert {engine.is_bust, engine.plays, engine.may_stop, engine.stop_wins, odds.odds_of} <= set(asked)
    failures = []
    for function in asked:
        others = [None] * (len(inspect.signature(function).parameters) - 1)
        for wrong in (FRESH, None, 5, Game.new(["a", "b"])):
            try:
                function(wrong, *others)
            except BadPosition as error:
                if "is not a Position; parse_position makes one from a text" in str(error):
                    continue
            except Exception as error:
                failures.append((function.__name__, wrong, repr(error)))
                continue
            failures.append((function.__name__, wrong, "accepted"))
    assert failures == []


def test_stopping_before_rolling_is_illegal():
    refuses(game_at(FRESH), Stop(), "nothing has been rolled this turn yet")


def test_stopping_before_rolling_is_illegal_in_a_later_turn_too():
    game = Game.new(["a", "b"]).do(Rolled((1, 1, 1, 1))).do(Play((2, 2), (2, 2))).do(Stop())
    refuses(game, Stop(), "nothing has been rolled this turn yet")


def test_stopping_before_using_the_roll_is_illegal():
    refuses(game_at("3 -/- 1 7:1 1-1-6-6"), Stop(), "the roll must be used first")


def test_a_roll_cannot_be_used_twice():
    play = Play((7, 7), (7, 7))
    game = Game.new(["a", "b"]).do(Rolled((3, 3, 4, 4))).do(play)
    refuses(game, play, "no roll to use")


def test_rolling_again_before_using_the_roll_is_illegal():
    refuses(game_at("3 -/- 1 - 1-1-6-6"), Rolled((1, 2, 3, 4)), "use that roll first")


def test_rolling_again_instead_of_going_bust_is_illegal():
    refuses(game_at("3 -/- 1 7:1,8:1,9:1 1-1-1-1"), Rolled((3, 3, 4, 4)), "use that roll first")


def test_a_player_who_is_bust_cannot_stop():
    refuses(game_at("3 -/- 1 7:1,8:1,9:1 1-1-1-1"), Stop(), "the roll must be used first")


def test_after_a_bust_there_is_nothing_to_stop_for():
    game = game_at("3 -/- 1 7:1,8:1,9:1 1-1-1-1").do(Bust())
    refuses(game, Stop(), "nothing has been rolled this turn yet")


def test_a_bust_is_illegal_while_any_play_is_legal():
    refuses(game_at("3 -/- 1 7:1,8:1,9:1 1-1-6-1"), Bust(), r"no bust: 2\+7 can be used")


def test_a_bust_without_a_roll_is_illegal():
    refuses(game_at("3 -/- 1 7:1 -"), Bust(), "no bust without a roll")


def test_a_bust_cannot_happen_twice():
    game = game_at("3 -/- 1 7:1,8:1,9:1 1-1-1-1").do(Bust())
    refuses(game, Bust(), "no bust without a roll")


def test_a_runner_on_the_top_space_does_not_move():
    game = game_at("3 -/- 1 2:3 1-1-5-5")
    refuses(game, Play((2, 10), (2, 10)), "the runner in column 2 is already on the top space")
    refuses(game, Play((2, 10), (2,)), "the runner in column 2 is already on the top space")


def test_a_won_column_cannot_be_used():
    refuses(game_at("3 7:13/- 1 - 3-4-6-6"), Play((7, 12), (7, 12)), "column 7 is won")
    refuses(game_at("3 7:13/- 2 - 3-4-6-6"), Play((7, 12), (7,)), "column 7 is won")


def test_the_pairing_must_be_one_of_the_roll():
    refuses(game_at("3 -/- 1 - 1-3-5-6"), Play((5, 10), (5, 10)), r"1-3-5-6 does not make 5\+10, but 4\+11, 6\+9, 7\+8")


def test_sums_from_two_different_pairings_are_not_a_pairing():
    refuses(game_at("3 -/- 1 - 1-3-5-6"), Play((4, 9), (4, 9)), "does not make")


@pytest.mark.parametrize("columns", [(6,), (9,), (), (6, 6), (9, 6), (6, 9, 9), (7, 8)])
def test_every_usable_sum_of_the_pairing_must_be_used_and_no_other(columns):
    refuses(game_at("3 -/- 1 - 1-3-5-6"), Play((6, 9), columns), "every usable sum must be used")


def test_both_steps_of_a_double_must_be_made_if_possible():
    refuses(game_at("3 -/- 1 - 3-3-4-4"), Play((7, 7), (7,)), "every usable sum must be used")


def test_a_double_does_not_step_beyond_the_top():
    refuses(game_at("3 -/- 1 2:2 1-1-1-1"), Play((2, 2), (2, 2)), "cannot move 2 and 2")


def test_one_free_runner_cannot_come_in_twice():
    refuses(game_at("3 -/- 1 8:1,9:1 1-4-5-6"), Play((6, 10), (6, 10)), "with the runners that are free")


def test_a_fourth_runner_cannot_come_in():
    refuses(game_at("3 -/- 1 7:1,8:1,9:1 1-1-1-6"), Play((2, 7), (2, 7)), "with the runners that are free")


@pytest.mark.parametrize("word", ["fast", "strict"])
def test_fast_start_forbids_plays_that_bring_in_fewer_runners(word):
    refuses(game_at(f"3+{word} -/- 1 - 2-3-4-5"), Play((7, 7), (7, 7)), r"fast start.* forbids 7\+7")


def test_strict_fast_start_forbids_plays_that_move_fewer_runners():
    refuses(game_at("3+strict -/- 1 5:1,7:1,9:1 2-3-4-5"), Play((7, 7), (7, 7)), "fast start strict forbids")


def test_stopping_on_a_marker_is_illegal_in_that_variant():
    refuses(game_at("3+no-stop -/7:2 1 7:2 -"), Stop(), "stands on another player's marker")


def test_rolling_after_the_end_is_illegal():
    refuses(game_at(WON), Rolled((1, 2, 3, 4)), "the game is over")


def test_stopping_after_the_end_is_illegal():
    refuses(game_at(WON), Stop(), "the game is over")


def test_playing_after_the_end_is_illegal():
    refuses(game_at(WON), Play((6, 9), (6, 9)), "no roll to use")


def test_a_bust_after_the_end_is_illegal():
    refuses(game_at(WON), Bust(), "no bust without a roll")


def test_dice_cannot_be_corrected_before_the_roll():
    refuses(game_at(FRESH), Corrected((1, 2, 3, 4)), "there is no roll to correct")


def test_a_roll_cannot_be_corrected_once_it_is_used():
    game = Game.new(["a", "b"]).do(Rolled((3, 3, 4, 4))).do(Play((7, 7), (7, 7)))
    refuses(game, Corrected((3, 3, 4, 5)), "there is no roll to correct")


@pytest.mark.parametrize("dice", [(1, 2, 3), (1, 2, 3, 4, 5), (0, 1, 2, 3), (1, 2, 3, 7)])
@pytest.mark.parametrize("kind", [Rolled, Corrected])
def test_a_roll_needs_four_dice_of_1_to_6(kind, dice):
    with pytest.raises(ValueError, match=r"four dice|1 to 6"):
        kind(dice)


@pytest.mark.parametrize("steps", [3, 100, -1])
def test_undo_cannot_go_beyond_the_start_of_the_game(steps):
    game = Game.new(["a", "b"]).do(Rolled((3, 3, 4, 4))).do(Play((7, 7), (7, 7)))
    before = (game.steps, game.positions)
    with pytest.raises(IllegalAction, match=f"cannot undo {steps} steps of 2"):
        game.undo(steps)
    assert (game.steps, game.positions) == before


def test_setting_the_board_changes_neither_variants_nor_the_number_of_players():
    game = game_at(FRESH)
    for line in ("4 -/- 1 - -", "3+leap -/- 1 - -", "3 -/-/- 1 - -", "3 - 1 - -"):
        refuses(game, SetTo(parse_position(line)), "changes neither")


def test_setting_an_impossible_board_is_refused():
    runners = with_piece(EMPTY, 7, 4)
    crowded = Position(Variants(), (with_piece(EMPTY, 7, 13), EMPTY), 0, runners)
    refuses(game_at(FRESH), SetTo(crowded), "it can hold no runner", BadPosition)


@pytest.mark.parametrize("thing", ["stop", Stop, Bust, Rolled, (7, 7), ((6, 9), (6, 9)), None, 7, [Stop()]])
def test_anything_but_an_action_is_refused(thing):
    refuses(game_at("3 -/- 1 - 1-3-5-6"), thing, "is not an action")
    with pytest.raises(IllegalAction, match="is not a step of a game"):
        action_text(thing)


@pytest.mark.parametrize(
    "play", [Play(7, 7), Play("6+9", "6"), Play((6, 9), None), Play((6, "9"), (6,)), Play(None, ())]
)
def test_a_play_with_anything_but_columns_is_refused(play):
    refuses(game_at("3 -/- 1 - 1-3-5-6"), play, "a play has a pairing of two sums")


@pytest.mark.parametrize("position", ["3 -/- 1 - -", None, Position])
def test_only_a_position_can_be_set(position):
    with pytest.raises(BadPosition, match="a position is set by hand, not"):
        SetTo(position)


@pytest.mark.parametrize("die", [0, 7, True, "3", 3.0, None])
def test_a_roll_off_refuses_an_invalid_die(die):
    with pytest.raises(BadRoll, match="a die shows 1 to 6, not"):
        RollOff((0, 1)).rolled(die)


@pytest.mark.parametrize("contenders", [(), (0, 0), (-1, 0), ("a", "b"), (True, 2), [0, 1], None])
def test_the_players_of_a_roll_off_must_be_different(contenders):
    with pytest.raises(EngineError, match="contenders are different players' numbers"):
        RollOff(contenders)


@pytest.mark.parametrize("dice", [(7,), (0,), (True,), ("3",), (3, 4), [3], None])
def test_an_open_roll_off_has_fewer_dice_than_contenders(dice):
    with pytest.raises(BadRoll, match="a round's dice show 1 to 6"):
        RollOff((0, 1), dice)


@pytest.mark.parametrize("roll", [(9, 9, 9, 9), (1, 2, 3), ("1", "2", "3", "4"), 7])
def test_pairings_of_an_invalid_roll_are_refused(roll):
    with pytest.raises(BadRoll, match=r"four dice|1 to 6"):
        pairings(roll)


@pytest.mark.parametrize("steps", ["1", 1.0, None, True])
def test_undo_refuses_an_invalid_number_of_steps(steps):
    with pytest.raises(IllegalAction, match="cannot undo"):
        Game.new(["a", "b"]).undo(steps)


@pytest.mark.parametrize(
    ("read", "what"),
    [
        (parse_roll, "a roll"),
        (lambda text: parse_play(text, ()), "a play"),
        (parse_position, "a position"),
        (parse_action, "a step"),
        (parse_transcript, "a transcript"),
    ],
)
@pytest.mark.parametrize("text", [None, 7, b"1-3-5-6", ["1-3-5-6"]])
def test_anything_but_text_is_not_parsed(read, what, text):
    with pytest.raises(BadText, match=f"{what} is read from a text, not"):
        read(text)


def test_every_refusal_is_an_engine_error():
    for kind in (IllegalAction, BadPlayers, BadPosition, BadRoll, BadText, BadVariants, UnknownLevelError):
        assert issubclass(kind, EngineError)
        assert issubclass(kind, ValueError)


@pytest.mark.parametrize(
    "names",
    [
        ["a", "a"],
        ["a", ""],
        ["a", "b, c"],
        ["a", "#b"],
        ["a", " b"],
        ["a", "b\nturn 1: a"],
        ["a", "b\x85"],
        ["a", "b" * 101],
        ["a", 7],
        ["a", None],
    ],
)
def test_a_name_that_a_transcript_cannot_hold_is_refused(names):
    with pytest.raises(BadPlayers, match=r"different names|cannot be called") as caught:
        Game.new(names)
    assert caught.value.what == "names"
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("names", ["ab", None, 2, {"a", "b"}])
def test_names_that_are_not_a_list_are_refused(names):
    with pytest.raises(BadPlayers, match="the names are a list of texts, not"):
        Game.new(names)


@pytest.mark.parametrize(
    ("texts", "what"),
    [
        ({"colours": ["red"]}, "colours"),
        ({"colours": ["red", "red"]}, "colours"),
        ({"colours": ["red", ""]}, "colours"),
        ({"levels": ["strongest"]}, "levels"),
        ({"levels": ["a, b", ""]}, "levels"),
    ],
)
def test_invalid_colours_and_levels_are_refused_and_named(texts, what):
    with pytest.raises(BadPlayers) as caught:
        Game.new(["a", "b"], **texts)
    assert caught.value.what == what


def test_only_a_player_can_begin():
    for begins in (-1, 2):
        with pytest.raises(BadPosition, match="nobody's turn"):
            Game.new(["a", "b"], begins=begins)
