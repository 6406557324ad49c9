"""The architecture in the docs is the code's: the diagram is the referee's table, and the files that it names exist."""

from __future__ import annotations

import re
from pathlib import Path

from device.referee import playing
from device.referee.states import STATES
from device.referee.transition_table import TRANSITIONS

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs/architecture.md").read_text(encoding="utf-8")
COURSE = (
    *("NewGame", "Waiting", "Choosing", "ChoosingColumn", "Telling", "Deciding", "Busting", "Busted", "Stopped"),
    "GameOver",
)
"""A person's turn without corrections."""
ROLL = "roll"
"""The node of the diagram where a roll decides how the turn continues."""
BACK = 4
"""A row with more target states than this returns to a state before, and is not drawn."""


def test_the_diagram_shows_where_dice_and_short_presses_lead_in_a_persons_turn():
    diagram = PAGE.partition("stateDiagram-v2")[2]
    drawn = {
        (source, target, key)
        for source, target, keys in re.findall(r"^    (\w+) --> (\w+)(?: : (.+))?$", diagram, re.MULTILINE)
        for key in keys.split(", ")
    }
    course = {state for state in STATES if state.__name__ in COURSE}
    told = set()
    for (state, key), row in TRANSITIONS.items():
        targets = {target.__name__ for target in row.to if target in course and target is not state}
        if state not in course or len(row.to) > BACK or key not in ("dice", "A", "B", "C", "STOP"):
            continue
        if row.handle is playing.take_roll:
            told |= {(state.__name__, ROLL, key), *((ROLL, target, "") for target in targets)}
        elif key != "dice":
            told |= {(state.__name__, target, key) for target in targets}
    assert drawn == told


def test_every_file_that_the_architecture_page_names_exists():
    there = [file.relative_to(PROJECT) for file in PROJECT.glob("[a-z]*/**/*.py")]
    paths, names = {str(file) for file in there}, {file.name for file in there}
    for named in re.findall(r"`([\w/]+\.py)`", PAGE):
        assert named in paths or named in names, named
