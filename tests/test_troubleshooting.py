"""docs/troubleshooting.md has an entry for every message of the box that says that something is wrong."""

from __future__ import annotations

import re

import pytest

from tools.docs import messages

# Bold on this page is for the words of messages alone.
WORDS = " ".join(messages.PAGE.read_text(encoding="utf-8").split())
SHOWN = set(re.findall(r"\*\*(.+?)\*\*", WORDS))


@pytest.mark.parametrize("place", [messages.display, messages.check, messages.page, messages.card, messages.programs])
def test_every_message_of_the_box_has_an_entry(place):
    assert place()
    assert place() - SHOWN == set()


def test_no_entry_is_about_a_removed_message():
    assert SHOWN - messages.messages() == set()
