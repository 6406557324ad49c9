"""`cantstop play` with names and opponents: a person against the box, through the whole simulated box."""

from __future__ import annotations

import contextlib

import pytest

from device.cli import main, parser, seats
from device.journal import Journal
from device.referee.levels import OPPONENTS
from device.referee.setup import Topic, ask, question_of
from device.referee.states import NewGame, Resume, Situation, Waiting, Welcome
from engine import Play, Stop, parse_transcript
from engine.opponents import level
from tests.device.test_play import run


def started(*words: str, situation: Situation | None = None) -> Situation | None:
    args = parser().parse_args(["play", *words])
    assert seats.problem(args) == ""
    return seats.start(args, situation or Situation(Welcome()))


def test_without_such_options_the_box_asks_everything_itself():
    assert started() is None


def test_a_number_of_players_answers_the_first_question():
    begun = started("--players", "3")
    assert begun is not None
    assert isinstance(begun.state, NewGame)
    assert question_of(begun.state).topic is Topic.COLOUR


def test_names_come_first_and_opponents_last_and_the_rest_is_asked():
    begun = started("--players", "3", "--names", "Anna", "--opponent", "evolved")
    assert begun is not None
    assert isinstance(begun.state, NewGame)
    assert question_of(begun.state).topic is Topic.RULES
    agreed, _ = ask(begun.state.answers, begun.state.known)
    assert agreed.names == ("Anna", "orange", "green")
    assert agreed.levels == ("", "", "evolved")


def test_a_game_that_goes_on_is_not_asked_who_plays():
    assert started("--names", "Anna", situation=Situation(Resume(Waiting()))) is None


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--names", "Anna,Anna"], "different names"),
        (["--names", "Maximilian"], "too long"),
        (["--names", "yellow"], "is a colour"),
        (["--names", ""], "needs a letter"),
        (["--opponent", "god"], "invalid choice"),
        (["--players", "2", "--names", "A,B", "--opponent", "child"], "more than 2 players"),
        (["--names", "A,B,C,D,E"], "more than 4 players"),
        (["--simulate", "--auto", "--games", "2", "--names", "A,B"], "for one game"),
    ],
)
def test_who_cannot_play_is_told(words, reason, capsys):
    with contextlib.suppress(SystemExit):
        assert main(["play", *words]) == 2
    assert reason in capsys.readouterr().err


def test_a_person_plays_a_whole_game_against_the_strongest_level_on_the_simulated_box(tmp_path):
    strongest = OPPONENTS[-1]
    result = run(
        "play", "--simulate", "--auto", "--seed", 94, "--names", "Anna", "--opponent", strongest,
        "--journal", tmp_path / "j.sqlite3",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    game = parse_transcript(result.stdout)
    assert game.winner is not None
    assert (game.names, game.colours, game.levels) == (("Anna", "orange"), ("yellow", "orange"), ("", strongest))
    opponent = level(strongest).make()
    decided = 0
    for before, step, after in zip(game.positions, game.steps, game.positions[1:], strict=False):
        if before.turn == 1 and isinstance(step, Play):
            assert before.roll is not None
            assert step == opponent.choose(before, before.roll)
            decided += 1
        if before.turn == 1 and isinstance(step, Stop):
            assert opponent.stops(before)
            decided += 1
        assert after in game.positions
    assert decided > 10
    journal = Journal(tmp_path / "j.sqlite3", to_write=False)
    assert journal.game(1) == game
    journal.close()
