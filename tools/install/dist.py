"""`make dist`: build a release in dist/, with the same bytes each time for the same commit.

`make release` also tags it. The files:

* cantstop-box-VERSION-pi.tar.gz, for a Raspberry Pi: install.sh and all its files
* cantstop-box-VERSION-card.zip, for a card that installs the box by itself: the output of `make card`
* cantstop-box-VERSION-case.zip, the case's files for printing
* SHA256SUMS, the checksums of these files
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tools.install.archives import PROJECT, commit_time, pack_zip, pi_archive, version
from tools.install.card.__main__ import lay_out

DIST = PROJECT / "dist"


def build(target: Path) -> list[Path]:
    """Build all files of a release into a folder, and return them."""
    time_s = commit_time()
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as made:
        card = Path(made) / f"cantstop-box-{version()}-card"
        lay_out(card)
        pack_zip(card, target / f"{card.name}.zip", time_s)
    pack_zip(PROJECT / "case/print", target / f"cantstop-box-{version()}-case.zip", time_s)
    pi_archive(target / f"cantstop-box-{version()}-pi.tar.gz", time_s)
    files = sorted(target.iterdir())
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (target / "SHA256SUMS").write_text(sums)
    return files


def _git(*arguments: str) -> str:
    return subprocess.run(["git", "-C", str(PROJECT), *arguments], capture_output=True, text=True, check=True).stdout


def check_release() -> str:
    """Return the tag of this version's release, if it can be made now.

    Raises:
        SystemExit: If something is missing; the message says what to do.
    """
    tag = f"v{version()}"
    if _git("status", "--porcelain"):
        raise SystemExit("make dist: there are changes that are not committed: commit them first.")
    newest = re.search(r"^## (\S+)", (PROJECT / "CHANGELOG.md").read_text(), re.MULTILINE)
    if newest is None or newest[1] != version():
        raise SystemExit(
            f"make dist: CHANGELOG.md does not begin with {version()}: rename 'Unreleased', or set another version."
        )
    if _git("tag", "--list", tag):
        raise SystemExit(f"make dist: {tag} exists: set the next version in pyproject.toml.")
    return tag


def main() -> None:
    """Build a release into dist/; with --tag, check that it is complete first, and tag it at the end."""
    parser = argparse.ArgumentParser(prog="dist", description=main.__doc__)
    parser.add_argument("--tag", action="store_true", help="tag the commit as this version's release")
    wanted = parser.parse_args()
    tag = check_release() if wanted.tag else None
    for file in build(DIST):
        print(f"{file.relative_to(PROJECT)}  {file.stat().st_size / 1000:.0f} kB")
    print((DIST / "SHA256SUMS").read_text(), end="")
    if tag:
        _git("tag", "--annotate", tag, "--message", f"Version {version()}")
        print(f"Tagged {tag}. `git push origin {tag}` starts .github/workflows/release.yml, which uploads these files.")
        print("Without it, upload all files of dist/ to a release of that tag by hand.")


if __name__ == "__main__":
    main()
