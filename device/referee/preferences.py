"""The players' preferences, chosen on the box: language, sound, light, odds, names.

The hardware is described by the configuration instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from device.referee.players import BadName, name_of


def _one_of(*choices: str | bool) -> Any:  # noqa: ANN401 - the type of a field with this default
    """Declare a preference by its choices; the first is the default."""
    return field(default=choices[0], metadata={"choices": choices})


@dataclass(frozen=True, slots=True)
class Preferences:
    """The players' choices. A new one is a field here with its choices; file, defaults and checks follow from that.

    Attributes:
        language: The language of the box, as an ISO 639-1 code.
        sound: Whether the buzzer sounds, if there is one.
        light: Whether the lamp over the tray, if there is one, is lit while the camera is in use.
        odds: When the odds are shown: never, during and after a decision, or only after it.
        page: Whether the page is served to phones in the network, if the settings allow it.
        names: The players' names, the most recent first; without fixed choices.
    """

    language: str = _one_of("en", "nl", "de", "fr")
    sound: bool = _one_of(True, False)
    light: bool = _one_of(True, False)
    odds: str = _one_of("off", "on", "after")
    page: bool = _one_of(False, True)
    names: tuple[str, ...] = ()

    def next(self, name: str) -> Preferences:
        """Return these preferences with one of them changed to its next choice, wrapping around.

        Raises:
            KeyError: If there is no such preference.
        """
        offered = choices(name)
        return self.chosen(name, offered[(offered.index(getattr(self, name)) + 1) % len(offered)])

    def chosen(self, name: str, choice: str | bool) -> Preferences:
        """Return these preferences with one of them set to a choice."""
        changed: dict[str, Any] = {name: choice}
        return replace(self, **changed)


def choices(name: str) -> tuple[str | bool, ...]:
    """Return the choices of a preference, the default first.

    Raises:
        KeyError: If there is no such preference.
    """
    offered: tuple[str | bool, ...] = {each.name: each.metadata for each in fields(Preferences)}[name]["choices"]
    return offered


def from_data(data: object) -> tuple[Preferences, tuple[str, ...]]:
    """Return the preferences in plain data from JSON, and its problems.

    Args:
        data: The contents of a file, of any type.

    Returns:
        The preferences, with defaults for missing and invalid values; and the problems, each in a few words. Unknown
        names are ignored: a newer version may have written them.
    """
    if not isinstance(data, dict):
        return Preferences(), ("not a JSON object",)
    chosen: dict[str, Any] = {}
    wrong = []
    for each in fields(Preferences):
        if each.name not in data:
            continue
        value = data[each.name]
        if each.name == "names":
            try:
                chosen["names"] = tuple(map(name_of, value if isinstance(value, list) else [value]))
            except (BadName, TypeError):
                wrong.append(f"names cannot be {value!r}")
            continue
        # In Python 1 is True; in a file it is not.
        if any(type(value) is type(choice) and value == choice for choice in choices(each.name)):
            chosen[each.name] = value
        else:
            wrong.append(f"{each.name} cannot be {value!r}")
    return Preferences(**chosen), tuple(wrong)
