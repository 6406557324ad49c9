"""The texts of display and page keep to docs/glossary.md, in each language."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from tools.docs import words

_TABLE, _REPLACED = (Path(__file__).parent.parent / "docs/glossary.md").read_text("utf-8").split("## Words not used")
TERMS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\| [a-z].*", _TABLE, re.MULTILINE)
]
NOT_USED = [
    (name, " ".join(word.partition(" →")[0].split()))
    for name, line in re.findall(
        r"^\* (English|Nederlands|Deutsch|Français): ((?:.+\n)+?)(?=\*|\n)", _REPLACED, re.MULTILINE
    )
    for word in line.split(";")
]
NAMES = {"English": "en", "Nederlands": "nl", "Deutsch": "de", "Français": "fr"}
NO_BREAK = "\u00a0"


def texts(language: str) -> list[str]:
    return list(words.texts_in(language).values())


def listed(cell: str, separator: str) -> list[str]:
    return [re.sub(r"\s*\(.*?\)", "", word).strip() for word in cell.split(separator)]


@pytest.mark.parametrize(("number", "language"), list(enumerate(NAMES.values())))
def test_every_term_of_the_glossary_is_in_use(number, language):
    spoken = "\n".join(texts(language)).lower().replace(NO_BREAK, " ")
    terms = [term for row in TERMS for term in listed(row[number], ";")]
    assert len(terms) >= len(TERMS) > 0
    assert [term for term in terms if term.lower() not in spoken] == []


@pytest.mark.parametrize(("name", "cell"), NOT_USED)
def test_no_text_has_a_word_that_the_glossary_rejects(name, cell):
    for word in listed(cell, ","):
        found = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
        assert [text for text in texts(NAMES[name]) if found.search(text)] == []


@pytest.mark.parametrize("language", NAMES.values())
def test_a_per_cent_sign_has_a_no_break_space_only_on_the_german_and_french_page(language):
    display = {str(message.id) for message in words.messages()}
    for key, text in words.texts_in(language).items():
        spaced = language in ("de", "fr") and key not in display
        found = set(re.findall(r"(.)%", text))
        assert found <= ({NO_BREAK} if spaced else {"}"}), text


def test_french_has_a_no_break_space_before_every_double_mark_and_other_languages_have_none():
    for text in texts("fr"):
        assert not re.search(rf"[^{NO_BREAK}\d][?!;:](?!\S)", text), text
        assert not re.search(r" [?!;:»]|« ", text), text
    for language in ("en", "nl", "de"):
        assert [text for text in texts(language) if re.search(r"\s[?!;:]", text)] == []


@pytest.mark.parametrize("language", NAMES.values())
def test_quotation_marks_and_apostrophes_are_those_of_the_glossary(language):
    used = {mark for mark in "".join(texts(language)) if unicodedata.category(mark) in ("Pi", "Pf") or mark in "'\"„"}
    assert used <= set("'") | {"de": set("„“"), "fr": set("«»")}.get(language, set())


@pytest.mark.parametrize("language", NAMES.values())
def test_an_ellipsis_follows_its_word_as_the_language_has_it(language):
    spaced = [bool(re.search(r"\s…", text)) for text in texts(language) if "…" in text]
    assert set(spaced) == {language == "de"}
