"""Words for telling stories of the referee: a table that presses happen to, and strategies for random ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from PIL import Image

from device.referee import inputs
from device.referee.box_care import PROBES
from device.referee.inputs import Button, Input, Press
from device.referee.outcome import Outcome
from device.referee.playing import state_of
from device.referee.states import GameOver, Situation, State, Welcome
from device.referee.transition_table import step
from device.screens import draw
from device.screens.screen import Screen
from engine import Game, Leaves, SetTo, Stop, parse_position

A, B, C, STOP = (Press(button) for button in Button)
HOLD_A, HOLD_B, HOLD_C, HOLD_STOP = (Press(button, long=True) for button in Button)


def dice(*values: int, likely: tuple[tuple[int, ...], ...] = ()) -> inputs.DiceRead:
    return inputs.DiceRead(tuple(sorted(values)), likely)


def tray(view: inputs.TrayView, why: str = "", count: int = 0) -> inputs.TraySeen:
    return inputs.TraySeen(view, why, count)


def game_at(position: str, levels: tuple[str, ...] = ()) -> Game:
    """Return a game of yellow, orange, green and blue, or the first of them, that continues from a position."""
    start = parse_position(position)
    names = ("yellow", "orange", "green", "blue")[: start.players]
    game = Game.new(names, start.variants, levels=levels).do(SetTo(replace(start, out=())))
    for player in start.out:
        game = game.do(Leaves(player, markers_stay=True))
    return game


class Story:
    """A situation to which inputs happen, one after another; each must be accepted."""

    def __init__(self, situation: Situation | None = None) -> None:
        self.now = situation or Situation(Welcome())

    @classmethod
    def at(cls, position: str, levels: tuple[str, ...] = ()) -> Story:
        """A story that begins in a position."""
        game = game_at(position, levels)
        return cls(Situation(state_of(game), game, 1))

    def do(self, *events: Input) -> Story:
        for event in events:
            outcome = step(self.now, event)
            assert outcome is not None, f"{event} is not accepted in {self.now.state}"
            self.now = outcome.situation
        return self

    def refuses(self, event: Input) -> bool:
        return step(self.now, event) is None

    def step(self, event: Input) -> Outcome | None:
        return step(self.now, event)

    @property
    def state(self) -> State:
        return self.now.state


def over(names: tuple[str, ...] = ("Anna", "Bob"), number: int = 1) -> Story:
    """The end of a game of these players, which the first has won."""
    start = parse_position(f"3 7:13,8:11{'/-' * (len(names) - 1)} 1 12:3 -")
    return Story(Situation(GameOver(), Game.new(names).do(SetTo(start)).do(Stop()), number))


def two_players() -> Story:
    """Yellow and orange with base rules, yellow begins."""
    return Story().do(C, C, C, C, C, C)


rolls = st.tuples(*[st.integers(1, 6)] * 4).map(lambda values: tuple(sorted(values)))
reads = st.builds(
    inputs.DiceRead,
    st.one_of(rolls, st.tuples(st.integers(1, 6)), st.lists(st.integers(1, 6), max_size=6).map(tuple)),
    st.lists(rolls, max_size=4).map(tuple),
    asked=st.booleans(),
)
presses = st.builds(Press, st.sampled_from(Button), st.booleans())
looks = st.one_of(
    st.builds(
        inputs.TraySeen,
        st.sampled_from([view for view in inputs.TrayView if view is not inputs.TrayView.NO_CAMERA]),
        st.sampled_from(["count", "cocked", "unsure", "no dice"]),
        st.integers(0, 9),
    ),
    st.builds(inputs.TraySeen, st.just(inputs.TrayView.NO_CAMERA), st.sampled_from(inputs.CameraTrouble)),
    st.builds(inputs.TraySeen, st.just(inputs.TrayView.MISSED), values=st.one_of(rolls, st.tuples(st.integers(1, 6)))),
)
likely_inputs = st.one_of(
    st.builds(Press, st.sampled_from(Button)),
    st.builds(inputs.DiceRead, rolls, st.lists(rolls, max_size=4).map(tuple)),
    st.builds(inputs.DiceRead, st.tuples(st.integers(1, 6))),
    presses,
    reads,
    looks,
    st.just(inputs.EarlyStop()),
    st.just(inputs.WhereIsEverybody()),
    st.builds(inputs.TrayStill, st.booleans()),
)
"""Anything that can happen, the ordinary more often."""


machine_answers = st.one_of(
    st.builds(
        inputs.Finding,
        st.sampled_from(PROBES),
        st.sampled_from(inputs.Grade),
        st.sampled_from(["no answer", "failed", "sharp"]),
        st.just((("seconds", 10), ("error", "x"))),
    ),
    st.builds(inputs.TrayMeasured, st.sampled_from(["", "no camera", "no tray"]), st.just((("higher", True),))),
    st.builds(inputs.NetworkSeen, st.sampled_from([(), ("cantstop.local", "192.168.178.123")])),
    st.just(inputs.StaysOn()),
    st.builds(inputs.VersionSeen, st.sampled_from(["", "failed", "begin", "program", "game", "sideways"])),
)
"""What the parts of the box answer to its requests."""


def overflows(screen: Screen) -> list[str]:
    """Return the texts of a screen that are too wide, and those that have no row."""
    _, lines = draw._free(screen)
    wide = [text.text for text in draw.layout(screen) if draw.width(text.text, text.font) > text.room]
    return wide + list(screen.text[lines:])


def noise(seed: int = 0, size: tuple[int, int] = (128, 64)) -> Image.Image:
    """Return a picture for an OLED that is different for each seed."""
    pixels = np.random.default_rng(seed).integers(0, 2, size[::-1], dtype=np.uint8)
    return Image.fromarray(pixels * 255).convert("1")
