"""Lamp and buzzer through the real gpiozero and lgpio, measured at their pins."""

from __future__ import annotations

import time

import pytest

from device.config import BuzzerConfig, LampConfig
from tests.hardware.bench_program import Program

LAMP, BUZZER = LampConfig().pin, BuzzerConfig().pin


@pytest.fixture
def program(bench, tmp_path):
    started = Program(bench, tmp_path)
    yield started
    started.close()


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


def test_the_pins_are_released_at_the_end(bench, tmp_path):
    program = Program(bench, tmp_path)
    assert bench.line(LAMP).is_claimed
    program.do("lamp on")
    program.close()
    assert program.process.returncode == 0
