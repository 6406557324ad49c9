from __future__ import annotations

import os

import pytest

from device.config import OledConfig
from device.hardware.display import DisplayError
from device.hardware.oled import open_oled
from tests.device.helpers import noise
from tools.sim.oled_bus import OledBus

# luma still asks Pillow for `getdata`, which works and warns.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")


@pytest.fixture(params=["ssd1306", "sh1106"])
def wiring(request):
    return OledConfig(type=request.param)


@pytest.fixture
def bus(wiring):
    return OledBus(wiring.type)


@pytest.fixture
def oled(bus, wiring):
    display = open_oled(bus, wiring)
    yield display
    display.close()


def test_a_display_mounted_upside_down_shows_its_picture_rotated(bus, wiring):
    oled = open_oled(bus, OledConfig(type=wiring.type, rotation=180))
    oled.show(noise())
    oled_seen = bus.picture()
    oled.close()
    assert oled_seen.tobytes() == noise().rotate(180).tobytes()


def test_a_closed_display_is_dark_and_may_be_closed_again(bus, oled):
    oled.show(noise())
    oled.close()
    assert bus.picture().getbbox() is None
    sent = bus.bytes_written
    oled.close()
    assert bus.bytes_written == sent


def test_a_display_left_on_keeps_its_picture_after_the_programs_end(bus, oled):
    oled.show(noise())
    oled.leave()
    oled._driver.cleanup()
    assert bus.picture().tobytes() == noise().tobytes()


def test_an_unplugged_display_is_a_display_error_with_the_remedy(bus, oled):
    bus.unplugged = True
    with pytest.raises(DisplayError, match=r"0x3C of /dev/i2c-1.*check its plug"):
        oled.show(noise())
    oled.close()


@pytest.mark.parametrize(("soldered", "configured"), [(0x3D, 0x3C), (0x3C, 0x3D)])
def test_a_display_with_the_other_solder_bridge_is_found(wiring, soldered, configured):
    bus = OledBus(wiring.type, soldered)
    oled = open_oled(bus, OledConfig(type=wiring.type, address=configured))
    oled.show(noise())
    assert bus.picture().tobytes() == noise().tobytes()
    oled.close()


def test_only_a_custom_address_is_tried_if_one_is_configured_and_the_configured_one_is_named(wiring):
    bus = OledBus(wiring.type, 0x3C)
    with pytest.raises(DisplayError, match="0x42"):
        open_oled(bus, OledConfig(type=wiring.type, address=0x42))
    assert bus.bytes_written == 0
    with pytest.raises(DisplayError, match="0x3D"):
        open_oled(OledBus(wiring.type, 0x42), OledConfig(type=wiring.type, address=0x3D))


def test_a_closed_display_is_left_alone_when_the_program_ends(bus, wiring, monkeypatch):
    registered = []
    monkeypatch.setattr("luma.core.device.atexit.register", registered.append)
    first = open_oled(bus, wiring)
    first.close()
    second = open_oled(bus, wiring)
    second.show(noise())
    registered[0]()
    assert bus.picture().tobytes() == noise().tobytes()
    second.close()


def test_a_missing_bus_is_a_display_error():
    port = next(number for number in range(200, 300) if not os.path.lexists(f"/dev/i2c-{number}"))
    with pytest.raises(DisplayError, match=f"no /dev/i2c-{port}: turn I2C on"):
        open_oled(config=OledConfig(bus=port))


# The simulated bus, which decodes what the real drivers send
