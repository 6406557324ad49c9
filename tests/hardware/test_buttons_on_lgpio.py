"""The buttons through the real gpiozero and the real lgpio, on a made gpiochip: debouncing is lgpio's own."""

from __future__ import annotations

import signal
import time

import pytest

from device.config import ButtonsConfig
from tests.hardware.bench_program import Program

PINS = ButtonsConfig().pins


@pytest.fixture(scope="module")
def program(bench, tmp_path_factory):
    started = Program(bench, tmp_path_factory.mktemp("lgpio"))
    yield started
    started.close()


@pytest.fixture
def told(bench, program):
    """Return a function that ends the program with STOP and returns its reports of a test's presses."""

    def tell() -> list[str]:
        bench.press(PINS["STOP"], 0.1)
        return list(iter(program.next, "STOP"))

    return tell


def test_thirty_bouncing_presses_are_thirty_presses(bench, told):
    for _ in range(30):
        bench.press(PINS["B"], 0.06, bounces=4)
        time.sleep(0.06)
    assert told() == ["B"] * 30


def test_a_press_during_a_pause_of_the_program_is_reported(bench, program, told):
    program.process.send_signal(signal.SIGSTOP)
    bench.press(PINS["B"], 0.06, bounces=4)
    program.process.send_signal(signal.SIGCONT)
    assert told() == ["B"]


def test_spikes_are_not_a_press(bench, told):
    bench.drive(PINS["A"], None, 10)
    assert told() == []


def test_a_contact_open_for_longer_than_the_bounce_time_counts_as_two_presses(bench, told):
    bench.drive(PINS["A"], 0, 1, gap_s=0.04)
    time.sleep(0.1)
    bench.drive(PINS["A"], None)
    assert told() == ["A", "A"]


def test_the_pins_are_released_even_if_lgpios_thread_is_late(bench, program, tmp_path):
    program.close()
    ended = Program(bench, tmp_path)
    with bench.trouble("alerts-stall"):
        ended.close()
    assert ended.process.returncode == 0
