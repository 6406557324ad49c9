"""The probes of the self-check, apart from camera and buttons: one function per part, each returns one finding."""

from __future__ import annotations

import contextlib
import math
import os
import platform
import shutil
import struct
import tempfile
from importlib import metadata
from pathlib import Path

from device.config import OledConfig
from device.hardware.speech import PROGRAM
from device.health.machine import Machine, NoAnswer
from device.referee.inputs import Finding, Grade

FAST_HZ = 400_000
"""The bus frequency at which a full picture takes 23 ms; at the default of 100,000 it takes 93 ms."""

SHORT_MB = 200
"""The free space in MB below which a card will soon be full: system updates and logs take tens of MB at a time."""

HOT_C = 80
"""The temperature in °C from which a Raspberry Pi throttles itself (Raspberry Pi documentation, "Frequency management
and thermal control"), so that readings take longer."""

UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_SINCE_START = 1 << 0, 1 << 16
"""The bits of `vcgencmd get_throttled` (Raspberry Pi documentation, "vcgencmd")."""


def display(trouble: str, oled: OledConfig) -> Finding:
    """Return whether the box's display answers; `trouble` is what is wrong with it, or ""."""
    if oled.interface == "none":
        return Finding("oled", Grade.ABSENT, "no display")
    if trouble:
        return Finding("oled", Grade.BAD, "display lost")
    return Finding("oled", Grade.FINE, "display answers" if oled.interface == "i2c" else "display mute")


def bus(machine: Machine, oled: OledConfig) -> Finding:
    """Return whether the display's bus is enabled, and the speed of I2C."""
    is_i2c = oled.interface == "i2c"
    if not machine.is_pi or oled.interface == "none":
        return Finding("bus", Grade.ABSENT, "no display" if machine.is_pi else "only a Pi")
    if not (machine.root / (f"dev/i2c-{oled.bus}" if is_i2c else "dev/spidev0.0")).exists():
        return Finding("bus", Grade.BAD, "no bus" if is_i2c else "no spi")
    if not is_i2c:
        return Finding("bus", Grade.FINE, "spi")
    try:
        # A device tree's number: 32 bits, big-endian.
        content = machine.read(f"sys/bus/i2c/devices/i2c-{oled.bus}/of_node/clock-frequency")
        (speed_hz,) = struct.unpack(">I", content)
    except (OSError, struct.error):
        return Finding("bus", Grade.FINE, "bus unknown")
    level, what = (Grade.FINE, "bus fast") if speed_hz >= FAST_HZ else (Grade.ADVICE, "bus slow")
    return Finding("bus", level, what, (("khz", speed_hz // 1000),))


def storage(folder: Path) -> Finding:
    """Return whether a file in the journal's folder can be written and read back."""
    values = (("folder", str(folder)),)
    text = os.urandom(4096)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            file.seek(0)
            works = file.read() == text
    except OSError:
        works = False
    return Finding("storage", Grade.FINE if works else Grade.BAD, "storage works" if works else "storage fails", values)


def space(folder: Path) -> Finding:
    """Return how much space is free in the journal's folder."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    free = shutil.disk_usage(folder).free // 1_000_000
    level, what = (Grade.FINE, "space enough") if free >= SHORT_MB else (Grade.ADVICE, "space short")
    return Finding("space", level, what, (("mb", free),))


def clock(machine: Machine) -> Finding:
    """Return whether the network has set the clock; a Pi has no battery for its clock."""
    try:
        is_set = machine.ask("timedatectl", "show", "--property=NTPSynchronized", "--value").strip() == "yes"
    except NoAnswer:
        is_set = False
    return Finding("clock", Grade.FINE, "clock set") if is_set else Finding("clock", Grade.ABSENT, "clock not set")


def heat(machine: Machine) -> Finding:
    """Return the processor's temperature."""
    try:
        degrees = int(machine.read("sys/class/thermal/thermal_zone0/temp")) / 1000
    except (OSError, ValueError):
        return Finding("heat", Grade.ABSENT, "heat unknown")
    level, what = (Grade.ADVICE, "hot") if degrees >= HOT_C else (Grade.FINE, "cool")
    return Finding("heat", level, what, (("degrees", math.floor(degrees)),))


def power(machine: Machine) -> Finding:
    """Return whether the power supply is sufficient, according to the Pi's firmware."""
    try:
        bits = int(machine.ask("vcgencmd", "get_throttled").strip().removeprefix("throttled="), 16)
    except (NoAnswer, ValueError):
        return Finding("power", Grade.ABSENT, "power unknown")
    if bits & UNDER_VOLTAGE_NOW:
        return Finding("power", Grade.BAD, "power weak now")
    if bits & UNDER_VOLTAGE_SINCE_START:
        return Finding("power", Grade.ADVICE, "power was weak")
    return Finding("power", Grade.FINE, "power good")


def speech(enabled: bool) -> Finding:
    """Return whether the box can speak, if speech is enabled in the settings."""
    if not enabled:
        return Finding("speech", Grade.ABSENT, "speech off")
    if shutil.which(PROGRAM) is None:
        return Finding("speech", Grade.BAD, "speech missing")
    return Finding("speech", Grade.FINE, "speech ready")


def versions() -> Finding:
    """Return the versions of box, Python and system."""
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        system = platform.system()
    values = (("box", metadata.version("cantstop-box")), ("python", platform.python_version()), ("system", system))
    return Finding("versions", Grade.FINE, "versions", values)


LIBRARIES = (
    "numpy",
    "opencv-python-headless",
    "opencv",
    "ncnn",
    "luma.oled",
    "gpiozero",
    "lgpio",
    "picamera2",
    "pillow",
)
"""The libraries whose versions a report includes; OpenCV has two names, one on PyPI and one in Debian."""


def libraries() -> dict[str, str]:
    """Return the versions of the installed libraries, by name."""
    found = {}
    for name in LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found
