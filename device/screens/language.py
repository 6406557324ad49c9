"""The languages of the screens: texts are English in the program and translated by gettext when a screen is made."""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from device.screens import texts

LANGUAGES = {"en": "English", "nl": "Nederlands", "de": "Deutsch", "fr": "Français"}
"""The languages, from ISO 639-1 code to own name."""

DOMAIN = "cantstop"
CATALOGUES = Path(__file__).parent / "locale"
"""The folder of the catalogues: LANGUAGE/LC_MESSAGES/cantstop.po for translators, .mo for the program (`make
words`)."""

_spoken: ContextVar[str] = ContextVar("spoken", default="en")
_is_aloud: ContextVar[bool] = ContextVar("is_aloud", default=False)


@lru_cache
def _catalogue(language: str) -> gettext.NullTranslations:
    # English needs no catalogue. Without the catalogue of another language the texts are shown in English.
    return gettext.translation(DOMAIN, CATALOGUES, [language], fallback=True)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Make `say` use a language, in this thread, until the context ends."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


@contextmanager
def aloud() -> Iterator[None]:
    """Make `say` use the sentences for reading aloud, in this thread, until the context ends."""
    token = _is_aloud.set(True)
    try:
        yield
    finally:
        _is_aloud.reset(token)


def beside(parts: Iterable[str]) -> str:
    """Return parts beside each other; aloud, with pauses."""
    return (", " if _is_aloud.get() else " ").join(parts)


def say(text: str, **values: object) -> str:
    """Return a text of `device.screens.texts` in the current language, with values for its {placeholders}."""
    if _is_aloud.get():
        text = texts.SPOKEN.get(text, text)
    spoken = _catalogue(_spoken.get()).gettext(text) if text else ""  # gettext translates "" as the catalogue's header
    return spoken.format(**values) if values else spoken
