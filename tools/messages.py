"""Every message that says that something is wrong, taken from the code that shows it.

docs/troubleshooting.md has an entry for each; a test holds the two together. A value in a message is "…" here.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from device.screens import texts
from tools.card.screens import TROUBLES as CARD_TROUBLES

PROJECT = Path(__file__).parent.parent
PAGE = PROJECT / "docs/troubleshooting.md"

ALL_WELL = {
    "sees the tray",
    "sharp",
    "light enough",
    "buttons work",
    "display answers",
    "bus fast",
    "bus unknown",
    "storage works",
    "space enough",
    "clock set",
    "clock not set",
    "cool",
    "power good",
    "speech off",
    "speech ready",
    "versions",
}
"""The findings of the check that ask nobody to do anything; every other one needs an entry."""

ORDINARY_VIEWS = {"v_hand", "v_rolling"}
"""What the page says of the tray in ordinary play."""

PAGE_KEYS = ("lost", "away", "no_picture", "no_tray", "fair_scipy")
"""Keys of the page's words beside those that begin with one of `PAGE_KINDS`."""

PAGE_KINDS = ("e_", "v_", "r_", "a_")
"""Errors, views of the tray, reasons, advice."""

RAISED = (
    ("device/camera/picamera.py", "CameraError"),
    ("device/camera/pulse.py", "CameraError"),
    ("device/hardware/buttons.py", "ButtonsError"),
    ("device/hardware/lamp.py", "OSError"),
    ("device/hardware/buzzer.py", "OSError"),
    ("device/hardware/speech.py", "OSError"),
    ("device/storage/journal.py", "JournalError"),
    ("tools/card/files/prepare_card.py", "CardError"),
)
"""Files and the errors raised there whose text a person sees: why the box cannot start, why a card is refused."""

INSTALLER = ("install.sh", "tools/install/steps.sh", "tools/install/system.sh", "tools/install/release.sh")
"""Its files; a message there is the text of `refuse`, `unfit`, `fail` or `stay`."""


def display() -> set[str]:
    """Return those of the OLED during play."""
    tables = (texts.CAMERA, texts.CAMERA_REMEDIES, texts.REASONS, texts.REMEDIES)
    return {plain(text) for text in (*texts.TROUBLES, *(text for table in tables for text in table.values()))}


def check() -> set[str]:
    """Return those of `cantstop doctor` and "Check the box"."""
    return {plain(text) for what, text in texts.FINDINGS.items() if what not in ALL_WELL}


def page() -> set[str]:
    """Return those of the table's page."""
    words = json.loads((PROJECT / "device/page/web_side/words/en.json").read_text(encoding="utf-8"))
    return {
        plain(text)
        for key, text in words.items()
        if (key.startswith(PAGE_KINDS) and key not in ORDINARY_VIEWS) or key in PAGE_KEYS
    }


def card() -> set[str]:
    """Return those of a card that sets up the box: the OLED's titles and texts."""
    return {plain(text) for title, text, _ in CARD_TROUBLES.values() for text in (title, text)}


def programs() -> set[str]:
    """Return those that a terminal or the screen "The box can't start" shows."""
    return {plain(text) for file, error in RAISED for text in _raised(PROJECT / file, error)}


def installer() -> set[str]:
    """Return those with which install.sh ends."""
    found: set[str] = set()
    for file in INSTALLER:
        for text in re.findall(r'\b(?:refuse|fail|stay|unfit) "([^"]*)"', (PROJECT / file).read_text(encoding="utf-8")):
            found.add(plain(re.sub(r"\$\(\(.*?\)\)|\$\{.*?\}|\$\w+", "…", text)))
    return {text for text in found if not text.startswith(("….", "…;")) and text != "…"}  # those pass on another's text


def messages() -> set[str]:
    """Return all of them."""
    return display() | check() | page() | card() | programs() | installer()


def plain(text: str) -> str:
    """Return a message with "…" for each value in it, in one line, without values that follow its last sentence."""
    return re.sub(r"(?<=[.!?])( …)+$", "", " ".join(re.sub(r"\{\w*\}", "…", text).split()))


def _raised(file: Path, error: str) -> Iterator[str]:
    """Find the texts with which an error is raised in a file."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == error and node.args:
            text = node.args[0]
            if isinstance(text, ast.Constant):
                yield str(text.value)
            elif isinstance(text, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in text.values)
