"""Buttons, lamp and buzzer through the real gpiozero and lgpio, on a made gpiochip: debouncing is lgpio's own."""

from __future__ import annotations

import signal
import time

import pytest

from device.config import ButtonsConfig, BuzzerConfig, LampConfig
from tests.hardware.bench_program import Program

PINS, LAMP, BUZZER = ButtonsConfig().pins, LampConfig().pin, BuzzerConfig().pin


@pytest.fixture
def program(bench, tmp_path):
    started = Program(bench, tmp_path)
    yield started
    started.close()


def reported(bench, program) -> list[str]:
    """Press STOP, and return the program's reports of the presses before it."""
    bench.press(PINS["STOP"], 0.1)
    return list(iter(program.next, "STOP"))


def test_a_press_during_a_pause_of_the_program_is_reported(bench, program):
    program.process.send_signal(signal.SIGSTOP)
    bench.press(PINS["B"], 0.06, bounces=4)
    program.process.send_signal(signal.SIGCONT)
    assert reported(bench, program) == ["B"]


def test_spikes_are_not_a_press(bench, program):
    bench.drive(PINS["A"], None, 10)
    assert reported(bench, program) == []


def test_a_lamp_is_steadily_on_and_off(bench, program):
    program.do("lamp on")
    bench.line(LAMP)
    time.sleep(0.2)
    line = bench.line(LAMP)
    assert (line.level, line.rises) == (1, 0)
    assert line.high_s == pytest.approx(line.seconds, rel=0.01)
    program.do("lamp off")
    assert bench.line(LAMP).level == 0


def wait_until_low(bench, pin: int) -> None:
    """Wait until a pin that was switched is low and stays so."""

    def is_low() -> bool:
        bench.line(pin)
        time.sleep(0.1)  # many periods of the switching
        line = bench.line(pin)
        return line.rises == 0 and line.level == 0

    bench.wait_for(is_low, f"pin {pin} is low for good")


def test_a_note_swings_the_buzzers_pin_and_leaves_it_low_at_whatever_time_it_ends(bench, program):
    for _ in range(4):
        # lgpio's thread hung if a tone ended just before a full second.
        time.sleep((0.93 - time.monotonic()) % 1)
        program.do("play A6 0.05")
    bench.line(BUZZER)
    program.do("play A4 1.0")
    line = bench.line(BUZZER)
    assert 100 < line.rises <= 1.1 * 440 * line.seconds
    for _ in range(5):  # a tone may end while its pin is high
        program.do("play A6 0.05")
        wait_until_low(bench, BUZZER)


def test_the_pins_are_released_at_the_end_even_if_lgpios_thread_is_late(bench, program):
    assert bench.line(LAMP).is_claimed
    program.do("lamp on")
    with bench.trouble("alerts-stall"):
        program.close()
    assert program.process.returncode == 0
