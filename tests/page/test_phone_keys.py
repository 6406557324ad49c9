"""A code lets a phone in, and nothing else does."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.page.box_side import phone_keys
from device.page.box_side.phone_keys import PhoneKeys
from device.page.wire import RequestError
from tests.every import every


class Time:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def a_door(tmp_path=None, **more) -> tuple[PhoneKeys, Time]:
    clock = Time()
    return PhoneKeys(tmp_path and tmp_path / "phones.json", clock=clock, **more), clock


def test_no_one_can_pair_without_a_code_on_the_screen():
    at, _ = a_door()
    with pytest.raises(RequestError, match="no code is valid"):
        at.pair("", "x")
    code = at.new_code()
    at.no_code()
    with pytest.raises(RequestError, match="no code is valid"):
        at.pair(code, "x")


def wrong(at: PhoneKeys, source: str, tries: int = 1) -> None:
    for _ in range(tries):
        with pytest.raises(RequestError):
            at.pair("x", "x", source)


def refused(at: PhoneKeys, code: str, source: str = "") -> str:
    with pytest.raises(RequestError) as error:
        at.pair(code, "x", source)
    return error.value.kind


def test_only_a_source_with_too_many_wrong_codes_must_wait_a_minute():
    at, clock = a_door()
    at.new_code()
    wrong(at, "stranger", phone_keys.TRIES_PER_MINUTE)
    assert refused(at, at.code, "stranger") == "tries"
    assert at.pair(at.code, "x", "phone")
    clock.now += 61
    assert at.pair(at.code, "x", "stranger")


def test_wrong_codes_from_any_number_of_addresses_do_not_lock_out_a_newcomer():
    at, _ = a_door()
    at.new_code()
    for number in range(200):
        wrong(at, f"stranger {number}", 1 + number % 5)
    assert at.pair(at.code, "x", "phone")


def test_codes_are_eight_digits_and_each_digit_occurs_at_each_place():
    at, _ = a_door()
    codes = [at.new_code() for _ in range(1000)]
    assert [set(digits) for digits in zip(*codes, strict=True)] == [set("0123456789")] * 8


def test_several_wrong_codes_in_a_minute_count_as_guessing_and_one_typing_error_does_not():
    at, clock = a_door()
    wrong(at, "stranger", 100)
    assert not at.is_guessed_at, "no code was shown"
    code = at.new_code()
    wrong(at, "phone")
    assert not at.is_guessed_at
    wrong(at, "another", 2)
    assert at.is_guessed_at
    assert at.code == code, "an honest phone may still use it"
    assert not at.code_is_void
    clock.now += 61
    assert not at.is_guessed_at
    assert at.find(at.pair(code, "x", "stranger")).name == "x"


def test_a_code_expires_and_a_phone_stays_paired_however_far_the_clock_jumps(tmp_path):
    at, clock = a_door(tmp_path)
    code = at.new_code()
    clock.now += phone_keys.CODE_S + 1
    with pytest.raises(RequestError, match="no code is valid"):
        at.pair(code, "x")
    key = at.pair(at.new_code(), "x")
    clock.now += 1000 * 86400
    assert at.find(key)
    assert a_door(tmp_path)[0].find(key)


def test_an_unpaired_phone_is_rejected(tmp_path):
    at, _ = a_door(tmp_path)
    key = at.pair(at.new_code(), "x")
    other = at.pair(at.new_code(), "y")
    assert at.unpair(at.find(key).id)
    assert at.find(key) is None
    for never in (None, 5, "", "x"):
        assert at.find(never) is None
    assert at.find(other)
    at.unpair_all()
    again, _ = a_door(tmp_path)
    assert again.find(other) is None


def test_phones_stay_paired_after_a_restart_and_no_file_contains_their_keys(tmp_path):
    at, _ = a_door(tmp_path)
    key = at.pair(at.new_code(), "Anna")
    file = tmp_path / "phones.json"
    assert key not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    again, _ = a_door(tmp_path)
    assert again.find(key).name == "Anna"


def phone_entry(**changed) -> str:
    return json.dumps({"phones": [{"name": "x", "key_hash": "0" * 64, "since": 1000.0} | changed]})


@every(
    text=["", "{", "[]", '{"phones": 3}', '{"phones": {}}', '{"phones": "xyz"}', '{"phones": [{"name": 1}]}',
          '{"phones": [[]]}', "[" * 10000],
)  # fmt: skip
def test_after_damage_to_the_file_phones_only_have_to_be_paired_again(tmp_path, text):
    (tmp_path / "phones.json").write_text(phone_entry())
    assert len(a_door(tmp_path)[0].phones()) == 1, "such a file is accepted"
    (tmp_path / "phones.json").write_text(text)
    at, _ = a_door(tmp_path)
    assert at.phones() == []
    key = at.pair(at.new_code(), "x")
    assert at.unpair(at.find(key).id)


def test_a_full_disk_does_not_prevent_pairing(tmp_path):
    at, _ = a_door(tmp_path / "gone")
    assert at.find(at.pair(at.new_code(), "x"))


def test_one_phone_too_many_unpairs_the_one_that_was_paired_first():
    at, clock = a_door()
    keys = []
    for number in range(phone_keys.MOST_PHONES + 1):
        clock.now += 61
        keys.append(at.pair(at.new_code(), str(number)))
    assert at.find(keys[0]) is None
    assert at.find(keys[1])


@given(name=st.text(max_size=300))
def test_a_name_is_kept_short_and_printable(name):
    at, _ = a_door()
    kept = at.find(at.pair(at.new_code(), name)).name
    assert kept
    assert kept.isprintable()
    assert len(kept) <= phone_keys.MOST_NAME
    json.dumps(kept)


def test_without_a_display_only_the_first_phone_needs_no_code_and_only_soon_after_the_start(tmp_path):
    at, clock = a_door(tmp_path, shows_code=False)
    first = at.pair("", "Anna")
    assert refused(at, "") == "code"
    assert at.pair(at.code_for_others(), "Ben")
    at.unpair_all()
    clock.now += phone_keys.OPEN_S
    assert refused(at, "") == "code"
    at, _ = a_door(tmp_path, shows_code=False)  # switched off and on
    assert at.find(first) is None
    assert at.pair("", "Anna")


def test_a_paired_phone_shows_no_code_if_the_box_does():
    at, _ = a_door()
    at.new_code()
    assert at.code_for_others() == ""
