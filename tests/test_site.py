"""The site's pages and the version: the checks that need no MkDocs. `make site` also checks the anchors."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from device.cli import main
from tests.every import every
from tests.waiting import PATIENCE_S
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


def test_the_guides_parts_list_has_the_screws_that_its_steps_use():
    text = " ".join((DOCS / "build.md").read_text(encoding="utf-8").split())
    row = re.search(r"\| screws \|([^|]+)\|", text)
    assert row
    small, large = row[1].split("M3: ")
    listed = {size: int(count) for count, size in re.findall(r"(\d) (M[\d.]+ x \d+)", small)}
    listed |= {f"M3 x {length}": int(count) for count, length in re.findall(r"(\d) x (\d+)", large)}
    used: Counter[str] = Counter()
    steps = text.partition("## Assemble")[2].partition("## Card")[0]
    for count, size in re.findall(r"\b(one|two|three|four) (M[\d.]+ x \d+)", steps, re.IGNORECASE):
        used[size] += {"one": 1, "two": 2, "three": 3, "four": 4}[count.lower()]
    assert used == listed


BROKEN = {
    "![x](screens/nothing.png)": "'screens/nothing.png', but the target is not found",
    "[x](nothing.md)": "'nothing.md', but the target is not found",
    "[x](build.md#nothing)": "does not contain an anchor '#nothing'",
    "[x](../nothing.py)": "links to ../nothing.py, which is not in the repository",
}
FROM_ELSEWHERE = {'<img src="https://example.org/a.png">': "index.md loads something from elsewhere"}


@pytest.mark.parametrize("broken", [{}, BROKEN, FROM_ELSEWHERE], ids=["fine", "broken", "from elsewhere"])
def test_the_site_is_built_unless_a_link_is_broken_or_leads_to_a_picture_elsewhere(broken, tmp_path):
    pytest.importorskip("mkdocs", reason="the extra [site] is not installed")
    for name in ("tools", "device", "systemd", "case", "CONTRIBUTING.md"):  # what pages link to
        (tmp_path / name).symlink_to(PROJECT / name)
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(PROJECT / "mkdocs.yml", tmp_path)
    with (tmp_path / "docs/index.md").open("a", encoding="utf-8") as page:
        page.write("\n" + "\n\n".join(broken) + "\n")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert [words for words in broken.values() if words not in built.stderr] == []
    assert (built.returncode == 0) == (not broken), built.stderr
    if not broken:  # each part of the print list can be downloaded
        links = re.findall(r'href="([^"]+\.3mf)"', (tmp_path / "site/case/index.html").read_text(encoding="utf-8"))
        printed = {(tmp_path / "site/case" / link).resolve() for link in links}
        assert {file.name for file in printed if file.exists()} == {
            file.name for file in (PROJECT / "case/print").glob("*.3mf")
        }


@every(page=PAGES)
def test_blocks_within_lists_are_indented_by_four_spaces(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    # A code host takes two or three as well; the site would end the list there.
    assert re.findall(r"(?:(?<=\n\n)|(?<=\n)(?= *```)) {1,3}(?![ *-]|\d+\.).*", text) == []


def test_every_file_that_the_architecture_page_names_exists():
    there = [file.relative_to(PROJECT) for file in PROJECT.glob("[a-z]*/**/*.py")]
    known = {str(file) for file in there} | {file.name for file in there}
    named = set(re.findall(r"`([\w/]+\.py)`", (DOCS / "architecture.md").read_text(encoding="utf-8")))
    assert named
    assert named - known == set()


def test_the_command_prints_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"cantstop {version()}\n"


def test_the_changelogs_newest_release_is_this_version():
    changelog = (PROJECT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## \[?(\d[\d.]*)", changelog, re.MULTILINE)[:1] == [version()]
