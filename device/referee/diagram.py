"""Prints the referee's table as a state diagram (Mermaid): `python -m device.referee.diagram`."""

from __future__ import annotations

from collections import defaultdict

from device.referee.table import IN_TURN, TABLE

SHARED = 5
"""An input that so many states of a turn handle alike is drawn once, from the turn as a whole."""

BACK = 6
"""A row that may lead to more states than this goes back to where the box was; it is drawn as a note."""


def diagram() -> str:
    """Write the table as a Mermaid state diagram: an arrow for each pair of states, named by its inputs."""
    handled: dict[tuple[str, object], list[str]] = defaultdict(list)
    for (state, key), row in TABLE.items():
        if state in IN_TURN:
            handled[key, row.handle].append(state.__name__)
    arrows: dict[tuple[str, str], list[str]] = defaultdict(list)
    notes: dict[str, list[str]] = defaultdict(list)
    for (state, key), row in TABLE.items():
        shared = state in IN_TURN and len(handled[key, row.handle]) >= SHARED
        source = "Turn" if shared else state.__name__
        if len(row.to) > BACK:
            notes[source].append(key)
        elif shared and key == "hold C":
            notes["Turn"] = ["hold C: takes back one step, back through turns"]
        else:
            for target in row.to:
                if target is not state and key not in arrows[source, target.__name__]:
                    arrows[source, target.__name__].append(key)
    lines = ["stateDiagram-v2", "    [*] --> Welcome", "    [*] --> Resume", "    state Turn {"]
    lines += [f"        {state.__name__}" for state in IN_TURN]
    lines.append("    }")
    lines += [f"    {source} --> {target} : {', '.join(keys)}" for (source, target), keys in arrows.items() if keys]
    for source, keys in notes.items():
        text = keys[0] if source == "Turn" else f"{', '.join(keys)}: back to where the box was"
        lines.append(f"    note right of {source} : {text}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(diagram(), end="")
