"""The version is decided in pyproject.toml; everything that shows it agrees."""

from __future__ import annotations

import re
from pathlib import Path

from device.cli import main
from device.page.web_side.openapi import description
from tools.install.archives import version

CHANGELOG = (Path(__file__).parent.parent / "CHANGELOG.md").read_text("utf-8")


def test_the_command_prints_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"cantstop {version()}\n"


def test_the_page_describes_its_interface_with_the_version():
    assert description()["info"]["version"] == version()


def test_the_changelogs_newest_release_is_this_version():
    assert re.findall(r"^## \[?(\d[\d.]*)", CHANGELOG, re.MULTILINE)[:1] == [version()]
