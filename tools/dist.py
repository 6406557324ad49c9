"""`make dist`: what a release consists of, in dist/, the same bytes each time for the same commit.

* cantstop-box-VERSION-pi.tar.gz, for a Raspberry Pi: install.sh and all that it needs
* cantstop_box-VERSION-py3-none-any.whl, the Python package
* cantstop_box-VERSION.tar.gz, its sources
* SHA256SUMS, the checksums of these files

The times in the archives are the commit's, owners and modes are always the same, and the package is built by the pinned
setuptools of tools/install/requirements-3.13.txt.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

PROJECT = Path(__file__).parent.parent
DIST = PROJECT / "dist"
WITHOUT_GIT = 1_767_225_600
"""The time in the archives where the sources are no git repository: 2026-01-01."""


class DistError(Exception):
    """A release cannot be built; the message says why."""


def version() -> str:
    """Return the project's version."""
    return str(tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"])


def commit_time() -> int:
    """Return when the commit was made that is checked out, in seconds since 1970."""
    command = ["git", "-C", str(PROJECT), "log", "-1", "--format=%ct"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return WITHOUT_GIT
    return int(done.stdout)


def pack(members: Iterable[tuple[str, bytes, bool]], target: Path, time_s: int) -> None:
    """Write a .tar.gz whose bytes depend on nothing but the arguments.

    Args:
        members: For each file its name, its content, and whether it may be executed.
        target: The archive.
        time_s: The time of everything in it, in seconds since 1970.
    """
    with (
        target.open("wb") as file,
        gzip.GzipFile("", "wb", compresslevel=9, fileobj=file, mtime=time_s) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, content, is_executable in sorted(members):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(content), time_s
            entry.mode = 0o755 if is_executable else 0o644
            archive.addfile(entry, io.BytesIO(content))


def installer_parts() -> list[str]:
    """Return what install.sh installs, by its own list."""
    listed = re.search(r'^parts="(.*)"$', (PROJECT / "tools/install/release.sh").read_text(), re.MULTILINE)
    assert listed
    return listed[1].split()


def pi_archive(target: Path, time_s: int) -> None:
    """Write the archive for a Raspberry Pi; all of it lies in one folder."""
    folder = f"cantstop-box-{version()}"
    found = []
    for part in (PROJECT / name for name in installer_parts()):
        files = [part] if part.is_file() else [file for file in part.rglob("*") if file.is_file()]
        found += [file for file in files if "__pycache__" not in file.parts]
    pack(
        ((f"{folder}/{file.relative_to(PROJECT)}", file.read_bytes(), os.access(file, os.X_OK)) for file in found),
        target,
        time_s,
    )


def _repack(archive: Path, time_s: int) -> None:
    """Write an archive again, with its files as `pack` writes them."""
    with tarfile.open(archive) as read:
        files = [entry for entry in read if entry.isfile()]
        members = [(entry.name, _content(read, entry), bool(entry.mode & 0o100)) for entry in files]
    pack(members, archive, time_s)


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    opened = archive.extractfile(entry)
    assert opened is not None
    return opened.read()


def _build(kind: str, source: Path, folder: Path, time_s: int) -> Path:
    """Build the Python package, and return the file that it became.

    Args:
        kind: "sdist" or "wheel".
        source: A folder or an archive of sources.
        folder: Where the file goes.
        time_s: The time in it.

    Raises:
        DistError: With what the build said.
    """
    command = [sys.executable, "-m", "uv", "--no-config", "build", f"--{kind}", "--quiet", "--out-dir", str(folder)]
    command += ["--build-constraints", str(PROJECT / "tools/install/requirements-3.13.txt"), "--require-hashes"]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(time_s)}
    done = subprocess.run([*command, str(source)], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DistError(f"the {kind} cannot be built:\n{done.stderr[-2000:]}")
    (built,) = folder.glob("*.tar.gz" if kind == "sdist" else "*.whl")
    return built


def build(target: Path) -> list[Path]:
    """Build everything into a folder, and return its files.

    Raises:
        DistError: If something cannot be built.
    """
    time_s = commit_time()
    os.umask(0o022)
    with tempfile.TemporaryDirectory() as made:
        sdist = _build("sdist", PROJECT, Path(made) / "sdist", time_s)
        _repack(sdist, time_s)
        # From the sdist, not from here: so the wheel holds what a clean checkout would give.
        wheel = _build("wheel", sdist, Path(made) / "wheel", time_s)
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        for file in (sdist, wheel):
            shutil.copy(file, target)
    pi_archive(target / f"cantstop-box-{version()}-pi.tar.gz", time_s)
    files = sorted(target.iterdir())
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (target / "SHA256SUMS").write_text(sums)
    return files


def main() -> int:
    """Build a release into dist/."""
    try:
        for file in build(DIST):
            print(f"{file.relative_to(PROJECT)}  {file.stat().st_size / 1000:.0f} kB")
    except DistError as error:
        print(f"make dist: {error}", file=sys.stderr)
        return 1
    print((DIST / "SHA256SUMS").read_text(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
