"""The builder's settings: pins, bus, display, times. One table, read from one TOML file.

A setting is a field of one of the classes below, with its default, meaning, unit and range; `Config` lists the
sections. `cantstop config show` prints them all as a commented file, `cantstop config check` reports what is wrong in
one. The players' choices on the box itself (language, sound, light) are preferences, not settings.
"""

from __future__ import annotations

import ipaddress
import math
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from types import MappingProxyType

from device import config_file
from device.config_file import setting
from device.hardware import pins
from device.hardware.boards import BOARDS, Board
from device.hardware.dimming import DIM_AFTER_S, OFF_AFTER_S
from device.referee.inputs import Button
from vision.files import MissingFile, UnreadableFile, read_text

ConfigError = config_file.ConfigError

FILE = Path("/etc/cantstop/config.toml")
"""The settings' file, unless `--config` or $CANTSTOP_CONFIG names another one."""

MOST_BYTES = 100_000
"""The largest file that is read, in bytes; one with every setting has about 8,000."""

_HEADER = """\
# Settings of the Can't Stop box: how it is built. Each setting is listed with its allowed values and its default.
# To change one, remove the # before it and edit it; without a line, the default applies. After a change:
# cantstop config check, then sudo systemctl restart cantstop

"""

I2C_PINS = {0: (0, 1), 1: (2, 3)}
"""SDA and SCL of /dev/i2c-0 and -1, as BCM numbers, on every board; further buses come from overlays that choose."""

OLED_ON_SPI = (*pins.SPI, pins.OLED_DC, pins.OLED_RESET)
"""The pins that a display on SPI needs, as BCM numbers."""


def _pin(default: int, meaning: str) -> int:
    return setting(default, meaning, "(BCM number)", limits=(2, 27))


@dataclass(frozen=True, slots=True)
class BoardConfig:
    """The board with display and buttons."""

    kind: str = setting(
        "box",
        'It sets the defaults of the other sections. "box": wired as in docs/wiring.md. "adafruit-bonnet": '
        'Adafruit\'s 128x64 OLED Bonnet. "waveshare-1.3": Waveshare\'s 1.3inch OLED HAT. "spi-2.42": wired as the box, '
        'but with a display of seven pins on SPI. "none": no display and no buttons, but phones. See '
        "docs/no-soldering.md.",
        choices=tuple(BOARDS),
    )


@dataclass(frozen=True, slots=True)
class OledConfig:
    """The display: an OLED of 128x64 pixels."""

    interface: str = setting(
        "i2c",
        "How it is connected; [board] kind chooses it. SPI also uses GPIO 24 (DC) and 25 (reset).",
        choices=("i2c", "spi", "none"),
    )
    type: str = setting(
        "ssd1306",
        "The controller. Most 1.3 inch OLEDs have an SH1106, even if sold as an SSD1306. With the wrong one, the "
        "display shows snow or a picture shifted by two columns. A few SH1106 modules show their memory from column 0 "
        'instead of 2: "sh1106 at 0".',
        choices=("ssd1306", "sh1106", "sh1106 at 0"),
    )
    bus: int = setting(1, "The N of /dev/i2c-N; bus 1 is on pins 3 and 5 of the header (BCM 2 and 3).", limits=(0, 22))
    address: int = setting(
        0x3C,
        "The I2C address, as shown by `i2cdetect -y 1`: 0x3C, or 0x3D with the other solder bridge. If one does "
        "not respond, the other is tried.",
        limits=(0x08, 0x77),
        is_hexadecimal=True,
    )
    rotation: int = setting(0, "180 if the display is mounted upside down.", "degrees", choices=(0, 180))
    contrast: int = setting(207, "Brightness during play.", limits=(1, 255))
    dim_after_s: float = setting(
        DIM_AFTER_S, "Dim after this time without a press or a roll; both wake it.", "s", limits=(1, 3600)
    )
    off_after_s: float = setting(
        OFF_AFTER_S, "Switch off after this time, to prevent burn-in; the game is not affected.", "s", limits=(2, 86400)
    )
    shift_every_s: float = setting(
        180.0, "How often the picture moves by one pixel, to prevent burn-in.", "s", limits=(10, 86400)
    )

    def never_resting(self) -> OledConfig:
        """Return these settings for a display that does not burn in, and on which no press may only light it."""
        return replace(self, dim_after_s=math.inf, off_after_s=math.inf, shift_every_s=math.inf)


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """The four buttons; each joins its pin to ground when pressed."""

    a: int = _pin(pins.A, "A, beside the first line of the display.")
    b: int = _pin(pins.B, "B, beside the second line.")
    c: int = _pin(pins.C, "C, beside the third line.")
    stop: int = _pin(pins.STOP, "STOP.")
    hold: int = setting(
        0, "While this key is down, a press of another counts as held. 0: no such key.", "(BCM number)", limits=(0, 27)
    )
    hold_s: float = setting(
        0.8,
        "How long a press must last to count as held. A slow short press takes up to 0.4 s; after a second people "
        "think that nothing happens and let go.",
        "s",
        limits=(0.3, 3.0),
    )
    stuck_s: float = setting(
        20.0, "A button held this long is reported as stuck; the others keep working.", "s", limits=(5, 600)
    )

    @property
    def pins(self) -> Mapping[Button, int]:
        """The pin of each button, as BCM numbers."""
        return MappingProxyType({Button.A: self.a, Button.B: self.b, Button.C: self.c, Button.STOP: self.stop})


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """The camera above the tray."""

    source: str = setting(
        "picamera",
        'The camera: "picamera" is the Pi\'s own, on the ribbon cable; a USB camera has a device such as '
        '"/dev/video0". `cantstop doctor --cameras` lists those that are there; see docs/cameras.md.',
    )
    focus_cm: float = setting(
        0.0,
        "Distance from the lens to the dice, for a camera with autofocus (v3). 0: focus once after each start. "
        "Ignored by a camera without autofocus.",
        "cm",
        limits=(0, 200),
    )
    idle_after_s: float = setting(
        1800.0,
        "Stop the camera after this time without a press or a roll; a press starts it again. Cameras that stream "
        "for many hours can stall.",
        "s",
        limits=(60, 86400),
    )


@dataclass(frozen=True, slots=True)
class LampConfig:
    """A lamp for the tray, on while the camera looks: by a transistor or driver on one pin, never on the pin itself."""

    enabled: bool = setting(
        True, "Whether there may be one: the first start tries it and asks. With false its pin is not used."
    )
    pin: int = _pin(pins.LAMP, "The pin of the lamp.")


@dataclass(frozen=True, slots=True)
class BuzzerConfig:
    """A passive buzzer, between its pin and ground: sounds for a roll that was read, a bust, a column, the end."""

    enabled: bool = setting(
        True, "Whether there may be one: the first start tries it and asks. With false its pin is not used."
    )
    pin: int = _pin(pins.BUZZER, "The pin of the buzzer.")


@dataclass(frozen=True, slots=True)
class SpeechConfig:
    """The voice: the box reads its screens aloud, by espeak-ng and the sound card."""

    enabled: bool = setting(False, "Whether the box speaks. The installer brings its voice, espeak-ng.")
    words_per_minute: int = setting(150, "Speed of the voice.", limits=(80, 400))


@dataclass(frozen=True, slots=True)
class WebConfig:
    """The table's page, for phones and tablets in the same network; see docs/page.md."""

    enabled: bool = setting(True, "Whether players may turn the page on in the menu.")
    bind: str = setting(
        "0.0.0.0",
        "The address to serve the page on: 0.0.0.0 for every network of the box, 127.0.0.1 for the box itself only.",
    )
    port: int = setting(8017, "The TCP port.", limits=(1024, 65535))
    watch: bool = setting(True, "Whether unpaired phones may view the table; pressing buttons always needs pairing.")


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, section by section.

    A section is one more field here, of a class like those above.
    """

    board: BoardConfig = BoardConfig()
    oled: OledConfig = OledConfig()
    buttons: ButtonsConfig = ButtonsConfig()
    camera: CameraConfig = CameraConfig()
    lamp: LampConfig = LampConfig()
    buzzer: BuzzerConfig = BuzzerConfig()
    speech: SpeechConfig = SpeechConfig()
    web: WebConfig = WebConfig()

    @property
    def its_board(self) -> Board:
        """The board of `[board] kind`."""
        return BOARDS[self.board.kind]

    def as_toml(self) -> str:
        """Return the complete file of these settings, with comments; `parse` reads it back."""
        return _HEADER + config_file.written(self)


def parse(text: str, name: str = "config.toml") -> Config:
    """Return the settings in a file's text.

    Args:
        text: TOML.
        name: The file's name, for messages.

    Raises:
        ConfigError: Lists all faults, each with its remedy; for text that is not TOML, the first one with its line.
    """
    chosen, faults = config_file.read(text, Config, name)
    board = BOARDS[str(chosen.get("board", {}).get("kind", "box"))].settings
    values = {part: {**board.get(part, {}), **chosen.get(part, {})} for part in {**board, **chosen}}
    config = config_file.made(Config, values)
    # An invalid setting has its default here, which the builder did not ask for, so conflicts are not reported.
    if problems := faults or list(_clashes(config)):
        raise ConfigError([f"{name}: {problem}" for problem in problems], values)
    return config


def usable_oled_settings(error: ConfigError) -> OledConfig:
    """Return the display's settings for showing an error: the valid ones in the file, defaults for the others."""
    return config_file.made(Config, {"oled": error.values.get("oled", {})}).oled


def short_problem(error: ConfigError) -> str:
    """Return the first problem for the small display: the file without its folders."""
    return re.sub(r"^\S*/", "", error.problems[0])


def file_of(file: Path | None = None) -> Path:
    """Return the settings' file: the given one, or the one in $CANTSTOP_CONFIG, or else `FILE`."""
    return file or Path(os.environ.get("CANTSTOP_CONFIG") or FILE)


def load(file: Path | None = None) -> Config:
    """Return the settings of this box.

    Args:
        file: Their file; None for the default one (see `file_of`). `FILE` may be missing.

    Raises:
        ConfigError: If a named file is missing, or a file cannot be read or is invalid.
    """
    path = file_of(file)
    try:
        text = read_text(path, MOST_BYTES)
    except MissingFile as error:
        if path == FILE:
            return Config()
        raise ConfigError([f"{path}: {error}; to create one: cantstop config show > {path}"]) from None
    except UnreadableFile as error:
        raise ConfigError([f"{path}: {error}"]) from None
    return parse(text, str(path))


def _pins(config: Config) -> list[tuple[str, str, int]]:
    """Return the pins in use, as BCM numbers, each with the section and the name of its setting."""
    buttons = config.buttons.pins.items() if config.its_board.has_buttons else ()
    used = [("buttons", button.lower(), pin) for button, pin in buttons]
    if config.buttons.hold:
        used.append(("buttons", "hold", config.buttons.hold))
    parts = (("lamp", config.lamp), ("buzzer", config.buzzer))
    return used + [(name, "pin", part.pin) for name, part in parts if part.enabled]


def _clashes(config: Config) -> Iterator[str]:
    """Yield the settings that are valid alone but conflict with each other."""
    used = _pins(config)
    oled_pins = {"i2c": I2C_PINS.get(config.oled.bus, ()), "spi": OLED_ON_SPI, "none": ()}[config.oled.interface]
    for section, name, pin in used:
        if pin in oled_pins:
            yield (
                f"[{section}] {name} is on pin {pin}, which {config.oled.interface.upper()} needs for the OLED; choose "
                "another pin"
            )
    for (section, name, pin), (other_section, other_name, other_pin) in combinations(used, 2):
        if pin == other_pin:
            without = "" if other_section == "buttons" else f", or set [{other_section}] enabled = false"
            yield (
                f"[{other_section}] {other_name} is on pin {pin}, and so is [{section}] {name}; each needs its own pin"
                f"{without}"
            )
    web, oled = config.web, config.oled
    if not (config.its_board.has_buttons or web.enabled):
        yield f'[board] kind = "{config.board.kind}" has only phones as buttons; remove [web] enabled = false'
    try:
        ipaddress.ip_address(web.bind)
    except ValueError:
        yield f'[web] bind = "{web.bind}" is not an IP address; write "0.0.0.0" or "127.0.0.1"'
    if oled.off_after_s <= oled.dim_after_s:
        yield f"[oled] off_after_s ({oled.off_after_s:g} s) must be longer than dim_after_s ({oled.dim_after_s:g} s)"
