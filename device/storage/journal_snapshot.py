"""A journal's file and its write-ahead log, read into memory.

This needs no lock, no free space on the disk and no write permission, and changes nothing, so that a file that is set
aside stays as it was found. SQLite's own readers of a file with a log need all three, for the shared memory beside it,
and on a full disk report the file as damaged.

It also separates two kinds of failure: only reading the files raises OSError, which says nothing about their contents;
every error of the database in memory is about the contents.
"""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path

LOG = "-wal"
"""The suffix of the write-ahead log; its format: https://sqlite.org/fileformat2.html#walformat"""

_LOG_HEADER = struct.Struct(">8I")
_FRAME_HEADER = struct.Struct(">6I")
_MAGIC = (0x377F0682, 0x377F0683)
"""The magic numbers of logs with checksums of little-endian and of big-endian words."""
_LOG_VERSION = 3007000
_LEAST_PAGE, _MOST_PAGE = 512, 65536

_VERSIONS = slice(18, 20)
"""The bytes of the header that say whether the file is written and read with a log."""
_WITH_LOG, _WITHOUT_LOG = b"\2\2", b"\1\1"

_HEADER_SIZE = 100
_PAGE_SIZE = 4096

_TRIES = 20


def opened(path: Path, *, with_log: bool = True, with_header: bool = True) -> sqlite3.Connection:
    """Return a connection to a copy in memory of all that is committed in a file.

    Args:
        path: The file; another process may be writing it.
        with_log: Whether to include the write-ahead log.
        with_header: Whether to use the file's header; False for SQLite's default header, for recovery.

    Raises:
        OSError: If the file or its log cannot be read at present.
    """
    image, log = _read(path) if with_log else (_content(path), b"")
    for number, page in _committed(log, image):
        image[(number - 1) * len(page) : number * len(page)] = page
    if not with_header:
        image[:_HEADER_SIZE] = _default_header(len(image))
    if image[_VERSIONS] == _WITH_LOG:
        image[_VERSIONS] = _WITHOUT_LOG  # a database in memory cannot have one
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.deserialize(image)
    return db


def _default_header(size: int) -> bytes:
    """Return the header of a file of `size` bytes; see https://sqlite.org/fileformat2.html#the_database_header ."""
    counter, pages, schema_format, encoding = 1, size // _PAGE_SIZE, 4, 1
    head = struct.pack(">16sH6B", b"SQLite format 3\0", _PAGE_SIZE, *_WITHOUT_LOG, 0, 64, 32, 32)
    head += struct.pack(">9I", counter, pages, 0, 0, 0, schema_format, 0, 0, encoding)
    return head.ljust(_HEADER_SIZE - 8, b"\0") + struct.pack(">2I", counter, sqlite3.sqlite_version_info[0] * 1_000_000)


def image_of(db: sqlite3.Connection) -> bytes:
    """Return a database in memory as the contents of a file that is used with a write-ahead log."""
    image = bytearray(db.serialize())
    image[_VERSIONS] = _WITH_LOG
    return bytes(image)


def is_header_sound(path: Path) -> bool:
    """Whether a file has an SQLite header for use with a write-ahead log; raises OSError if it is unreadable now."""
    with path.open("rb") as file:
        head = file.read(_VERSIONS.stop)
    return head[:16] == b"SQLite format 3\0" and head[_VERSIONS] in (_WITH_LOG, _WITHOUT_LOG)


def _content(path: Path) -> bytearray:
    """Return a file's contents, which may be tens of megabytes, without copying them."""
    with path.open("rb") as file:  # buffered, so that an error in the middle is not taken for the end of the file
        content = bytearray(path.stat().st_size)
        del content[file.readinto(content) :]
    return content


def _read(path: Path) -> tuple[bytearray, bytes]:
    """Return a file and its log as they were at one instant.

    A log that is the same before and after has had neither a commit nor a restart meanwhile, and data that was copied
    from it into the file is still in it.
    """
    log = _read_log(path)
    for _ in range(_TRIES):
        content = _content(path)
        before, log = log, _read_log(path)
        if log == before:
            return content, log
    raise BlockingIOError(f"{path} is being written constantly")


def _read_log(path: Path) -> bytes:
    try:
        return path.with_name(path.name + LOG).read_bytes()
    except FileNotFoundError:
        return b""


def _committed(log: bytes, image: bytearray) -> list[tuple[int, bytes]]:
    """Return the committed pages of a log, as SQLite's recovery finds them.

    Args:
        log: The log; it is valid up to the first frame with a wrong salt or checksum.
        image: The file's contents; resized to the length after the last commit.
    """
    if len(log) < _LOG_HEADER.size:
        return []
    magic, version, size, _, *salt, one, two = _LOG_HEADER.unpack_from(log)
    if magic not in _MAGIC or version != _LOG_VERSION or not _LEAST_PAGE <= size <= _MOST_PAGE or size & (size - 1):
        return []
    order = ">" if magic & 1 else "<"
    sums = _sums(order, log[: _LOG_HEADER.size - 8], (0, 0))
    if sums != (one, two):
        return []
    committed: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    pages = 0
    for start in range(_LOG_HEADER.size, len(log) - _FRAME_HEADER.size - size + 1, _FRAME_HEADER.size + size):
        number, after_commit, *its_salt, one, two = _FRAME_HEADER.unpack_from(log, start)
        page = log[start + _FRAME_HEADER.size : start + _FRAME_HEADER.size + size]
        if not number or its_salt != salt:
            break
        sums = _sums(order, page, _sums(order, log[start : start + 8], sums))
        if sums != (one, two):
            break
        waiting[number] = page
        if after_commit:
            committed |= waiting
            waiting.clear()
            pages = after_commit
    if pages:
        del image[pages * size :]
        image.extend(bytes(pages * size - len(image)))
    return [(number, page) for number, page in committed.items() if number <= pages]


def _sums(order: str, data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    """Return the two running checksums of a log after more data."""
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
