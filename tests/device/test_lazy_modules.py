"""Modules that are loaded later."""

from __future__ import annotations

import sys

import pytest

from device.camera.lazy_modules import load_lazily


@pytest.fixture
def heavy(tmp_path, monkeypatch):
    """The name of a module that records when it is loaded."""
    (tmp_path / "heavy_thing.py").write_text("import sys\nsys.was_loaded = True\nweight = 15\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "was_loaded", False, raising=False)
    yield "heavy_thing"
    sys.modules.pop("heavy_thing", None)


def test_a_deferred_module_is_loaded_on_first_use(heavy):
    load_lazily(heavy)
    import heavy_thing as first  # noqa: PLC0415

    assert not sys.was_loaded
    assert first.weight == 15
    import heavy_thing as second  # noqa: PLC0415

    assert sys.was_loaded
    assert (first.weight, second.weight) == (15, 15)
    with pytest.raises(AttributeError, match="height"):
        first.height  # noqa: B018


def test_a_module_that_is_not_installed_stays_missing():
    load_lazily("no_such_thing")
    with pytest.raises(ModuleNotFoundError):
        __import__("no_such_thing")
