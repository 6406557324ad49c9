"""The meaning of each sound; nothing ever waits for one."""

from __future__ import annotations

import threading
from dataclasses import replace

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.tones import Tone

from device.config import BuzzerConfig, LampConfig
from device.hardware.signals import END_S, WAITING_SOUNDS, Buzzer, Lamp, Signals, Sound, sound_of
from device.referee.inputs import TrayView
from device.referee.preferences import Preferences
from device.referee.states import Situation, TryingSignal, Welcome
from device.referee.transition_table import step
from tests.device.helpers import HOLD_STOP, STOP, A, B, C, Story, dice, tray, two_players
from tests.every import every
from tests.waiting import PATIENCE_S, until


def heard(situation: Situation, *events) -> list[Sound | None]:
    """Let inputs happen, and list their sounds."""
    sounds = []
    for event in events:
        outcome = step(situation, event)
        sounds.append(sound_of(situation, event, outcome.situation))
        situation = outcome.situation
    return sounds


WINS = "3 7:13,8:11,12:2/- 1 - 6-6-6-6"
SOUNDS = [
    ("3 -/- 1 - -", (dice(2, 3, 4, 5), B, C), [Sound.READ, None, None]),
    ("3 -/- 1 5:1,7:2,10:1 -", (dice(1, 3, 3, 5), C, C), [None, Sound.BUST, None]),  # once it is confirmed
    ("3 -/- 1 12:2 6-6-6-6", (A, STOP), [None, Sound.COLUMN]),
    ("3 -/- 1 12:1,7:3 3-4-3-4", (A, STOP), [None, None]),  # no column is won
    (WINS, (A, STOP, HOLD_STOP, STOP), [None, Sound.WIN, None, None]),  # once
    ("3 -/- 1 - -", (tray(TrayView.NO_CAMERA, "missing"), tray(TrayView.EMPTY)), [Sound.TROUBLE, None]),
]
"""A position, the inputs from there, and the sound of each."""


def test_a_reading_a_bust_a_column_a_win_and_a_lost_camera_have_sounds():
    assert [(line, events, heard(Story.at(line).now, *events)) for line, events, _ in SOUNDS] == SOUNDS
    assert heard(Story.at("3 -/- 1 - -", ("child", "")).now, dice(2, 3, 4, 5)) == [Sound.READ], "for an opponent too"


@every(sound=Sound)
def test_every_sound_has_notes_that_the_buzzer_can_play_and_is_over_before_the_box_ends(sound):
    for note, seconds in sound.value:
        assert 0 < seconds <= 0.5
        if note:
            assert 220 <= Tone(note).frequency <= 3520, "small piezo discs are loud from 1 kHz on"
    assert sum(seconds for _, seconds in sound.value) < END_S


class SlowBuzzer:
    """A buzzer that plays until it is let go, and remembers."""

    def __init__(self, *, waits: bool = True) -> None:
        self.played = []
        self.may_end = threading.Event()
        self.closed = False
        if not waits:
            self.may_end.set()

    def play(self, notes) -> None:
        self.played.append(notes)
        assert self.may_end.wait(PATIENCE_S)

    def close(self) -> None:
        self.closed = True


def test_nothing_waits_for_a_sound_and_surplus_ones_are_dropped():
    buzzer = SlowBuzzer()
    signals = Signals(buzzer)
    signals.tell(Sound.WIN)
    until(lambda: buzzer.played)
    for _ in range(1000):
        signals.tell(Sound.READ)
    buzzer.may_end.set()
    signals.close()
    signals.close()
    assert len(buzzer.played) <= 1 + WAITING_SOUNDS
    assert buzzer.closed


def test_a_muted_box_is_silent_until_sound_is_turned_on():
    signals = Signals(buzzer := SlowBuzzer(waits=False))
    before = two_players().now
    quiet = replace(before, preferences=Preferences(sound=False))
    signals.happened(quiet, dice(2, 3, 4, 5), step(quiet, dice(2, 3, 4, 5)).situation)
    signals.happened(before, dice(2, 3, 4, 5), step(before, dice(2, 3, 4, 5)).situation)
    until(lambda: buzzer.played)
    signals.close()
    assert buzzer.played == [Sound.READ.value]


def test_a_buzzer_that_fails_does_not_end_the_sounds(caplog):
    class Broken(SlowBuzzer):
        def play(self, notes) -> None:
            super().play(notes)
            raise OSError("no such pin")

    signals = Signals(buzzer := Broken(waits=False))
    for _ in range(2):
        played = len(buzzer.played)
        signals.tell(Sound.READ)
        until(lambda: len(buzzer.played) > played)  # noqa: B023 - called at once
    signals.close()
    assert "could not be given" in caplog.text


@pytest.fixture
def factory(monkeypatch):
    made = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", made)
    yield made
    made.reset()


def test_lamp_and_buzzer_are_tried_when_the_first_start_asks_for_them_and_again_at_a_press(factory, monkeypatch):
    monkeypatch.setattr("device.hardware.signals.FLASH_S", 0.0)
    lamp, buzzer, flashes = Lamp(LampConfig()), SlowBuzzer(waits=False), []
    flash = lamp.flash
    monkeypatch.setattr(lamp, "flash", lambda: (flash(), flashes.append(factory.pin(LampConfig().pin).state)))
    signals = Signals(buzzer, lamp)
    asked = [Situation(TryingSignal(Welcome(), signal)) for signal in ("light", "sound")]
    before = Situation(TryingSignal(asked[0].state, "sound"))
    for now, press, count in ((before, A, 1), (asked[0], C, 2), (asked[1], C, 2)):
        signals.happened(now, press, step(now, press).situation)
        until(lambda count=count: len(flashes) == count)
    until(lambda: Sound.COLUMN.value in buzzer.played)
    signals.close()
    assert flashes == [0, 0], "it is as dark as before"


@pytest.mark.usefixtures("factory")
def test_only_existing_signals_are_listed_and_given():
    none = Signals()
    none.tell(Sound.READ)
    none.close()
    assert none.signals == ()
    assert Signals(lamp=Lamp(LampConfig())).signals == ("light",)
    assert Signals(SlowBuzzer(), Lamp(LampConfig(pin=20))).signals == ("light", "sound")


def test_the_lamp_follows_the_preference(factory):
    lamp = Lamp(LampConfig(enabled=True))
    pin = factory.pin(LampConfig().pin)
    lamp.looked(True)
    signals = Signals(lamp=lamp)
    signals.follow(Preferences(light=False))
    assert pin.state == 0
    signals.follow(Preferences(light=True))
    assert pin.state == 1
    signals.close()


def test_a_call_for_help_flashes_the_lamp_and_leaves_it_as_it_was(factory, monkeypatch):
    monkeypatch.setattr("device.hardware.signals.FLASH_S", 0.01)
    lamp = Lamp(LampConfig(enabled=True))
    pin = factory.pin(LampConfig().pin)
    lamp.looked(True)
    signals = Signals(lamp=lamp)
    signals.call_for_help()
    until(lambda: len(pin.states) >= 8)
    signals.close()
    states = [state.state for state in pin.states]
    assert states[1:8] == [1, 0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("opens", [lambda: Lamp(LampConfig()), lambda: Buzzer(BuzzerConfig(pin=12))])
@pytest.mark.usefixtures("factory")
def test_a_pin_in_use_is_an_error_that_names_it(opens):
    first = Lamp(LampConfig())
    with pytest.raises(OSError, match="on pin 12 cannot be used"):
        opens()
    first.close()
