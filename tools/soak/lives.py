"""Kills a box at random instants while it plays, and checks what it remembers.

The box is the program's own: its loop, its referee, its journal on a real disk. Only the hardware is left out, which
does not affect storage: pictures are discarded, and presses and dice are put in. Each life of the box is a fork of this
process, so that thousands of starts do not load Python thousands of times; each ends by SIGKILL. Between two lives a
file may be damaged, as by a power cut or a bad card, or the disk may be full for a while.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import select
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from device import box as box_module
from device.box import Box
from device.hardware.display import ReconnectingDisplay
from device.laptop.robot import next_action
from device.referee.inputs import Button, DiceRead, Input, Press
from device.referee.playing import dice_wanted
from device.referee.states import Resume, Situation, WatchingTray, Welcome
from device.referee.transition_table import step
from device.screens.draw import draw
from device.screens.views import screen
from device.storage.journal import Journal, JournalError
from device.storage.state_text import to_data
from engine import transcript
from tools.soak import disk
from tools.soak.damage import damage

SHORT_S, LONG_S = (0.004, 1.0), (1.0, 20.0)
"""The shortest and longest lives in seconds, their logarithm uniformly distributed: for kills, and for whole games."""

PATIENCE_S = 60.0
"""The time limit for a box to report its start, in seconds, on a busy machine."""

CARD_LIVES = 100
"""The number of lives after which a new journal is started; by then it has some thousand rows."""

SPARE_INPUTS = 8
"""The number of inputs with room, after a damage, before the disk may be full: a full disk needs both spare copies."""

DAMAGE_CHANCE, FULL_CHANCE, UNSTARTED_CHANCE = 0.2, 0.2, 0.2
"""The probabilities, for a life, of a damaged file before it, of a full disk, and of a kill while it starts."""


RESUMED, INTENDS, SHOWN, ENDED = "R", "I", "S", "E"
"""The kinds of messages: found in the journal at the start; about to happen; has happened and is on the screen, each
with a fingerprint; and a game that is over, with its number and transcript as JSON."""


def next_input(situation: Situation, players: int, chance: random.Random) -> Press | DiceRead:
    """Return the next input of a box without hardware: the robot's rolls are read at once.

    Args:
        situation: The box's situation.
        players: The number of players for a new game.
        chance: The random numbers for the dice.
    """
    action = next_action(situation, players)
    if action is not None:
        return action
    return DiceRead(tuple(sorted(chance.randint(1, 6) for _ in range(dice_wanted(situation.state)))))


@dataclass(slots=True)
class Report:
    """The results.

    Attributes:
        kills: The number of lives.
        unstarted: The number of lives that ended before the game was restored.
        inputs: The number of inputs shown.
        games: The number of games that were played to their end.
        damages: The number of times for each kind of damage.
        full: The number of lives with a full disk.
        gone: Finished games whose file was damaged.
        lost: The fingerprints of situations that were restored by mistake.
        wrong: Finished games that are gone although their file was not damaged, or that differ from what was played.
        failed: Lives that ended by themselves.
    """

    kills: int = 0
    unstarted: int = 0
    inputs: int = 0
    games: int = 0
    damages: dict[str, int] = field(default_factory=dict)
    full: int = 0
    gone: int = 0
    lost: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    failed: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost that should not be."""
        return not (self.lost or self.wrong or self.failed)


def fingerprint(situation: Situation) -> str:
    """Return 16 letters that identify a situation, apart from what a restart or a look at the tray adds."""
    state = situation.state
    while isinstance(state, Resume | WatchingTray):
        state = state.before
    game = situation.game
    told = (to_data(state), situation.number, None if game is None else transcript(game))
    return hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:16]


class PossibleSituations:
    """The situations that are possible after a kill: the last one shown, or one that was about to follow."""

    def __init__(self) -> None:
        """Start before the first life."""
        self._allowed: set[str] = set()
        self.lost: list[str] = []
        """The fingerprints that were found instead of what had been shown."""

    def hear(self, kind: str, told: str) -> None:
        """Handle a message; the first of a life is the situation that it has resumed."""
        if kind == RESUMED and self._allowed and told not in self._allowed:
            self.lost.append(told)
        self._allowed = self._allowed | {told} if kind == INTENDS else {told}


class _NoScreen:
    """A display that discards pictures."""

    def show(self, image: object) -> None:
        pass

    light = show

    def check(self) -> None:
        pass

    close = leave = check


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
    box = Box(journal, ReconnectingDisplay(_NoScreen))

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
            event = next_input(now, 2, chance)
        outcome = step(now, event)
        if outcome is not None:
            tell(INTENDS, fingerprint(outcome.situation))
        box.put(event)

    box.run(beat=beat)


class Card:
    """A memory card with the files of one box, and what they must contain."""

    def __init__(self, folder: Path, chance: random.Random, report: Report) -> None:
        """Start with an empty folder.

        Args:
            folder: The folder, which may be a small disk of its own.
            chance: The random numbers.
            report: Receives the results.
        """
        self._folder, self._chance, self._report = folder, chance, report
        self._file = folder / "journal.txt"
        self._possible = PossibleSituations()
        self._ended: dict[int, str] = {}
        self._is_settled = self._is_game_damaged = False
        self._safe = 0

    def live(self, lasts_s: float) -> None:
        """Let the box live once, perhaps after damage or with a full disk, kill it, and check its games.

        Args:
            lasts_s: The time from its start to its kill, in seconds.
        """
        report, chance = self._report, self._chance
        report.kills += 1
        is_full = self._safe >= SPARE_INPUTS and chance.random() < FULL_CHANCE
        # One fault at a time: a damaged file of the current game is repaired by the next inputs, if there is room.
        wants_damage = self._is_settled and not is_full and chance.random() < DAMAGE_CHANCE
        if wants_damage and (done := damage(self._folder, chance)):
            kind, file = done
            report.damages[kind] = report.damages.get(kind, 0) + 1
            self._is_game_damaged, self._safe = file.parent != self._folder, 0
        heard, child = _fork(self._file, chance.getrandbits(32))
        try:
            if is_full:
                report.full += 1
                self._fill(child)
            messages = b""
            if chance.random() > UNSTARTED_CHANCE:
                messages = _heard(heard, PATIENCE_S, until_any=True)
            messages += _heard(heard, lasts_s)
            if os.waitpid(child, os.WNOHANG)[0]:
                report.failed += 1
                child = 0
        finally:
            if child:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        messages += _heard(heard, PATIENCE_S)
        os.close(heard)
        disk.free(self._folder)
        self.take(messages.decode())
        shown = messages.count(f"\n{SHOWN} ".encode())
        self._is_settled = shown > 2 and not is_full  # the first one is what it has found
        self._safe += self._is_settled * shown
        if self._is_settled:
            self.check()
            self._is_game_damaged = False

    def _fill(self, child: int) -> None:
        """Fill the disk; without a disk of its own, limit the files of the process to the largest so far."""
        if self._folder.is_mount():
            disk.fill(self._folder)
        else:
            largest = max((file.stat().st_size for file in self._folder.iterdir()), default=0)
            resource.prlimit(child, resource.RLIMIT_FSIZE, (largest, largest))

    def take(self, messages: str) -> None:
        """Handle the messages of a life; an incomplete one at the end is ignored."""
        lines = messages.split("\n")[:-1]
        self._report.unstarted += not lines
        for kind, told in (line.split(" ", 1) for line in lines):
            if kind == ENDED:
                number, played = json.loads(told)
                self._ended[number] = played
                self._report.games += 1
            else:
                self._report.inputs += kind == SHOWN
                self._possible.hear(kind, told)
        self._report.lost += self._possible.lost
        self._possible.lost = []

    def check(self) -> None:
        """Check that the journal has all finished games, except one whose own file was damaged."""
        found: dict[int, str] = {}
        if self._ended:
            try:
                with closing(Journal(self._file, to_write=False)) as journal:
                    found = {number: _transcript(journal, number) for number in self._ended}
            except JournalError as error:
                found = dict.fromkeys(self._ended, f"{error}")
        for number, told in found.items():
            played = self._ended[number]
            if told == played:
                continue
            del self._ended[number]
            if self._is_game_damaged and played.startswith(told.rpartition("result: ")[0].rstrip("\n")):
                self._report.gone += 1
            else:
                self._report.wrong.append(f"game {number}:\n{played}\n---\n{told}")


def _transcript(journal: Journal, number: int) -> str:
    """Return a game as the journal has it; "" if it is missing or damaged."""
    try:
        return transcript(journal.game(number))
    except (KeyError, JournalError):
        return ""


def _heard(pipe: int, lasts_s: float, *, until_any: bool = False) -> bytes:
    """Return what a box sends in a time, or until its end; or only the first messages, as soon as they come."""
    until = time.monotonic() + lasts_s
    messages = b""
    while not (until_any and messages) and select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
        more = os.read(pipe, 1 << 16)
        messages += more
        if not more or time.monotonic() > until:
            break
    return messages


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


def campaign(kills: int, games: int, seed: int, report: Report, tell: Callable[[], None] = lambda: None) -> None:
    """Run and kill boxes: first the short lives, then long ones.

    Args:
        kills: The number of short lives.
        games: The number of games that are played to their end in long lives.
        seed: The random seed of play and damage, though not of the instants of the kills.
        report: Receives the results, and is complete after each life.
        tell: Called after each life.
    """
    draw(screen(Situation(Welcome())))  # types are loaded once, not in every life
    chance = random.Random(seed)
    _play(SHORT_S, lambda: report.kills >= kills, chance, report, tell)
    goal = report.games + games
    _play(LONG_S, lambda: report.games >= goal, chance, report, tell)


def _play(
    span: tuple[float, float],
    is_done: Callable[[], bool],
    chance: random.Random,
    report: Report,
    tell: Callable[[], None],
) -> None:
    """Run lives of these lengths, from card to card, until it is done."""
    while not is_done():
        with tempfile.TemporaryDirectory() as place:
            mounted = Path(place) / "card"
            mounted.mkdir()
            with disk.small_disk(mounted, Path(place) / "image"):
                card = Card(mounted, chance, report)
                for _ in range(CARD_LIVES):
                    if is_done():
                        break
                    card.live(span[0] * (span[1] / span[0]) ** chance.random())
                    tell()
