"""The box's state as plain data for JSON: an object with the state's name and its fields."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from device.referee.players import GameSettings
from device.referee.playing import state_of
from device.referee.states import TRANSIENT_STATES, State, Welcome
from device.referee.transition_table import STATES
from engine import Game

_BY_NAME: dict[str, Any] = {state.__name__: state for state in STATES}


def read_state(data: dict[str, Any], game: Game | None) -> State:
    """Return the state in plain data; a state of another version is replaced by the one of the game's position."""
    try:
        return from_data(data)
    except ValueError:
        return Welcome() if game is None else state_of(game)


def to_data(state: State) -> dict[str, Any]:
    """Return a state as plain data for JSON; a passing state is replaced by the one that it covers."""
    if isinstance(state, TRANSIENT_STATES):
        return to_data(state.before)
    data: dict[str, Any] = {"state": type(state).__name__}
    for each in fields(state):
        value = getattr(state, each.name)
        data[each.name] = to_data(value) if each.name == "before" else value
        if isinstance(value, GameSettings):
            data[each.name] = asdict(value)
    return data


def from_data(data: dict[str, Any]) -> State:
    """Return the state in plain data, the inverse of `to_data`; raise ValueError for one of another version."""
    try:
        values = {key: _frozen(value) for key, value in data.items() if key != "state"}
        if "before" in values:
            values["before"] = from_data(data["before"])
        values |= {key: GameSettings(**value) for key, value in values.items() if isinstance(value, dict)}
        state: State = _BY_NAME[data["state"]](**values)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a state of this version: {data!r}") from error
    return state


def _frozen(value: object) -> object:
    """Return data with JSON's lists replaced by tuples, at any depth."""
    if isinstance(value, dict):
        return {key: _frozen(each) for key, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
