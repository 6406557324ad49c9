"""An opponent's turn in the referee: people throw and move for it, it decides."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from device.referee import states
from device.referee.inputs import Decided, NoDecision, TrayView
from device.referee.playing import dice_wanted
from device.referee.states import Situation
from device.screens.views import screen
from device.thinking import decision
from engine import Game, Play, Variants
from engine.opponents import OPPONENTS, level
from tests.device.helpers import HOLD_A, HOLD_C, HOLD_STOP, STOP, A, B, C, Story, dice, overflows, rolls, tray


def story(position: str = "3 -/- 1 - -") -> Story:
    """A story in which yellow is an opponent, and orange a person."""
    return Story.at(position, ("counter", ""))


def decides(
    now: Story, play: Play | None = None, *, stops: bool = False, loss: float = 0.31, stake: int = 9
) -> Decided:
    return Decided(now.now.played.position, play, stops, "risk", loss, stake)


PLAY = Play((8, 9), (8, 9))


def test_an_opponents_roll_waits_for_its_decision_and_no_button_chooses():
    waits = story().do(dice(3, 3, 5, 6))
    assert waits.state == states.Thinking()
    assert all(waits.refuses(button) for button in (A, B, C, STOP))


def test_after_moving_its_runners_people_roll_for_the_opponent_again():
    now = story().do(dice(3, 3, 5, 6, likely=((3, 3, 5, 5),)))
    now.do(decides(now, PLAY))
    assert Story(now.now).do(dice(1, 2, 3, 4)).state == states.Thinking(), "a roll confirms the moves"
    now.do(C)
    assert isinstance(now.state, states.RollingOn)
    assert now.now.likely == (), "its dice are no longer in question"
    assert screen(now.now).lines[0].text == "Roll for it"
    assert now.do(dice(1, 2, 3, 4)).state == states.Thinking()


def test_if_the_opponent_stops_no_dice_are_accepted_and_c_places_its_markers():
    now = story().do(dice(3, 3, 5, 6))
    now.do(decides(now, PLAY, stops=True))
    assert screen(now.now).lines[2].more == "then stops"
    assert dice_wanted(now.state) == 0
    early = Story(now.now).do(dice(1, 2, 3, 4))
    assert screen(early.now).lines[0].text == "Move first."
    assert early.do(C).state == now.state
    now.do(C)
    assert now.state == states.Stopped()
    assert now.now.played.player == "orange"
    assert now.do(C, dice(1, 2, 3, 4)).state != states.Thinking()


def test_a_bust_of_an_opponent_is_asked_of_the_people_as_any_other():
    now = story("3 -/- 1 5:1,7:1,10:1 -")
    assert now.state == states.Thinking()
    now.do(decides(now), dice(1, 3, 3, 5))
    assert now.state == states.Busting()
    assert now.do(C).state == states.Busted()
    assert now.do(C).state == states.Waiting()


def test_a_decision_against_the_rules_or_about_another_position_is_not_accepted():
    now = story().do(dice(3, 3, 5, 6))
    wrong = [decides(now, play) for play in (Play((2, 3), (2, 3)), Play((8, 9), (8,)), None)]
    assert [now.refuses(decision) for decision in wrong] == [True] * 3
    late = decides(now, PLAY), NoDecision(now.now.played.position)
    now.do(HOLD_C, dice(1, 2, 3, 4))
    assert [now.refuses(decision) for decision in late] == [True] * 2
    forced = story("3+no-stop -/8:2 1 7:3,8:1 2-6-6-6")
    assert forced.refuses(decides(forced, Play((8, 12), (8, 12)), stops=True))
    assert not forced.refuses(decides(forced, Play((8, 12), (8, 12))))
    person = story("3 -/- 2 - -").do(dice(3, 3, 5, 6))
    assert person.refuses(decides(person, PLAY))
    assert not story("3 -/- 2 8:1 -").refuses(STOP), "a person chooses by the buttons"


def test_the_box_says_what_an_opponent_does_after_its_move():
    reasons = {("wins", True): "stops, wins", ("risk", True): "then stops", ("risk", False): "then rolls",
               ("safe", False): "then rolls", ("must", False): "must roll"}  # fmt: skip
    game = story().now.game
    shown = {key: screen(Situation(states.Moving(key[1], key[0], 0.31, 9), game, 1)).lines[2].more for key in reasons}
    assert shown == reasons


def test_misread_dice_are_corrected_after_its_move_and_it_decides_again():
    now = story().do(dice(3, 3, 5, 6, likely=((3, 3, 5, 5),)))
    now.do(decides(now, PLAY, stops=True), HOLD_A)
    assert screen(now.now).lines[0].text == "Remove runners"
    assert now.do(C).state == states.CorrectingDice(states.Thinking())
    assert now.now.likely == ((3, 3, 5, 5),)
    assert now.do(A).state == states.Thinking()
    assert now.now.played.position.roll == (3, 3, 5, 5)


def test_leaving_the_correction_asks_it_again():
    now = story().do(dice(3, 3, 5, 6))
    now.do(decides(now, PLAY), HOLD_A, C)
    assert isinstance(now.state, states.EnteringDice)
    assert now.do(STOP).state == states.Thinking()
    assert now.now.played.position.roll == (3, 3, 5, 6)


def test_undo_never_leads_straight_to_the_same_decision_of_an_opponent():
    now = story("3 -/- 2 - -").do(dice(3, 3, 5, 6), B, C, STOP, C, dice(1, 2, 3, 4))
    now.do(decides(now, Play((5, 5), (5, 5)), stops=True), C, HOLD_C, C)
    while isinstance(now.state, states.PutBack):
        now.do(C)
    assert now.state == states.Thinking()
    now.do(decides(now, None, stops=True), HOLD_C, C)
    assert now.state == states.Waiting()
    assert now.now.played.player == "yellow"
    now.do(HOLD_C)
    while isinstance(now.state, states.PutBack):
        now.do(C)
    assert now.state == states.Deciding()


def test_undo_after_a_corrected_roll_of_an_opponent_leads_to_before_the_roll():
    now = story().do(dice(3, 3, 5, 6, likely=((3, 3, 5, 5),)), HOLD_A, A)
    assert now.now.played.position.roll == (3, 3, 5, 5)
    now.do(decides(now, Play((8, 8), (8, 8))), HOLD_C)
    while isinstance(now.state, states.PutBack):
        now.do(C)
    assert now.state == states.Waiting()
    assert now.now.played.position.roll is None


def test_an_opponent_asked_between_rolls_only_says_what_it_does_next():
    now = story("3 -/- 1 8:1 -")
    now.do(decides(now, stops=True))
    assert screen(now.now).title == "Yellow stops"
    again = story("3 -/- 1 8:1 -")
    assert isinstance(again.do(decides(again)).state, states.RollingOn)


def test_dice_by_hand_never_overrule_an_opponent_that_stops_or_cannot_say_whether_it_rolls():
    now = story("3 -/- 1 8:1 -")
    assert now.refuses(HOLD_A)
    now.do(decides(now, stops=True))
    assert now.refuses(HOLD_A)
    now.do(HOLD_STOP, B, B)
    assert now.refuses(C)
    now = without_decision(story("3 -/- 1 8:1 -"))
    assert now.refuses(HOLD_A)
    assert now.do(HOLD_STOP, B, B).refuses(C)


def test_without_a_camera_an_opponents_rolls_are_entered_by_hand():
    now = story().do(HOLD_A, A, A, A, A, C)
    assert now.state == states.Thinking()
    now.do(decides(now, Play((2, 2), (2, 2))), C, HOLD_A, A, A, A, B, C)
    assert now.now.played.position.roll == (1, 1, 1, 2)


def without_decision(now: Story) -> Story:
    return now.do(NoDecision(now.now.played.position))


def test_an_opponent_that_cannot_decide_says_so_and_can_be_asked_again_or_its_dice_corrected():
    now = without_decision(story().do(dice(3, 3, 5, 6, likely=((3, 3, 5, 5),))))
    corrected = Story(now.now).do(HOLD_A, A)
    assert (corrected.state, corrected.now.played.position.roll) == (states.Thinking(), (3, 3, 5, 5))
    shown = screen(now.now)
    assert (shown.title, shown.dice) == ("Yellow", (3, 3, 5, 6))
    assert [line.text or line.more for line in shown.lines] == ["Ask again", "It can't decide", "Choose for it"]
    assert (now.do(A).state, now.now.likely) == (states.Thinking(), ((3, 3, 5, 5),))
    assert isinstance(now.do(decides(now, PLAY)).state, states.Moving)


def test_people_choose_for_an_opponent_that_cannot_decide():
    now = without_decision(story().do(dice(3, 3, 5, 6))).do(C)
    assert now.state == states.Choosing()
    now.do(B, C)
    assert now.now.played.steps[-1] == PLAY
    now.do(NoDecision(now.now.played.position), C)
    assert now.state == states.Deciding()
    assert now.do(STOP, C).now.played.player == "orange"


@settings(max_examples=25, deadline=None)
@given(data=st.data(), key=st.sampled_from(OPPONENTS[:-1]), players=st.integers(1, 4), variant=st.integers(0, 3))
def test_every_quick_level_finishes_a_turn_with_any_rolls(data, key, players, variant):
    variants = (Variants(), Variants(no_stop_on_marker=True), Variants(leap=True), Variants(3))[variant]
    begun = Game.new(("yellow", "orange", "green", "blue")[:players], variants, levels=(key,) * players)
    now = Story(Situation(states.Waiting(), begun, 1))
    for _ in range(8):
        if isinstance(now.state, states.GameOver):
            break
        if isinstance(now.state, states.Thinking):
            now.do(decision(level(key).make(), now.now.played.position))
        elif isinstance(now.state, states.Busting | states.Busted | states.Stopped) or dice_wanted(now.state) == 0:
            now.do(C)
        else:
            now.do(dice(*data.draw(rolls)))
        assert overflows(screen(now.now)) == []


def test_the_trays_contents_do_not_hide_that_an_opponent_rolls_again():
    now = story("3 -/- 1 8:1 -")
    now.do(decides(now), tray(TrayView.ROLLING), tray(TrayView.EMPTY))
    assert isinstance(now.state, states.RollingOn)
