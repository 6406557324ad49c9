"""Fixtures that several files of tests share."""

from __future__ import annotations

import queue

import pytest

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
def presses():
    return queue.Queue()
