"""The display over the real luma and a bus that decodes: lost at any byte, back again, dimmed, dark, shifted, awake."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from device.config import OledConfig
from device.hardware import display
from device.hardware.display import CHECK_S, SHIFTS, ReconnectingDisplay
from device.hardware.oled import SET_UP_AGAIN_S, open_oled
from tests.device.helpers import noise
from tools.sim.oled_bus import COMMAND, OledBus

TICK_S = 0.5
BACK_S = 2.0
"""Within so long after plugging in the screen must be back."""


class Table:
    """A display on a bus."""

    def __init__(self, config: OledConfig) -> None:
        self.bus = OledBus(config.type, config.address)
        self.display = ReconnectingDisplay(lambda: open_oled(self.bus, config), config)

    def show(self, image: Image.Image, seconds: float = TICK_S) -> None:
        """Show an image for so long, as the box's loop does: again at each tick."""
        self.display.show(image)
        for _ in range(round(seconds / TICK_S)):
            display.time.now_s += TICK_S
            self.display.show(image)

    def sees(self, image: Image.Image) -> bool:
        return self.bus.picture().tobytes() == image.tobytes()


pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture(params=["ssd1306", "sh1106"])
def table(request):
    return Table(OledConfig(type=request.param, dim_after_s=60, off_after_s=300, shift_every_s=10_000))


@given(
    st.sampled_from(["ssd1306", "sh1106"]),
    st.integers(0, 5000),
    st.integers(0, 6),
    st.booleans(),
)
def test_the_screen_is_back_within_2_s_whichever_byte_the_wire_broke_at(kind, byte, away, lost_power):
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


@pytest.mark.parametrize("code", [0xAE, 0xA7, 0xA5, 0xA0, 0xC0, 0x50])
def test_a_display_setting_changed_by_a_spark_is_restored(table, code):
    table.show(noise())
    table.bus.write_i2c_block_data(table.bus.address, COMMAND, [code])
    assert not table.sees(noise())
    table.show(noise(), SET_UP_AGAIN_S + 1)
    assert table.sees(noise())


def test_initialising_a_display_again_never_turns_it_off(table, monkeypatch):
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


def test_an_unchanged_picture_costs_a_few_bytes_a_second(table):
    table.show(noise())
    before = table.bus.bytes_written
    table.show(noise(), SET_UP_AGAIN_S - 2)
    assert table.bus.bytes_written - before <= (SET_UP_AGAIN_S - 2) / CHECK_S


def test_a_minute_after_the_last_activity_the_display_dims_and_after_five_it_is_off(table):
    table.show(noise(), 59)
    bright = table.bus.contrast
    table.show(noise(), 2)
    assert table.bus.contrast < bright / 10
    assert table.sees(noise())
    assert not table.display.wake()
    table.show(noise(), 59)
    assert table.bus.contrast == bright
    table.show(noise(), 240)
    assert table.sees(noise())
    table.show(noise(), 2)
    assert table.bus.picture().getbbox() is None


def test_a_woken_display_shows_the_newest_picture_brightly(table):
    table.show(noise())
    bright = table.bus.contrast
    table.show(noise(), 400)
    table.display.show(noise(1))
    assert table.bus.picture().getbbox() is None
    assert table.display.wake()
    table.display.show(noise(2))
    assert table.sees(noise(2))
    assert table.bus.contrast == bright


def test_a_dark_display_stays_dark_after_it_was_reconnected(table):
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


def test_waking_a_missing_display_does_not_block(table):
    table.bus.unplugged = True
    table.show(noise(), 400)
    assert not table.display.wake()


def test_the_picture_keeps_each_offset_as_long_as_the_setting_says():
    config = OledConfig(dim_after_s=3000, off_after_s=3600, shift_every_s=100)
    table = Table(config)
    for right, down in (*SHIFTS, SHIFTS[0]):
        table.show(noise(), 50)
        moved = Image.new("1", (128, 64))
        moved.paste(noise(), (right, down))
        assert table.sees(moved)
        table.show(noise(), 50)


def test_consecutive_offsets_differ_by_one_pixel():
    places = [*SHIFTS, SHIFTS[0]]
    steps = [abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(places)]
    assert steps == [1] * len(SHIFTS)
