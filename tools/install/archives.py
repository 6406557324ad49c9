"""Reproducible archives of the project's files: the same bytes each time for the same commit.

Their timestamps are the commit's; owners, modes and the order are fixed.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import subprocess
import tarfile
import time
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

PROJECT = Path(__file__).parents[2]
WITHOUT_GIT = 1_767_225_600
"""The timestamp in archives if the sources are not a git repository: 2026-01-01."""


def version() -> str:
    """Return the project's version."""
    return str(tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"])


def commit_time() -> int:
    """Return the time of the current commit, in seconds since 1970."""
    command = ["git", "-C", str(PROJECT), "log", "-1", "--format=%ct"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return WITHOUT_GIT
    return int(done.stdout)


def pack(members: Iterable[tuple[str, bytes, bool]], target: Path, time_s: int) -> None:
    """Write a .tar.gz whose bytes depend only on the arguments.

    Args:
        members: Name, content and executable flag of each file.
        target: The archive.
        time_s: The timestamp of all members, in seconds since 1970.
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
    """Return the parts that install.sh installs, from its own list."""
    listed = re.search(r'^parts="([^"]*)"$', (PROJECT / "tools/install/release.sh").read_text(), re.MULTILINE)
    assert listed
    return listed[1].split()


def pi_archive(target: Path, time_s: int) -> None:
    """Write the archive for a Raspberry Pi, with all files in one folder.

    The environment's CANTSTOP_ADDRESS, if set, is where its installer will look for newer releases.
    """
    folder = f"cantstop-box-{version()}"
    found = []
    for part in (PROJECT / name for name in installer_parts()):
        files = [part] if part.is_file() else [file for file in part.rglob("*") if file.is_file()]
        found += [file for file in files if "__pycache__" not in file.parts]
    members = [(f"{folder}/{file.relative_to(PROJECT)}", file.read_bytes(), os.access(file, os.X_OK)) for file in found]
    if address := os.environ.get("CANTSTOP_ADDRESS"):
        members.append((f"{folder}/address", f"{address}\n".encode(), False))
    pack(members, target, time_s)


def pack_zip(folder: Path, target: Path, time_s: int) -> None:
    """Write a .zip that contains a folder.

    Args:
        folder: The folder to pack.
        target: The archive.
        time_s: The timestamp of all members, in seconds since 1970.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            name = (Path(folder.name) / file.relative_to(folder)).as_posix()
            entry = zipfile.ZipInfo(name, time.gmtime(time_s)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, file.read_bytes())
