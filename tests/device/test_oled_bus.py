from __future__ import annotations

import pytest
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image, ImageChops

from device.sim.oled_bus import COMMAND, DATA, OledBus
from tests.device.helpers import noise

DRIVERS = {"ssd1306": ssd1306, "sh1106": sh1106}
# luma still asks Pillow for `getdata`, which works and warns.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")


@pytest.fixture(params=DRIVERS)
def bus(request):
    return OledBus(request.param)


@pytest.fixture
def kind(request, bus):
    return request.node.callspec.params["bus"]


@pytest.fixture
def luma(bus, kind):
    driver = DRIVERS[kind](i2c(bus=bus))
    yield driver
    driver.persist = True


def send(bus: OledBus, *codes: int) -> None:
    bus.write_i2c_block_data(bus.address, COMMAND, list(codes))


@pytest.mark.parametrize("rotate", [0, 2])  # as the box is built in; luma.oled 3.11 shears an upright SH1106
def test_a_picture_shown_by_the_real_driver_comes_out_of_the_bus_pixel_for_pixel(bus, kind, rotate):
    driver = DRIVERS[kind](i2c(bus=bus), rotate=rotate)
    driver.persist = True
    for seed in range(3):
        image = noise(seed, driver.size)
        driver.display(image)
        assert bus.picture().tobytes() == image.rotate(-90 * rotate, expand=True).tobytes()


def test_an_oled_that_is_only_switched_on_shows_random_memory(bus):
    send(bus, 0xAF, 0x8D, 0x14)
    assert len(set(bus.picture().tobytes())) > 100


def test_an_ssd1306_without_its_charge_pump_stays_dark():
    bus = OledBus("ssd1306")
    send(bus, 0xAF)
    assert bus.picture().getbbox() is None


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        (0xA0, lambda image: image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)),
        (0xC0, lambda image: image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)),
        (0x45, lambda image: ImageChops.offset(image, 0, -5)),
        (0xA7, lambda image: image.point(lambda level: 255 - level)),
        (0xA5, lambda image: Image.new("1", image.size, 1)),
        (0xAE, lambda image: Image.new("1", image.size)),
    ],
)
def test_a_command_changes_the_visible_picture_as_its_data_sheet_says(bus, luma, code, changed):
    image = noise(size=luma.size)
    luma.display(image)
    send(bus, code)
    assert bus.picture().tobytes() == changed(image).tobytes()


@pytest.mark.parametrize("codes", [(0x2F,), (0x9A,), (0xFF,), (0xD3, 0x07), (0xA8, 0x1F), (0x81,)])
def test_a_command_that_is_unknown_or_cut_off_or_for_another_module_is_an_error(bus, codes):
    with pytest.raises(ValueError, match="0x"):
        send(bus, *codes)


def test_a_block_that_is_longer_than_smbus_allows_is_an_error(bus):
    with pytest.raises(ValueError, match="33 bytes"):
        bus.write_i2c_block_data(bus.address, DATA, [0] * 33)
