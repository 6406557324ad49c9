"""What players choose on the box itself: language, sound, light, odds, names.

What the builder wires is in the configuration.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from device.referee.names import BadName, name_of


def _one_of(*choices: str | bool) -> Any:  # noqa: ANN401 - the type of a field with this default
    """Declare a preference by its choices; the first is the default."""
    return field(default=choices[0], metadata={"choices": choices})


@dataclass(frozen=True, slots=True)
class Preferences:
    """The players' choices. A new one is a field here, with its choices; file, defaults and checks follow from that.

    Attributes:
        language: In which language the box speaks, as an ISO 639-1 code.
        sound: Whether the buzzer sounds, where there is one.
        light: Whether the lamp over the tray is lit while the camera looks, where there is one.
        odds: Whether the chances are shown: never, while a player decides and after it, or only after it.
        page: Whether the table's page is served to phones in the network, where the builder allows one.
        names: The names that players were given on the box, the last one first; they have no fixed choices.
    """

    language: str = _one_of("en", "nl", "de", "fr")
    sound: bool = _one_of(True, False)
    light: bool = _one_of(True, False)
    odds: str = _one_of("off", "on", "after")
    page: bool = _one_of(False, True)
    names: tuple[str, ...] = ()

    def next(self, name: str) -> Preferences:
        """Return these preferences with one of them changed to its next choice, round and round.

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
    """List what can be chosen for a preference, the default first.

    Raises:
        KeyError: If there is no such preference.
    """
    offered: tuple[str | bool, ...] = {each.name: each.metadata for each in fields(Preferences)}[name]["choices"]
    return offered


def from_data(data: object) -> tuple[Preferences, tuple[str, ...]]:
    """Make preferences from plain data, as JSON gives it.

    Args:
        data: What a file held: anything at all.

    Returns:
        The preferences, with defaults for what is missing or wrong, and what is wrong, each in a few words. Names that
        this version does not know are no fault: a newer one has written them.
    """
    if not isinstance(data, dict):
        return Preferences(), ("it holds no JSON object",)
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
