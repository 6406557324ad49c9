"""The site's pages and the version: the checks that need no MkDocs. `make site` also checks the anchors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from device.cli import main
from tests.every import every
from tools.install.archives import version

PROJECT = Path(__file__).parent.parent
DOCS = PROJECT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))

LINK = re.compile(r"\]\(<?([^)>#\s]+)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

BOARDS = "a Raspberry Pi 4, 5, 3 A+, 3 B, 3 B+ or Zero 2 W"
"""The one list of supported boards."""


def test_every_page_is_in_the_navigation_once():
    nav = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2].partition("\ntheme:")[0]
    listed = re.findall(r"[\w/-]+\.md", nav)
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES)


@every(page=[PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *PAGES])
def test_every_link_and_picture_of_a_page_leads_somewhere(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = {target for target in LINK.findall(text) if "://" not in target}
    assert {target for target in targets if not (page.parent / target).exists()} == set()


@pytest.mark.parametrize("name", ["install.md", "../README.md", "build.md"])
def test_a_page_that_names_the_boards_has_the_one_list_of_them(name):
    assert BOARDS in " ".join((DOCS / name).read_text(encoding="utf-8").split())


@every(page=PAGES)
def test_blocks_within_lists_are_indented_by_four_spaces(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    # A code host takes two or three as well; the site would end the list there.
    assert re.findall(r"(?:(?<=\n\n)|(?<=\n)(?= *```)) {1,3}(?![ *-]|\d+\.).*", text) == []


def test_every_file_that_the_architecture_page_names_exists():
    packages = [PROJECT / name for name in ("engine", "vision", "device", "tools", "case", "tests")]
    there = {file.relative_to(PROJECT).as_posix() for package in packages for file in package.rglob("*.py")}
    named = set(re.findall(r"`([\w/]+\.py)`", (DOCS / "architecture.md").read_text(encoding="utf-8")))
    assert named
    assert named - there - {Path(file).name for file in there} == set()


def test_the_command_prints_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"cantstop {version()}\n"


def test_the_changelogs_newest_release_is_this_version():
    changelog = (PROJECT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## \[?(\d[\d.]*)", changelog, re.MULTILINE)[:1] == [version()]
