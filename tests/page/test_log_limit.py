"""Nothing from the network fills the log."""

from __future__ import annotations

import logging
import socket

from device.cli.web import EVERY_S, LINES, LogLimit
from tests.page.helpers import PATIENCE_S, Table, Web, page_process, until


def record(line: int, text: str = "it failed: %s", *args: object) -> logging.LogRecord:
    return logging.LogRecord("x", logging.WARNING, "file.py", line, text, args, None)


def test_each_place_logs_a_few_lines_a_minute_and_the_next_line_counts_the_dropped_ones():
    now = [0.0]
    limit = LogLimit(lambda: now[0])
    assert [limit.filter(record(1, "it failed: %s", "why")) for _ in range(LINES + 7)] == [True] * LINES + [False] * 7
    assert limit.filter(record(2, "it failed: %s", "why"))
    now[0] = EVERY_S
    late = record(1, "it failed: %s", "why")
    assert limit.filter(late)
    assert late.getMessage() == "it failed: why (7 more like this were left out)"
    after = record(1, "it failed: %s", "why")
    assert limit.filter(after)
    assert after.getMessage() == "it failed: why"


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


def test_sending_anything_a_hundred_times_hardly_grows_the_log(tmp_path):
    log = tmp_path / "log"
    with Table(tmp_path) as table, log.open("wb") as file, page_process(table.file, file) as web:
        table.show("choosing")
        for data in NO_REQUESTS:
            before = log.stat().st_size
            for _ in range(100):
                send(web, data)
            assert log.stat().st_size - before < 1000, data
        assert "Traceback" not in log.read_text()
        until(lambda: web.ask("GET", "/api/table")[0] == 200, "the box")
