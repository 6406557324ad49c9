"""Updates the catalogues from the screens, and prints every text in all languages: `make words`.

Each text in a constant of the modules of texts is a message, and each one that a screen passes to `say`; the name of
the constant or function and the comment above it help the translator. A new message has no translation until someone
writes it into the .po files and runs this again. A message that is gone from there is removed from the catalogues. The
words of the page are in JSON files of their own, which people edit.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from device.laptop import table_view
from device.page import web_side
from device.referee.players import COLOURS
from device.screens import fault_texts, texts
from device.screens.language import CATALOGUES, DOMAIN, LANGUAGES
from engine import position

NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
SOURCES = [Path(str(module.__file__)) for module in (texts, fault_texts)]
TRANSLATED = [language for language in LANGUAGES if language != "en"]
PAGE_WORDS = Path(web_side.__file__).parent / "words"
"""The folder of the page's texts, with a JSON file for each language."""
WIDTH = 160
"""The width of the table if there is no terminal, in characters."""


def messages() -> Catalog:
    """Return a catalogue of every text of the screens."""
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
    for source in (*sorted(SOURCES[0].parent.glob("*.py")), Path(table_view.__file__)):
        text = source.read_text("utf-8")
        for function in ast.parse(text).body:
            if isinstance(function, ast.FunctionDef):
                for said in _said(function, "say"):
                    comments = [function.name.strip("_"), *_comment_above(text.splitlines(), said.lineno)]
                    catalogue.add(str(said.value), auto_comments=comments)
    for each in problems():
        catalogue.add(each, auto_comments=["Of a board set by hand: up to four lines of 21 letters"])
    for colour in COLOURS:
        catalogue.add(colour, auto_comments=["COLOURS"])
    return catalogue


def _strings(value: ast.expr) -> list[str]:
    """Return the texts of a constant: itself, or the values (not the keys) of a table, but not constants it names."""
    if isinstance(value, ast.Name):
        return []
    if isinstance(value, ast.Dict):
        return [text for part in value.values for text in _strings(part)]
    if isinstance(value, ast.Tuple | ast.List):
        return [text for part in value.elts for text in _strings(part)]
    text = ast.literal_eval(value)
    return [text] if isinstance(text, str) and text else []


def problems() -> list[str]:
    """Return the texts that the engine has for a board that cannot be."""
    source = Path(str(position.__file__)).read_text("utf-8")
    return [str(text.value) for text in _said(ast.parse(source), "Problem", "_problem")]


def _said(tree: ast.AST, *functions: str) -> list[ast.Constant]:
    """Return the texts that are passed to functions, from top to bottom: each alone, or one of two by a condition."""
    given = [
        call.args[0]
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in functions
    ]
    for one in given:
        if isinstance(one, ast.IfExp):
            given += [one.body, one.orelse]
    return sorted((one for one in given if isinstance(one, ast.Constant)), key=lambda one: (one.lineno, one.col_offset))


def _comment_above(lines: list[str], number: int) -> list[str]:
    above: list[str] = []
    for line in reversed(lines[: number - 1]):
        if not line.lstrip().startswith("# "):
            break
        above.insert(0, line.lstrip()[2:])
    return above


def file_of(language: str, ending: str) -> Path:
    """Return the path of a catalogue's file."""
    return CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


def catalogue(language: str) -> Catalog:
    """Return a language's catalogue with the messages that the modules have now."""
    file = file_of(language, "po")
    kept = Catalog(locale=language)
    if file.exists():
        with file.open("rb") as opened:
            kept = read_po(opened, locale=language)
    # No fuzzy matching: a changed text needs a new translation. Nothing here may depend on the date.
    kept.update(messages(), no_fuzzy_matching=True, update_creation_date=False)
    kept.obsolete.clear()
    return kept


def as_po(language: str) -> bytes:
    """Return a language's catalogue as the .po file for people."""
    file = BytesIO()
    write_po(file, catalogue(language), width=110, omit_header=True, sort_output=False)
    header = (
        f'# The box\'s texts in {LANGUAGES[language]}. Written by `make words`; only msgstr is for people.\nmsgid ""\n'
    )
    header += f'msgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    return header.encode() + file.getvalue()


def as_mo(language: str) -> bytes:
    """Return a language's catalogue as the .mo file for the program."""
    kept = catalogue(language)
    # The date in its header is fixed, so that the file depends only on the texts.
    kept.creation_date = kept.revision_date = NO_DATE
    kept.fuzzy = False
    file = BytesIO()
    write_mo(file, kept)
    return file.getvalue()


def kept_words(language: str, ending: str) -> dict[str, str]:
    """Return the texts and translations in a file.

    Args:
        language: The language.
        ending: "po" for the translators' file, "mo" for the program's.
    """
    with file_of(language, ending).open("rb") as file:
        kept = read_po(file, locale=language) if ending == "po" else read_mo(file)
    return {str(message.id): str(message.string) for message in kept if message.id}


def untranslated(language: str) -> list[str]:
    """Return the texts without a translation."""
    return [str(message.id) for message in catalogue(language) if message.id and not message.string]


def texts_in(language: str) -> dict[str, str]:
    """Return the display's and page's texts in a language, by the message or the page's key."""
    page: dict[str, str] = json.loads((PAGE_WORDS / f"{language}.json").read_text("utf-8"))
    if language == "en":
        return {str(message.id): str(message.id) for message in messages() if message.id} | page
    return kept_words(language, "po") | page


def rows(languages: Sequence[str]) -> list[tuple[str, ...]]:
    """Return each different text in these languages, in the order of the display and then of the page."""
    spoken = [texts_in(language) for language in languages]
    return list(dict.fromkeys(tuple(one[key] for one in spoken) for key in texts_in("en")))


def table(languages: Sequence[str]) -> Table:
    """Return a table of every text, with a column for each language."""
    shown = Table(*(LANGUAGES[language] for language in languages), box=box.SIMPLE, row_styles=("", "reverse"))
    for row in rows(languages):
        shown.add_row(*map(escape, row))
    return shown


def main() -> None:
    """Write all catalogues, print the table of all texts and report missing translations."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs.words", description="All texts, in all languages.")
    parser.add_argument("language", nargs="?", choices=TRANSLATED, help="show this one beside English only")
    language = parser.parse_args().language
    for each in TRANSLATED:
        file_of(each, "po").parent.mkdir(parents=True, exist_ok=True)
        file_of(each, "po").write_bytes(as_po(each))
        file_of(each, "mo").write_bytes(as_mo(each))
    console = Console()
    console = console if console.is_terminal else Console(width=WIDTH)
    console.print(table(["en", language] if language else list(LANGUAGES)))
    for each in TRANSLATED:
        for text in untranslated(each):
            print(f"{each}: no translation of {text!r}", file=sys.stderr)


if __name__ == "__main__":
    main()
