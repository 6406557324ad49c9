"""What is wired to what: the one table of pins, bus, display type and button times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from device.referee.inputs import Button

PINS: Mapping[Button, int] = MappingProxyType({Button.A: 5, Button.B: 6, Button.C: 13, Button.STOP: 19})
"""The pin of each button, as BCM numbers; the button joins its pin to ground.

These four lie in one row of the header beside a ground pin, have no second duty that the box needs, and leave I2C
(2 and 3), the serial console (14 and 15) and the first PWM pins (12 and 18) free.
"""


@dataclass(frozen=True, slots=True)
class ButtonTimes:
    """How long a button must be down.

    Attributes:
        bounce_s: Seconds for which a level must be steady to count, 0.02 to 0.03. Small push buttons bounce for up to
            10 ms or so; larger values lose quick presses and make long presses late.
        hold_s: Seconds after which a press is a long one, 0.5 to 1.5. An unhurried short press takes up to 0.4 s;
            beyond a second people believe that nothing happens and let go.
    """

    bounce_s: float = 0.025
    hold_s: float = 0.8


@dataclass(frozen=True, slots=True)
class OledWiring:
    """Which OLED there is, and where.

    Attributes:
        kind: Its controller. A 1.3 inch OLED mostly has an SH1106, also where it was sold as an SSD1306; driven as the
            wrong one it shows snow or a picture that is off by two columns.
        port: The number N of /dev/i2c-N; 1 on every Raspberry Pi's header.
        address: Its I2C address, 0x3C or with the other solder bridge 0x3D.
        upside_down: Whether it is built in with its lower edge on top.
    """

    kind: Literal["ssd1306", "sh1106"] = "ssd1306"
    port: int = 1
    address: int = 0x3C
    upside_down: bool = False


BUTTON_TIMES = ButtonTimes()
OLED = OledWiring()
