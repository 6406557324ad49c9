"""The commands in the documentation are accepted by the command line."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from device.cli import parser

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WITH_VALUES = re.compile(r"cantstop ((?:score|throws|tournament) (?:[^`]*\d)[^`]*)`")
"""A command in code that has a number, without the options and folders that the reader is to fill in."""


def commands() -> list[str]:
    found = [match for page in PAGES for match in WITH_VALUES.findall(page.read_text("utf-8"))]
    lines = [line.strip() for one in found for line in re.sub(r"\n(?=--|[a-z0-9])", " ", one).split("\n")[:1]]
    return sorted({line for line in lines if not re.search(r"\b[A-Z]{2,}\b|…|\[", line)})


@pytest.mark.parametrize("line", commands())
def test_a_command_in_the_documentation_has_valid_arguments(line):
    assert parser().parse_args(shlex.split(line)).command == line.split()[0]


def test_the_documentation_has_commands_with_numbers():
    assert len(commands()) > 8
