"""Fixtures that several files of tests share."""

from __future__ import annotations

import queue
from functools import partial
from types import SimpleNamespace

import pytest

from device.box import Box
from device.hardware import display, oled
from device.hardware.display import ReconnectingDisplay
from device.storage.journal import Journal
from tests.device.box_helpers import Shown


@pytest.fixture
def journal(tmp_path):
    opened = Journal(tmp_path / "journal.txt")
    yield opened
    opened.close()


@pytest.fixture
def shown():
    return Shown()


@pytest.fixture
def box_with(journal, shown):
    """Makes boxes with the test's journal and display: `box_with(situation, ...)`."""
    return partial(Box, journal, ReconnectingDisplay(shown.open))


@pytest.fixture
def clock(monkeypatch):
    """The time for displays, which only the test changes."""
    made = SimpleNamespace(now_s=0.0, monotonic=lambda: made.now_s)
    for module in (display, oled):
        monkeypatch.setattr(module, "time", made)
    return made


@pytest.fixture
def presses():
    return queue.Queue()
