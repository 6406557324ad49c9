"""docs/troubleshooting.md has an entry for every message of the box that says that something is wrong.

The messages come from the code that shows them; "…" replaces values in a message.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from device.screens import fault_texts
from tests.every import every
from tools.install.card.screens import TROUBLES as CARD_TROUBLES

Node = TypeVar("Node", bound=ast.AST)

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs/troubleshooting.md"

ALL_WELL = {
    "sees the tray", "sharp", "light enough", "buttons work", "no buttons", "display answers", "display mute",
    "bus fast", "bus unknown", "spi", "storage works", "space enough", "clock set", "clock not set", "cool",
    "power good", "speech off", "speech ready", "versions",
}  # fmt: skip
"""The findings of the self-check that need no action, and thus no entry."""

ORDINARY_VIEWS = {"v_hand", "v_rolling"}
"""The page's texts about the tray in ordinary play."""

PAGE_KEYS = ("lost", "away", "no_picture", "no_tray")
"""Keys of the page's texts in addition to those that begin with one of `PAGE_KINDS`."""

PAGE_KINDS = ("e_", "v_", "r_", "a_")
"""The prefixes of errors, views of the tray, reasons and advice."""

RAISED = (
    ("device/camera/picamera.py", "CameraError"),
    ("device/camera/liveness.py", "CameraError"),
    ("device/camera/opencv.py", "CameraError"),
    ("device/camera/sources.py", "CameraError"),
    ("device/laptop/camera_choice.py", "CameraError"),
    ("device/hardware/buttons.py", "ButtonsError"),
    ("device/hardware/signals.py", "OSError"),
    ("device/hardware/speech.py", "OSError"),
    ("device/storage/journal.py", "JournalError"),
)
"""Files and the errors raised there whose text is shown on "The box can't start" or logged."""

RETURNED = ("device/camera/opencv.py", "_why_not")
"""A file, and the function whose returned texts are raised there."""


def display() -> set[str]:
    """Return the messages of the OLED during play, without the advice in the second line."""
    shown = [value for name, value in vars(fault_texts).items() if name.isupper() and name != "FINDINGS"]
    pairs = [pair for value in shown if isinstance(value, dict) for pair in value.values()]
    return {
        plain(text)
        for text in [
            *(value for value in shown if isinstance(value, str)),
            *(pair if isinstance(pair, str) else pair[0] for pair in pairs),
        ]
    }


def check() -> set[str]:
    """Return the messages of `cantstop doctor` and "Check the box"."""
    return {plain(text) for what, text in fault_texts.FINDINGS.items() if what not in ALL_WELL}


def page() -> set[str]:
    """Return the messages of the page."""
    words = json.loads((PROJECT / "device/page/web_side/words/en.json").read_text(encoding="utf-8"))
    return {
        plain(text)
        for key, text in words.items()
        if (key.startswith(PAGE_KINDS) and key not in ORDINARY_VIEWS) or key in PAGE_KEYS
    }


def card() -> set[str]:
    """Return the messages of the installation from a card: the OLED's titles."""
    return {plain(title) for title, _, _ in CARD_TROUBLES.values()}


def programs() -> set[str]:
    """Return the messages of the log and of the screen "The box can't start"."""
    file, function = RETURNED
    returned = [text for node in _nodes(file, ast.FunctionDef) if node.name == function for text in _returned(node)]
    return {plain(text) for text in [*returned, *(text for each in RAISED for text in _raised(*each))]}


def plain(text: str) -> str:
    """Return a message in one line with "…" for each value, without values after its last sentence."""
    return re.sub(r"(?<=[.!?])( …)+$", "", " ".join(re.sub(r"\{\w*\}", "…", text).split()))


def _nodes(file: str, kind: type[Node]) -> list[Node]:
    tree = ast.parse((PROJECT / file).read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, kind)]


def _raised(file: str, error: str) -> Iterator[str]:
    """Yield the texts of the errors raised in a file."""
    for node in _nodes(file, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id == error and node.args:
            yield from _text(node.args[0])


def _returned(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the texts that a function returns."""
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            yield from _text(node.value)


def _text(node: ast.expr) -> Iterator[str]:
    """Yield the text of a string, with "…" for each value; nothing for any other expression."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)


# Bold on this page is for the words of messages alone.
SHOWN = {text.lower() for text in re.findall(r"\*\*(.+?)\*\*", " ".join(PAGE.read_text(encoding="utf-8").split()))}
PLACES = (display, check, page, card, programs)


def beginnings(message: str) -> set[str]:
    """Return a message, and its words up to the first mark: a reader who searches for either finds the entry."""
    return {message.lower(), re.split(r"(?<=\w)(?: …)?[,:;.](?: |$)", message.lower())[0]}


@every(place=PLACES)
def test_every_message_of_the_box_has_an_entry(place):
    assert place()
    assert [message for message in place() if not beginnings(message) & SHOWN] == []


def test_no_entry_is_about_a_removed_message():
    assert SHOWN - {words for place in PLACES for message in place() for words in beginnings(message)} == set()
