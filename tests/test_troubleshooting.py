"""docs/troubleshooting.md has an entry for every message of the box that says that something is wrong."""

from __future__ import annotations

import re

import pytest

from tools.docs import messages

# Bold on this page is for the words of messages alone.
WORDS = " ".join(messages.PAGE.read_text(encoding="utf-8").split())
SHOWN = {text.lower() for text in re.findall(r"\*\*(.+?)\*\*", WORDS)}


def beginnings(message: str) -> set[str]:
    """Return a message, and its words up to the first mark: a reader who searches for either finds the entry."""
    return {message.lower(), re.split(r"(?<=\w)(?: …)?[:;.](?: |$)", message.lower())[0]}


@pytest.mark.parametrize("place", [messages.display, messages.check, messages.page, messages.card, messages.programs])
def test_every_message_of_the_box_has_an_entry(place):
    assert place()
    assert [message for message in place() if not beginnings(message) & SHOWN] == []


def test_no_entry_is_about_a_removed_message():
    assert SHOWN - set().union(*map(beginnings, messages.messages())) == set()
