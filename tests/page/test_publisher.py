"""The box publishes its screens, answers permitted requests, and never waits for a reader."""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import time
from dataclasses import replace

import pytest

from device.page.box_side import publisher
from device.page.box_side.phone_keys import GUESSING
from device.page.box_side.snapshot import Shown, snapshot
from device.page.wire import MAX_REQUEST_BYTES, VERSION, hash_of, pack
from device.referee.correcting import MENU
from device.referee.inputs import Button, PageReady, Press
from device.referee.preferences import Preferences
from device.referee.putting_back import changes
from device.referee.questions import question_of
from device.referee.states import Deciding, Menu, Moving, NewGame, PutBack, RollingOn, Situation, Thinking
from device.screens.button_labels import labels
from device.screens.draw import draw
from device.screens.language import LANGUAGES
from device.screens.views import screen
from engine import Play
from engine.opponents.strongest import value
from tests.device.helpers import game_at
from tests.every import every
from tests.page.helpers import Reader, Table, until
from tools.docs.screens import situations

HOLD_B = Press(Button.B, long=True)


@pytest.fixture
def table(tmp_path):
    with Table(tmp_path) as made:
        yield made


@pytest.fixture
def reader(table):
    made = Reader(table.file)
    assert made.read()["hello"] == VERSION
    yield made
    made.close()


def follow(reader) -> dict:
    reader.send(pack({"ask": "follow"}))
    while "snapshot" not in (message := reader.read()):
        pass
    return message["snapshot"]


def test_a_follower_gets_the_current_snapshot_and_every_change(table, reader):
    table.show("waiting")
    assert follow(reader)["state"] == "Waiting"
    table.show("choosing")
    while (shown := reader.read()["snapshot"])["state"] == "Waiting":
        pass  # sent once more if it is shown while it is asked for
    assert shown["state"] == "Choosing"
    assert [choice["pairing"] for choice in shown["choices"]] == [[5, 9], [6, 8], [7, 7]]
    assert shown["choices"][2]["plays"] == [[{"column": 7, "space": 2}]]


@every(name=situations())
def test_every_snapshot_is_smaller_than_eight_kilobytes(table, reader, name):
    table.show(name)
    assert len(pack(follow(reader))) < 8192


def test_a_snapshot_lists_the_buttons_that_have_a_function_now(table, reader):
    held = {"hold A", "hold B", "hold C", "hold STOP"}
    buttons = {
        "deciding": {"STOP"},
        "choosing": {"A", "B", "C"},
        "moving": {"C"},
        "thinking": set(),
        "rolling-on": set(),
    }
    for name, pressed in buttons.items():
        table.show(name)
        until(lambda now=pressed: set(follow(reader)["words"]["en"]["labels"]) - held == now, name)


def test_after_an_undo_the_page_lists_the_same_pieces_to_put_back_as_the_oled():
    for name in ("put-back-play", "put-back-stop"):
        now = situations()[name]
        assert isinstance(now.state, PutBack)
        told = snapshot(Shown(now, screen(now), draw(screen(now))), 1)["moves"]
        goal = [(piece.column, piece.player, piece.space) for piece in changes(now, now.state) if piece.column]
        assert goal
        assert set(goal) <= {(move["column"], move["player"], move["to"]) for move in told}


def test_a_phone_gets_the_boxs_words_in_its_own_language_whatever_the_box_speaks():
    for name in ("choosing", "menu", "deciding", "page"):
        spoken_by_box = {}
        for language in LANGUAGES:
            now = replace(situations()[name], preferences=Preferences(language=language))
            spoken_by_box[language] = snapshot(Shown(now, screen(now), draw(screen(now))), 1)["words"]
            assert spoken_by_box[language][language]["labels"] == labels(now)
        assert all(words == spoken_by_box["en"] for words in spoken_by_box.values()), name
        assert spoken_by_box["en"]["nl"] != spoken_by_box["en"]["de"], name


def test_a_phone_lists_every_answer_also_where_the_oled_explains_one_at_a_time():
    for name in ("new-fast-start", "new-markers", "new-begins", "seats", "menu"):
        now = situations()[name]
        assert isinstance(now.state, NewGame | Menu)
        count = len(MENU) if isinstance(now.state, Menu) else len(question_of(now.state).options)
        assert len(snapshot(Shown(now, screen(now), draw(screen(now))), 1)["words"]["en"]["list"]) == count, name


def test_the_odds_get_the_chance_to_win(table, reader):
    game = game_at("5 7:13,8:11,9:9,11:5/2:1,3:5,4:7,5:9,6:11 1 2:1 1-1-6-6").do(Play((2, 12), (2, 12)))
    table.show(Situation(Deciding(), game, 1, preferences=Preferences(odds="on")))
    until(lambda: follow(reader)["odds"]["win"] is not None, "the chance to win")
    assert follow(reader)["odds"]["win"] == pytest.approx(value(game.position))


def test_the_page_tells_the_whole_story_at_once_in_the_phones_language():
    now = situations()["story"]
    told = snapshot(Shown(now, screen(now), draw(screen(now))), 1)
    assert [title for title, _ in told["words"]["de"]["story"]] == [
        "Größtes Glück", "Größter Mut", "Größter Mut", "Wendepunkt",
    ]  # fmt: skip
    assert told["words"]["en"]["story"][0][1] == "Anneke, turn 8: 2-3-4-5. Chance to win: 31%, then 58%."


def test_the_page_says_what_an_opponent_does_and_why():
    def told(state, game):
        now = Situation(state, game, 1)
        return snapshot(Shown(now, screen(now), draw(screen(now))), 1)

    game = game_at("3 7:4,6:2/8:5 1 5:2,8:3 3-3-5-6", levels=("strongest", ""))
    thinking = told(Thinking(), game)
    assert thinking["opponent"] == {"level": "strongest"}
    assert thinking["game"]["levels"] == ("strongest", "")
    game = game.do(Play((8, 9), (8, 9)))
    moved = told(Moving(True, "risk", 0.22, 9), game)
    assert moved["dice"] == (3, 3, 5, 6)
    assert moved["opponent"] == {
        "level": "strongest", "pairing": (8, 9), "stops": True, "why": "risk", "loss": 0.22, "stake": 9,
    }  # fmt: skip
    rolls = told(RollingOn("safe", 0.0, 1), game)
    assert (rolls["opponent"]["stops"], rolls["opponent"]["why"]) == (False, "safe")


@pytest.mark.parametrize(
    "line", [b"\xff\xfe\n", b"[]\n", b"3\n", b"x" * 2 * MAX_REQUEST_BYTES + b"\n", b"[" * 3000 + b"\n"]
)
def test_an_invalid_line_ends_only_its_own_connection(table, reader, line):
    other = Reader(table.file)
    other.read()
    with contextlib.suppress(BrokenPipeError):  # it may be closed before all of the line is sent
        other.send(line)
    assert other.read() is None
    other.close()
    assert reader.ask("nothing")["error"] == "unknown"


def test_the_loop_never_waits_for_a_reader_that_does_not_read(table, monkeypatch):
    monkeypatch.setattr(publisher, "SLOW_S", 0.3)
    views = [(now, screen(now), draw(screen(now))) for now in (situations()["waiting"], situations()["choosing"])]
    with Reader(table.file) as asleep:
        asleep.send(pack({"ask": "follow"}))
        until(lambda: table.publisher._readers, "the reader")
        shown = itertools.cycle(views)

        def is_dropped() -> bool:
            for _ in range(5):
                table.publisher.show(*next(shown))  # returns though nobody reads: else this test would never end
            return not table.publisher._readers

        until(is_dropped, "the end of a reader that takes nothing")
    with Reader(table.file) as awake:
        assert follow(awake)["state"] in {"Waiting", "Choosing"}


def shows_the_page(table, reader) -> tuple[Situation, PageReady]:
    """Hold B; return what the box shows then, and what it was told for that."""
    opened = table.show_after(situations()["waiting"], HOLD_B)
    while reader.read() != {"tell": "address"}:
        pass
    reader.send(pack({"ask": "serves", "address": "http://192.168.1.5:8017/"}))
    told = until(lambda: table.told.inputs and table.told.inputs.pop(), "the code")
    assert isinstance(told, PageReady)
    assert told.address == "http://192.168.1.5:8017/"
    shown = table.show_after(opened, told)
    assert screen(shown).title == table.keys.code
    return shown, told


def test_holding_b_shows_the_pages_address_and_a_code_that_pairs_a_phone(table, reader):
    shown, told = shows_the_page(table, reader)
    key = reader.ask("pair", code=told.code, name="Anna")["data"]["key"]
    assert reader.ask("press", button="A", long=False, key=key)["data"] == {}
    table.show_after(shown, Press(Button.C))
    assert until(lambda: reader.ask("pair", code=told.code, name="Eve").get("error") == "code", "the code's end")


def told_phones(reader) -> list[str]:
    while "phones" not in (message := reader.read()):
        pass
    return message["phones"]


def test_each_page_process_receives_the_valid_keys_at_first_and_after_every_change(table, reader):
    key = table.keys.pair(table.keys.new_code(), "Anna")
    assert told_phones(reader) == [hash_of(key)]
    with Reader(table.file) as late:
        assert late.read()["phones"] == [hash_of(key)]
        (phone,) = (one.id for one in table.keys.phones())
        reader.send(pack({"id": 1, "ask": "unpair", "key": key, "phone": phone}))
        assert reader.read()["phones"] == [], "before the answer"
        assert told_phones(late) == []


def test_the_oled_warns_while_somebody_is_guessing_its_code(table, reader):
    shown, _ = shows_the_page(table, reader)
    for _ in range(GUESSING):
        assert reader.ask("pair", code="wrong", name="Eve", source="10.0.0.66")["error"] == "code"
    told = until(lambda: table.told.inputs and table.told.inputs.pop(), "the news")
    assert told.guessed_at
    assert screen(table.show_after(shown, told)).title == "Intruder?"
    assert told.code == table.keys.code, "an honest phone may still use the code that it was shown"
    table.keys._wrong.clear()
    told = until(lambda: table.told.inputs and table.told.inputs.pop(), "the end of it")
    assert not told.guessed_at


def test_the_code_on_the_oled_is_never_sent_to_viewers(table, reader):
    table.show("page")
    told = follow(reader)
    assert "48192037" not in json.dumps(told)
    assert set(base64.b64decode(told["oled"])) == {0}


def test_nothing_is_sent_without_a_key_if_watching_is_disabled(tmp_path):
    with Table(tmp_path, watch=False) as table:
        reader = Reader(table.file)
        assert reader.read()["watch"] is False
        for ask in ("picture", "live", "misread"):
            assert reader.ask(ask, number=1)["error"] == "key"
        reader.close()


def test_a_socket_that_cannot_be_opened_is_retried_and_harms_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(publisher, "RETRY_S", 0.1)
    blocked = tmp_path / "file"
    blocked.write_text("")
    made = Table(tmp_path)
    made.publisher._file = blocked / "table.sock"
    made.publisher.start()
    try:
        made.show("waiting")
        time.sleep(0.3)
        blocked.unlink()
        until((blocked / "table.sock").exists, "the socket")
    finally:
        made.publisher.close()
