"""Prints the referee's transitions as a state diagram (Mermaid): `python -m device.referee.diagram`."""

from __future__ import annotations

from collections import defaultdict

from device.referee.states import IN_TURN
from device.referee.transitions import TRANSITIONS

TURN = "Turn"
"""The name of the composite state for a game in progress."""

SHARED = 5
"""An input that this number of states of a turn handle alike is drawn once, from the turn as a whole."""

BACK = 4
"""A row with more target states than this returns to the state before, drawn as the turn as a whole."""


def diagram() -> str:
    """Return the table as a Mermaid state diagram: an arrow for each pair of states, labelled with its inputs."""
    handled: dict[tuple[str, object], list[str]] = defaultdict(list)
    for (state, key), row in TRANSITIONS.items():
        if state in IN_TURN:
            handled[key, row.handle].append(state.__name__)
    arrows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (state, key), row in TRANSITIONS.items():
        # Dice lead to the turn's own states: these arrows are drawn individually, as they show its course.
        shared = state in IN_TURN and len(handled[key, row.handle]) >= SHARED and key != "dice"
        source = TURN if shared else state.__name__
        leads_back = len(row.to) > BACK
        targets = [
            TURN if leads_back and target in IN_TURN else target.__name__ for target in row.to if target is not state
        ]
        for target in targets:
            if key not in arrows[source, target]:
                arrows[source, target].append(key)
    lines = ["stateDiagram-v2", "    [*] --> Welcome", "    [*] --> Resume", f"    state {TURN} {{"]
    lines += [f"        {state.__name__}" for state in IN_TURN]
    lines.append("    }")
    lines += [f"    {source} --> {target} : {', '.join(keys)}" for (source, target), keys in arrows.items() if keys]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(diagram(), end="")
