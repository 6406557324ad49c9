"""Shows the referee's transitions: the course of a turn as a diagram, and the whole table.

`python -m tools.docs.architecture` updates the diagram in docs/architecture.md, as `make docs` does, and prints the
table as Markdown. A test checks that the diagram is current.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from device.referee import playing
from device.referee.states import (
    IN_TURN,
    STATES,
    Busted,
    Busting,
    Choosing,
    ChoosingColumn,
    Deciding,
    GameOver,
    NewGame,
    State,
    Stopped,
    Telling,
    Waiting,
    leave,
)
from device.referee.transition_table import TRANSITIONS, Transition

FILE = Path(__file__).parents[2] / "docs" / "architecture.md"
BEGIN, END = "<!-- printed by python -m tools.docs.architecture -->\n```mermaid\n", "```\n<!-- end -->\n"

COURSE = (NewGame, Waiting, Choosing, ChoosingColumn, Telling, Deciding, Busting, Busted, Stopped, GameOver)
"""The states in the diagram, in the order in which it is laid out: a person's turn without corrections."""

PRESSES = ("A", "B", "C", "STOP")
"""The inputs in the diagram, in addition to dice."""

ROLL = "roll"
"""The node of the diagram where a roll decides how the turn continues."""

SHARED = 5
"""An input that this number of states of a turn handle alike is listed once, for the turn as a whole."""

BACK = 4
"""A row with more target states than this returns to a state before."""


def with_diagram(text: str) -> str:
    """Return the document with the current diagram."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + diagram() + END + after


def diagram() -> str:
    """Return the course of a turn as a Mermaid state diagram."""
    arrows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for state in COURSE:
        for key in ("dice", *PRESSES):
            row = TRANSITIONS.get((state, key))
            if row is None or len(row.to) > BACK:
                continue
            if row.handle is playing.take_roll:
                arrows[state.__name__, ROLL].append(key)
                for target in row.to:
                    if target in COURSE:
                        arrows.setdefault((ROLL, target.__name__), [])
            elif key in PRESSES:
                for target in row.to:
                    if target in COURSE and target is not state:
                        arrows[state.__name__, target.__name__].append(key)
    lines = ["stateDiagram-v2", f"    [*] --> {NewGame.__name__}"]
    lines += [
        f"    {source} --> {target}" + (f" : {', '.join(keys)}" if keys else "")
        for (source, target), keys in arrows.items()
    ]
    lines.insert(2, f"    state {ROLL} <<choice>>")
    return "\n".join(lines) + "\n"


def table() -> str:
    """Return all transitions as a Markdown table: a row for each state, and one for what the states of a turn share."""
    same = Counter((key, row) for (state, key), row in TRANSITIONS.items() if state in IN_TURN)
    alike = Counter((key, _targets(state, row)) for (state, key), row in TRANSITIONS.items() if state in IN_TURN)
    turn: dict[str, str] = {}
    own: dict[str, dict[str, str]] = {state.__name__: {} for state in STATES}
    for (state, key), row in TRANSITIONS.items():
        targets = _targets(state, row)
        if state in IN_TURN and same[key, row] >= SHARED:
            turn[key] = _targets(None, row)
        elif state in IN_TURN and alike[key, targets] >= SHARED:
            turn[key] = targets
        elif targets:
            own[state.__name__][key] = targets
    names = ", ".join(state.__name__ for state in IN_TURN)
    lines = ["| state | inputs, and the states they lead to |", "|---|---|", f"| a turn: {names} | {_inputs(turn)} |"]
    lines += [f"| {name} | {_inputs(rows)} |" for name, rows in own.items() if rows]
    return "\n".join(lines) + "\n"


def _targets(state: type[State] | None, row: Transition) -> str:
    """Return the names of the states that a row leads to, without its own state if one is given."""
    if row.handle is leave and len(row.to) > BACK:
        return "the state before"
    others = [target for target in dict.fromkeys(row.to) if target is not state]
    if len(set(row.to) & set(IN_TURN)) <= BACK:
        return ", ".join(target.__name__ for target in others)
    return ", ".join(["a turn", *(target.__name__ for target in others if target not in IN_TURN)])


def _inputs(rows: dict[str, str]) -> str:
    """Return the inputs of a state with the states that they lead to, those with the same ones together."""
    together: dict[str, list[str]] = defaultdict(list)
    for key, targets in rows.items():
        together[targets].append(key)
    return "; ".join(f"**{', '.join(keys)}** {targets}" for targets, keys in together.items())


if __name__ == "__main__":
    FILE.write_text(with_diagram(FILE.read_text(encoding="utf-8")), encoding="utf-8")
    print(table(), end="")
