"""The builder's settings: pins, bus, display, times. One table, read from one TOML file.

A setting is a field of one of the classes below, annotated with its meaning, unit and range; `Config` lists the
sections. `cantstop config show` prints them all as a commented file, `cantstop config check` reports what is wrong in
one. The players' choices on the box itself (language, sound, light) are preferences, not settings.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from device import settings
from device.hardware import pins
from device.referee.inputs import Button
from device.settings import Setting
from files.read import MissingFile, UnreadableFile, read_text

ConfigError = settings.ConfigError

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

_PIN = "(BCM number)"


def _pin(meaning: str) -> Setting:
    return Setting(meaning, _PIN, low=2, high=27)


@dataclass(frozen=True, slots=True)
class OledConfig:
    """The display: an OLED of 128x64 pixels on I2C."""

    type: Annotated[
        str,
        Setting(
            "The controller. Most 1.3 inch OLEDs have an SH1106, even if sold as an SSD1306. With the wrong one, the "
            "display shows snow or a picture shifted by two columns.",
            choices=("ssd1306", "sh1106"),
        ),
    ] = "ssd1306"
    bus: Annotated[
        int,
        Setting("The N of /dev/i2c-N; bus 1 is on pins 3 and 5 of the header (BCM 2 and 3).", low=0, high=22),
    ] = 1
    address: Annotated[
        int,
        Setting(
            "The I2C address, as shown by `i2cdetect -y 1`: 0x3C, or 0x3D with the other solder bridge. If one does "
            "not respond, the other is tried.",
            low=0x08,
            high=0x77,
            is_hexadecimal=True,
        ),
    ] = 0x3C
    rotation: Annotated[int, Setting("180 if the display is mounted upside down.", "degrees", choices=(0, 180))] = 0
    contrast: Annotated[int, Setting("Brightness during play.", low=1, high=255)] = 207
    dim_after_s: Annotated[
        float,
        Setting("Dim after this time without a press or a roll; any press or roll wakes it.", "s", low=1, high=3600),
    ] = 60.0
    off_after_s: Annotated[
        float,
        Setting("Switch off after this time, to prevent burn-in; the game is not affected.", "s", low=2, high=86400),
    ] = 300.0
    shift_every_s: Annotated[
        float,
        Setting("How often the picture moves by one pixel, to prevent burn-in.", "s", low=10, high=86400),
    ] = 180.0


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """The four buttons; each joins its pin to ground when pressed."""

    a: Annotated[int, _pin("A, beside the first line of the display.")] = pins.A
    b: Annotated[int, _pin("B, beside the second line.")] = pins.B
    c: Annotated[int, _pin("C, beside the third line.")] = pins.C
    stop: Annotated[int, _pin("STOP.")] = pins.STOP
    bounce_s: Annotated[
        float,
        Setting(
            "How long a level must be steady to count (debounce). Small push buttons bounce for up to 10 ms; larger "
            "values lose quick presses and delay long ones.",
            "s",
            low=0.001,
            high=0.1,
        ),
    ] = 0.025
    hold_s: Annotated[
        float,
        Setting(
            "How long a press must last to count as held. A slow short press takes up to 0.4 s; after a second people "
            "think that nothing happens and let go.",
            "s",
            low=0.3,
            high=3.0,
        ),
    ] = 0.8
    stuck_s: Annotated[
        float,
        Setting("A button held this long is reported as stuck; the others keep working.", "s", low=5, high=600),
    ] = 20.0

    @property
    def pins(self) -> Mapping[Button, int]:
        """The pin of each button, as BCM numbers."""
        return MappingProxyType({Button.A: self.a, Button.B: self.b, Button.C: self.c, Button.STOP: self.stop})


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """The camera above the tray."""

    number: Annotated[
        int,
        Setting("Which camera to use if there are several; `rpicam-hello --list-cameras` lists them.", low=0, high=3),
    ] = 0
    focus_cm: Annotated[
        float,
        Setting(
            "Distance from the lens to the dice, for a camera with autofocus (v3). 0: focus once after each start. "
            "Ignored by a camera without autofocus.",
            "cm",
            low=0,
            high=200,
        ),
    ] = 0.0
    idle_after_s: Annotated[
        float,
        Setting(
            "Stop the camera after this time without a press or a roll; a press starts it again. Cameras that stream "
            "for many hours can stall.",
            "s",
            low=60,
            high=86400,
        ),
    ] = 1800.0


@dataclass(frozen=True, slots=True)
class LampConfig:
    """A lamp for the tray, on while the camera looks: by a transistor or driver on one pin, never on the pin itself."""

    enabled: Annotated[
        bool, Setting("Whether there may be one: the first start tries it and asks. With false its pin is not used.")
    ] = True
    pin: Annotated[int, _pin("The pin of the lamp.")] = pins.LAMP
    brightness: Annotated[float, Setting("Brightness when on; 1 is full.", low=0.05, high=1.0)] = 1.0
    frequency_hz: Annotated[
        int,
        Setting(
            "PWM frequency for dimming. A low frequency shows as stripes in the picture. Not used at brightness 1.",
            "Hz",
            low=50,
            high=10000,
        ),
    ] = 1000


@dataclass(frozen=True, slots=True)
class BuzzerConfig:
    """A passive buzzer, between its pin and ground: sounds for a roll that was read, a bust, a column, the end."""

    enabled: Annotated[
        bool, Setting("Whether there may be one: the first start tries it and asks. With false its pin is not used.")
    ] = True
    pin: Annotated[int, _pin("The pin of the buzzer.")] = pins.BUZZER


@dataclass(frozen=True, slots=True)
class SpeechConfig:
    """The voice: the box reads its screens aloud, by espeak-ng and the sound card."""

    enabled: Annotated[bool, Setting("Whether the box speaks. Needs `sudo apt install espeak-ng`.")] = False
    words_per_minute: Annotated[int, Setting("Speed of the voice.", low=80, high=400)] = 150


@dataclass(frozen=True, slots=True)
class WebConfig:
    """The table's page, for phones and tablets in the same network; see docs/page.md."""

    enabled: Annotated[bool, Setting("Whether players may turn the page on in the menu.")] = True
    bind: Annotated[
        str,
        Setting(
            "The address to serve the page on: 0.0.0.0 for every network of the box, 127.0.0.1 for the box itself only."
        ),
    ] = "0.0.0.0"
    port: Annotated[int, Setting("The TCP port.", low=1024, high=65535)] = 8017
    name: Annotated[str, Setting("The name of the box in the network, as NAME.local (needs avahi).")] = "cantstop"
    watch: Annotated[
        bool, Setting("Whether unpaired phones may view the table; pressing buttons always needs pairing.")
    ] = True
    phone_days: Annotated[
        float, Setting("How long a phone stays paired after its last use.", "days", low=0.01, high=365)
    ] = 30.0


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, section by section.

    A section is one more field here, of a class like those above.
    """

    oled: OledConfig = field(default_factory=OledConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    lamp: LampConfig = field(default_factory=LampConfig)
    buzzer: BuzzerConfig = field(default_factory=BuzzerConfig)
    speech: SpeechConfig = field(default_factory=SpeechConfig)
    web: WebConfig = field(default_factory=WebConfig)

    def as_toml(self) -> str:
        """Return the complete file of these settings, with comments; `parse` reads it back."""
        return _HEADER + settings.written(self)


def parse(text: str, name: str = "config.toml") -> Config:
    """Return the settings in a file's text.

    Args:
        text: TOML.
        name: The file's name, for messages.

    Raises:
        ConfigError: Lists all faults, each with its line and the remedy.
    """
    places = settings.Places(text, name)
    values, faults = settings.read(text, Config, places)
    config = settings.made(Config, values)
    # An invalid setting has its default here, which the builder did not ask for, so its clashes are not reported.
    wrong = {(fault.section, fault.name) for fault in faults}
    faults += [clash.fault(places) for clash in _clashes(config) if wrong.isdisjoint(clash.of + clash.sections)]
    if faults:
        faults.sort(key=lambda fault: places.line(fault.section, fault.name) or 0)
        raise ConfigError([f"{places.at(fault.section, fault.name)}: {fault.text}" for fault in faults], values)
    return config


def usable_oled_settings(error: ConfigError) -> OledConfig:
    """Return the display's settings for showing an error: the valid ones in the file, defaults for the others."""
    return settings.made(Config, {"oled": error.values.get("oled", {})}).oled


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


def notes(config: Config) -> list[str]:
    """Return the conflicts that would arise if the lamp or the buzzer were enabled: pins in use elsewhere."""
    return [
        f"[{part}] is not enabled. Before you enable it, give it another pin: [{section}] {name} is on {pin} too"
        for part, enabled, pin in (
            ("lamp", config.lamp.enabled, config.lamp.pin),
            ("buzzer", config.buzzer.enabled, config.buzzer.pin),
        )
        if not enabled
        for section, name, used in _pins(config)
        if used == pin
    ]


@dataclass(frozen=True, slots=True)
class _Clash:
    """Settings that are valid alone but conflict with each other, and the problem."""

    of: tuple[tuple[str, str], ...]
    text: str

    @property
    def sections(self) -> tuple[tuple[str, str], ...]:
        """Their sections, in the form in which faults name a whole section."""
        return tuple((section, "") for section, _ in self.of)

    def fault(self, places: settings.Places) -> settings.Fault:
        """Return the fault, at the last of these settings that is in the file."""
        at = [one for one in self.of if places.has(*one)] or self.of
        return settings.Fault(*at[-1], self.text)


def _pins(config: Config) -> list[tuple[str, str, int]]:
    """Return the pins in use, as BCM numbers, each with the section and the name of its setting."""
    used = [("buttons", button.lower(), pin) for button, pin in config.buttons.pins.items()]
    parts = (("lamp", config.lamp), ("buzzer", config.buzzer))
    return used + [(name, "pin", part.pin) for name, part in parts if part.enabled]


def _clashes(config: Config) -> Iterator[_Clash]:
    """Yield settings that are valid alone but conflict with each other."""
    used = _pins(config)
    for section, name, pin in used:
        if pin in I2C_PINS.get(config.oled.bus, ()):
            yield _Clash(
                (("oled", "bus"), (section, name)),
                f"[{section}] {name} is on pin {pin}, which I2C needs for the OLED; choose another pin",
            )
    for (section, name, pin), (other_section, other_name, other_pin) in combinations(used, 2):
        if pin == other_pin:
            without = "" if other_section == "buttons" else f", or set [{other_section}] enabled = false"
            yield _Clash(
                ((section, name), (other_section, other_name)),
                f"[{other_section}] {other_name} is on pin {pin}, and so is [{section}] {name}; each needs its own pin"
                f"{without}",
            )
    try:
        ipaddress.ip_address(config.web.bind)
    except ValueError:
        yield _Clash(
            (("web", "bind"),),
            f'[web] bind = "{config.web.bind}" is not an IP address; write "0.0.0.0" or "127.0.0.1"',
        )
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?", config.web.name):
        yield _Clash(
            (("web", "name"),),
            f'[web] name = "{config.web.name}" is not a host name; use lowercase letters, digits and hyphens',
        )
    if config.oled.off_after_s <= config.oled.dim_after_s:
        yield _Clash(
            (("oled", "dim_after_s"), ("oled", "off_after_s")),
            f"[oled] off_after_s ({config.oled.off_after_s:g} s) must be longer than dim_after_s "
            f"({config.oled.dim_after_s:g} s)",
        )
