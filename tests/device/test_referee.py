"""The referee's table: stories of a game, and properties that hold after any presses."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from device.referee import inputs, states
from device.referee.box_care import first_start
from device.referee.correcting import MENU
from device.referee.inputs import Button, DiceRead, PageReady, Press, SeatsGiven, TraySeen, TrayView
from device.referee.players import GameSettings
from device.referee.playing import dice_used, dice_wanted
from device.referee.preferences import CHOICES
from device.referee.setup import BadSeats, settings_of
from device.referee.states import Situation
from device.referee.transition_table import step
from device.screens.views import screen
from device.storage.state_text import from_data, to_data
from device.thinking import decision
from engine import FastStart, Variants, plays
from engine.opponents import OPPONENTS, level
from tests.device.helpers import (
    HOLD_A,
    HOLD_B,
    HOLD_C,
    HOLD_STOP,
    STOP,
    A,
    B,
    C,
    Story,
    dice,
    likely_inputs,
    machine_answers,
    overflows,
    rolls,
    tray,
    two_players,
)


def test_the_questions_set_players_colours_variants_and_who_begins():
    story = Story().do(C, B, C)  # three players
    story.do(B, B, C, C, C)  # green, yellow, orange
    story.do(B, C)  # variants
    story.do(B, C)  # four columns
    story.do(A, C)  # fast start strict: upwards from the first is the last
    story.do(B, B, C)  # leap
    story.do(B, C)  # the second begins
    game = story.now.played
    assert game.names == ("green", "yellow", "orange")
    assert game.position.variants == Variants(4, FastStart.STRICT, leap=True)
    assert game.player == "yellow"
    four = Story().do(C, B, B, C, C, C, C, C, B, C)  # variants: four players are not asked how many columns win
    assert "start" in screen(four.now).title.lower()


SEATS = GameSettings(
    ("ann", "Bob", "", ""), colours=("red", "blue", "green", "white"), levels=("", "", "strongest", "")
)
"""A phone's form: two names, an opponent, and a player without a name; the second begins."""


def test_a_phones_form_begins_a_game_and_never_ends_one_that_goes_on():
    seats = SeatsGiven(settings_of(SEATS, 1))
    story = Story().do(seats)
    game = story.now.played
    assert (game.names, game.player) == (("Ann", "Bob", "green", "white"), "Bob")
    assert (game.colours, game.levels) == (SEATS.colours, SEATS.levels)
    assert story.now.preferences.names == ("Ann", "Bob"), "remembered"
    assert story.refuses(seats)
    assert Story().do(C, C, C, seats).now.played.names == game.names, "in the middle of the questions"
    story.do(HOLD_STOP, *[B] * MENU.index("new game"), C, A, SeatsGiven(settings_of(SEATS, 4)))
    assert isinstance(story.state, states.RollingOff)


def test_impossible_seats_from_a_phone_begin_nothing():
    wrong: dict[str, list[dict[str, Any]]] = {
        "name": [{"names": ("Ann", "much too long", "", "")}, {"names": ("blue", "", "", "")}],
        "twice": [{"names": ("Ann", "ann", "", "")}],
        "colour": [{"colours": ("red", "red", "green", "white")}, {"colours": ("red", "pink", "green", "white")}],
        "columns": [{"columns_to_win": 4}],
        "leap": [{"variants": ("leap", "no stop on a marker")}, {"variants": ("none",)}],
        "bad": [
            {"names": ("Ann",)},
            {"begins": 5},
            {"levels": ("", "", "nobody", "")},
            {"names": ("Ann",), "colours": ("red",), "levels": ("",), "begins": 1},  # alone, nobody rolls off
        ],
    }
    for kind, changes in wrong.items():
        for change in changes:
            begins = change.pop("begins", 1)
            with pytest.raises(BadSeats) as refused:
                settings_of(replace(SEATS, **change), begins)
            assert refused.value.kind == kind, change


def test_stop_goes_back_question_by_question_to_where_the_questions_began():
    story = Story().do(C, C, B, C)
    story.do(STOP)
    assert story.state == states.NewGame(states.Welcome(), (0,), 1)
    story.do(STOP, STOP)
    assert story.state == states.Welcome()


def test_one_die_each_decides_who_begins_and_a_tie_is_rolled_again():
    story = Story().do(C, C, C, C, C, B, B, C)
    assert isinstance(story.state, states.RollingOff)
    assert dice_wanted(story.state) == 1
    assert story.refuses(dice(1, 2, 3, 4))
    assert Story(story.now).do(HOLD_A, C, C, HOLD_A, A, C).state == states.Begins(), "a three and a one, by hand"
    story.do(dice(5), dice(5))
    assert isinstance(story.state, states.RollingOff)
    assert story.state.tie
    story.do(dice(2), dice(6))
    assert story.state == states.Begins()
    assert story.now.played.player == "orange"


ROLL = dice(2, 3, 4, 5)
NEW, PUT, SPLIT = "3 -/- 1 - -", "3 7:12/6:4,7:9 1 5:2,7:13 -", "3 -/- 1 8:1,9:1 1-1-1-6"
BUST, BUST_ROLL = "3 -/- 1 5:1,7:2,10:1 -", dice(1, 3, 3, 5)
WINS = "3 7:13,8:11,12:2/- 1 - 6-6-6-6"
MISSED = TraySeen(TrayView.MISSED, values=(1, 3, 4, 5))
WHERE = (HOLD_STOP, *[B] * MENU.index("where"), C, C, C)
REACHED = [
    # A turn consists of roll, choice and stop
    (NEW, (ROLL,), states.Choosing),
    (NEW, (ROLL, B), states.Telling()),
    (NEW, (ROLL, B, C), states.Deciding()),
    (NEW, (ROLL, B, C, STOP), states.Stopped()),
    (NEW, (ROLL, B, C, STOP, C), states.Waiting()),
    (NEW, (ROLL, A, ROLL), states.Choosing),  # a roll while moves are shown continues the turn
    (BUST, (BUST_ROLL,), states.Busting),  # it is confirmed first
    (BUST, (BUST_ROLL, C), states.Busted()),
    (SPLIT, (B,), states.Telling()),  # one pairing with one runner left offers its two columns at once
    ("3 -/- 1 8:1,9:1 1-4-5-6", (B,), states.ChoosingColumn),  # of several, first one and then its column is chosen
    ("3 -/- 1 8:1,9:1 1-4-5-6", (B, STOP), states.Choosing),
    (PUT, WHERE, states.Whereabouts(states.Deciding(), 2)),  # page by page
    (PUT, (*WHERE, STOP), states.Deciding()),
    # STOP deletes a die entered by hand, and then leaves
    (NEW, (HOLD_A, C, C, STOP), states.EnteringDice(states.Waiting(), (3,))),
    (NEW, (HOLD_A, C, C, STOP, STOP, STOP), states.Waiting()),
    (NEW, (tray(TrayView.NO_CAMERA, "missing"), A), states.EnteringDice(states.Waiting())),
    # What was undone is confirmed once the pieces are back; a roll before counts
    ("3 -/- 1 7:2,8:1 3-4-4-5", (A, HOLD_C, C), states.Choosing),
    (PUT, (STOP, HOLD_C, C, C, C), states.Deciding()),
    (BUST, (BUST_ROLL, C, HOLD_C, C, C), states.Busting),
    (WINS, (A, STOP, HOLD_C, C), states.Deciding()),
    (NEW, (ROLL, HOLD_C), states.Waiting()),  # no pieces to move
    ("3 -/- 1 7:2,8:1 -", (STOP, HOLD_C, dice(3, 4, 5, 6)), states.Choosing),
    # A stop that wins ends the game at once; a roll after it is answered
    (WINS, (A, STOP), states.GameOver()),
    (WINS, (A, C, STOP), states.GameOver()),
    # An unfinished game is left only after confirmation
    (NEW, (HOLD_STOP, A, C), states.GivingUp(states.Waiting())),
    (NEW, (HOLD_STOP, A, C, C), states.Waiting()),
    (NEW, (HOLD_STOP, A, C, A), states.NewGame),
    # Dice count if the camera was moved; used dice that are touched do not hide the moves
    (NEW, (tray(TrayView.MOVED), ROLL), states.Choosing),
    (NEW, (ROLL, A, MISSED), states.Telling()),
    # A roll before a bust is confirmed, or during a correction, is answered
    (BUST, (BUST_ROLL, ROLL), states.TooEarly),
    (BUST, (BUST_ROLL, ROLL, C), states.Busting),
    (NEW, (ROLL, HOLD_A, dice(1, 1, 1, 1)), states.TooEarly),
    (NEW, (ROLL, HOLD_A, dice(1, 1, 1, 1), C), states.EnteringDice),
]
"""A position, the inputs from there, and the state that they lead to, or its kind."""
SHOWN = [
    # Undoing says which pieces to put back, page by page
    ("3 -/- 1 7:2,8:1 3-4-4-5", (A, HOLD_C), ["Runner 7 to 2", "Runner 9 off", "Done"]),
    (PUT, (STOP, HOLD_C), ["Yellow 5 off", "Yellow 7 to 12", "More"]),
    (PUT, (STOP, HOLD_C, C), ["Orange 7 to 9", "Runner 5 to 2", "More"]),
    (PUT, (STOP, HOLD_C, C, C), ["Runner 7 to 13", "", "Done"]),
    (BUST, (BUST_ROLL, C, HOLD_C), ["Runner 5 to 1", "Runner 7 to 2", "More"]),
    (NEW, (ROLL, A, HOLD_C), ["Remove runners", "", "Done"]),
    ("3 -/- 1 7:2 -", (*(dice(3, 4, 1, 1), A) * 2, *(HOLD_C,) * 4), ["Runner 2 off", "Runner 7 to 2", "Done"]),
    (WINS, (A, STOP, HOLD_C), ["Yellow 12 to 2", "Runner 12 to 3", "Done"]),
    (BUST, (BUST_ROLL, ROLL), ["Answer first.", "Then roll again.", "OK"]),
    (SPLIT, (), ["2 to 1, not 7", "7 to 1, not 2", ""]),
    (NEW, (HOLD_A, B), ["1", "2", "3"]),
]
"""A position, the inputs from there, and the lines of the screen."""
REFUSED = [
    (NEW, (), A),  # there is a camera
    # B does nothing unless dice have moved since they were read
    (NEW, (), B),
    (NEW, (ROLL, A), B),
    (NEW, (ROLL, A, C), B),
    (NEW, (tray(TrayView.USED),), B),
    (NEW, (), dice(1, 2, 3)),
    (NEW, (HOLD_STOP,), dice(1, 2, 3, 4)),
    (BUST, (BUST_ROLL,), STOP),
    (WINS, (A, STOP), HOLD_A),  # no dice are entered once the game is won
    ("3 -/- 1 2:1,8:1,9:1 1-1-2-2", (), B),  # the line of a pairing that cannot be used
    ("3 -/- 1 2:1,8:1,9:1 1-1-2-2", (), C),
    ("3+no-stop -/8:2 1 7:3,8:1 2-6-6-6", (A,), STOP),
]
"""A position, the inputs from there, and one that does nothing then."""


def test_events_lead_from_one_state_to_the_next():
    for position, events, expected in REACHED:
        state = Story.at(position).do(*events).state
        assert state == expected or type(state) is expected, (position, events, state)


def test_the_screen_says_what_to_do_next():
    assert [(position, events, _shown(Story.at(position).do(*events))) for position, events, _ in SHOWN] == SHOWN


ROLLS = [
    # Misread dice are corrected in two presses, on a bust and before a choice
    (BUST, (dice(1, 3, 3, 5, likely=((1, 3, 3, 4), (2, 3, 3, 5))), A, A), "yellow", (1, 3, 3, 4)),
    (NEW, (dice(1, 3, 3, 5, likely=((1, 3, 3, 6), (2, 3, 3, 5))), HOLD_A, B), "yellow", (2, 3, 3, 5)),
    # Dice of an earlier roll are a new roll on request
    (
        NEW,
        (ROLL, A, dice(1, 1, 6, 6), A, C, TraySeen(TrayView.MISSED, values=ROLL.dice), B, replace(ROLL, asked=True)),
        "yellow",
        (2, 3, 4, 5),
    ),
    (NEW, (ROLL, A, STOP, ROLL), "orange", (2, 3, 4, 5)),  # a roll while a stop is shown is the next player's
    (NEW, (ROLL, HOLD_STOP, B, B, B, C, C, C, C, B, C), "orange", None),  # only the turn was set by hand
]
"""A position, the inputs from there, whose turn it is and the roll after them."""


def test_a_roll_belongs_to_its_player_as_read_or_corrected():
    found = [(position, events, Story.at(position).do(*events).now.played) for position, events, *_ in ROLLS]
    assert [(*row, game.player, game.position.roll) for *row, game in found] == ROLLS


def test_what_makes_no_sense_now_does_nothing():
    accepted = [row for row in REFUSED if not Story.at(row[0]).do(*row[1]).refuses(row[2])]
    assert accepted == []


@given(roll=rolls, runners=st.sets(st.integers(2, 12), max_size=3))
def test_each_legal_play_needs_one_press_if_all_fit_the_buttons_and_otherwise_two(roll, runners):
    text = ",".join(f"{column}:1" for column in sorted(runners)) or "-"
    story = Story.at(f"3 -/- 1 {text} {'-'.join(map(str, roll))}")
    legal = plays(story.now.played.position)
    if not legal:
        assert isinstance(story.state, states.Busting)
        return
    reached, presses = set(), 0
    for first in (A, B, C):
        if story.refuses(first):
            continue
        chosen = Story(story.now).do(first)
        for second in (A, B) if isinstance(chosen.state, states.ChoosingColumn) else ():
            reached.add(Story(chosen.now).do(second).now.played.steps[-1])
            presses = 2
        if not isinstance(chosen.state, states.ChoosingColumn):
            reached.add(chosen.now.played.steps[-1])
    assert reached == set(legal)
    assert (presses == 2) == (len(legal) > 3)


@given(st.tuples(*[st.integers(1, 6)] * 4))
def test_a_roll_is_entered_with_one_press_per_die_and_one_to_confirm(values):
    faces = (A, B, C, HOLD_A, HOLD_B, HOLD_C)
    story = two_players().do(HOLD_A, *(faces[value - 1] for value in values), C)
    assert story.now.played.position.roll == tuple(sorted(values))


def test_a_roll_entered_by_hand_as_it_was_read_changes_nothing():
    story = two_players().do(dice(1, 3, 5, 6))
    before = story.now
    assert story.do(HOLD_A, A, C, HOLD_B, HOLD_C, C).now == before


def test_undo_goes_step_by_step_through_turns_to_the_start():
    story = two_players()
    start = story.now
    story.do(dice(2, 3, 4, 5), A, STOP, dice(3, 3, 4, 4), A, C)
    story.do(HOLD_C, C)
    assert isinstance(story.state, states.Choosing)
    story.do(HOLD_C)
    assert story.state == states.Waiting()
    story.do(HOLD_C, C, C)
    assert story.state == states.Deciding()
    story.do(HOLD_C, C, HOLD_C)
    assert story.now == start
    assert story.refuses(HOLD_C)


def test_after_a_wrong_pairing_the_next_roll_counts_again_with_one_press():
    story = two_players().do(dice(2, 3, 4, 5), A, dice(1, 2, 3, 6))  # 5+9 was chosen by mistake
    story.do(HOLD_C)
    assert (story.state, story.now.undone) == (states.Deciding(), (1, 2, 3, 6))
    story.do(HOLD_C, C)  # the choice, with its runners
    assert "1-2-3-6" in screen(story.do(B).now).lines[-1].text
    story.do(C, B)
    assert story.state == states.Choosing()
    assert story.now.played.position.roll == (1, 2, 3, 6)
    assert [str(step) for step in story.now.played.steps[:-1]] == [
        str(step) for step in two_players().do(dice(2, 3, 4, 5), B).now.played.steps
    ]


def test_a_roll_that_was_taken_back_is_offered_only_until_the_next_step():
    taken_back = two_players().do(dice(2, 3, 4, 5), A, dice(1, 2, 3, 6), HOLD_C).now
    assert not Story(taken_back).refuses(B)
    for another in ((dice(1, 1, 2, 2),), (HOLD_A, A, A, B, B, C)):
        assert Story(taken_back).do(*another, A).refuses(B), "moving the runners"


def test_other_readings_of_the_dice_are_offered_only_until_they_are_corrected():
    story = two_players().do(dice(1, 3, 3, 5, likely=((1, 3, 3, 6),)), HOLD_A, A)
    assert story.state == states.Choosing()
    assert story.do(HOLD_A).state == states.EnteringDice(states.Choosing())


def test_a_tap_counts_for_the_list_that_the_phone_showed_and_never_for_the_next():
    story = Story().do(C)
    shown = states.list_mark(story.state)
    story.do(B)  # at the box, somebody moves the cursor
    assert story.refuses(inputs.LineTapped(99, shown)), "there is no such line"
    story.do(inputs.LineTapped(1, shown))
    assert story.refuses(inputs.LineTapped(1, shown)), "tapped twice"
    story.do(C)
    assert story.refuses(inputs.LineTapped(1, shown))
    story.do(STOP, STOP)
    assert not story.refuses(inputs.LineTapped(0, shown)), "the same list again"


def test_the_board_can_be_set_by_hand_and_that_can_be_undone():
    story = two_players()
    before = story.now
    story.do(HOLD_STOP, B, B, B, C)
    assert isinstance(story.state, states.SettingBoard)
    story.do(B, B, C, A, A, A, B, C, C, B, C)  # yellow on 2:2, orange on 5:1, no runner, orange's turn
    position = story.now.played.position
    assert position.markers[0][2] == 2
    assert position.markers[1][5] == 1
    assert position.turn == 1
    assert story.do(HOLD_C, C).now == before


def test_an_impossible_board_is_rejected_with_the_reason():
    story = two_players().do(HOLD_STOP, B, B, B, C)
    story.do(B, B, B, C, C, B, C, C)  # column 2 won by yellow, and a runner in it
    assert isinstance(story.state, states.SettingBoard)
    assert story.state.values == (("column", 2),)
    assert story.now.played.steps == ()
    shown = screen(story.now)
    assert shown.title == "Not possible:"
    assert "column 2 is won" in " ".join(shown.text)


def test_the_trays_contents_are_shown_without_affecting_the_buttons():
    story = two_players().do(dice(2, 3, 4, 5), A, C)
    story.do(tray(TrayView.HAND))
    assert isinstance(story.state, states.WatchingTray)
    story.do(tray(TrayView.UNREADABLE, "count", 3))
    assert [line.text for line in screen(story.now).lines[:2]] == ["Dice seen: 3", "Need 4 dice"]
    assert Story(story.now).do(tray(TrayView.EMPTY)).state == states.Deciding()
    assert Story(story.now).do(STOP).state == states.Stopped()
    assert isinstance(story.do(dice(2, 3, 4, 5)).state, states.Choosing)


@given(roll=rolls, corrected=rolls)
def test_used_dice_are_never_a_new_roll_even_on_request(roll, corrected):
    story = two_players().do(dice(*roll))
    if corrected != roll:
        entered = (A, B, C, HOLD_A, HOLD_B, HOLD_C)
        story.do(HOLD_A, *(entered[value - 1] for value in corrected), C)
    story.do(A, *([A] if isinstance(story.state, states.ChoosingColumn) else []), STOP)
    for used in (roll, corrected):
        assert story.refuses(DiceRead(used, asked=True))
        waiting = Story(story.now).do(*[C] * (story.state != states.Waiting()))
        waiting.do(TraySeen(TrayView.MISSED, values=used))
        assert waiting.state == states.Waiting(), "it is not even offered"


def test_the_highest_die_begins_and_only_those_who_tie_for_it_roll_again():
    three = states.RollingOff(GameSettings(("Anna", "Bob", "Cem")), (0, 1, 2))
    begins = {(3, 6, 5): "Bob", (2, 2, 3): "Cem", (5, 2, 5, 1, 4): "Cem", (5, 2, 5, 3, 3, 4, 1): "Anna"}
    for rolled, name in begins.items():
        story = Story(Situation(three)).do(*map(dice, rolled))
        assert (story.state, story.now.played.player) == (states.Begins(), name), rolled


def test_the_previous_players_die_does_not_count_for_the_next():
    story = Story().do(C, C, C, C, C, B, B, C).do(dice(5))
    assert story.refuses(DiceRead((5,), asked=True))
    assert story.do(TraySeen(TrayView.MISSED, values=(5,))).state == story.state
    assert isinstance(story.state, states.RollingOff)
    for other in (4, 6):
        assert isinstance(story.step(TraySeen(TrayView.MISSED, values=(other,))).situation.state, states.WatchingTray)
    third = states.RollingOff(GameSettings(("Anna", "Bob", "Cem")), (0, 1, 2), (5, 3))
    assert Story(replace(story.now, state=third)).refuses(DiceRead((3,), asked=True))


def test_a_roll_during_a_choice_is_answered_and_does_not_count():
    story = two_players().do(dice(2, 3, 4, 5))
    before = story.now
    for press in (A, B, C, STOP):
        early = Story(before).do(dice(1, 1, 1, 1))
        assert _shown(early) == ["Choose first.", "Then roll again.", "OK"]
        assert early.do(press).now == before


def test_all_phones_are_unpaired_only_after_a_question():
    story = two_players().do(HOLD_B, PageReady("http://box/", "12345678", phones=2))
    shown = story.state
    assert _shown(story.do(A)) == ["Unpair", "", "Back"]
    assert not story.state.send_away
    assert Story(story.now).do(C).state == Story(story.now).do(STOP).state == shown
    assert story.do(A).state.send_away
    assert story.do(PageReady("http://box/", "12345678")).refuses(A)


def _shown(story: Story) -> list[str]:
    return [line.text for line in screen(story.now).lines]


IN_TURN = (
    states.Begins, states.Waiting, states.Choosing, states.ChoosingColumn, states.Telling, states.Deciding,
    states.Busting, states.Busted, states.Stopped, states.Thinking, states.Undecided, states.Moving, states.RollingOn,
    states.PutBack,
)  # fmt: skip


class AnythingHappens(RuleBasedStateMachine):
    """Whatever is pressed, thrown or seen, in any order."""

    @initialize(
        players=st.integers(0, 5), rules=st.lists(st.integers(0, 2), min_size=8, max_size=8), is_first=st.booleans()
    )
    def begin(self, players: int, rules: list[int], is_first: bool) -> None:
        if is_first:
            self.now = Situation(first_start(signals=("light", "sound"), with_frame=True))
            return
        self.now = Situation(states.Welcome())
        self.happens(C)
        for _ in range(players):
            self.happens(B)
        for steps in rules:
            if isinstance(self.now.state, states.NewGame):
                for _ in range(steps):
                    self.happens(B)
                self.happens(C)

    @rule(events=st.lists(st.one_of(likely_inputs, machine_answers), min_size=1, max_size=8))
    def things_happen(self, events: list) -> None:
        for event in events:
            self.happens(event)

    @rule(roll=rolls, presses=st.lists(st.sampled_from([A, B, C]), min_size=1, max_size=3))
    def a_roll_is_played(self, roll: tuple[int, ...], presses: list[Press]) -> None:
        self.happens(dice(*roll))
        for press in presses:
            self.happens(press)

    @rule(key=st.sampled_from(OPPONENTS[:-1]))  # the strongest takes its time
    def an_opponent_decides(self, key: str) -> None:
        if isinstance(self.now.state, states.Thinking):
            self.happens(decision(level(key).make(), self.now.played.position))

    def happens(self, event) -> None:
        before = self.now
        outcome = step(before, event)
        is_throw = isinstance(event, DiceRead) and len(event.dice) == 4
        if is_throw and not event.asked and isinstance(before.beneath, IN_TURN):
            assert outcome is not None, f"a throw is ignored in silence in {before.state}"
        if is_throw and event.asked and outcome is not None and outcome.situation.game != before.game:
            assert event.dice not in dice_used(before.game), "used dice are a new roll"
        if outcome is None:
            return
        self.now = outcome.situation

    @initialize(language=st.sampled_from(CHOICES["language"]))
    def speak(self, language: str) -> None:
        self.language = language

    @invariant()
    def every_screen_fits(self) -> None:
        if hasattr(self, "now") and hasattr(self, "language"):
            spoken = replace(self.now, preferences=replace(self.now.preferences, language=self.language))
            assert overflows(screen(spoken)) == [], (self.language, type(self.now.state))

    @invariant()
    def every_state_survives_the_journal(self) -> None:
        if hasattr(self, "now"):
            state = self.now.state
            kept = from_data(json.loads(json.dumps(to_data(state))))
            while isinstance(state, states.TRANSIENT_STATES):
                state = state.before
            assert kept == state

    @invariant()
    def every_state_can_be_left_by_a_button(self) -> None:
        if hasattr(self, "now"):
            presses = [Press(button, long) for button in Button for long in (False, True)]
            after = [step(self.now, press) for press in presses]
            waits_for_dice = isinstance(self.now.state, states.Waiting) or dice_wanted(self.now.state)
            assert waits_for_dice or any(one and one.situation.state != self.now.state for one in after)

    @invariant()
    def a_state_fits_its_game(self) -> None:
        if not hasattr(self, "now") or self.now.game is None:
            return
        roll = self.now.game.position.roll
        state = self.now.state
        if isinstance(state, states.Choosing | states.ChoosingColumn | states.Busting):
            assert roll is not None
        if isinstance(
            state, states.Waiting | states.Deciding | states.Telling | states.Stopped | states.Busted | states.GameOver
        ):
            assert roll is None


AnythingHappens.TestCase.settings = settings(max_examples=35, stateful_step_count=40)
test_whatever_happens = AnythingHappens.TestCase
