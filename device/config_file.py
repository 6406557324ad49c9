"""Settings in a TOML file: declaration, validation, and writing of a commented file.

The settings themselves are in `device.config`; this module is the machinery. A section is a frozen dataclass whose
fields are declared with `setting`; validation, error messages and the commented file follow from that.
"""

from __future__ import annotations

import difflib
import json
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

_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: 'a text in quotes, as "this"'}


class ConfigError(ValueError):
    """The settings' file is invalid; each line of the message names file, setting and remedy.

    Attributes:
        problems: The lines of the message, one for each fault.
        values: The valid values in the file, by section and name.
    """

    def __init__(self, problems: list[str], values: Mapping[str, Mapping[str, object]] | None = None) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems
        self.values = values or {}


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
        if isinstance(value, int) and self.is_hexadecimal:
            return f"0x{value:02X}"
        if isinstance(value, (bool, str)):
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # the one that TOML forbids
        return str(value)

    def allowed(self) -> str:
        """Return the allowed values and the default in words: "0.3 to 3.0 s, default 0.8"."""
        allowed = " to ".join(map(self.written, self.limits or ())) or _KINDS[self.kind]
        if self.choices:
            allowed = " or ".join(map(self.written, self.choices))
        return f"{allowed} {self.unit}".rstrip() + f", default {self.written(self.default)}"

    def problem(self, value: object) -> str:
        """Return what is wrong with a value and what would be valid; "" if it is valid."""
        try:
            shown = self.written(value) if isinstance(value, (bool, int, float, str)) else f"a {type(value).__name__}"
        except ValueError:  # Python writes no numbers of thousands of digits
            shown = "a number that large"
        if type(value) is not self.kind and not (self.kind is float and type(value) is int):
            return f"must be {_KINDS[self.kind]}, not {shown}; allowed: {self.allowed()}"
        is_outside = self.limits is not None and not (  # "not within" also refuses TOML's nan
            isinstance(value, (int, float)) and self.limits[0] <= value <= self.limits[1]
        )
        if is_outside or (self.choices and value not in self.choices):
            return f"cannot be {shown}; allowed: {self.allowed()}"
        return ""


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


def read(text: str, config: type, name: str) -> tuple[dict[str, dict[str, object]], list[str]]:
    """Return the valid values that a text sets, by section and name, and its faults.

    Args:
        text: TOML.
        config: The dataclass of sections.
        name: The file's name, for messages.

    Raises:
        ConfigError: If the text is not TOML.
    """
    table: dict[str, dict[str, Setting]] = {}
    for one in rows(config):
        table.setdefault(one.section, {})[one.name] = one
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        what, _, place = str(error).partition(" (at ")
        line = f", {place.split(',')[0].rstrip(')')}" if place else ""
        remedy = "write each setting once, as name = value, a text in quotes and a switch as true or false"
        raise ConfigError([f"{name}{line}: {what[:1].lower()}{what[1:]}; {remedy}"]) from None
    faults: list[str] = []
    values: dict[str, dict[str, object]] = {section: {} for section in table}
    for section, settings in tables.items():
        is_section = isinstance(settings, dict)
        if section not in table:
            what = f"section [{section}]" if is_section else f"setting {section}"
            faults.append(f"there is no {what}; {_nearest(section, [*table], '[{}]')}")
            continue
        if not is_section:
            faults.append(f"{section} is a section; write [{section}] on a line of its own")
            continue
        for key, value in settings.items():
            if (row := table[section].get(key)) is None:
                problem = f"has no setting {key}; {_nearest(key, [*table[section]], '{}')}"
            elif problem := row.problem(value):
                problem = f"{key} {problem}"
            else:
                values[section][key] = row.kind(value)
                continue
            faults.append(f"[{section}] {problem}")
    return values, faults


def made(config: type[Config], values: Mapping[str, Mapping[str, object]]) -> Config:
    """Return a dataclass of sections with the values from `read`; the others have their defaults."""
    kinds = typing.get_type_hints(config)
    return config(**{one.name: kinds[one.name](**values.get(one.name, {})) for one in fields(config)})


def _nearest(name: str, names: list[str], form: str) -> str:
    if near := difflib.get_close_matches(name, names, n=1):
        return f"did you mean {form.format(near[0])}?"
    return f"choose from {', '.join(map(form.format, names))}"


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
        lines += ["", *_comment(row.meaning), *_comment(f"Allowed: {row.allowed()}")]
        lines.append(f"{row.name} = {row.written(value)}")
    return "\n".join(lines).lstrip("\n") + "\n"


def _comment(text: str) -> list[str]:
    return wrap(text, 98, initial_indent="# ", subsequent_indent="# ", break_long_words=False, break_on_hyphens=False)
