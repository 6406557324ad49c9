"""Shows the referee's transitions: the course of a turn as a diagram, and the whole table.

`python -m tools.docs.architecture` updates the diagram in docs/architecture.md, as `make docs` does, and prints the
table as Markdown. A test checks that the diagram is current.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from device.referee import playing, states
from device.referee.states import STATES, NewGame
from device.referee.transition_table import TRANSITIONS

FILE = Path(__file__).parents[2] / "docs" / "architecture.md"
BEGIN, END = "<!-- printed by python -m tools.docs.architecture -->\n```mermaid\n", "```\n<!-- end -->\n"

COURSE = (
    NewGame, states.Waiting, states.Choosing, states.ChoosingColumn, states.Telling, states.Deciding, states.Busting,
    states.Busted, states.Stopped, states.GameOver,
)  # fmt: skip
"""The states in the diagram, in the order in which it is laid out: a person's turn without corrections."""

PRESSES = ("A", "B", "C", "STOP")
"""The inputs in the diagram, in addition to dice."""

ROLL = "roll"
"""The node of the diagram where a roll decides how the turn continues."""

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
    """Return all transitions as a Markdown table, a row for each state: inputs with the same targets are together."""
    lines = ["| state | inputs, and the states they lead to |", "|---|---|"]
    for state in STATES:
        together: dict[str, list[str]] = defaultdict(list)
        for (source, key), row in TRANSITIONS.items():
            if source is state:
                targets = ", ".join(target.__name__ for target in row.to if target is not state)
                together[targets or "no other"].append(key)
        inputs = "; ".join(f"**{', '.join(keys)}** {targets}" for targets, keys in together.items())
        lines.append(f"| {state.__name__} | {inputs} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(with_diagram(FILE.read_text(encoding="utf-8")), encoding="utf-8")
    print(table(), end="")
