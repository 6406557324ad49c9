"""The lamp over the tray and the buzzer, through gpiozero; which event makes which sound; and the thread for both."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

import gpiozero
from gpiozero.tones import Tone

from device.config import BuzzerConfig, LampConfig
from device.referee.inputs import DiceRead, Input, Press, TraySeen, TrayView
from device.referee.preferences import Preferences
from device.referee.states import Busted, Choosing, GameOver, Situation, Stopped, Thinking, TryingSignal

WARM_UP_S = 0.05
"""The time with the lamp lit before the camera's first frame, in seconds; an LED needs a few milliseconds."""

FLASH_S = 0.25
"""The duration of each dark and each lit phase of a flash, in seconds."""

_IDLE_HZ = 100
"""The frequency at which lgpio's thread polls the pin during silence, in Hz; a note starts at most one period late."""

Note = tuple[str, float]
"""A note such as "C6", or "" for silence, and its duration in seconds."""

WAITING_SOUNDS = 2
"""The number of sounds that may wait for the current one; later ones would be out of date and are dropped."""

END_S = 2.0
"""The longest wait for the current sound when closing, in seconds; none lasts longer."""

_log = logging.getLogger(__name__)


class Lamp:
    """A lamp on one pin. All methods may be called from any thread."""

    def __init__(self, config: LampConfig) -> None:
        """Open the pin, or raise OSError; the lamp is dark."""
        try:
            self._device = gpiozero.LED(config.pin)
        except Exception as error:  # lgpio's own errors are plain exceptions
            raise OSError(f"the lamp on pin {config.pin} cannot be used: {error}") from error
        self._lock = threading.Lock()
        self._is_looked = False
        self._is_wanted = True

    def looked(self, looks: bool) -> None:
        """Set whether the camera is in use. It measures its exposure in this light, so wait until the lamp is lit."""
        with self._lock:
            self._is_looked = looks
            self._shine()
        if looks:
            time.sleep(WARM_UP_S)

    def wanted(self, wants: bool) -> None:
        """Set whether the players want the lamp."""
        with self._lock:
            if wants != self._is_wanted:
                self._is_wanted = wants
                self._shine()

    def flash(self) -> None:
        """Flash three times; return when that is over."""
        for is_lit in (True, False) * 3:
            with self._lock:
                self._light(is_lit != (self._is_looked and self._is_wanted))
            time.sleep(FLASH_S)
        with self._lock:
            self._shine()

    def close(self) -> None:
        """Turn the lamp off and release the pin; may be called twice."""
        with self._lock:
            self._device.close()

    def _shine(self) -> None:
        self._light(self._is_looked and self._is_wanted)

    def _light(self, is_lit: bool) -> None:
        if not self._device.closed:
            self._device.value = is_lit


class Buzzer:
    """A passive buzzer on one pin. Playing blocks until the notes are over, so it belongs in a thread of its own.

    Silence is a tone at constant low level. gpiozero's `TonalBuzzer` would end the tone instead. If a full second began
    at that moment, lgpio 0.2.2's thread computed an invalid wake-up time and requested it in a busy loop: no more notes
    were played.
    """

    def __init__(self, config: BuzzerConfig) -> None:
        """Open the pin, or raise OSError."""
        try:
            self._device = gpiozero.PWMOutputDevice(config.pin, frequency=_IDLE_HZ)
        except Exception as error:  # lgpio's own errors are plain exceptions
            raise OSError(f"the buzzer on pin {config.pin} cannot be used: {error}") from error

    def play(self, notes: Iterable[Note]) -> None:
        """Play notes; return when they are over."""
        try:
            for note, seconds in notes:
                if note:
                    self._device.frequency = Tone(note).frequency
                    self._device.value = 0.5
                else:
                    self._be_silent()
                time.sleep(seconds)
        finally:
            self._be_silent()

    def close(self) -> None:
        """Release the pin; may be called twice."""
        self._device.close()

    def _be_silent(self) -> None:
        self._device.value = 0
        self._device.frequency = _IDLE_HZ


class Sound(Enum):
    """The events that have a sound, and its notes: rising is good, falling is bad, three equal notes call for help."""

    READ = (("A6", 0.06),)
    """The dice were read; the most frequent sound is the shortest."""
    BUST = (("E5", 0.18), ("", 0.03), ("C5", 0.18), ("", 0.03), ("A4", 0.36))
    COLUMN = (("C6", 0.1), ("E6", 0.1), ("G6", 0.2))
    """A column is won."""
    WIN = (("C6", 0.12), ("E6", 0.12), ("G6", 0.12), ("", 0.06), ("G6", 0.12), ("C7", 0.5))
    """Somebody has won the game."""
    TROUBLE = (("A4", 0.15), ("", 0.1), ("A4", 0.15), ("", 0.1), ("A4", 0.15))
    """Something does not work; look at the box."""


class _Signal(NamedTuple):
    """Notes for the buzzer, and whether the lamp flashes after them."""

    notes: tuple[Note, ...]
    flashes: bool = False


_TRIALS = {"light": _Signal((), flashes=True), "sound": _Signal(Sound.COLUMN.value)}
"""The sound that demonstrates each signal, by its preference."""


def sound_of(before: Situation, event: Input, after: Situation) -> Sound | None:
    """Return the sound for an accepted input and the situations before and after it; None if it is silent."""
    if isinstance(event, TraySeen):
        return Sound.TROUBLE if event.view is TrayView.NO_CAMERA else None
    was, now = type(before.state), type(after.state)
    if now is was and not isinstance(event, DiceRead):
        return None
    if now is GameOver:
        return Sound.WIN if before.played.position.winner is None else None
    if now is Busted:
        return Sound.BUST
    if now is Stopped:
        return Sound.COLUMN if _columns_won(after) > _columns_won(before) else None
    return Sound.READ if isinstance(event, DiceRead) and now in (Choosing, Thinking) else None


def _columns_won(situation: Situation) -> int:
    game = situation.game
    return 0 if game is None else sum(owner is not None for owner in game.position.owners)


class Signals:
    """Plays sounds on the buzzer, and flashes the lamp to call for help, from a thread of its own."""

    def __init__(self, buzzer: Buzzer | None = None, lamp: Lamp | None = None) -> None:
        """Start the thread; None stands for a part that the box does not have."""
        self._buzzer = buzzer
        self._lamp = lamp
        self._preferences = Preferences()
        self._waiting: queue.Queue[_Signal | None] = queue.Queue(WAITING_SOUNDS)
        self._is_ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="signals", daemon=True)
        self._thread.start()

    @property
    def signals(self) -> tuple[str, ...]:
        """The available signals, by their preferences: "light", "sound"."""
        return ("light",) * (self._lamp is not None) + ("sound",) * (self._buzzer is not None)

    def happened(self, before: Situation, event: Input, after: Situation) -> None:
        """Report an accepted input and its result; returns at once."""
        self.follow(after.preferences)
        if isinstance(after.state, TryingSignal) and isinstance(event, Press):
            self._make(_TRIALS[after.state.signal])
        elif (sound := sound_of(before, event, after)) is not None:
            self.tell(sound)

    def follow(self, preferences: Preferences) -> None:
        """Apply the players' preferences from now on."""
        self._preferences = preferences
        if self._lamp is not None:
            self._lamp.wanted(preferences.light)

    def call_for_help(self) -> None:
        """Signal that nothing can be read on the display; returns at once."""
        self.tell(Sound.TROUBLE)

    def tell(self, sound: Sound) -> None:
        """Queue a sound; returns at once. It is dropped if it is muted or too many are waiting."""
        if self._preferences.sound or sound is Sound.TROUBLE:
            self._make(_Signal(sound.value, flashes=sound is Sound.TROUBLE))

    def _make(self, signal: _Signal) -> None:
        try:
            self._waiting.put_nowait(signal)
        except queue.Full:
            _log.debug("not told, as others still wait: %s", signal)

    def close(self) -> None:
        """Stop, and release buzzer and lamp; may be called twice."""
        self._is_ended.set()
        with contextlib.suppress(queue.Full):  # wakes the thread, which then sees that it has to end
            self._waiting.put_nowait(None)
        self._thread.join(END_S)
        for part in (self._buzzer, self._lamp):
            if part is not None:
                part.close()

    def _run(self) -> None:
        while not self._is_ended.is_set():
            signal = self._waiting.get()
            if signal is None:
                return
            try:
                if self._buzzer is not None and self._preferences.sound:
                    self._buzzer.play(signal.notes)
                if self._lamp is not None and signal.flashes:
                    self._lamp.flash()
            except Exception:  # a failing buzzer must not stop the game
                _log.exception("a signal could not be given: %s", signal)
