"""Kills a box at random instants while it plays, and checks that the last situation shown, or the next, is back.

The box is the program's own: its loop, its referee, its journal on a real disk. Only the hardware is left out, which
does not affect storage: pictures are discarded, and presses and dice are put in. Each life of the box is a fork of this
process, so that thousands of starts do not load Python thousands of times; each ends by SIGKILL. Between two lives the
files may be damaged, as by a power cut or a bad card.
"""

from __future__ import annotations

import os
import random
import select
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from device.box import Box
from device.hardware.display import ReconnectingDisplay
from device.referee.inputs import Button, Input, Press
from device.referee.states import Situation, Welcome
from device.referee.transition_table import step
from device.screens.draw import draw
from device.screens.views import screen
from device.sim.robot import next_input
from device.storage.journal import Journal
from tools.soak.damage import DAMAGES
from tools.soak.fingerprints import INTENDS, SHOWN, FingerprintWriter, PossibleSituations, fingerprint

LIFE_S = 1.0
"""The longest life of a box in seconds; the logarithm of the time is uniformly distributed, from a thousandth on."""

PATIENCE_S = 60.0
"""The time limit for a box to report its start, in seconds, on a busy machine."""

LIVES_PER_CARD = 150
"""The number of lives after which a new journal is started; by then it has some thousand rows."""


@dataclass(slots=True)
class Report:
    """The results.

    Attributes:
        kills: The number of lives.
        before_start: The number of lives that ended before the game was restored.
        games: The number of games begun.
        inputs: The number of inputs shown.
        damages: The number of times for each kind of damage.
        lost: The fingerprints of situations that were restored by mistake.
        failed: Lives that ended by themselves.
    """

    kills: int = 0
    before_start: int = 0
    games: int = 0
    inputs: int = 0
    damages: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    failed: int = 0


class _NoScreen:
    """A display that discards pictures."""

    def show(self, image: object) -> None:
        pass

    light = show

    def check(self) -> None:
        pass

    close = leave = check


def live(journal_file: Path, pipe: int, seed: int) -> None:
    """Play forever: the life of one box."""
    chance = random.Random(seed)
    journal = Journal(journal_file)
    teller = FingerprintWriter(pipe, journal)
    box = Box(journal, ReconnectingDisplay(_NoScreen))

    def beat(_: str) -> None:
        """Handle an iteration of the loop: the last input was shown, so the next one is put."""
        if not box._inputs.empty():
            return  # it has only checked its parts
        now = box.situation
        teller.tell(SHOWN, fingerprint(now))
        if chance.random() < 0.1:  # people do not always do the next thing
            event: Input = Press(chance.choice(list(Button)), long=chance.random() < 0.5)
        else:
            event = next_input(now, 2, chance)
        outcome = step(now, event)
        if outcome is not None:
            teller.tell(INTENDS, fingerprint(outcome.situation))
        box.put(event)

    box.run(beat=beat)


def campaign(
    kills: int,
    seed: int = 0,
    folder: Path | None = None,
    tell: Callable[[int], None] = lambda _: None,
    report: Report | None = None,
) -> Report:
    """Run and kill boxes.

    Args:
        kills: The number of lives.
        seed: The random seed of play and damage, though not of the instants of the kills.
        folder: A folder on the disk to use; None for the one of temporary files.
        tell: Called after each life with the number of lives so far.
        report: Receives the results; None for a new report.
    """
    draw(screen(Situation(Welcome())))  # types are loaded once, not in every life
    report = Report() if report is None else report
    chance = random.Random(seed)
    done = 0
    while done < kills:
        with tempfile.TemporaryDirectory(dir=folder) as card:
            ledger = PossibleSituations()
            file = Path(card) / "journal.txt"
            for _ in range(min(LIVES_PER_CARD, kills - done)):
                _one_life(file, chance, ledger, report)
                done += 1
                tell(done)
            report.lost += ledger.lost
            games = Journal(file)
            report.games += games.situation().number
            games.close()
    return report


def _one_life(file: Path, chance: random.Random, ledger: PossibleSituations, report: Report) -> None:
    # One damage at a time: a box that never reported its start has not seen the damage before.
    if ledger.is_up and chance.random() < 0.2:
        damage = chance.choice(list(DAMAGES))
        if DAMAGES[damage](file, chance):
            report.damages[damage] += 1
    heard, child = _fork(file, chance.getrandbits(32))
    messages = b""
    if chance.random() < 0.8:  # the others die while they start
        ready, _, _ = select.select([heard], [], [], PATIENCE_S)
        messages = os.read(heard, 1 << 16) if ready else b""
    time.sleep(LIFE_S * 10 ** -(chance.random() * 2.4))
    is_ended, _ = os.waitpid(child, os.WNOHANG)
    report.failed += is_ended != 0
    os.kill(child, signal.SIGKILL)
    if not is_ended:
        os.waitpid(child, 0)
    while more := os.read(heard, 1 << 16):
        messages += more
    os.close(heard)
    told = messages.decode()
    report.kills += 1
    report.before_start += not told
    report.inputs += told.count(SHOWN)
    ledger.hear(told)


def _fork(file: Path, seed: int) -> tuple[int, int]:
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
