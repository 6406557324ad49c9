"""The languages of the screens: texts are English in the program and looked up, by gettext, when a screen is made."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

LANGUAGES = {"en": "English", "nl": "Nederlands", "de": "Deutsch", "fr": "Français"}
"""The languages, by ISO 639-1 code, each by its own name."""

DOMAIN = "cantstop"
CATALOGUES = Path(__file__).parent / "locale"
"""Where the catalogues lie: LANGUAGE/LC_MESSAGES/cantstop.po for people, .mo for the program (`make words`)."""

_spoken: ContextVar[str] = ContextVar("spoken", default="en")


@lru_cache
def _catalogue(language: str) -> gettext.NullTranslations:
    # English needs no catalogue: it is what the texts are. A lost one is no reason to show nothing.
    return gettext.translation(DOMAIN, CATALOGUES, [language], fallback=True)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Let `say` speak a language, in this thread, until the context ends."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def say(text: str, **values: object) -> str:
    """Return a text of `device.screens.texts` in the language spoken now, with values put into its {places}."""
    spoken = _catalogue(_spoken.get()).gettext(text) if text else ""  # gettext's answer to "" is a catalogue's header
    return spoken.format(**values) if values else spoken
