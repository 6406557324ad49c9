"""Brings the catalogues up to `texts.py` and `rules_texts.py`, and makes them ready for the program: `make words`.

Every text in a constant there is a message, with the constant's name and the comment before it for whoever translates.
A new one stands in each catalogue without a translation, until somebody writes it and runs this again; one that is gone
from texts.py goes from the catalogues too.
"""

from __future__ import annotations

import ast
import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from device.screens import rules_texts, texts
from device.screens.language import CATALOGUES, DOMAIN, LANGUAGES

NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
SOURCES = [Path(module.__file__) for module in (texts, rules_texts)]
TRANSLATED = [language for language in LANGUAGES if language != "en"]


def messages() -> Catalog:
    """List every text of the modules of texts."""
    catalogue = Catalog(project="Can't Stop box", fuzzy=False)
    for source in SOURCES:
        text = source.read_text("utf-8")
        for statement in ast.parse(text).body:
            if not isinstance(statement, ast.Assign):
                continue
            (target,) = statement.targets
            assert isinstance(target, ast.Name)
            comments = [target.id, *_comment_above(text.splitlines(), statement.lineno)]
            for each in _strings(statement.value):
                catalogue.add(each, auto_comments=comments)
    return catalogue


def _strings(value: ast.expr) -> list[str]:
    """List the texts of a constant: itself, or the values (not the keys) of a table; not those that it only names."""
    if isinstance(value, ast.Name):
        return []
    if isinstance(value, ast.Dict):
        return [text for part in value.values for text in _strings(part)]
    if isinstance(value, ast.Tuple | ast.List):
        return [text for part in value.elts for text in _strings(part)]
    text = ast.literal_eval(value)
    return [text] if isinstance(text, str) and text else []


def _comment_above(lines: list[str], number: int) -> list[str]:
    above = []
    for line in reversed(lines[: number - 1]):
        if not line.startswith("# "):
            break
        above.insert(0, line[2:])
    return above


def file_of(language: str, ending: str) -> Path:
    """Name a catalogue's file."""
    return CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


def catalogue(language: str) -> Catalog:
    """Read a language's catalogue, with the messages that texts.py has now."""
    file = file_of(language, "po")
    kept = Catalog(locale=language)
    if file.exists():
        with file.open("rb") as opened:
            kept = read_po(opened, locale=language)
    # No guessing by likeness: a text that was changed is translated anew. Nothing here may depend on the day.
    kept.update(messages(), no_fuzzy_matching=True, update_creation_date=False)
    kept.obsolete.clear()
    return kept


def as_po(language: str) -> bytes:
    """Give a language's catalogue for people."""
    file = BytesIO()
    write_po(file, catalogue(language), width=110, omit_header=True, sort_output=False)
    header = (
        f'# The box\'s texts in {LANGUAGES[language]}. Written by `make words`; only msgstr is for people.\nmsgid ""\n'
    )
    header += f'msgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    return header.encode() + file.getvalue()


def as_mo(language: str) -> bytes:
    """Give a language's catalogue for the program."""
    kept = catalogue(language)
    # The date in its header is always the same, so that the file depends on the texts alone.
    plain = Catalog(locale=language, fuzzy=False, creation_date=NO_DATE, revision_date=NO_DATE)
    for message in kept:
        if message.id and message.string:
            plain.add(message.id, message.string)
    file = BytesIO()
    write_mo(file, plain)
    return file.getvalue()


def kept_words(language: str, ending: str) -> dict[str, str]:
    """Give the texts and translations that a file holds, as it lies there.

    Args:
        language: Which language.
        ending: "po" for the file for people, "mo" for the one for the program.
    """
    with file_of(language, ending).open("rb") as file:
        kept = read_po(file, locale=language) if ending == "po" else read_mo(file)
    return {str(message.id): str(message.string) for message in kept if message.id}


def untranslated(language: str) -> list[str]:
    """List the texts without a translation."""
    return [str(message.id) for message in catalogue(language) if message.id and not message.string]


def main() -> int:
    """Write all catalogues; tell what is still to be translated."""
    for language in TRANSLATED:
        file_of(language, "po").parent.mkdir(parents=True, exist_ok=True)
        file_of(language, "po").write_bytes(as_po(language))
        file_of(language, "mo").write_bytes(as_mo(language))
        for text in untranslated(language):
            print(f"{language}: no translation of {text!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
