"""What strangers send costs paired phones nothing: neither their requests, nor their presses, nor their connections."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import time

import pytest
from starlette.responses import JSONResponse

from device.page.box_side.answers import Answers
from device.page.routes import BY_NAME, REQUESTS, Access, Place, Request
from device.page.web_side import request_filter
from device.page.web_side.app import Page
from device.page.web_side.assets import Assets
from device.page.web_side.box_connection import BoxConnection
from device.page.web_side.past_games import PastGames
from device.page.web_side.request_filter import BURST, RateLimiter, RequestFilter, source
from device.page.web_side.server import MOST_CONNECTIONS
from device.page.wire import RequestError
from tests.page.helpers import PATIENCE_S, answers_of
from tests.waiting import until

PRESS = {"button": "A", "long": False}
SECRET = Request("secret", "GET", "/api/secret", Place.QUICK)  # somebody has just added it


@pytest.fixture
def connect(web):
    """Opens connections from an address, which are closed after the test."""
    with contextlib.ExitStack() as stack:
        at = "127.0.0.1", web.port
        yield lambda address: stack.enter_context(socket.create_connection(at, PATIENCE_S, (address, 0)))


# Access to requests


def test_a_request_without_access_is_refused_to_an_unpaired_phone(tmp_path, monkeypatch):
    monkeypatch.setitem(BY_NAME, SECRET.name, SECRET)
    answers, _ = answers_of(tmp_path)
    answers._answer_secret = lambda _: {}
    assert error_of(answers, ask="another") == "unknown"
    assert error_of(answers, ask=SECRET.name) == "key"
    link = BoxConnection(tmp_path / "socket", lambda: "", lambda _: None)
    link._writer, link.can = object(), {"watch": True}
    with pytest.raises(RequestError) as unanswered:
        Page(link, Assets(), PastGames()).admit(SECRET, "")
    assert unanswered.value.kind == "key"


def error_of(answers: Answers, **message) -> str:
    with pytest.raises(RequestError) as refused:
        answers.admit(message)
    return refused.value.kind


def test_page_and_box_both_refuse_a_protected_request_without_a_key(web, table):
    for row in REQUESTS:
        if row.access is Access.KEY:
            path = re.sub(r"\{\w+\}", "x", row.path)
            body = {} if row.method == "POST" else None
            # All rows together may cost more than a stranger may ask at once.
            status = until(
                lambda path=path, row=row, body=body: {429: 0}.get(code := web.ask(row.method, path, body)[0], code)
            )
            assert status == 401, row.name
            assert error_of(table.publisher.answers, ask=row.name) == "key", row.name


def test_the_box_has_an_answer_to_each_request_of_the_table_and_refuses_values_that_do_not_match_it(table):
    key = table.keys.pair(table.keys.new_code(), "Anna")
    for row in REQUESTS:
        if row.place is not Place.PAGE:
            assert hasattr(Answers, f"_answer_{row.name}"), row.name
            if row.fields or row.parameters:
                assert error_of(table.publisher.answers, ask=row.name, key=key) == "bad", row.name


# Requests


class Asked:
    """A request filter before a page that always answers."""

    def __init__(self, monkeypatch) -> None:
        monkeypatch.setattr(request_filter, "HOLD_S", 0.0)
        self.now = 0.0
        is_paired, rate = (lambda key: key.startswith("phone")), RateLimiter(lambda: self.now)
        self._filter = RequestFilter(JSONResponse({}), {"localhost"}, is_paired, rate)

    def ask(self, method: str, path: str, key: str = "", address: str = "10.0.0.1", host: bytes = b"localhost") -> int:
        headers = [(b"host", host)] + ([(b"authorization", f"Bearer {key}".encode())] if key else [])
        scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b""}
        found = []

        async def receive():
            return {"type": "http.request"}

        async def send(message) -> None:
            found.append(message.get("status"))

        asyncio.run(self._filter({**scope, "headers": headers, "client": (address, 1)}, receive, send))
        return found[0]

    def until_refused(self, method: str, path: str, **more) -> int:
        for count in range(10 * int(BURST)):
            if self.ask(method, path, **more) == 429:
                return count
        raise AssertionError("nothing is refused")


def test_neither_a_flood_from_its_address_nor_another_phones_requests_use_up_a_phones_requests_and_presses(monkeypatch):
    asked = Asked(monkeypatch)
    assert asked.until_refused("GET", "/api/figures") == BURST
    assert asked.ask("GET", "/api/games", key="phone") == 200
    assert asked.ask("GET", "/api/games", key="stranger") == 429
    asked.until_refused("GET", "/api/figures", key="phone")
    assert asked.until_refused("POST", "/api/press", key="phone") == BURST
    assert asked.ask("POST", "/api/press", key="phone 2") == 200
    assert asked.ask("GET", "/api/figures", key="phone 2") == 200


def test_requests_refused_for_their_host_or_method_count_too(monkeypatch):
    asked = Asked(monkeypatch)
    assert asked.ask("GET", "/", host=b"evil.example") == 421
    assert asked.until_refused("GET", "/", host=b"evil.example") < BURST
    assert asked.ask("BREW", "/") == 429


def test_a_request_that_costs_more_is_allowed_less_often_and_the_allowance_refills_with_time(monkeypatch):
    asked = Asked(monkeypatch)
    assert asked.until_refused("POST", "/api/pair") == BURST / BY_NAME["pair"].cost
    asked.now += 1.0
    assert asked.ask("POST", "/api/pair") == 200


def test_addresses_that_one_machine_can_choose_freely_count_as_one_and_others_do_not():
    for one, other, is_same in (
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True), ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False), ("fe80::1", "fe80::2", False),
        ("10.0.0.1", "10.0.0.2", False), ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
    ):  # fmt: skip
        assert (source(one) == source(other)) == is_same, (one, other)


# The whole page


SLOW = (
    b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nX-",
    b"POST /api/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
    b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"",
)
"""What slow clients send: headers and bodies that do not end, requests whose answers they do not read, nothing."""


@pytest.mark.parametrize("count", [50, 2 * MOST_CONNECTIONS])
def test_slow_connections_of_a_stranger_do_not_delay_a_paired_phones_presses(web, table, key, connect, count):
    times = []
    lines = []
    for number in range(count):
        lines.append(connect("127.0.0.1"))
        lines[-1].sendall(SLOW[number % len(SLOW)])
    for _ in range(11):
        table.show("deciding")
        table.show("choosing")
        for line in lines:
            with contextlib.suppress(OSError):  # closed as one too many
                line.sendall(b"x")
        began = time.monotonic()
        assert web.ask("POST", "/api/press", PRESS, key=key)[0] == 200
        times.append(time.monotonic() - began)
        time.sleep(0.1)  # as a person presses
    assert sorted(times)[5] <= 0.25


def test_a_watching_phone_keeps_its_stream_while_strangers_use_up_all_connections(table, key, connect):
    stream = connect("127.0.0.1")
    stream.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n".encode())
    assert stream.recv(12) == b"HTTP/1.1 200"
    for _ in range(MOST_CONNECTIONS + 20):
        connect("127.0.0.1")
    table.show("deciding")
    told = b""
    while b'"state":"Deciding"' not in told:
        part = stream.recv(65536)
        assert part, "the stream was cut off"
        told += part


def test_a_strangers_oldest_connection_is_closed_when_there_are_too_many(connect):
    first, *others = (connect(f"127.0.2.{number}") for number in range(1, MOST_CONNECTIONS + 2))
    assert first.recv(1) == b""
    for line in others:
        line.sendall(b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert line.recv(12) == b"HTTP/1.1 200"


def test_a_strangers_key_of_any_length_does_not_cost_the_page_its_connection_to_the_box(web, table):
    readers = set(table.publisher._readers)
    assert web.ask("GET", "/api/throw", key="x" * 7000)[0] == 404
    assert web.ask("GET", "/api/events")[0] == 200
    assert table.publisher._readers == readers
