"""Reads and writes small files as a whole, for the box too; text is UTF-8 with or without a byte order mark."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Parsed = TypeVar("Parsed")

_BESIDE = ".new"  # suffix of the temporary file that replaces the old one once it is complete

_log = logging.getLogger(__name__)


class UnreadableFile(ValueError):
    """A file cannot be read. The message says why and what to do; the caller adds the file's name."""


class MissingFile(UnreadableFile):
    """There is no file of this name."""


class WrongContent(UnreadableFile):
    """The file was read but is not of the expected kind: it is too large, or not text."""


def read_bytes(path: Path, most: int) -> bytes:
    """Return a file's content.

    A pipe or a device is rejected before it is opened, because it may never end and opening it may block.

    Args:
        path: The file.
        most: The largest size that is read, in bytes.

    Raises:
        UnreadableFile: If it is missing, not a regular file, too large or protected.
    """
    try:
        refusal = _refusal(path.stat().st_mode)
        data = b"" if refusal else _read(path, most + 1)
    except FileNotFoundError:
        raise MissingFile("there is no such file; check the name") from None
    except PermissionError as error:
        raise UnreadableFile(f"{error.strerror}; check that it may be read (chmod a+r)") from None
    except OSError as error:
        raise UnreadableFile(f"{error.strerror}; check the name and the disk") from None
    except ValueError:  # a null byte, or a surrogate that represents no byte
        raise MissingFile("no file can have this name; check the name") from None
    if refusal:
        raise UnreadableFile(refusal)
    if len(data) > most:
        size = f"{most // 1_000_000} MB" if most >= 1_000_000 else f"{most // 1000} kB"
        raise WrongContent(f"larger than {size}, the most that is read; check that it is the right file")
    return data


def _refusal(mode: int) -> str:
    """Return why a file of this mode (as of `os.stat`) is not read; "" for a regular file."""
    if stat.S_ISDIR(mode):
        return "a folder; name a file in it"
    return "" if stat.S_ISREG(mode) else "a pipe or a device; save its content to a file"


def _read(path: Path, most: int) -> bytes:
    """Return the first bytes of a regular file; none if it would wait for content, as some in /proc do."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        return file.read(most) or b""


def read_text(path: Path, most: int) -> str:
    """Return a text file's content, without its byte order mark if it has one; arguments as for `read_bytes`.

    Raises:
        UnreadableFile: If `read_bytes` raises it, or the content is not UTF-8.
    """
    return text_of(read_bytes(path, most))


def read_parsed(path: Path, most: int, parse: Callable[[Any], Parsed | None], otherwise: str) -> Parsed | None:
    """Return a JSON file's content, parsed; None if the file is missing, or, with a line in the log, if it is unusable.

    Args:
        path: The file.
        most: The largest size that is read, in bytes.
        parse: Returns the parsed content, or raises ValueError, TypeError or KeyError.
        otherwise: What happens without the file, for the log.
    """
    try:
        return parse(json.loads(read_text(path, most)))
    except MissingFile:
        return None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        _log.warning("%s cannot be used, so %s: %s", path, otherwise, error)
        return None


def text_of(data: bytes) -> str:
    """Return the text of UTF-8 data, with or without a byte order mark.

    Raises:
        WrongContent: If it is not UTF-8; the message names the line.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise WrongContent(f"line {line} is not text in UTF-8; save the file as UTF-8") from None


def write_whole(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Replace a file, or create it with its folder; the content is on the disk when this returns.

    A power cut leaves the old content or the new one, never half of either.

    Args:
        path: The file.
        data: Its whole content.
        mode: The permission bits, before the umask.

    Raises:
        OSError: If it cannot be written; the file is unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + _BESIDE)
    beside.unlink(missing_ok=True)  # left by a power cut
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with open(handle, "wb") as file:  # noqa: PTH123 - of a handle
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Write a folder's own content, its list of names, to the disk.

    Raises:
        OSError: If that fails.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
