"""Settings in a TOML file: declaration, validation, and writing of a commented file.

The settings themselves are in `device.config`; this module is the machinery. A section is a frozen dataclass whose
fields are declared with `setting`; validation, error messages and the commented file follow from that.
"""

from __future__ import annotations

import difflib
import re
import tomllib
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from textwrap import wrap
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Config = TypeVar("Config", bound="DataclassInstance")
Value = TypeVar("Value", bool, int, float, str)


class ConfigError(ValueError):
    """The settings' file is invalid; each line of the message names file, line and remedy.

    Attributes:
        problems: The lines of the message, one for each fault.
        values: The valid values in the file, by section and name.
    """

    def __init__(self, problems: list[str], values: Mapping[str, Mapping[str, object]] | None = None) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems
        self.values = values or {}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault in a settings' file.

    Attributes:
        section: Its section.
        name: The setting; "" for the section as a whole.
        text: What is wrong and what to do.
    """

    section: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting.

    Attributes:
        section: The name of its section.
        name: Its name.
        default: Its default, whose type is the setting's: bool, int, float or str.
        meaning: What it does and when to change it, in a sentence for the builder.
        unit: The unit of a number: "s", "cm"; "" for names and switches.
        limits: The least and the greatest allowed number; None for names and switches.
        choices: All allowed values; empty if the limits define them.
        is_hexadecimal: Whether the number is written in hexadecimal, as 0x3C.
    """

    section: str
    name: str
    default: object
    meaning: str
    unit: str
    limits: tuple[float, float] | None
    choices: tuple[object, ...]
    is_hexadecimal: bool

    @property
    def kind(self) -> type:
        """Its type."""
        return type(self.default)

    def written(self, value: object) -> str:
        """Return a value in TOML syntax."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            escaped = "".join(map(_escaped, value.replace("\\", "\\\\").replace('"', '\\"')))
            return f'"{escaped}"'
        return f"0x{value:02X}" if self.is_hexadecimal and isinstance(value, int) else str(value)

    def allowed(self) -> str:
        """Return the allowed values in words: "2 to 27", "0 or 180"; "" if all values of its type are allowed."""
        if self.choices:
            *firsts, last = (self.written(choice) for choice in self.choices)
            return f"{', '.join(firsts)} or {last}" if firsts else last
        return " to ".join(map(self.written, self.limits or ()))


def setting(
    default: Value,
    meaning: str,
    unit: str = "",
    *,
    limits: tuple[float, float] | None = None,
    choices: tuple[Value, ...] = (),
    is_hexadecimal: bool = False,
) -> Value:
    """Return the field of a setting, for a dataclass; the arguments are those of `Setting`."""
    properties = {"meaning": meaning, "unit": unit, "limits": limits, "choices": choices}
    declared: Value = field(default=default, metadata=properties | {"is_hexadecimal": is_hexadecimal})
    return declared


def rows(config: type) -> Iterator[Setting]:
    """Return the table: each setting of each section of a dataclass of sections."""
    sections = typing.get_type_hints(config)
    for section in fields(config):
        for one in fields(sections[section.name]):
            yield Setting(section.name, one.name, one.default, **one.metadata)


class Places:
    """The place of each setting in a file, for messages; `tomllib` returns values without their lines."""

    _HEADER = re.compile(r"\s*\[\s*([A-Za-z0-9_-]+)\s*\]")
    _KEY = re.compile(r"""\s*["']?([A-Za-z0-9_-]+)["']?\s*(?:\.\s*["']?([A-Za-z0-9_-]+)["']?\s*)?=(.*)""")

    def __init__(self, text: str, name: str) -> None:
        """Parse the lines.

        Args:
            text: The file's text; TOML.
            name: The file's name, for messages.
        """
        self.name = name
        self.lines: dict[tuple[str, str], int] = {}
        """The line of each setting and section, by section and name; the name of a section as a whole is ""."""
        self.settings: dict[int, tuple[str, str, str]] = {}
        """What a line sets: section, name and the literal value."""
        self.length = text.count("\n") + 1
        section = ""
        for number, line in enumerate(text.split("\n"), start=1):
            if header := self._HEADER.match(line):
                section = header[1]
                self.lines.setdefault((section, ""), number)
                self.settings[number] = (section, "", "")
            elif key := self._KEY.match(line):
                at = (section, key[1]) if key[2] is None else (key[1], key[2])
                self.lines.setdefault(at, number)
                self.settings[number] = (*at, key[3].split("#")[0].strip())

    def line(self, section: str, name: str = "") -> int | None:
        """Return the line of a setting, or else of its section; None if neither is found."""
        return self.lines.get((section, name)) or self.lines.get(("", section)) or self.lines.get((section, ""))

    def at(self, section: str, name: str = "") -> str:
        """Return the place of a setting, or of its section: "config.toml, line 7"; without a line if it is unknown."""
        number = self.line(section, name)
        return f"{self.name}, line {number}" if number else self.name


def read(text: str, config: type, places: Places) -> tuple[dict[str, dict[str, object]], list[Fault]]:
    """Return the values that a file sets, and its faults; each value is checked against its row of the table.

    Args:
        text: The file's text.
        config: The dataclass of sections.
        places: The places of the settings in the file.

    Returns:
        The valid values by section, and all faults.

    Raises:
        ConfigError: If the text is not TOML.
    """
    table = {(row.section, row.name): row for row in rows(config)}
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([_no_toml(error, table, places)]) from None
    except RecursionError:
        raise ConfigError([f"{places.name}: has brackets nested too deeply; remove them"]) from None
    except ValueError as error:  # a number that is too long for Python
        raise ConfigError([f"{places.name}: a number is far too long ({error})"]) from None
    sections = list(dict.fromkeys(section for section, _ in table))
    faults: list[Fault] = []
    values: dict[str, dict[str, object]] = {}
    for section, settings in tables.items():
        if section not in sections:
            what = f"section [{section}]" if isinstance(settings, dict) else f"setting {section}"
            faults.append(Fault(section, "", f"there is no {what}{_nearest(section, sections, '[{}]')}"))
        elif not isinstance(settings, dict):
            faults.append(Fault(section, "", f"{section} is a section; write [{section}] on a line of its own"))
        else:
            values[section] = {}
            for key, value in settings.items():
                row = table.get((section, key))
                if row is None:
                    names = [one for part, one in table if part == section]
                    faults.append(Fault(section, key, f"[{section}] has no setting {key}{_nearest(key, names, '{}')}"))
                elif problem := wrong(row, value):
                    faults.append(Fault(section, key, f"[{section}] {key} {problem}"))
                else:
                    values[section][key] = row.kind(value)
    return values, faults


def _no_toml(error: tomllib.TOMLDecodeError, table: Mapping[tuple[str, str], Setting], places: Places) -> str:
    """Return why a text is not TOML: file, line and remedy."""
    at = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error))
    what, line = (at[1], at[2]) if at else (str(error), None)
    number = int(line) if line else places.length
    section, name, word = places.settings.get(number, ("", "", ""))
    where = f"{places.name}, line {number}"
    first = places.line(section, name)
    if first and first < number:
        if name:
            return f"{where}: [{section}] {name} is already set on line {first}; delete one of the two lines"
        return f"{where}: [{section}] already begins on line {first}; put all its settings there"
    row = table.get((section, name))
    if row is not None and word and word[0] not in "\"'[{":  # the value is not a quoted text, list or table
        return f"{where}: [{section}] {name} {_not_of_its_kind(row, word, word)}"
    if not line:
        where = f"{places.name}, at its end"
    return f"{where}: {what[:1].lower()}{what[1:]}; write it as: name = value"


def made(config: type[Config], values: Mapping[str, Mapping[str, object]]) -> Config:
    """Return a dataclass of sections with the values from `read`; the others have their defaults."""
    kinds = typing.get_type_hints(config)
    return config(**{one.name: kinds[one.name](**values.get(one.name, {})) for one in fields(config)})


def _nearest(name: str, names: list[str], form: str) -> str:
    near = difflib.get_close_matches(name, names, n=1)
    if near:
        return f"; did you mean {form.format(near[0])}?"
    return f"; choose from {', '.join(form.format(one) for one in names)}"


_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: 'a text in quotes, as "this"'}


def wrong(row: Setting, value: object) -> str:
    """Return what is wrong with a value and what would be valid; "" if it is valid."""
    if type(value) is not row.kind and not (row.kind is float and type(value) is int):
        return _not_of_its_kind(row, _shown(row, value), value if isinstance(value, str) else str(_plain(value)))
    is_outside = isinstance(value, (int, float)) and not (  # "not within" also rejects TOML's nan
        row.limits is None or row.limits[0] <= value <= row.limits[1]
    )
    if is_outside or (row.choices and value not in row.choices):
        return f"cannot be {_shown(row, value)}; allowed: {_takes(row)}"
    return ""


def _not_of_its_kind(row: Setting, shown: str, text: str) -> str:
    """Return that a value has the wrong type, and what was probably meant or what is allowed."""
    value = _meant(row, text)
    remedy = f"allowed: {_takes(row)}" if value is None else f"write {row.name} = {row.written(value)}"
    return f"must be {_KINDS[row.kind]}, not {shown}; {remedy}"


_SWITCHES = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def _meant(row: Setting, text: str) -> object | None:
    """Return the value that was probably meant by a text, as true for "yes"; None if that is unclear."""
    value: object | None
    try:
        if row.kind is bool:
            value = _SWITCHES.get(text.casefold())
        elif row.kind is str:
            value = text
        else:
            value = int(text, 16) if text.startswith("0x") and row.kind is int else row.kind(text)
    except ValueError:
        return None
    return value if value is not None and not wrong(row, value) else None


_LARGEST = 10**30
"""Numbers from this size on are not written out in messages."""


def _plain(value: object) -> object:
    """Return a number or switch unchanged, and "" for anything else."""
    return value if isinstance(value, (bool, float)) or (isinstance(value, int) and abs(value) < _LARGEST) else ""


def _shown(row: Setting, value: object) -> str:
    """Return a value for a message, shortened if necessary."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return "a number that large" if isinstance(value, int) and abs(value) >= _LARGEST else row.written(value)


def _takes(row: Setting) -> str:
    """Return the allowed values and the default: "0.3 to 3.0 s, default 0.8"."""
    allowed = row.allowed() or _KINDS[row.kind]
    return f"{allowed} {row.unit}".rstrip() + f", default {row.written(row.default)}"


def written(config: object) -> str:
    """Return a complete file: each setting with its meaning, unit, range and default, and its current value."""
    lines: list[str] = []
    section = ""
    kinds: Mapping[str, type] = typing.get_type_hints(type(config))
    for row in rows(type(config)):
        if row.section != section:
            section = row.section
            lines += ["", f"[{section}]", *_comment((kinds[section].__doc__ or "").split("\n", maxsplit=1)[0])]
        value = getattr(getattr(config, section), row.name)
        lines += ["", *_comment(row.meaning), *_comment(f"Allowed: {_takes(row)}")]
        lines.append(f"{row.name} = {row.written(value)}")
    return "\n".join(lines).lstrip("\n") + "\n"


def _escaped(character: str) -> str:
    """Return a character for a quoted TOML text; invisible ones are escaped."""
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _comment(text: str) -> list[str]:
    return wrap(text, 98, initial_indent="# ", subsequent_indent="# ", break_long_words=False, break_on_hyphens=False)
