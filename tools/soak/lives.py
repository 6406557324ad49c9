"""One life of a box that plays without hardware, in a process that is killed at any instant.

The box is the program's own: its loop, its referee, its journal on a real disk. Only the hardware is left out, which
does not affect storage: pictures are discarded, and presses and dice are put in. Each life of the box is a fork of this
process, so that thousands of starts do not load Python thousands of times; each ends by SIGKILL.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import select
import time
from pathlib import Path

from device import box as box_module
from device.box import Box
from device.hardware.display import Display, ReconnectingDisplay
from device.referee.inputs import Button, DiceRead, Input, Press
from device.referee.playing import dice_wanted
from device.referee.states import Resume, Situation, WatchingTray
from device.referee.transition_table import step
from device.storage.journal import Journal
from device.storage.state_text import to_data
from engine import transcript
from tools.sim.robot import next_action

RESUMED, INTENDS, SHOWN, ENDED = "R", "I", "S", "E"
"""The kinds of messages: found in the journal at the start; about to happen; has happened and is on the screen, each
with a fingerprint; and a game that is over, with its number and transcript as JSON."""


def next_input(situation: Situation, chance: random.Random) -> Press | DiceRead:
    """Return the next input of a box without hardware: the robot's rolls are read at once.

    Args:
        situation: The box's situation.
        chance: The random numbers for the dice.
    """
    action = next_action(situation, 2)
    if action is not None:
        return action
    return DiceRead(tuple(sorted(chance.randint(1, 6) for _ in range(dice_wanted(situation.state)))))


def fingerprint(situation: Situation) -> str:
    """Return 16 letters that identify a situation, apart from what a restart or a look at the tray adds."""
    state = situation.state
    while isinstance(state, Resume | WatchingTray):
        state = state.before
    game = situation.game
    told = (to_data(state), situation.number, None if game is None else transcript(game))
    return hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:16]


def live(journal_file: Path, pipe: int, seed: int) -> None:
    """Play forever: the life of one box. A message is one write, so that a kill leaves all of it or nothing."""
    chance = random.Random(seed)
    box_module.HASTY_S = 0.0  # this player presses STOP at once, and means it
    journal = Journal(journal_file)
    last = journal.situation()
    message = ""

    def tell(kind: str, told: str) -> None:
        nonlocal message
        before, message = message, f"{kind} {told}\n"
        if message != before:  # an input that is not accepted shows nothing new
            os.write(pipe, message.encode())

    tell(RESUMED, fingerprint(last))
    box = Box(journal, ReconnectingDisplay(Display))

    def beat(_: str) -> None:
        """Handle an iteration of the loop: the last input was shown, so the next one is put."""
        nonlocal last
        if not box._inputs.empty():
            return  # it has only checked its parts
        now = box.situation
        tell(SHOWN, fingerprint(now))
        if now.number != last.number and last.game is not None and last.game.winner is not None:
            tell(ENDED, json.dumps((last.number, transcript(last.game))))
        last = now
        if chance.random() < 0.1:  # people do not always do the next thing
            event: Input = Press(chance.choice(list(Button)), long=chance.random() < 0.5)
        else:
            event = next_input(now, chance)
        outcome = step(now, event)
        if outcome is not None:
            tell(INTENDS, fingerprint(outcome.situation))
        box.put(event)

    box.run(beat=beat)


def heard_from(pipe: int, lasts_s: float, *, until_any: bool = False) -> bytes:
    """Return what a box sends in a time, or until its end; or only the first messages, as soon as they come."""
    until = time.monotonic() + lasts_s
    messages = b""
    while not (until_any and messages) and select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
        more = os.read(pipe, 1 << 16)
        messages += more
        if not more or time.monotonic() > until:
            break
    return messages


def fork(file: Path, seed: int) -> tuple[int, int]:
    """Start a life; return the reading end of its pipe, and its process."""
    heard, told = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(heard)
        try:
            live(file, told, seed)
        finally:
            os._exit(1)
    os.close(told)
    return heard, child
