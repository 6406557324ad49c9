"""The story of a game: its moments against a calculation of their own, in the referee, and on the whole box."""

from __future__ import annotations

import pytest

from device.referee.inputs import Moment, StoryKnown
from device.referee.outcome import Effect
from device.referee.states import GameOver
from device.screens.button_labels import labels
from device.screens.views import screen
from device.statistics.story import story
from engine import Bust, Corrected, Game, Play, Rolled, SetTo, Stop, is_bust, parse_position
from engine.odds import weighted_rolls
from engine.opponents.strongest import value
from engine.position import Position
from tests.device.helpers import STOP, A, B, C, over

TOLD = (
    Moment("luck", "Anna", 2, (1, 1, 2, 3), 0.25, 0.5),
    Moment("roll", "Bob", 3, loss=0.4, spaces=7),
    Moment("turn", "Anna", 3, before=0.2, after=1.0),
)


def rolling(position: Position) -> float:
    """The chance to win if the player rolls now, roll by roll."""
    return sum(weight * value(position.with_roll(roll)) for roll, weight in weighted_rolls()) / 1296


def ended() -> Game:
    """Bob rolls on at a risk and busts; then Anna wins in one turn of three rolls, the first of them corrected."""
    start = parse_position("5 2:1,3:5,4:7,5:9,6:11/7:13,8:11,9:9,11:5 1 - -")
    game = Game.new(["Bob", "Anna"], start.variants).do(SetTo(start))
    both, needed = (2, 12), (1, 1, 6, 6)
    steps = (
        Rolled(needed), Play(both, both), Rolled((3, 3, 4, 4)), Bust(),
        Rolled((1, 1, 5, 6)), Corrected(needed), Play(both, both), Rolled(needed), Play(both, both),
        Rolled(needed), Play(both, both), Stop(),
    )  # fmt: skip
    for step in steps:
        game = game.do(step)
    return game


def test_the_moments_are_those_of_a_calculation_roll_by_roll():
    game = ended()
    assert game.winner == "Anna"
    luck, bold, turning = story(game)
    rolls = [game.positions[nth] for nth, step in enumerate(game.steps) if isinstance(step, Rolled)]
    dice = [(1, 1, 6, 6), (3, 3, 4, 4), *[(1, 1, 6, 6)] * 3]
    chances = [(rolling(before), value(before.with_roll(roll))) for before, roll in zip(rolls, dice, strict=True)]
    before, then = max(chances, key=lambda one: one[1] - one[0])
    assert (luck.kind, luck.dice, luck.before, luck.after) == (
        "luck", (1, 1, 6, 6), pytest.approx(before), pytest.approx(then),
    )  # fmt: skip
    busts = sum(weight for roll, weight in weighted_rolls() if is_bust(rolls[-1].with_roll(roll)))
    assert bold == Moment("roll", "Anna", 1, loss=pytest.approx(busts / 1296), spaces=4)
    assert turning == Moment("turn", "Anna", 1, before=pytest.approx(chances[2][0]), after=1.0)


def test_if_nobody_rolled_at_a_risk_the_boldest_stop_is_told():
    start = parse_position("3 7:13,8:11/- 1 12:3,2:1 -")
    (told,) = story(Game.new(["Anna", "Bob"]).do(SetTo(start)).do(Stop()))
    busts = sum(weight for roll, weight in weighted_rolls() if is_bust(start.with_roll(roll)))
    assert told == Moment("stop", "Anna", 1, loss=pytest.approx(busts / 1296), spaces=4)


def test_b_tells_the_story_of_a_game_of_several_page_by_page():
    told = over()
    assert labels(told.now)["B"] == "Story"
    assert told.step(B).effects == (Effect.ASK_STORY,)
    assert screen(told.do(B).now).text == ("One moment…",)
    told.do(StoryKnown(TOLD))
    pages = [screen(told.now), screen(told.do(C).now), screen(told.do(B).now)]
    assert [page.title for page in pages] == ["Luckiest roll", "Boldest roll", "Turning point"]
    assert " ".join(pages[0].text) == "Anna, turn 2: 1-1-2-3. Chance to win: 25%, then 50%."
    assert " ".join(pages[1].text) == "Bob, turn 3: rolled again, with 40% to lose 7."
    assert screen(told.do(A).now).title == "Boldest roll"
    assert told.do(STOP).state == GameOver()
    assert over(("Anna",)).refuses(B), "a solo game has the table of the fewest turns"
