"""The architecture in the docs is the code's: the diagram is the table's, and the files that it names are there."""

from __future__ import annotations

import re

from device.referee.diagram import diagram
from device.referee.transitions import TRANSITIONS
from tools.architecture import FILE, with_diagram
from tools.trees import PROJECT


def test_the_architectures_diagram_is_the_one_that_the_table_prints():
    text = FILE.read_text(encoding="utf-8")
    assert with_diagram(text) == text, "run: make docs"


def test_the_diagram_names_every_state_of_the_table():
    text = diagram()
    assert {state.__name__ for state, _ in TRANSITIONS} == {
        state.__name__ for state, _ in TRANSITIONS if f" {state.__name__}" in text
    }


def test_every_file_that_the_architecture_names_is_there():
    there = [file.relative_to(PROJECT) for file in PROJECT.glob("[a-z]*/**/*.py")]
    paths, names = {str(file) for file in there}, {file.name for file in there}
    for named in re.findall(r"`([\w/]+\.py)`", FILE.read_text(encoding="utf-8")):
        assert named in paths or named in names, named
