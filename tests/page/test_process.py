"""The page's own process: when it serves, how it ends, and what it writes."""

from __future__ import annotations

import contextlib
import signal
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from device.cli import main
from device.laptop.page import open_in_browser
from device.referee.preferences import Preferences
from tests.device.journals import begun, leave_journal, won
from tests.page.helpers import PATIENCE_S, Table, Web, page_process, page_unit, simulated_box, until
from tools.docs.screens import situations


def wanted(is_wanted: bool):
    return replace(situations()["waiting"], preferences=Preferences(page=is_wanted))


def sockets(web: Web) -> set[str]:
    """The addresses of the network on which the process listens, as the kernel lists them."""
    own = set()
    for each in Path(f"/proc/{web.process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed a moment ago
            own.add(str(each.readlink()))
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in own}


def test_the_page_is_served_exactly_while_the_players_want_it(tmp_path):
    with Table(tmp_path) as table, page_unit(table.file, tmp_path) as web:
        table.show(wanted(False))
        until(lambda: table.publisher._readers, "the page's process")
        assert sockets(web) == set()
        assert not web.answers()
        waiting_kb = web.rss_kb()
        table.show(wanted(True))
        until(web.answers, "the page")
        assert len(sockets(web)) == 1
        assert web.rss_kb() > waiting_kb, "nothing of the page is loaded before it is wanted"
        table.show(wanted(False))
        until(lambda: not web.answers(), "the page's end")
        until(lambda: table.publisher._readers, "the page's process waiting again")
        assert sockets(web) == set()
        table.show(wanted(True))
        until(web.answers, "the page once more")


def test_a_page_that_the_settings_disable_is_not_served_and_not_an_error(tmp_path, capsys):
    settings = tmp_path / "config.toml"
    settings.write_text("[web]\nenabled = false\n")
    assert main(["web", "--config", str(settings), "--socket", str(tmp_path / "table.sock")]) == 0
    assert "enabled = false" in capsys.readouterr().err


def test_a_port_in_use_is_reported_with_the_remedy(tmp_path, capsys):
    settings = tmp_path / "config.toml"
    with Table(tmp_path) as table, socket.create_server(("127.0.0.1", 0)) as taken:
        table.show(wanted(True))
        settings.write_text(f'[web]\nbind = "127.0.0.1"\nport = {taken.getsockname()[1]}\n')
        assert main(["web", "--config", str(settings), "--socket", str(table.file)]) == 2
    assert "[web] port" in capsys.readouterr().err


def test_viewers_keep_the_page_while_the_box_is_restarted(tmp_path):
    with page_unit(tmp_path / "table.sock", tmp_path) as web:
        with Table(tmp_path) as table:
            table.show(wanted(True))
            until(web.answers, "the page")
            served = sockets(web)
        until(lambda: web.ask("GET", "/api/events")[0] == 503, "the box's end")
        with Table(tmp_path) as table:
            until(lambda: table.publisher._readers, "the page's process")  # before the box knows what is wanted
            assert web.answers()
            table.show(wanted(True))
            until(lambda: web.ask("GET", "/api/events")[0] == 200, "the box again")
        assert sockets(web) == served


def descendants(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError):
            for child in map(int, (task / "children").read_text().split()):
                found |= {child} | descendants(child)
    return found


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_ending_the_simulated_box_ends_its_page_and_all_its_processes(tmp_path, how):
    (tmp_path / "cantstop").mkdir()
    leave_journal(tmp_path / "cantstop" / "simulated.txt", begun(1), won(1), begun(2))
    with simulated_box(tmp_path, "--seed", "3", ends_by=how) as (_, box):
        until(lambda: box.ask("GET", "/api/figures")[2].get("working"), "the statistics")
        started = until(lambda: descendants(box.process.pid), "what computes luck and nerve")
    until(lambda: not any(map(lives, started)), "the end of what the box has started")


def send(web: Web, data: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", web.port), PATIENCE_S, ("127.0.0.9", 0)) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        try:
            return line.recv(12)
        except ConnectionResetError:
            return b""


NO_REQUESTS = (
    b"\x16\x03\x01\x02\x00\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"POST /api/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n",
    b"POST /api/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /api/press HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
)


def test_sending_anything_thirty_times_hardly_grows_the_log(tmp_path):
    log = tmp_path / "log"
    with Table(tmp_path) as table, log.open("wb") as file, page_process(table.file, file) as web:
        table.show("choosing")
        for data in NO_REQUESTS:
            before = log.stat().st_size
            for _ in range(30):
                send(web, data)
            assert log.stat().st_size - before < 300, data
        assert "Traceback" not in log.read_text()
        until(lambda: web.ask("GET", "/api/events")[0] == 200, "the box")


LINK = "http://127.0.0.1:8017/P/SECRET"


def test_the_browser_gets_the_link_in_a_file_that_only_its_user_can_read(tmp_path, monkeypatch):
    browser = tmp_path / "browser"
    browser.write_text(
        '#!/bin/sh\nfile=${1#file://}\n{ echo "$@"; stat -c %a "$file"; cat "$file"; } >"$0.part"\n'
        'mv "$0.part" "$0.told"\n'
    )
    browser.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    with open_in_browser(LINK) as opener:
        told = tmp_path / "browser.told"
        until(told.exists, "the browser")
        opener.terminate()
    argument, mode, page = told.read_text().split("\n", 2)
    assert "SECRET" not in argument
    assert mode == "600"
    assert f"url={LINK}" in page
