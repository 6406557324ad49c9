"""From pictures to dice, with NumPy and OpenCV: `from vision import Params, Settle, Tray, load, read`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.params import Params
    from vision.pictures import load
    from vision.reader import read
    from vision.settling.settle import Settle
    from vision.tray.known import Tray
    from vision.types import Die, Reading, Reason

__all__ = ["Die", "Params", "Reading", "Reason", "Settle", "Tray", "load", "read"]

_HOMES = {
    "Die": "vision.types",
    "Params": "vision.params",
    "Reading": "vision.types",
    "Reason": "vision.types",
    "Settle": "vision.settling.settle",
    "Tray": "vision.tray.known",
    "load": "vision.pictures",
    "read": "vision.reader",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, because importing OpenCV takes seconds on a small Pi.

    Raises:
        AttributeError: If there is no such name.
    """
    if name not in _HOMES:
        raise AttributeError(f"module 'vision' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(_HOMES[name]), name)
