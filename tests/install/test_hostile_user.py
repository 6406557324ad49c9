"""install.sh while the box's user is under a stranger's control: root does nothing for it that it could not do itself.

The commands that change a system are doubles, but for runuser, which really becomes another user.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.install.pi import JOURNAL, Pi

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="becoming another user takes root and setpriv"
)

NOBODY = 65534
STATE = "var/lib/cantstop"


class HostilePi(Pi):
    """A Pi with two versions, a state folder that the user can fill, and a folder that only root may access."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.as_the_box = f"setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups"
        self.state = self.root / STATE
        self.outside = folder / "outside"
        self.outside.mkdir(mode=0o700)
        (self.outside / "shadow").write_text("root's alone")
        self.works()
        self.first = self.version()
        self.put(JOURNAL, "games")
        self.give()
        self.change()
        self.works()
        self.second = self.version()
        for version in (self.first, self.second):
            (self.outside / version).mkdir()
            (self.outside / version / "file").write_text("root's too")
        self.before = self.all_outside()

    def give(self) -> None:
        """Make everything in the state folder the user's, and let the doubles write as that user."""
        for place in [self.state, *self.state.rglob("*")]:
            os.lchown(place, NOBODY, NOBODY)
        self.world.chmod(0o777)
        (self.world / "calls").chmod(0o666)

    def all_outside(self) -> dict[str, tuple[int, int, str]]:
        return {
            str(file.relative_to(self.outside)): (
                file.lstat().st_uid,
                file.lstat().st_mode,
                "" if file.is_dir() else file.read_text(),
            )
            for file in sorted(self.outside.rglob("*"))
        }

    def holds(self) -> None:
        assert self.all_outside() == self.before
        for file in self.state.rglob("*"):
            if file.is_file() and not file.is_symlink():
                assert file.read_text() != "root's alone", f"{file} gives away a file outside"


@pytest.fixture
def pi() -> Iterator[HostilePi]:
    # pytest's own folder is closed to others than its user.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield HostilePi(Path(folder))


def test_the_games_kept_at_an_update_are_not_written_through_a_link(pi: HostilePi) -> None:
    shutil.rmtree(pi.state / "kept")
    (pi.state / "kept").symlink_to(pi.outside)
    pi.give()
    pi.change("third")
    pi.run()
    pi.holds()


def test_going_back_writes_no_kept_file_through_a_link(pi: HostilePi) -> None:
    kept = pi.state / "kept" / pi.first
    (kept / "preferences.json").write_text("{}")
    (pi.state / "preferences.json").symlink_to(pi.outside / "shadow")
    pi.give()
    pi.put(f".world/cannot-read/{pi.first}")
    pi.works("--rollback")
    pi.holds()
    assert (pi.state / "preferences.json").read_text() == "{}"


def test_going_back_reads_no_file_of_root_through_a_kept_link(pi: HostilePi) -> None:
    kept = pi.state / "kept" / pi.first
    (kept / "preferences.json").symlink_to(pi.outside / "shadow")
    pi.give()
    pi.put(f".world/cannot-read/{pi.first}")
    pi.run("--rollback")
    pi.holds()


def test_a_link_in_place_of_a_kept_version_is_not_followed(pi: HostilePi) -> None:
    shutil.rmtree(pi.state / "kept" / pi.first)
    (pi.state / "kept" / pi.first).symlink_to(pi.outside)
    pi.give()
    pi.put(f".world/cannot-read/{pi.first}")
    assert pi.run("--rollback").returncode == 1
    assert pi.version() == pi.second
    pi.holds()


def test_removing_everything_removes_links_and_not_what_they_lead_to(pi: HostilePi) -> None:
    (pi.state / "misread").symlink_to(pi.outside)
    (pi.state / "preferences.json").symlink_to(pi.outside / "shadow")
    os.mkfifo(pi.state / "pipe")
    pi.give()
    pi.works("--purge")
    pi.holds()
    assert not pi.state.exists()


def test_what_the_users_journal_says_does_not_control_the_terminal_of_root(pi: HostilePi) -> None:
    pi.put(".world/under-way", "game 7 of \x1b]0;mine\x07 yellow\n")
    pi.change("third")
    said = pi.run().stdout
    assert "game 7 of ]0;mine yellow" in said
    assert "\x1b" not in said


def test_what_root_installs_with_a_strict_umask_can_be_read_by_the_user(pi: HostilePi) -> None:
    for file in pi.sources.rglob("*"):
        file.chmod(0o700 if file.is_dir() or os.access(file, os.X_OK) else 0o600)
    pi.change("third")
    result = pi.run(umask=0o077)
    assert result.returncode == 0, result.stderr
    installed = [pi.root / "opt/cantstop", *(pi.root / "opt/cantstop").rglob("*"), *(pi.root / "etc").rglob("*")]
    closed = [file for file in installed if not file.is_symlink() and file.stat().st_mode & 0o044 != 0o044]
    assert not closed
