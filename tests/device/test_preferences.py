"""The players' preferences: values, their file, and a damaged file."""

from __future__ import annotations

import os
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.referee.preferences import CHOICES, Preferences, from_data
from device.storage.preferences_file import MOST_BYTES, PreferencesFile

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def file(tmp_path):
    return PreferencesFile(tmp_path / "box" / "preferences.json")


def test_stored_preferences_are_the_chosen_ones_and_without_a_file_the_defaults_apply(file):
    assert file.load() == Preferences()
    assert not file.path.exists()
    chosen = Preferences(language="fr", sound=False)
    file.save(chosen)
    assert file.load() == chosen
    assert [each.name for each in file.path.parent.iterdir()] == ["preferences.json"]


def test_a_damaged_file_gives_the_defaults_and_is_set_aside_beside_earlier_ones(file):
    file.path.parent.mkdir()
    damages = [b"", b"{", b'{"language": "nl"', b"[]", b"\xff\xfe\x00", b"[" * 5000, b"x" * (MOST_BYTES + 1)]
    for damage in damages:
        file.path.write_bytes(damage)
        assert file.load() == Preferences()
        assert not file.path.exists()
    names = [f"preferences.json.damaged-{number}" for number in range(1, len(damages) + 1)]
    assert [file.path.with_name(name).read_bytes() for name in names] == damages


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_a_pipe_or_folder_in_place_of_the_file_gives_the_defaults_at_once(file, make):
    file.path.parent.mkdir()
    make(file.path)
    assert file.load() == Preferences()


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_a_file_that_cannot_be_written_stays_unchanged(file, monkeypatch, fails):
    file.save(Preferences(language="nl"))
    monkeypatch.setattr(os, fails, Mock(side_effect=OSError(28, "no space left on device")))
    with pytest.raises(OSError, match="no space"):
        file.save(Preferences(language="de"))
    assert file.load() == Preferences(language="nl")


@given(data=anything | st.fixed_dictionaries({"language": anything, "sound": anything}))
def test_any_data_leads_to_valid_preferences(data):
    preferences, _ = from_data(data)
    assert preferences.language in CHOICES["language"]
    assert preferences.sound in CHOICES["sound"]


def test_an_invalid_choice_affects_no_other_and_one_of_a_newer_version_is_ignored():
    assert from_data({"language": "de", "sound": "loud"})[0] == Preferences(language="de")
    assert from_data({"language": "de", "smell": True}) == (Preferences(language="de"), ())
    assert from_data({"sound": 0})[1], "the number is not False"
    assert from_data({"sound": False}) == (Preferences(sound=False), ())
