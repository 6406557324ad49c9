"""The coach: what the strongest opponent would do, on the box."""

from __future__ import annotations

from device.referee.correcting import MENU
from device.referee.inputs import Advised
from device.referee.outcome import Effect
from device.referee.states import Choosing, Coaching, Deciding
from device.screens.views import screen
from device.storage.journal import Journal
from engine import Position, parse_position, play_text
from engine.opponents import level
from engine.opponents.strongest import advice
from tests.device.helpers import HOLD_STOP, STOP, B, C, Story
from tests.waiting import until
from tools.sim.table import SimulatedTable

TO_COACH = (HOLD_STOP, *[B] * MENU.index("coach"))


def advised(position: Position) -> Advised:
    return Advised(position, tuple(advice(position)))


def asked(story: Story) -> Story:
    """A story in which the coach has answered."""
    story.do(*TO_COACH)
    assert story.step(C).effects == (Effect.ASK_COACH,)
    return story.do(C, advised(story.now.played.position))


def test_the_coach_says_what_master_does_in_this_position_and_what_each_choice_is_worth():
    story = asked(Story.at("3 7:4,6:2/8:5 1 5:2,8:3 3-3-5-6"))
    position = story.now.played.position
    best = level("strongest").make().choose(position, position.roll)
    first, *others = screen(story.now).lines
    assert first.text == play_text(best)
    assert all(line.more.startswith("wins: ") for line in (first, *others))
    assert isinstance(story.do(STOP).state, Choosing)
    alone = asked(Story.at("3 7:4 1 6:2,8:3,12:2 -"))
    assert all(line.more.startswith("turns: ") for line in screen(alone.now).lines), "the turns that are left"


def test_before_a_decision_the_coach_compares_stopping_with_rolling():
    story = asked(Story.at("3 -/8:5 1 7:2,8:3,12:2 -"))
    would_stop = level("strongest").make().stops(story.now.played.position)
    assert [line.text for line in screen(story.now).lines] == (["Stop", "Roll on"][:: 1 if would_stop else -1])
    assert story.do(STOP).state == Deciding()


def test_nobody_asks_the_coach_where_nothing_is_to_be_decided():
    for position, levels in (("3 -/- 1 - -", ()), ("3 -/8:5 1 7:2 -", ("counter", ""))):
        assert Story.at(position, levels).do(*TO_COACH).refuses(C)


def test_late_advice_about_another_position_is_not_shown():
    story = Story.at("3 -/8:5 1 7:2,8:3,12:2 -").do(*TO_COACH, C)
    assert story.refuses(advised(parse_position("3 -/8:5 1 7:3,8:3,12:2 -")))
    assert screen(story.now).text == ("One moment…",)


def test_the_box_answers_from_its_own_engine(tmp_path):
    story = Story.at("3 -/8:5 1 7:2,8:3,12:2 -")
    with SimulatedTable(Journal(tmp_path / "journal.txt"), None, start=story.now) as table:
        for event in (*TO_COACH, C):
            table.box.put(event)
        state = until(lambda: getattr(now := table.box.situation.state, "choices", None) and now, "the advice")
    assert isinstance(state, Coaching)
    assert list(state.choices) == advice(story.now.played.position)
