"""The players' preferences, chosen on the box: language, sound, light, odds, names.

The hardware is described by the configuration instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from device.referee.players import BadName, name_of

CHOICES: dict[str, tuple[str | bool, ...]] = {
    "language": ("en", "nl", "de", "fr"),
    "sound": (True, False),
    "light": (True, False),
    "odds": ("off", "on", "after"),
    "page": (False, True),
}
"""The choices of each preference but the names, the default first."""


MOST_NAMES = 12
"""The number of names that the box remembers."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The players' choices.

    Attributes:
        language: The language of the box, as an ISO 639-1 code.
        sound: Whether the buzzer sounds, if there is one.
        light: Whether the lamp over the tray, if there is one, is lit while the camera is in use.
        odds: When the odds are shown: never, during and after a decision, or only after it.
        page: Whether the page is served to phones in the network, if the settings allow it.
        names: The players' names, the most recent first; without fixed choices.
    """

    language: str = "en"
    sound: bool = True
    light: bool = True
    odds: str = "off"
    page: bool = False
    names: tuple[str, ...] = ()

    def remembering(self, names: tuple[str, ...]) -> Preferences:
        """Return these preferences with some players' names at the head of the list."""
        return replace(self, names=tuple(dict.fromkeys((*names, *self.names)))[:MOST_NAMES])

    def next(self, name: str) -> Preferences:
        """Return these preferences with one of them changed to its next choice, wrapping around."""
        offered = CHOICES[name]
        return self.chosen(name, offered[(offered.index(getattr(self, name)) + 1) % len(offered)])

    def chosen(self, name: str, choice: str | bool) -> Preferences:
        """Return these preferences with one of them set to a choice."""
        changed: dict[str, Any] = {name: choice}
        return replace(self, **changed)


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
    for name, offered in CHOICES.items():
        value = data.get(name, offered[0])
        # In Python 1 is True; in a file it is not.
        if any(type(value) is type(choice) and value == choice for choice in offered):
            chosen[name] = value
        else:
            wrong.append(f"{name} cannot be {value!r}")
    names = data.get("names", [])
    try:
        chosen["names"] = tuple(map(name_of, names if isinstance(names, list) else [names]))
    except (BadName, TypeError):
        wrong.append(f"names cannot be {names!r}")
    return Preferences(**chosen), tuple(wrong)
