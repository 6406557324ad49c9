"""The state diagram in the docs is the table's."""

from __future__ import annotations

from device.referee.diagram import diagram
from device.referee.transitions import TRANSITIONS
from tools.architecture import FILE, with_diagram


def test_the_architectures_diagram_is_the_one_that_the_table_prints():
    text = FILE.read_text(encoding="utf-8")
    assert with_diagram(text) == text, "run: make docs"


def test_the_diagram_names_every_state_of_the_table():
    text = diagram()
    assert {state.__name__ for state, _ in TRANSITIONS} == {
        state.__name__ for state, _ in TRANSITIONS if f" {state.__name__}" in text
    }
