"""One more game with the same players: its questions, who begins, and the score of the evening."""

from __future__ import annotations

import json

import pytest

from device.cli import parser, player_options
from device.referee.correcting import MENU
from device.referee.players import COLOURS
from device.referee.questions import CHANGE_PLAYERS, NEW_GAME, ONE_DIE_EACH, question_of
from device.referee.setup import answer_with
from device.referee.states import GameOver, NewGame, RollingOff, Situation, Waiting
from device.storage.journal import Journal
from device.storage.state_text import from_data, to_data
from engine import Game, SetTo, Stop, Variants, parse_position
from tests.device.helpers import HOLD_C, HOLD_STOP, STOP, A, B, C, Story, dice
from tools.sim.robot import next_action

NAMES = ("Anna", "Bob", "Cid", "Dora")
WON = {1: "3 7:13,8:11 1 12:3 -", 2: "3 7:13,8:11/- 1 12:3 -", 4: "3 7:13,8:11/-/-/- 1 12:3 -"}


def over(players: int = 2, levels: tuple[str, ...] = (), **settings) -> Story:
    """The first player has won a game that the first one began."""
    names = NAMES[:players]
    game = Game.new(names, colours=tuple(COLOURS)[:players], levels=levels)
    game = game.do(SetTo(parse_position(WON[players]))).do(Stop())
    return Story(Situation(GameOver(), game, 1, **settings))


def answered(story: Story, *answers: str) -> Story:
    for answer in answers:
        story.now = answer_with(story.now, story.state, answer)
    return story


@pytest.mark.parametrize("players", [2, 4])
def test_the_same_named_players_play_again_after_three_presses(players):
    story = over(players)
    first = story.now.played
    again = story.do(C, C, C).now.played
    assert (again.names, again.colours, again.position.variants) == (first.names, first.colours, Variants())
    assert (story.state, again.player, story.now.number) == (Waiting(), "Bob", 2)


def test_of_two_players_the_loser_is_suggested_and_of_more_the_one_after_the_last_beginner():
    game = over(2).now.played
    lost = Game.new(game.names, colours=game.colours, begins=1).do(SetTo(parse_position(WON[2]))).do(Stop())
    assert question_of(Story(Situation(GameOver(), lost, 1)).do(C, C).state).options == ("Bob", "Anna", ONE_DIE_EACH)
    started = Game.new(NAMES, begins=3).do(SetTo(parse_position(WON[4]))).do(Stop())
    options = question_of(Story(Situation(GameOver(), started, 1)).do(C, C).state).options
    assert options == ("Anna", "Bob", "Cid", "Dora", ONE_DIE_EACH)
    assert question_of(over(4).do(C, C).state).options[0] == "Bob"


def test_opponents_and_rules_stay_and_a_solo_game_asks_nothing():
    position = SetTo(parse_position("4+no-stop 7:13,8:11,2:3/- 1 12:3 -"))
    rules = Variants(4, no_stop_on_marker=True)
    game = Game.new(NAMES[:2], rules, colours=("red", "blue"), levels=("", "child")).do(position).do(Stop())
    again = Story(Situation(GameOver(), game, 1)).do(C, C, C).now.played
    assert (again.levels, again.position.variants, again.colours) == (("", "child"), rules, ("red", "blue"))
    alone = over(1).do(C, C, C)
    assert alone.state == Waiting()
    assert alone.now.played.names == ("Anna",)


def test_other_players_keep_the_rules_unless_they_cannot_play_them():
    five = Game.new(NAMES[:2], Variants(5, leap=True)).do(SetTo(parse_position("5+leap 7:13,8:11,2:3,3:5/- 1 12:3 -")))
    story = Story(Situation(GameOver(), five.do(Stop()), 1)).do(C)
    other = Story(answered(Story(story.now), CHANGE_PLAYERS, "2", "yellow", "green").now)
    assert question_of(other.state).topic == "youngest"
    assert answered(other, "green").now.played.position.variants == Variants(5, leap=True)
    answered(story, CHANGE_PLAYERS, "4", *tuple(COLOURS)[:4])
    assert question_of(story.state).topic == "rules"


def test_the_question_comes_after_a_game_that_was_left_and_not_before_the_first_game():
    assert question_of(Story().do(C).state).topic == "players"
    left = Story.at("3 7:3/- 1 - -").do(HOLD_STOP, *[B] * MENU.index("new game"), C, A)
    assert question_of(left.state).topic == "again"


def test_a_roll_off_and_back_go_on_from_the_last_game():
    story = over(2)
    before = story.now
    assert story.do(C, C, STOP, STOP).now == before
    story.do(C, C, A, C)
    assert isinstance(story.state, RollingOff)
    assert from_data(json.loads(json.dumps(to_data(story.state)))) == story.state
    story.do(dice(2), dice(5))
    assert (story.now.played.names, story.now.played.player, story.now.score) == (("Anna", "Bob"), "Bob", (1, 0))


def test_wins_are_counted_while_the_same_players_play_and_an_undone_win_is_not_counted():
    story = over(2, score=(1, 2))
    assert story.now.wins == (2, 2)
    assert story.do(HOLD_C).now.wins == (1, 2)
    story = over(2, score=(1, 2)).do(C, C, C)
    assert (story.now.score, story.now.wins) == ((2, 2), (2, 2))
    other = answered(over(2).do(C), CHANGE_PLAYERS, "2", "yellow", "green", "yellow")
    assert other.now.score == ()
    unnamed = Game.new(("yellow", "orange")).do(SetTo(parse_position(WON[2]))).do(Stop())
    new = answered(Story(Situation(GameOver(), unnamed, 1)).do(C), NEW_GAME, "2", "yellow", "orange", "base rules")
    assert answered(new, "orange").now.score == (1, 0)


def test_the_score_and_the_question_survive_a_power_cut(tmp_path):
    journal = Journal(tmp_path / "journal.txt")
    now = over(2, score=(1, 2)).now
    for story in (Story(now), Story(now).do(C), Story(now).do(C, C)):
        journal.record("made", story.now)
        journal.close()
        journal = Journal(tmp_path / "journal.txt")
        assert journal.situation() == story.now
    assert Story(journal.situation()).do(C).now.score == (2, 2)
    journal.close()


def test_a_computer_plays_the_last_game_again_at_once_and_options_and_the_robot_ask_for_another():
    now = over(2).now
    again = player_options.start(parser().parse_args(["play", "--simulate"]), now)
    assert again is not None
    assert (again.state, again.played.names, again.played.player) == (Waiting(), ("Anna", "Bob"), "Bob")
    other = player_options.start(parser().parse_args(["play", "--simulate", "--names", "Eve"]), now)
    assert other is not None
    assert other.played.names == ("Eve", "orange")
    story = Story(now).do(C)
    while isinstance(story.state, NewGame):
        story.do(next_action(story.now, 3))
    assert len(story.now.played.names) == 3
