"""The pages of docs/, and the version."""

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

LINK = re.compile(r"\]\(<?([^)>\s]+)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

BOARDS = "a Raspberry Pi 4, 5, 3 A+, 3 B, 3 B+ or Zero 2 W"
"""The one list of supported boards."""


def prose(page):
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def leads_somewhere(page, link):
    """Whether there is a page or picture, with the heading after `#` as a code host names it."""
    file, _, heading = link.partition("#")
    target = page.parent / file if file else page
    if not heading or not target.exists():
        return target.exists()
    headings = re.findall(r"^#+ (.+)", prose(target), re.MULTILINE)
    return heading in {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}


@every(page=[PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *PAGES])
def test_every_link_and_picture_of_a_page_leads_somewhere(page):
    links = {link for link in LINK.findall(prose(page)) if "://" not in link}
    assert {link for link in links if not leads_somewhere(page, link)} == set()


def test_every_page_can_be_reached_from_the_readme():
    found, ahead = {DOCS / "index.md"}, [PROJECT / "README.md"]  # the site's first page, in place of the README
    while ahead:
        page = ahead.pop()
        found.add(page)
        targets = {
            (page.parent / link.partition("#")[0]).resolve() for link in LINK.findall(prose(page)) if ":" not in link
        }
        ahead += [target for target in targets - found if target.suffix == ".md"]
    assert set(PAGES) - found == set()


def test_every_page_is_in_the_sites_navigation_once():
    nav = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2].partition("\ntheme:")[0]
    assert sorted(re.findall(r"[\w/-]+\.md", nav)) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES)


@every(page=PAGES)
def test_blocks_within_lists_are_indented_by_four_spaces(page):
    # A code host takes two or three as well; the site would end the list there.
    assert re.findall(r"(?:(?<=\n\n)|(?<=\n)(?= *```)) {1,3}(?![ *-]|\d+\.).*", prose(page)) == []


@pytest.mark.parametrize("name", ["install.md", "../README.md", "build.md"])
def test_a_page_that_names_the_boards_has_the_one_list_of_them(name):
    assert BOARDS in " ".join((DOCS / name).read_text(encoding="utf-8").split())


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
