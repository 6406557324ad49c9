"""The box's loop: one queue, one owner of the game. Buttons, camera and timers only put inputs into the queue."""

from __future__ import annotations

import logging
import math
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from device.hardware.boards import BOARDS, Board
from device.hardware.display import ReconnectingDisplay
from device.hardware.display_choice import DisplayChoice
from device.health.probe_runner import ask_aside
from device.referee import inputs
from device.referee.box_care import first_start
from device.referee.inputs import Button, Input, Press
from device.referee.outcome import Effect, Outcome
from device.referee.playing import dice_wanted
from device.referee.referee import Referee
from device.referee.states import (
    STOP_ENDS_TURN,
    ChangingVersion,
    JoiningNetwork,
    Restoring,
    ShowingPage,
    Situation,
    State,
    Thinking,
)
from device.screens import fault_texts
from device.screens.draw import draw
from device.screens.language import say, speaking
from device.screens.on_board import meant, on_board
from device.screens.screen import Screen
from device.screens.spoken import spoken
from device.screens.views import screen
from device.statistics.solo import fewest_turns
from device.statistics.story import story
from device.storage.journal import Journal, JournalError, JournalWarning, games_in
from device.storage.preferences_file import PreferencesFile
from device.thinking import Thinker
from engine import Corrected, Game, Position, Rolled
from engine.opponents.strongest import advice

if TYPE_CHECKING:
    from device.camera.watcher import Watcher
    from device.hardware.signals import Signals
    from device.hardware.speech import Speech
    from device.health.machine_control import MachineControl
    from device.page.box_side.publisher import Publisher

TICK_S = 0.5
"""The interval of the loop's checks of display and camera, and of its heartbeat, in seconds."""

RETRY_S = 5.0
"""The interval of retries of failed writes, in seconds."""

THE_GAME = "the game"
"""What the journal stores, as the log calls it."""

_WARNINGS = {
    None: None,
    JournalWarning.DAMAGED: fault_texts.DAMAGED,
    JournalWarning.SPARE: fault_texts.NOT_IN_JOURNAL,
}

_PEOPLE_PRESENT = (inputs.TraySeen(inputs.TrayView.HAND), inputs.TraySeen(inputs.TrayView.ROLLING))
"""Inputs that show that people are at the table."""

HASTY_S = 0.6
"""The time after a screen came up on which STOP ends the turn in which a press of STOP is not accepted, in seconds:
it was meant for the screen before, on which STOP goes back."""

_log = logging.getLogger(__name__)


class _WakePress:
    """A queue entry for a press that has only lit a dark screen."""


@dataclass(eq=False)
class Box:
    """The referee with its journal and its display; the only owner of the situation, which the journal knows at first.

    Attributes:
        journal: Stores accepted inputs, before they are shown.
        display: Shows the screens.
        start: The situation to start with instead of the journal's.
        preferences: The file of the players' preferences; None for defaults that are not stored. With a file, and a
            journal in which nothing was ever recorded, the first-start steps come first.
        stuck: Returns the buttons that are down all the time.
        machine: Checks the machine, finds its addresses and switches it off; None for a game that plays itself.
        signals: Makes the sounds; None for a silent box.
        publisher: Receives everything after it is shown; None for a box without a page.
        speech: Reads the screens aloud; None for a box without speech.
        displays: The ways of driving the display, tried at the first start; None if there is only one.
        first_steps: The first-start steps; None for those of a box.
        board: The board with the box's own display and buttons.
        page: The page's host name and port. On a board without a display `speech` says them until a phone presses a
            button, and with each code.
    """

    journal: Journal
    display: ReconnectingDisplay
    start: Situation | None = None
    preferences: PreferencesFile | None = None
    stuck: Callable[[], Sequence[Button]] = tuple
    machine: MachineControl | None = None
    signals: Signals | None = None
    publisher: Publisher | None = None
    speech: Speech | None = None
    displays: DisplayChoice | None = None
    first_steps: State | None = None
    board: Board = BOARDS["box"]
    page: tuple[str, int] | None = None

    def __post_init__(self) -> None:
        self._think = Thinker(self.put).ask
        self._asked: Position | None = None
        self._spoken_last = ""
        self._watcher: Watcher | None = None
        self._inputs: queue.Queue[tuple[float, Input | _WakePress | None]] = queue.Queue()
        self._stop_counts_s = -math.inf
        self._situation = self.start or self.journal.situation()
        preferences, signals = self.preferences, self.signals
        if preferences is not None:
            # The journal says so, not the preferences: they are stored when the language is chosen, with steps to come.
            is_first = self.start is None and self.journal.is_new
            steps = self.first_steps or first_start(
                signals=() if signals is None else signals.signals,
                with_buttons=self.board.has_buttons,
                with_page=self.publisher is not None,
                with_frame=self.displays is not None,
            )
            state = steps if is_first else self._situation.state
            known = preferences.load()
            chosen = known.remembering(self._situation.preferences.names)
            if not self.board.has_buttons:
                chosen = chosen.chosen("page", True)
            self._situation = replace(self._situation, state=state, preferences=chosen)
        self._page_is_found = False
        self._shown: Screen | None = None
        self._referee = Referee()
        self._next_tick_s = 0.0
        self._next_retry_s = 0.0
        self._unsaved: dict[str, Callable[[], None]] = {}
        self._published: tuple[Situation, Screen] | None = None
        self._at_the_disk: Callable[[], AbstractContextManager[None]] = nullcontext
        self.changed = threading.Condition()
        """Notified after each input that was accepted and shown."""
        if preferences is not None and chosen != known:
            self._keep("what the players chose", lambda: preferences.save(chosen))

    @property
    def situation(self) -> Situation:
        """The current situation."""
        return self._situation

    @property
    def wants_dice(self) -> int:
        """The number of dice that the box waits for."""
        return dice_wanted(self._situation.state)

    def put(self, event: Input) -> None:
        """Put an input into the queue; may be called from any thread.

        On a dark screen a player cannot see the effect of a press, so the first one only lights it.
        """
        only_wakes = isinstance(event, Press) and self.display.wake()
        self._inputs.put((time.monotonic(), _WakePress() if only_wakes else event))

    def put_key(self, press: Press) -> None:
        """Put a press of the box's own buttons into the queue; may be called from any thread."""
        self.put(meant(press, self._shown, self.board))

    def stop(self) -> None:
        """End the loop after the inputs in the queue."""
        self._inputs.put((time.monotonic(), None))

    def run(
        self,
        watcher: Watcher | None = None,
        beat: Callable[[str], None] = lambda _: None,
        at_the_disk: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """Show the screen and handle inputs until `stop`.

        Args:
            watcher: Watches the tray; None for a box without a camera, where dice are entered by hand.
            beat: The heartbeat, called at each iteration of the loop with what is wrong, or "".
            at_the_disk: A context manager around everything that waits for the disk, which may take much longer than
                the rest.
        """
        self._watcher = watcher
        self._at_the_disk = at_the_disk
        if self.signals is not None:
            self.signals.follow(self._situation.preferences)
        if watcher is None:
            self._handle(inputs.TraySeen(inputs.TrayView.NO_CAMERA, inputs.CameraTrouble.NOT_USED))
        self._show()
        self._ask_opponent()
        self._next_tick_s = time.monotonic() + TICK_S
        while True:
            beat(self._trouble())
            wait_s = self._next_tick_s - time.monotonic()
            if wait_s <= 0:  # even if the queue is always full
                self._tick()
                continue
            try:
                put_s, event = self._inputs.get(timeout=wait_s)
            except queue.Empty:
                continue
            if event is None:
                return
            if isinstance(event, _WakePress) or self._is_hasty(event, put_s):
                self._show()
            else:
                self._handle(event)

    def _is_hasty(self, event: Input, put_s: float) -> bool:
        """Whether this press of STOP was meant for a screen before this one, on which it would end the turn."""
        is_stop = event == Press(Button.STOP) and isinstance(self._situation.beneath, STOP_ENDS_TURN)
        return is_stop and put_s < self._stop_counts_s

    def _tick(self) -> None:
        """Check the parts that may have failed or returned unnoticed."""
        self._next_tick_s = time.monotonic() + TICK_S
        if self._watcher is not None:
            self._watcher.tend(self.display.alone_s)
        if time.monotonic() > self._next_retry_s:
            self._next_retry_s = time.monotonic() + RETRY_S
            # The journal has taken the input already, which is only written again.
            game = {THE_GAME: self.journal.retry} if self.journal.waits else {}
            for what, save in {**self._unsaved, **game}.items():
                self._keep(what, save)
        self._show()

    def _trouble(self) -> str:
        """Return in one line what does not work, for the service's status."""
        troubles = [self.display.trouble]
        if THE_GAME in self._unsaved:
            troubles.append("the game is not saved")
        elif self.journal.warning is not None:
            troubles.append(f"journal: {self.journal.warning}")
        if (tray := self._referee.tray) is not None and tray.view is inputs.TrayView.NO_CAMERA:
            troubles.append(f"camera: {tray.why}")
        return "; ".join(filter(None, troubles))

    def _handle(self, event: Input) -> None:
        if not isinstance(event, inputs.TraySeen | inputs.TrayStill) or event in _PEOPLE_PRESENT:
            self.display.wake()
        self._page_is_found |= isinstance(event, Press)
        outcome = self._referee.take(self._situation, event)
        if outcome is None:
            _log.debug("not accepted in %s: %s", type(self._situation.state).__name__, event)
            return
        situation = outcome.situation
        if Effect.TRAY_CHECKED in outcome.effects and self._watcher is not None:
            self._watcher.tray_checked()
        self._prepare(outcome)
        if not isinstance(event, inputs.TraySeen) or situation.game != self._situation.game:
            self._keep(THE_GAME, lambda: self.journal.record(event, situation))
        before, self._situation = self._situation, situation
        if Effect.RESTORE in outcome.effects and isinstance(asked := before.state, Restoring):
            # The journal knows their numbers before they are there, so no other game gets one of them.
            self._keep("the games of the backup", lambda: self.journal.add(asked.backup.games))
        self._show()
        if isinstance(situation.beneath, STOP_ENDS_TURN) and not isinstance(before.beneath, STOP_ENDS_TURN):
            self._stop_counts_s = time.monotonic() + HASTY_S
        self._tell_misread(before.game, situation.game)
        if self.signals is not None:
            self.signals.happened(before, event, situation)
        for effect in outcome.effects:
            self._ask(effect)
        self._ask_opponent()
        if outcome.then is not None:
            self.put(outcome.then)
        with self.changed:
            self.changed.notify_all()

    def _prepare(self, outcome: Outcome) -> None:
        """Apply the effects that come before the journal and the screen."""
        # Preferences are stored before the journal: a power cut in between asks again, and never changes the language.
        file, chosen = self.preferences, outcome.situation.preferences
        if Effect.KEEP_PREFERENCES in outcome.effects and file is not None:
            self._keep("what the players chose", lambda: file.save(chosen))
        if Effect.KEEP_DISPLAY in outcome.effects and self.displays is not None:
            self._keep("the display's controller", self.displays.keep)
        if Effect.TRY_DISPLAY in outcome.effects and self.displays is not None:
            self.displays.try_next()
            self.display.reopen()

    def _ask(self, effect: Effect) -> None:
        """Make the request of an effect."""
        put = self.put
        match effect:
            case Effect.ASK_PAGE if self.publisher is None:
                put(inputs.PageReady("", ""))  # publishing the screen also requests it
            case Effect.ASK_FEWEST:
                path = self.journal.path
                unknown = inputs.FewestKnown(is_readable=False)
                ask_aside(lambda: inputs.FewestKnown(fewest_turns(games_in(path))), put, unknown)
            case Effect.ASK_STORY:
                game = self._situation.played
                ask_aside(lambda: inputs.StoryKnown(story(game)), put, inputs.StoryKnown())
            case Effect.ASK_COACH:
                position = self._situation.played.position
                ask_aside(lambda: inputs.Advised(position, tuple(advice(position))), put, inputs.Advised(position))
        if self.machine is not None:
            self._ask_machine(self.machine, effect)
        if self._watcher is not None:
            self._ask_watcher(self._watcher, effect)
        elif effect in (Effect.LEARN_TRAY, Effect.MEASURE_TRAY):
            put(inputs.TrayMeasured("no camera"))

    def _ask_machine(self, machine: MachineControl, effect: Effect) -> None:
        state = self._situation.state
        match effect:
            case Effect.CHECK_PARTS:
                machine.check_parts(self.put, self.display.trouble)
            case Effect.ASK_NETWORK | Effect.CLOSE_HOTSPOT:
                machine.ask_network(self.put, closes_hotspot=effect is Effect.CLOSE_HOTSPOT)
            case Effect.JOIN_NETWORK if isinstance(state, JoiningNetwork):
                machine.join_network(state.name, state.password, self.put)
            case Effect.OPEN_HOTSPOT:
                machine.open_hotspot(self.put)
            case Effect.ASK_VERSION | Effect.CHANGE_VERSION if isinstance(state, ChangingVersion):
                machine.change_version(state.item, self.put, begin=effect is Effect.CHANGE_VERSION)
            case Effect.SWITCH_OFF:
                machine.switch_off(self.put)

    def _ask_watcher(self, watcher: Watcher, effect: Effect) -> None:
        match effect:
            case Effect.READ_AGAIN:
                watcher.read_again()
            case Effect.AWAIT_STILL:
                watcher.await_still()
            case Effect.LEARN_TRAY | Effect.MEASURE_TRAY:
                watcher.measure(learn=effect is Effect.LEARN_TRAY)

    def _tell_misread(self, before: Game | None, after: Game | None) -> None:
        """Request that the picture of a corrected roll be stored; a correction that is undone does not count."""
        if self._watcher is None or before is None or after is None or before.steps[: len(after.steps)] == after.steps:
            return
        rolled, corrected = (None, *after.steps)[-2:]
        if isinstance(rolled, Rolled) and isinstance(corrected, Corrected):
            self._watcher.corrected(rolled.dice, corrected.dice)

    def _ask_opponent(self) -> None:
        """Ask an opponent that has to decide, once for each position; late answers are ignored."""
        if not isinstance(self._situation.state, Thinking):
            self._asked = None
            return
        game = self._situation.played
        if self._asked != game.position:
            self._asked = game.position
            self._think(game.position, game.level)

    def _keep(self, what: str, save: Callable[[], None]) -> None:
        """Write to the disk; what it rejects is tried again every `RETRY_S`."""
        try:
            with self._at_the_disk():
                save()
        except (OSError, JournalError):
            if what not in self._unsaved:  # otherwise a full disk would be logged at each try, on that disk
                _log.exception("%s cannot be saved; the box goes on without it and tries again", what)
            self._unsaved[what] = save
        else:
            self._unsaved.pop(what, None)

    def _show(self) -> None:
        shown = screen(self._situation)
        warning = fault_texts.NOT_SAVED if self._unsaved else _WARNINGS[self.journal.warning]
        stuck = self.stuck()
        if warning is None and stuck:
            warning = fault_texts.STUCK
        if warning is not None:
            with speaking(self._situation.preferences.language):
                told = say(warning, button=stuck[0] if stuck else "")
                shown = replace(shown, title=told, hint="", dice=())
        was_fine = not self.display.trouble
        self._shown = shown
        oled = draw(on_board(shown, self._situation, self.board))
        self.display.show(oled, moves=not shown.frame)
        if was_fine and self.display.trouble and self.signals is not None:
            self.signals.call_for_help()
        if self.publisher is not None and (self._situation, shown) != self._published:
            self._published = self._situation, shown
            self.publisher.show(self._situation, shown, oled)
        is_told = not self._page_is_found or isinstance(self._situation.state, ShowingPage)
        page = self.page if is_told and not self.board.has_buttons else None
        if (
            self.speech is not None
            and (text := spoken(self._situation, with_stick=self.board.is_stick, page=page))
            and text != self._spoken_last
        ):
            self._spoken_last = text
            self.speech.say(text, self._situation.preferences.language)
        if self._watcher is not None:
            self._watcher.watch_for(self.wants_dice)
