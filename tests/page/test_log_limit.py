"""Nothing from the network fills the log."""

from __future__ import annotations

import socket

from tests.page.helpers import PATIENCE_S, Table, Web, page_process, until


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
