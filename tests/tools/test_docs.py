"""The documentation's commands for the tools that measure are accepted by them."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

from tools import score, throws, tournament

ROOT = Path(__file__).parents[2]
TOOLS = {"score": score, "throws": throws, "tournament": tournament}
WITH_VALUES = re.compile(r"-m tools\.((?:score|throws|tournament) (?:[^`]*?\d)[^`\n]*)")
"""A command that has a number, without the options and folders that the reader is to fill in."""


def test_every_command_in_the_documentation_has_valid_arguments():
    pages = "\n".join(
        page.read_text("utf-8")
        for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
    )
    commands = [
        re.sub(r"\s+", " ", one) for one in WITH_VALUES.findall(re.sub(r"\n(?=--)", " ", pages)) if "KIND" not in one
    ]
    assert {command.split()[0] for command in commands} == set(TOOLS)
    refused = []
    for command in commands:
        name, *words = shlex.split(command)
        parser = argparse.ArgumentParser(exit_on_error=False)
        TOOLS[name].options(parser)
        try:
            parser.parse_args(words)
        except argparse.ArgumentError as error:
            refused.append((command, str(error)))
    assert refused == []
