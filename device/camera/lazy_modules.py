"""Lazy loading of modules that a library imports but this program hardly ever uses."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType


class _LazyModule(ModuleType):
    """A placeholder for a module. importlib's LazyLoader would load the module as soon as it is imported again."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # attributes that the import system itself asks for
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


def load_lazily(name: str) -> None:
    """Defer loading of a top-level module, from which nothing imports names, until it is used."""
    if name in sys.modules:
        return
    spec = importlib.util.find_spec(name)
    if spec is not None:
        stands_in = _LazyModule(name)
        stands_in.__spec__ = spec
        sys.modules[name] = stands_in
