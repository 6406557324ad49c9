"""Lamp and buzzer through the real gpiozero and lgpio, measured at their pins."""

from __future__ import annotations

import time

import pytest

from device.config import BuzzerConfig, LampConfig
from tests.hardware.bench_program import Program

LAMP, BUZZER = LampConfig().pin, BuzzerConfig().pin


@pytest.fixture
def program(bench, tmp_path, request):
    started = Program(bench, tmp_path, getattr(request, "param", 1.0))
    yield started
    started.close()


def test_a_lamp_at_full_brightness_is_steadily_on_and_off(bench, program):
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


def wait_until_dimmed(bench) -> None:
    """Wait until the lamp is on for three tenths of the time."""

    def is_on_for_its_part() -> bool:
        bench.line(LAMP)
        time.sleep(0.3)
        line = bench.line(LAMP)
        # lgpio switches in a thread, which a busy machine can delay: it must be right eventually, not always.
        return line.rises > 20 and 0.2 < line.high_s / line.seconds < 0.4 and line.hertz < 210

    bench.wait_for(is_on_for_its_part, "the lamp is on for three tenths of the time")


@pytest.mark.parametrize("program", [0.3], indirect=True)
def test_a_dimmed_lamp_is_on_for_the_requested_part_of_the_time_even_when_notes_end(bench, program):
    program.do("lamp on")
    wait_until_dimmed(bench)
    for _ in range(4):
        # lgpio's thread hung if a tone ended just before a full second.
        time.sleep((0.93 - time.monotonic()) % 1)
        program.do("play A6 0.05")
    wait_until_dimmed(bench)
    program.do("lamp off")
    wait_until_low(bench, LAMP)


def test_a_note_swings_the_buzzers_pin_and_leaves_it_low(bench, program):
    bench.line(BUZZER)
    program.do("play A4 1.0")
    line = bench.line(BUZZER)
    assert 100 < line.rises <= 1.1 * 440 * line.seconds
    for _ in range(5):  # a tone may end while its pin is high
        program.do("play A6 0.05")
        wait_until_low(bench, BUZZER)


def test_the_pins_are_released_at_the_end(bench, tmp_path):
    program = Program(bench, tmp_path, 1.0)
    assert bench.line(LAMP).is_claimed
    program.do("lamp on")
    program.close()
    assert program.process.returncode == 0
