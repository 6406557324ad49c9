"""Players: names entered on the box or as arguments, opponents in seats, solo games."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.referee.outcome import Effect
from device.referee.players import LETTERS, BadName, name_of, spelt
from device.referee.preferences import Preferences
from device.referee.preferences import from_data as preferences_from
from device.referee.questions import question_of
from device.referee.setup import answer_with
from device.referee.states import Deciding, EnteringName, NewGame, RollingOff, Situation, Waiting, Welcome
from device.screens.views import screen
from engine.opponents import OPPONENTS
from tests.device.helpers import HOLD_A, HOLD_B, HOLD_C, STOP, A, B, C, Story, dice, overflows


def seats(names: tuple[str, ...] = ()) -> Story:
    """A story at the question who plays yellow, with two named players."""
    story = Story(Situation(Welcome(), preferences=Preferences(names=names))).do(C, A, C, C, C)
    assert question_of(story.state).topic == "seat"
    return story


def answer(story: Story, *answers: str) -> Story:
    for each in answers:
        story.now = answer_with(story.now, story.state, each)
    return story


def spell(story: Story, letters: str) -> Story:
    assert isinstance(story.state, EnteringName)
    for letter in letters:
        while story.state.cursor != LETTERS.index(letter):
            story.do(B)
        story.do(C)
    return story


def test_one_person_plays_against_the_box_after_choosing_its_level():
    story = Story().do(C, A, A, C, C, C)
    assert question_of(story.state).topic == "level"
    answer(story, "counter", "base rules", "yellow")
    game = story.now.played
    assert (game.names, game.levels, game.player) == (("yellow", "orange"), ("", "counter"), "yellow")


def test_every_level_is_offered_for_a_seat_and_for_the_games_of_one():
    assert question_of(seats().state).options[1:-1] == OPPONENTS
    assert question_of(Story().do(C, A, A, C, C, C).state).options == OPPONENTS


def test_a_seat_is_a_colour_a_name_or_an_opponent():
    story = answer(seats(("Anna", "Bob")), "Bob", "orange", "evolved", "base rules", "Bob")
    game = story.now.played
    assert game.names == ("Bob", "orange")
    assert game.colours == ("yellow", "orange")
    assert game.levels == ("", "evolved")
    options = question_of(answer(seats(("Anna", "Bob")), "Bob", "orange").state).options
    assert ("Bob" in options, "Anna" in options) == (False, True), "a name is offered once"


def test_a_name_is_entered_with_the_buttons_and_remembered():
    story = spell(answer(seats(), "new name"), "zoë")
    assert story.step(HOLD_C).effects == (Effect.KEEP_PREFERENCES,)
    story.do(HOLD_C)
    assert story.now.preferences.names == ("Zoë",)
    answer(story, "orange", "child", "base rules", "Zoë")
    assert story.now.played.names == ("Zoë", "orange")


def test_a_new_name_does_not_change_earlier_answers():
    story = answer(seats(("Anna",)), "Anna", "orange", "new name")
    spell(story, "bo").do(HOLD_C)
    answer(story, "base rules", "Bo")
    assert story.now.played.names == ("Anna", "Bo")


def test_a_long_press_skips_letters_and_stop_deletes_them_and_then_leaves_the_entry():
    story = answer(seats(), "new name").do(HOLD_B)
    assert story.state.cursor == 6
    assert story.do(HOLD_A, A).state.cursor == len(LETTERS) - 1
    spell(story, "ab").do(STOP, STOP)
    assert isinstance(story.state, EnteringName)
    assert isinstance(story.do(STOP).state, NewGame)


@given(presses=st.lists(st.sampled_from([A, B, C, HOLD_A, HOLD_B, HOLD_C]), max_size=40))
def test_every_name_entered_fits_the_screen_and_is_valid(presses):
    story = answer(seats(), "new name")
    for press in presses:
        if isinstance(story.state, EnteringName) and story.step(press) is not None:
            story.do(press)
            assert overflows(screen(story.now)) == []
    for name in story.now.preferences.names:
        assert name_of(name) == name


def test_a_known_name_entered_again_is_the_same_name():
    story = spell(answer(seats(("Anna", "Bob")), "new name"), "bob").do(HOLD_C)
    assert story.now.preferences.names == ("Bob", "Anna")
    assert isinstance(story.state, NewGame)
    assert story.state.known == ("Anna", "Bob")


def test_letters_are_written_as_names_are_and_an_invalid_name_is_reported():
    assert [spelt(letters) for letters in ("anna-lena", "d'arc", "j. r", "ßa")] == ["Anna-Lena", "D'Arc", "J. R", "ßa"]
    reasons = {"": "needs at least one letter", "  ": "needs at least one letter", "Maximilian": "too long",
               "A,b": "cannot show", "A#": "cannot show", "日本": "cannot show", "A\nb": "cannot show",
               "Yellow": "is a colour", "--": "needs a letter or a digit"}  # fmt: skip
    for text, reason in reasons.items():
        with pytest.raises(BadName, match=reason):
            name_of(text)


def test_names_survive_a_restart_and_damaged_ones_are_reported():
    assert preferences_from({"names": ["Anna", "Zoë"]}) == (Preferences(names=("Anna", "Zoë")), ())
    for wrong in (["A,b"], "A,b", 5, [["a"]], None):
        kept, problems = preferences_from({"names": wrong, "language": "nl"})
        assert kept == Preferences(language="nl")
        assert len(problems) == 1


def test_the_roll_off_keeps_names_colours_and_opponents():
    story = answer(seats(("Anna",)), "Anna", "orange", "hasty", "base rules", "dice")
    assert isinstance(story.state, RollingOff)
    story.do(dice(2), dice(5))
    game = story.now.played
    assert (game.names, game.colours, game.levels) == (("Anna", "orange"), ("yellow", "orange"), ("", "hasty"))
    assert game.level == "hasty"


def test_a_solo_game_does_not_ask_who_begins_and_counts_turns():
    story = Story().do(C, B, B, B, C, C, C)
    assert story.state == Waiting()
    assert screen(story.now).text[0] == "Turn 1: 0 of 3 won"
    story.do(dice(1, 1, 1, 1), A, C)
    assert story.state == Deciding()
    story.do(STOP, C)
    assert screen(story.now).text[0] == "Turn 2: 0 of 3 won"
