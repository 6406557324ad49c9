"""A state of the box as the journal stores it: one JSON object with the state's name and its fields."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from device.referee.playing import state_of
from device.referee.state import State
from device.referee.states import PASSING, STATES, Welcome
from engine import Game

_BY_NAME: dict[str, Any] = {state.__name__: state for state in STATES}


def state_text(state: State) -> str:
    """Write a state."""
    return json.dumps(to_data(state), separators=(",", ":"))


def read_state(text: str, game: Game | None) -> State:
    """Read a state; one of another version of the box is replaced by what the game's position asks for."""
    try:
        return from_data(json.loads(text))
    except ValueError:
        return Welcome() if game is None else state_of(game)


def to_data(state: State) -> dict[str, Any]:
    """Return a state as plain data for JSON; `from_data` is the inverse. Passing states give what they lead back to."""
    if isinstance(state, PASSING):
        return to_data(state.before)
    data: dict[str, Any] = {"state": type(state).__name__}
    for each in fields(state):
        value = getattr(state, each.name)
        data[each.name] = to_data(value) if each.name == "before" else value
    return data


def from_data(data: dict[str, Any]) -> State:
    """Make a state from `to_data`'s plain data, as JSON gives it back.

    Raises:
        ValueError: If this is no state of this version of the box.
    """
    try:
        values = {key: _frozen(value) for key, value in data.items() if key != "state"}
        if "before" in values:
            values["before"] = from_data(data["before"])
        state: State = _BY_NAME[data["state"]](**values)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no state of this version: {data!r}") from error
    return state


def _frozen(value: object) -> object:
    """Turn JSON's lists into tuples, at any depth."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
