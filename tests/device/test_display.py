"""The display over the real luma and a bus that decodes: lost at any byte, back again, dimmed, dark, shifted, awake."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from device.config import OledConfig
from device.hardware.display import CHECK_S, RETRY_S, SHIFTS, Brightness, ReconnectingDisplay
from device.hardware.oled import SET_UP_AGAIN_S, open_oled
from device.sim.oled_bus import COMMAND, OledBus
from tests.device.helpers import noise

TICK_S = 0.5
BACK_S = 2.0
"""Within so long after plugging in the screen must be back."""


class Table:
    """A display on a bus, and a clock that only this table turns."""

    def __init__(self, config: OledConfig) -> None:
        self.now_s = 0.0
        self.bus = OledBus(config.type, config.address)
        self.display = ReconnectingDisplay(
            lambda: open_oled(self.bus, config, clock=self.clock), config, clock=self.clock
        )

    def clock(self) -> float:
        return self.now_s

    def show(self, image: Image.Image, seconds: float = TICK_S) -> None:
        """Show an image for so long, as the box's loop does: again at each tick."""
        self.display.show(image)
        for _ in range(round(seconds / TICK_S)):
            self.now_s += TICK_S
            self.display.show(image)

    def sees(self, image: Image.Image) -> bool:
        return self.bus.picture().tobytes() == image.tobytes()


CONFIG = OledConfig(dim_after_s=60, off_after_s=300, shift_every_s=10_000)


@pytest.fixture(params=["ssd1306", "sh1106"])
def table(request):
    return Table(OledConfig(type=request.param, dim_after_s=60, off_after_s=300, shift_every_s=10_000))


@given(
    st.sampled_from(["ssd1306", "sh1106"]),
    st.integers(0, 5000),
    st.integers(0, 6),
    st.booleans(),
)
def test_whichever_byte_a_wire_breaks_at_the_screen_is_back_within_2_s_of_plugging_in(kind, byte, away, lost_power):
    table = Table(OledConfig(type=kind))
    table.bus.breaks_after = byte
    seed = 0
    while not table.bus.unplugged and seed < 6:
        seed += 1
        table.show(noise(seed))
    table.bus.breaks_after = None
    for _ in range(away):  # the game goes on meanwhile
        seed += 1
        table.show(noise(seed))
    if lost_power:
        table.bus.power_up()
    table.bus.unplugged = False
    table.show(noise(seed), BACK_S)
    assert table.sees(noise(seed))
    assert table.display.trouble == ""
    table.show(noise(99))
    assert table.sees(noise(99))


def test_a_display_that_is_pulled_and_plugged_in_while_nothing_changes_is_noticed_and_is_back(table):
    table.show(noise())
    table.bus.unplugged = True
    table.show(noise(), 5.0)
    assert "does not answer" in table.display.trouble
    table.bus.power_up()
    table.bus.unplugged = False
    table.show(noise(), BACK_S)
    assert table.sees(noise())
    assert table.display.trouble == ""


def test_a_display_that_lost_its_power_for_a_moment_is_set_up_anew_though_nobody_noticed(table):
    table.show(noise())
    table.bus.power_up()
    table.show(noise(), SET_UP_AGAIN_S + 1)
    assert table.sees(noise())


@pytest.mark.parametrize("code", [0xAE, 0xA7, 0xA5, 0xA0, 0xC0, 0x50])
def test_a_setting_that_a_spark_has_changed_is_put_right(table, code):
    table.show(noise())
    table.bus.write_i2c_block_data(table.bus.address, COMMAND, [code])
    assert not table.sees(noise())
    table.show(noise(), SET_UP_AGAIN_S + 1)
    assert table.sees(noise())


def test_setting_a_display_up_anew_never_puts_it_out(table, monkeypatch):
    table.show(noise())
    seen = []
    take = table.bus.take

    def watch(*message):
        take(*message)
        seen.append(table.sees(noise()))

    monkeypatch.setattr(table.bus, "take", watch)
    table.show(noise(), SET_UP_AGAIN_S + 1)
    assert len(seen) > 20
    assert all(seen)


def test_a_picture_that_does_not_change_costs_a_few_bytes_a_second(table):
    table.show(noise())
    before = table.bus.bytes_written
    table.show(noise(), SET_UP_AGAIN_S - 2)
    assert table.bus.bytes_written - before <= (SET_UP_AGAIN_S - 2) / CHECK_S


def test_after_a_minute_alone_the_display_is_dimmed_and_shows_the_same(table):
    table.show(noise(), 59)
    bright = table.bus.contrast
    table.show(noise(), 2)
    assert table.bus.contrast < bright / 10
    assert table.sees(noise())


def test_after_five_minutes_alone_the_display_is_dark(table):
    table.show(noise(), 299)
    assert table.sees(noise())
    table.show(noise(), 2)
    assert table.bus.picture().getbbox() is None


def test_a_dark_display_shows_brightly_what_is_new_once_it_is_woken(table):
    table.show(noise())
    bright = table.bus.contrast
    table.show(noise(), 400)
    table.display.show(noise(1))
    assert table.bus.picture().getbbox() is None
    assert table.display.wake()
    table.display.show(noise(2))
    assert table.sees(noise(2))
    assert table.bus.contrast == bright


def test_a_display_that_is_dimmed_is_bright_at_a_touch_and_was_not_dark(table):
    table.show(noise())
    bright = table.bus.contrast
    table.show(noise(), 100)
    assert not table.display.wake()
    table.display.show(noise())
    assert table.bus.contrast == bright
    assert table.sees(noise())


def test_a_display_that_is_touched_every_30_s_is_never_dimmed(table):
    table.show(noise())
    bright = table.bus.contrast
    for _ in range(20):
        table.show(noise(), 30)
        assert table.bus.contrast == bright
        table.display.wake()


def test_a_dark_display_is_dark_again_after_it_was_lost_and_found(table):
    table.show(noise(), 400)
    table.bus.unplugged = True
    table.show(noise(), 3)
    table.bus.power_up()
    table.bus.unplugged = False
    table.show(noise(), 3)
    assert table.display.trouble == ""
    assert table.bus.picture().getbbox() is None
    table.display.wake()
    table.show(noise())
    assert table.sees(noise())


def test_nobody_is_kept_waiting_by_a_press_that_wakes_a_display_which_is_not_there(table):
    table.bus.unplugged = True
    table.show(noise(), 400)
    assert not table.display.wake()


def test_the_picture_stands_at_each_place_for_as_long_as_the_setting_says():
    config = OledConfig(dim_after_s=3000, off_after_s=3600, shift_every_s=100)
    table = Table(config)
    for right, down in (*SHIFTS, SHIFTS[0]):
        table.show(noise(), 50)
        moved = Image.new("1", (128, 64))
        moved.paste(noise(), (right, down))
        assert table.sees(moved)
        table.show(noise(), 50)


def test_every_place_of_the_picture_is_one_pixel_from_the_next():
    places = [*SHIFTS, SHIFTS[0]]
    steps = [abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(places)]
    assert steps == [1] * len(SHIFTS)


def test_the_retry_and_the_check_leave_time_for_the_loops_tick_within_2_s():
    assert max(RETRY_S, CHECK_S) + TICK_S < BACK_S


def test_the_display_begins_bright():
    table = Table(CONFIG)
    table.show(noise())
    assert table.bus.contrast == CONFIG.contrast
    assert table.display._light is Brightness.BRIGHT
