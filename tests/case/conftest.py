"""Each variant of the case is built once for all tests."""

from __future__ import annotations

from functools import lru_cache

import pytest

from case.layout import Layout
from case.parameters import Choice


@lru_cache(maxsize=8)
def _built(choice):
    assembly = pytest.importorskip("case.assembly", reason="the extra [case] is not installed", exc_type=ImportError)
    return Layout(choice), assembly.printed(Layout(choice))


@pytest.fixture
def built(request):
    """The layout and the printed parts of a choice, the default one unless a test is parametrized."""
    return _built(getattr(request, "param", Choice()))
