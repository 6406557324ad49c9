"""The page's process: its answers, the requests that it rejects, and that every request is checked."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import string
import time
from importlib.resources import files

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.datastructures import Headers

from device.page.web_side.assets import Assets
from device.page.web_side.request_filter import MOST_BODY, host_is_known
from device.referee.inputs import Button, Press
from device.referee.players import COLOURS
from tests.every import every
from tests.page.helpers import PATIENCE_S, Table, page_process, until
from tools.docs.screens import situations


def test_a_press_needs_a_key_and_reaches_the_box_with_one(web, table, key):
    press = {"button": "A", "long": False}
    assert web.ask("POST", "/api/press", press)[0] == 401
    assert web.ask("POST", "/api/press", press, key="x" * 43)[0] == 401
    assert web.ask("POST", "/api/press", press, key=key)[0] == 200
    assert table.told.inputs == [Press(Button.A)]


HALF = ["\\ud800", "\\udfff", "\\udc00\\ud800"]
BODIES = [
    *(("press", body) for body in (
        '{"button": "A"}', '{"button": "A", "long": "yes"}', '{"button": "A", "long": false, "more": 1}',
        '{"button": "Z", "long": false}', '{"button": "\\ud800", "long": false}', "[]", b"[" * 900, b"\xff",
        b"x" * (MOST_BODY + 1),
    )),
    *(("pair", f'{{"code": "{half}", "name": "x"}}') for half in HALF),
    *(("pair", f'{{"code": "123456", "name": "{half}"}}') for half in HALF),
    ("pair", b'{"code": "123456", "name": "\xed\xa0\x80"}'),
    ("pair", b'{"code": "123456", "name": "\xff"}'),
    ("pair", '{"code": "123456", "\\ud800": "x"}'),
    ("dice", '{"dice": ["\\ud800", 1, 1, 1], "game": 1, "steps": 1}'),
    ("dice", '{"dice": [NaN, 1e999, 1, 1], "game": 1, "steps": 1}'),
    ("dice", '{"dice": [1, 1, 1, 1], "game": ' + "9" * 900 + ', "steps": 1}'),
    ("board", '{"markers": [["\\ud800"]], "runners": [], "turn": 0, "game": 1, "steps": 1, "language": "\\ud800"}'),
]  # fmt: skip
"""Requests, and bodies that are not theirs: other fields or values, no JSON, or text that UTF-8 cannot have."""


@every(request=BODIES)
def test_a_body_that_does_not_fit_its_request_is_refused_and_changes_nothing(web, table, key, request):
    name, body = request
    data = body if isinstance(body, bytes) else body.encode()
    status, _, told = web.ask("POST", f"/api/{name}", data, key=key, content_type="application/json")
    assert (status, told["error"]) == (413 if len(data) > MOST_BODY else 400, "bad")
    assert table.told.inputs == []


def test_a_body_of_unknown_length_is_refused(web, key):
    chunks = b"2\r\n{}\r\n0\r\n\r\n"
    how = {"content_type": "application/json", "transfer_encoding": "chunked"}
    assert web.ask("POST", "/api/roll", chunks, key=key, **how)[0] == 413


def test_a_body_that_another_sites_form_could_send_is_refused(web, key):
    body = b'{"button": "A", "long": false}'
    assert web.ask("POST", "/api/press", body, key=key, content_type="text/plain")[0] == 400
    press = {"button": "A", "long": False}
    assert web.ask("POST", "/api/press", press, key=key, origin="http://evil.example")[0] == 403


@every(
    host=[
        "evil.example", "evil.example:8017", "", "cantstop.local.evil.example", "1.2.3",
        "[cantstop.local].evil.example", "[localhost]", "[127.0.0.1].evil.example", "[::1].evil.example",
        "[::1]evil.example:80", "127.0.0.1:evil.example", "localhost:80:evil.example", "[::1", "::1",
        "127.0.0.1@evil.example", "localhost:800000",
    ],
)  # fmt: skip
def test_nothing_is_served_under_a_foreign_host_name(web, host):
    assert web.ask("GET", "/api/events", host=host)[0] == 421


@every(host=["127.0.0.1", "192.168.1.5:8017", "[::1]:8017", "LOCALHOST", "cantstop.local:8017"])
def test_the_page_is_served_under_its_addresses_and_names(host):
    assert host_is_known(host, {"localhost", "cantstop.local"})


@every(
    path=["/etc/passwd", "/assets/../app.py", "/assets/%2e%2e/app.py", "/assets/..%2fapp.py", "//etc/passwd",
          "/assets/", "/assets/app.py", "/api", "/api/games/0x1", "/api/games/-1", "/api/games/99999999999", "/P/a/b",
          "/%00"],
)  # fmt: skip
def test_no_path_leads_to_a_file_or_to_another_part(web, path):
    status, _, told = web.ask("GET", path)
    assert status in {400, 404}
    assert set(told) == {"error", "text"}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.text(string.printable.replace(" ", ""), max_size=90).filter(lambda text: text.isprintable()))
def test_every_request_gets_an_answer_and_none_fails(web, path):
    with socket.create_connection(("127.0.0.1", web.port), PATIENCE_S) as line:
        line.sendall(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = line.makefile("rb").readline()
    assert int(answer.split()[1]) < 500
    time.sleep(0.05)  # no more requests than one address may make


@every(method=["PUT", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_other_methods_are_refused(web, method):
    assert web.ask(method, "/api/events")[0] == 405


def test_headers_that_are_too_long_end_the_connection(web):
    with socket.create_connection(("127.0.0.1", web.port), PATIENCE_S) as line:
        line.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 200000)
        answer = line.makefile("rb").readline()
    assert not answer or int(answer.split()[1]) == 400


def test_every_answer_forbids_foreign_scripts_and_frames_and_sets_no_cookie(web):
    for path in ("/", "/assets/page.js", "/api/events", "/nowhere", "/api/press"):
        _, headers, _ = web.ask("GET", path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in headers
        time.sleep(0.05)


def test_a_browser_is_not_sent_a_file_again_that_it_has(web):
    _, headers, _ = web.ask("GET", "/assets/page.js")
    status, _, data = web.ask("GET", "/assets/page.js", if_none_match=headers["etag"])
    assert (status, data) == (304, b"")


def events(line) -> list[tuple[str, object]]:
    """Read one event of the stream."""
    name = line.readline().decode().removeprefix("event: ").strip()
    data = json.loads(line.readline().decode().removeprefix("data: "))
    line.readline()
    return name, data


def listening(web, key=""):
    connection = socket.create_connection(("127.0.0.1", web.port), PATIENCE_S)
    paired = f"Authorization: Bearer {key}\r\n" if key else ""
    connection.sendall(f"GET /api/events HTTP/1.0\r\nHost: 127.0.0.1\r\n{paired}\r\n".encode())
    line = connection.makefile("rb")
    assert b" 200 " in line.readline()
    while line.readline().strip():
        pass
    return connection, line


def test_a_change_on_the_oled_is_sent_as_an_event(web, table):
    connection, line = listening(web)
    with connection, line:
        while (first := events(line))[0] != "table":
            pass
        table.show("deciding")
        while (told := events(line)) == first or told[0] != "table":
            pass
        assert told[1]["state"] == "Deciding"


def test_a_listener_that_does_not_read_harms_neither_the_box_nor_other_listeners(web, table):
    asleep = socket.create_connection(("127.0.0.1", web.port), PATIENCE_S)
    asleep.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    asleep.sendall(b"GET /api/events HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
    connection, line = listening(web)
    with asleep, connection, line:
        for name in list(situations())[:40]:
            table.show(name)
        table.show("choosing")
        until(lambda: events(line)[1].get("state") == "Choosing", "the last situation")


def test_when_the_box_returns_a_listener_gets_the_table_again_unless_watching_is_disabled_then(tmp_path):
    with contextlib.ExitStack() as stack:
        with Table(tmp_path) as first:
            first.show("choosing")
            web = stack.enter_context(page_process(first.file))
            until(lambda: web.ask("GET", "/api/events")[0] == 200, "the box")
            _, line = map(stack.enter_context, listening(web))
            until(lambda: events(line)[1].get("state") == "Choosing", "the table")
        until(lambda: events(line)[0] == "away", "the news that the box is off")
        assert web.ask("GET", "/api/events")[0] == 503
        with Table(tmp_path) as again:
            again.show("deciding")
            until(lambda: events(line)[1].get("state") == "Deciding", "the box again")
        with Table(tmp_path, watch=False) as closed:
            closed.show("waiting")
            assert b"Waiting" not in line.read()


def test_only_paired_phones_see_the_table_if_watching_is_disabled(tmp_path):
    with Table(tmp_path, watch=False) as table, page_process(table.file) as web:
        table.show("choosing")
        until(lambda: web.ask("GET", "/api/me")[0] == 200, "the box")
        key = table.pair(web)
        for path in ("/api/events", "/api/games", "/api/figures"):
            assert web.ask("GET", path)[0] == 401, path
            assert web.ask("GET", path, key=key)[0] == 200
        for path in ("/api/throw", "/api/games/1"):
            assert web.ask("GET", path)[0] == 401, path


@pytest.mark.parametrize("watch", [False, True])
def test_a_phones_stream_ends_with_its_key(tmp_path, watch):
    with Table(tmp_path, watch=watch) as table, page_process(table.file) as web:
        for how in ("by its page", "by the box"):
            table.show("choosing")
            until(lambda: web.ask("GET", "/api/me")[0] == 200, "the box")
            gone, stays = table.pair(web), table.pair(web)
            connection, line = listening(web, gone)
            other, other_line = listening(web, stays)
            with connection, line, other, other_line:
                for each in (line, other_line):
                    until(lambda each=each: events(each)[1].get("state") == "Choosing", "the table")
                if how == "by its page":
                    phones = web.ask("GET", "/api/phones", key=gone)[2]["phones"]
                    phone = next(each["id"] for each in phones if each["own"])
                    assert web.ask("DELETE", f"/api/phones/{phone}", key=stays)[0] == 200
                else:
                    table.keys.unpair_all()
                table.show("deciding")
                assert b"Deciding" not in line.read()
                if how == "by its page":
                    until(lambda line=other_line: events(line)[1].get("state") == "Deciding", "the table")
                else:
                    assert b"Deciding" not in other_line.read()


def test_a_phone_receives_less_than_fifty_kilobytes_for_the_page():
    assets = Assets()
    loaded = [name for name in assets.files if not name.endswith(".png")]  # the icons are for phones that install it
    one_language = [name for name in loaded if not name.startswith("words.") or name == "words.de.json"]
    assert sum(len(assets.files[name].packed) for name in one_language) < 50_000


def test_the_page_loads_nothing_from_elsewhere():
    for name in Assets().files:
        data = bytes(Assets().answer(name, Headers()).body).decode("latin-1")
        found = set(re.findall(r"https?://[^\s\"'`<>]+", data)) - {"http://www.w3.org/2000/svg"}
        assert not found, f"{name}: {found}"


def words(language: str) -> dict[str, str]:
    return json.loads((files("device.page.web_side") / "words" / f"{language}.json").read_text("utf-8"))


@every(language=["nl", "de", "fr"])
def test_every_language_has_every_text_with_the_same_placeholders(language):
    english, other = words("en"), words(language)
    assert set(other) == set(english)
    for name, text in other.items():
        assert text, name
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", english[name])), name


def test_every_state_of_the_box_has_words_on_the_page():
    states = {type(situation.state).__name__ for situation in situations().values()} - {"WatchingTray"}
    assert states <= {name.removeprefix("s_") for name in words("en")}


def test_the_page_draws_every_colour_of_the_box_in_a_shape_it_knows():
    files = {name: bytes(Assets().answer(name, Headers()).body).decode() for name in ("colours.js", "board.js")}
    for name, marker in COLOURS.items():
        assert f'"{name}": {{"rgb": "{marker.rgb}", "shape": "{marker.shape}"}}' in files["colours.js"]
        assert marker.shape == "circle" or f"  {marker.shape}: " in files["board.js"]
