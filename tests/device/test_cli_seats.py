"""`cantstop play` with names and opponents: a person against the box, through the whole simulated box."""

from __future__ import annotations

import pytest

from device.cli import main, parser, player_options
from device.referee.inputs import Button
from device.referee.playing import dice_wanted
from device.referee.preferences import Preferences
from device.referee.states import Resume, Situation, Thinking, Waiting, Welcome
from device.screens import texts
from device.screens.views import screen
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from engine import Game, Play, Rolled, Variants
from engine.opponents import LEVELS
from tests.waiting import until
from tools.sim.table import SimulatedTable


def started(*words: str, situation: Situation | None = None) -> Situation | None:
    args = parser().parse_args(["play", *words])
    assert player_options.problem(args) == ""
    return player_options.start(args, situation or Situation(Welcome()))


def test_options_begin_a_game_of_these_players():
    assert started() is None
    begun = started("--players", "3", "--names", "Anna", "--opponent", "Expert")
    assert begun.state == Waiting()
    assert begun.played.names == ("Anna", "orange", "green")
    assert begun.played.levels == ("", "", "evolved")
    assert begun.played.position.variants == Variants()
    assert started("--players", "1").played.names == ("yellow",)
    assert started("--names", "Anna", situation=Situation(Resume(Waiting()))) is None, "an unfinished game"


def test_names_on_the_command_line_can_be_chosen_in_the_next_game(tmp_path):
    file = PreferencesFile(tmp_path / "preferences.json")
    file.save(Preferences(language="nl", names=("Bob", "Eve")))
    begun = started("--names", "Anna,Bob")
    with SimulatedTable(Journal(tmp_path / "j.txt"), None, start=begun, preferences=file) as table:
        assert table.box.situation.preferences == Preferences(language="nl", names=("Anna", "Bob", "Eve"))
    assert file.load().names == ("Anna", "Bob", "Eve")


def test_levels_have_the_same_names_on_the_command_line_as_on_the_display(capsys):
    assert {one.key: one.name for one in LEVELS} == texts.LEVELS
    assert main(["play", "--help"]) == 0
    assert ", ".join(texts.LEVELS.values()) in " ".join(capsys.readouterr().out.split())
    for key, name in texts.LEVELS.items():
        assert started("--opponent", name) == started("--opponent", name.lower()) == started("--opponent", key)
    assert main(["play", "--opponent", "nobody"]) == 2
    assert "unknown level 'nobody'; choose from: Beginner, Reckless" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--names", "Anna,Anna"], "different names"),
        (["--names", "Maximilian"], "too long"),
        (["--names", "yellow"], "is a colour"),
        (["--names", ""], "needs at least one letter"),
        (["--opponent", "god"], "choose from: Beginner"),
        (["--players", "2", "--names", "A,B", "--opponent", "beginner"], "too many for 2 players"),
        (["--names", "A,B,C,D,E"], "too many for 4 players"),
    ],
)
def test_an_invalid_player_is_reported(words, reason, capsys):
    assert main(["play", *words]) == 2
    assert reason in capsys.readouterr().err


def test_a_box_switched_on_during_an_opponents_turn_asks_it_again(tmp_path):
    journal = Journal(tmp_path / "j.txt")
    game = Game.new(["yellow", "green"], levels=["hasty", ""]).do(Rolled((3, 3, 5, 6)))
    journal.record("made", Situation(Thinking(), game, 1))
    with SimulatedTable(journal, None) as table:
        assert table.box.situation.state == Resume(Thinking())
        table.buttons.press(Button.C)
        until(lambda: dice_wanted(table.box.situation.state) == 4, "the opponent's choice")
        assert all(line.text.endswith("to space 1") for line in screen(table.box.situation).lines[:2])
        assert isinstance(table.box.situation.played.steps[-1], Play)


def test_on_a_simulated_box_two_players_can_roll_at_once_or_an_unfinished_game_continues():
    begun = started("--simulate")
    assert (begun.state, begun.played.names) == (Waiting(), ("yellow", "orange"))
    under_way = Situation(Resume(Waiting()), Game.new(("yellow", "orange")), 1)
    assert started("--simulate", situation=under_way) is None
