"""The architecture in the docs is the code's: the diagram is the table's, and the files that it names are there."""

from __future__ import annotations

import re

from device.referee.transition_table import TRANSITIONS
from tools.docs.architecture import COURSE, FILE, ROLL, diagram, table, with_diagram
from tools.hardware.trees import PROJECT

ARROWS = re.findall(r"^    (\w+) --> (\w+)(?: : (.+))?$", diagram(), re.MULTILINE)


def test_the_diagram_in_the_architecture_page_is_current():
    text = FILE.read_text(encoding="utf-8")
    assert with_diagram(text) == text, "run: make docs"


def test_the_printed_table_names_every_state():
    text = table()
    assert [state.__name__ for state, _ in TRANSITIONS if not re.search(rf"\b{state.__name__}\b", text)] == []


def test_the_diagram_has_at_most_twelve_nodes_and_all_states_of_a_persons_turn():
    nodes = {node for source, target, _ in ARROWS for node in (source, target)}
    assert nodes == {state.__name__ for state in COURSE} | {ROLL}
    assert len(nodes) <= 12


def test_each_arrow_of_the_diagram_is_a_transition():
    states = {state.__name__: state for state in COURSE}
    for source, target, keys in ARROWS:
        for key in keys.split(", ") if keys else []:
            leads_to = {other.__name__ for other in TRANSITIONS[states[source], key].to}
            assert target in leads_to or (target == ROLL and key == "dice"), (source, key)


def test_every_file_that_the_architecture_page_names_exists():
    there = [file.relative_to(PROJECT) for file in PROJECT.glob("[a-z]*/**/*.py")]
    paths, names = {str(file) for file in there}, {file.name for file in there}
    for named in re.findall(r"`([\w/]+\.py)`", FILE.read_text(encoding="utf-8")):
        assert named in paths or named in names, named
