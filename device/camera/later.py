"""Modules that another one imports and this program never uses: loaded once something of them is used, if ever."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType


class _Later(ModuleType):
    """Stands for a module; importlib's own LazyLoader would load it as soon as it is imported again."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # what the import system itself looks for
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


def load_later(name: str) -> None:
    """Have a module of the top level loaded later, if it is installed and not loaded yet.

    Args:
        name: Of a module of which others import nothing by name.
    """
    if name in sys.modules:
        return
    spec = importlib.util.find_spec(name)
    if spec is not None:
        stands_in = _Later(name)
        stands_in.__spec__ = spec
        sys.modules[name] = stands_in
