"""One test for all values of its arguments."""

from __future__ import annotations

from inspect import signature

import pytest

from tests.every import every


def test_a_test_for_all_values_fails_once_and_names_each_that_failed():
    @every(left=[1, 2], right="ab")
    def sample(fixture, left, right):
        assert (left, right) != (1, "b"), "wrong"
        assert {}[fixture] if left == 2 else True

    assert list(signature(sample).parameters) == ["fixture"]
    with pytest.raises(AssertionError) as failed:
        sample(fixture="f")
    lines = str(failed.value).splitlines()
    assert lines[:2] == ["3 failed:", "1, b: AssertionError: wrong"]
    assert lines[-2:] == ["2, a: KeyError: 'f'", "2, b: KeyError: 'f'"]
