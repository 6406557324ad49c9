"""Dice that are entered on the page: wherever the game waits for dice, and nowhere else."""

from __future__ import annotations

import pytest

from device.page.box_side.answers import Answers
from device.page.box_side.phone_keys import PhoneKeys
from device.page.wire import RequestError
from device.referee.inputs import Input
from device.referee.playing import dice_wanted
from device.referee.states import Situation, StopPending
from device.referee.transition_table import step
from tools.docs.screens import situations

WAITING = {
    name: now
    for name, now in situations().items()
    if dice_wanted(now.state) and not isinstance(now.state, StopPending)  # then only a roll that the camera sees counts
}


def entered(folder, now: Situation, dice: int) -> list[Input]:
    """What the box is told when a paired phone enters this number of dice, all sixes."""
    told: list[Input] = []
    keys = PhoneKeys(None, invitation="X")
    answers = Answers(told.append, keys, journal=folder / "journal.txt", misread=folder / "misread")
    answers.see(now)
    game, steps = (0, 0) if now.game is None else (now.number, len(now.game.steps))
    message = {"ask": "dice", "key": keys.pair("X", ""), "dice": [6] * dice, "game": game, "steps": steps}
    _, answer = answers.admit(message)
    answer(message)
    return told


def test_dice_entered_on_the_page_count_wherever_as_many_are_awaited(tmp_path):
    assert {dice_wanted(now.state) for now in WAITING.values()} == {1, 4}
    for name, now in WAITING.items():
        (told,) = entered(tmp_path, now, dice_wanted(now.state))
        assert step(now, told) is not None, name
        with pytest.raises(RequestError) as refused:
            entered(tmp_path, now, 3)
        assert refused.value.kind in {"moved on", "not now"}, name
