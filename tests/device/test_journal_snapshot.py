"""A snapshot contains exactly what SQLite itself would find after a power cut at the same instant."""

from __future__ import annotations

import random
import shutil
import sqlite3
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.storage import journal_snapshot

WRITTEN = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def dump(db: sqlite3.Connection) -> list[tuple]:
    return db.execute("SELECT id, text FROM line ORDER BY id").fetchall()


def by_sqlite(path, folder) -> list[tuple]:
    """What SQLite finds in a copy of the files, as after a power cut."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for end in ("", "-wal"):
        if path.with_name(path.name + end).exists():
            shutil.copy(path.with_name(path.name + end), folder / (path.name + end))
    db = sqlite3.connect(folder / path.name)
    try:
        return dump(db)
    finally:
        db.close()


def tried(read) -> list[tuple] | str:
    """What is read, or the text of SQLite's error."""
    try:
        return read()
    except sqlite3.DatabaseError as error:
        return str(error)


def begun(path, page: int = 4096) -> sqlite3.Connection:
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"PRAGMA page_size={page}")
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA cache_size=5")  # pages of a transaction reach the log before its commit
    db.execute("CREATE TABLE line (id INTEGER PRIMARY KEY, text TEXT)")
    return db


actions = st.lists(
    st.tuples(
        st.sampled_from(["write", "roll back", "carry over", "begin the log again", "delete"]), st.integers(1, 9)
    ),
    max_size=25,
)


@WRITTEN
@given(actions=actions, page=st.sampled_from([512, 4096, 65536]), data=st.data())
def test_a_snapshot_equals_sqlites_own_recovery_after_any_damage_to_the_log(tmp_path, actions, page, data):
    path = tmp_path / "some.sqlite3"
    db = begun(path, page)
    chance = random.Random(1)
    for action, size in actions:
        if action in ("write", "roll back"):
            db.execute("BEGIN")
            for _ in range(size * 5):
                db.execute("INSERT INTO line (text) VALUES (?)", (chance.randbytes(200).hex(),))
            db.execute("COMMIT" if action == "write" else "ROLLBACK")
        elif action == "delete":
            db.execute("DELETE FROM line WHERE id % 3 = 0")
            db.execute("VACUUM")
        else:
            db.execute(f"PRAGMA wal_checkpoint({'PASSIVE' if action == 'carry over' else 'RESTART'})")
    found = journal_snapshot.opened(path)
    assert dump(found) == by_sqlite(path, tmp_path / "copy") == dump(db)
    found.close()
    log = path.with_name(f"{path.name}-wal")
    cut = tmp_path / "cut.sqlite3"
    shutil.copy(path, cut)
    content = bytearray(log.read_bytes())
    if content:
        at = data.draw(st.integers(0, len(content) - 1), "at")
        content[at] ^= data.draw(st.integers(1, 255), "bits")
        del content[data.draw(st.integers(at, len(content)), "length") :]
    cut.with_name("cut.sqlite3-wal").write_bytes(content)
    found = journal_snapshot.opened(cut)
    assert tried(lambda: dump(found)) == tried(lambda: by_sqlite(cut, tmp_path / "copy"))
    found.close()
    db.close()


def test_a_snapshot_changes_no_file(tmp_path):
    path = tmp_path / "some.sqlite3"
    db = begun(path)
    db.execute("INSERT INTO line (text) VALUES ('kept')")
    path.with_name(f"{path.name}-shm").unlink()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert dump(journal_snapshot.opened(path)) == [(1, "kept")]
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    db.close()


def test_a_snapshot_of_a_file_being_written_is_consistent(tmp_path):
    path = tmp_path / "some.sqlite3"
    db = begun(path)
    db.execute("PRAGMA wal_autocheckpoint=3")
    db.close()
    is_over = threading.Event()

    def write():
        writing = sqlite3.connect(path, isolation_level=None)
        writing.execute("PRAGMA wal_autocheckpoint=3")
        while not is_over.is_set():
            with writing:
                writing.execute("BEGIN")
                for _ in range(2):  # a reader that sees one of them sees the other
                    writing.execute("INSERT INTO line (text) VALUES (?)", ("x" * 1500,))
                writing.execute("DELETE FROM line WHERE id < (SELECT max(id) FROM line) - 9")
            is_over.wait(0.002)
        writing.close()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(100):
            try:
                found = journal_snapshot.opened(path)
            except BlockingIOError:
                continue
            assert found.execute("PRAGMA quick_check").fetchone() == ("ok",)
            (last,) = found.execute("SELECT coalesce(max(id), 0) FROM line").fetchone()
            assert last % 2 == 0
            found.close()
    finally:
        is_over.set()
        thread.join()


def test_an_unreadable_file_is_a_disk_error_not_a_database_error(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        journal_snapshot.opened(tmp_path / "none.sqlite3")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        journal_snapshot.opened(tmp_path / "folder")
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]
