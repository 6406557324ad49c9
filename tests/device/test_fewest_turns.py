"""The table of solo games: in the referee, from the journal, and on the whole box."""

from __future__ import annotations

import pytest

from device.referee.after_game import BEST
from device.referee.box_care import BOX_MENU
from device.referee.inputs import Button, FewestKnown, SoloGame
from device.referee.outcome import Effect
from device.referee.states import BoxMenu, FewestTurns, GameOver, NewGame, Situation, Welcome
from device.screens.views import screen
from device.storage.journal import Journal, JournalError, games_in
from engine import Bust, Game, Rolled, Stop, plays
from tests.device.helpers import HOLD_STOP, STOP, A, B, C, Story, over
from tests.waiting import until
from tools.sim.table import SimulatedTable

ALONE = ("Anna",)
ROLLS = [((1, 1, 1, 1), (2, 2))] * 2 + [((6, 6, 6, 6), (12, 12))] * 2 + [((1, 1, 2, 2), (3, 3))] * 3
"""Rolls that win in one turn, and the pairings to take."""
TABLE = FewestKnown(tuple(SoloGame(place, f"P{place}", "", 5 + place, 200 - place) for place in range(1, 15)))


def lines(now: Situation) -> list[tuple[str, str, bool]]:
    return [(line.text, line.more, line.chosen) for line in screen(now).lines]


def test_after_a_solo_game_c_shows_the_table_and_then_the_questions_for_a_new_game():
    story = over(ALONE)
    assert story.step(C).effects == (Effect.ASK_FEWEST,)
    assert story.do(C).state == FewestTurns(GameOver())
    assert isinstance(story.do(C).state, NewGame)
    assert isinstance(over().do(C).state, NewGame), "several players have no table"


def test_the_game_just_played_is_marked_and_its_page_is_shown_first():
    story = over(ALONE, 186).do(C, TABLE)
    state = story.state
    assert isinstance(state, FewestTurns)
    assert state.games is not None
    assert [one.place for one in state.games] == [*range(1, BEST + 1), 14]
    assert lines(story.now) == [("10. 15", "P10", False), ("14. 19", "P14", True)]


def test_from_the_menu_the_table_has_the_best_games_and_its_pages_wrap_around():
    story = Story().do(HOLD_STOP, *[B] * BOX_MENU.index("fewest"), C, TABLE)
    assert lines(story.now) == [("1. 6", "P1", False), ("2. 7", "P2", False), ("3. 8", "P3", False)]
    assert lines(story.do(A).now) == [("10. 15", "P10", False)]
    assert lines(story.do(B).now)[0] == ("1. 6", "P1", False)
    assert story.do(STOP).state == BoxMenu(Welcome(), BOX_MENU.index("fewest"))
    assert isinstance(story.do(C, TABLE, C).state, BoxMenu)


def test_a_table_of_one_page_cannot_be_turned():
    story = over(ALONE, 199).do(C, FewestKnown(TABLE.games[:3]))
    assert story.refuses(A)
    assert story.refuses(B)


def alone(busts: int) -> Game:
    """A game of one person, who wins in one turn after some that end with a bust."""
    game = Game.new(("Anna",))
    for roll, pairing in (ROLLS[:2] + ROLLS[:1]) * busts + ROLLS:
        game = game.do(Rolled(roll))
        game = game.do(next((one for one in plays(game.position) if one.pairing == pairing), Bust()))
    return game.do(Stop())


def test_the_table_comes_from_the_journal(tmp_path):
    journal = Journal(tmp_path / "journal.txt")
    for number, extra in ((1, 2), (2, 0), (3, 1)):
        journal.record("won", Situation(GameOver(), alone(extra), number))
    with SimulatedTable(journal, None) as table:
        table.buttons.press(Button.C)
        state = until(lambda: getattr(now := table.box.situation.state, "games", None) and now, "the table")
    assert [(one.number, one.turns) for one in state.games] == [(2, 1), (3, 2), (1, 3)]


def test_an_unreadable_journal_is_reported_with_the_remedy(tmp_path):
    file = tmp_path / "j.txt"
    file.write_bytes(b"no journal at all")
    with pytest.raises(JournalError, match="not a journal"):
        games_in(file)
    known = FewestKnown(is_readable=False)
    shown = screen(over(ALONE).do(C, known).now)
    assert " ".join(shown.text) == "Can't read the games: see 'Check the box'"
