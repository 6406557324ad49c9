"""The fast simulator: Python bindings of this folder's C code, which is compiled when first needed."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import MOST_PLAYERS, FastStart, Variants
from tools.matches import Outcome

HERE = Path(__file__).parent
BUILD = Path("build/opponents")
_FAST = ("-fassociative-math", "-freciprocal-math", "-fno-signed-zeros", "-fno-trapping-math", "-fno-math-errno")
"""The useful part of -ffast-math. All of it would also link a start file that flushes the smallest numbers of the whole
program, including Python's and numpy's, to zero."""

COMPILER = ("gcc", "-O3", "-march=native", *_FAST, "-ffinite-math-only", "-fPIC", "-shared", "-Wall", "-Wextra",
            f"-DMOST_PLAYERS={MOST_PLAYERS}")  # fmt: skip

LEARNED, OUTER, INNER, EVOLVED = range(4)
"""The kinds of players in a match."""

KINDS = {"rule-28-outer": OUTER, "evolved": EVOLVED, "strongest": LEARNED}
"""The kind of player for each level of opponents that the simulator plays, by its key."""

_float, _int, _pointer = ctypes.c_float, ctypes.c_int, ctypes.c_void_p


class Rules(ctypes.Structure):
    """The rules of a game, as in `cantstop.h`."""

    _fields_ = [(name, _int) for name in ("players", "columns_to_win", "fast_start", "no_stop_on_marker", "leap")]


class Board(ctypes.Structure):
    """A board, as in `cantstop.h`: markers by player and column from 0."""

    _fields_ = [("marker", (ctypes.c_int8 * 11) * MOST_PLAYERS), ("turn", _int)]


class Runners(ctypes.Structure):
    """Runners, as in `cantstop.h`: columns from 0, lowest first, and steps in this turn."""

    _fields_ = [
        ("n", ctypes.c_int8),
        ("column", ctypes.c_int8 * 3),
        ("step", ctypes.c_int8 * 3),
        ("index", _int),
        ("total", _int),
    ]


class Player(ctypes.Structure):
    """A player of a match, as in `cantstop.h`."""

    _fields_ = [("kind", _int), ("net", _pointer), ("least", _float)]


def rules_of(players: int, variants: Variants) -> Rules:
    """Return the rules in C's format."""
    fast_start = list(FastStart).index(variants.fast_start)
    return Rules(players, variants.columns_to_win, fast_start, variants.no_stop_on_marker, variants.leap)


@cache
def compiled() -> ctypes.CDLL:
    """Return the library, compiled if its sources have changed.

    Raises:
        FileNotFoundError: If gcc is not installed.
        subprocess.CalledProcessError: If compiling fails.
    """
    sources = sorted(HERE.glob("*.[ch]"))
    content = b"".join(source.read_bytes() for source in sources) + repr(COMPILER).encode()
    state = hashlib.sha256(content).hexdigest()[:12]
    out = BUILD / f"simulator-{state}.so"
    if not out.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        files = [str(source) for source in sources if source.suffix == ".c"]
        # Under a name of its own first: other processes and threads may be compiling it too.
        part = out.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        subprocess.run([*COMPILER, "-o", str(part), *files, "-lm"], check=True)
        part.replace(out)
    lib = ctypes.CDLL(str(out))
    for name, result, *arguments in (
        ("tables", None),
        ("net_new", _pointer, _int, ctypes.c_uint64, _int),
        ("net_count", _int, _pointer),
        ("net_parameters", ctypes.POINTER(_float), _pointer),
        ("learner_new", _pointer, _pointer, ctypes.c_uint64, _int),
        ("learner_net", _pointer, _pointer),
        ("learner_report", ctypes.c_double, _pointer),
        ("learn", None, _pointer, _int, _int, _float, _float, _float, _int, _int, _float),
        ("match", None, _pointer, _pointer, _int, ctypes.c_uint64, _pointer, _pointer),
        ("turn_new", _pointer),
        ("turn_begin", None, _pointer, _pointer, _pointer, _pointer),
        ("turn_solve", _float, _pointer, _pointer, _float),
        ("turn_placed", Runners, _pointer, Runners),
        ("turn_stop_value", _float, _pointer, _pointer),
        ("turn_free", None, _pointer),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    lib.tables()
    return lib


def parameters(net: int) -> NDArray[np.float32]:
    """Return a network's numbers as an array that shares their memory."""
    lib = compiled()
    return np.ctypeslib.as_array(lib.net_parameters(net), (lib.net_count(net),))


def network(players: int, numbers: NDArray[np.float32]) -> int:
    """Return the handle of a new network with these numbers."""
    net = compiled().net_new(players, 0, 0)
    parameters(net)[:] = numbers
    return int(net)


@dataclass(frozen=True)
class Learner:
    """A network that learns by playing; see `learn.c`.

    Attributes:
        handle: The C learner.
        numbers: The network's numbers, which change during training.
    """

    handle: int
    numbers: NDArray[np.float32]

    @classmethod
    def new(cls, rules: Rules, seed: int, room: int) -> Learner:
        """Return a learner with random numbers and the given capacity for positions."""
        handle = compiled().learner_new(ctypes.byref(rules), seed, room)
        return cls(handle, parameters(compiled().learner_net(handle)))

    def watch(self, games: int, fits: int, batch: int, rate: float) -> None:
        """Let the references play, and learn from their results."""
        compiled().learn(self.handle, games, 1, 1, 0, 0, fits, batch, rate)

    def play(self, games: int, *, trace: float, mixed: float, least: float, fits: int, batch: int, rate: float) -> None:
        """Play, and learn from the values of solved turns; the arguments are those of `learn` in `learn.c`."""
        compiled().learn(self.handle, games, 0, trace, mixed, least, fits, batch, rate)

    def report(self) -> float:
        """Return the mean squared error since the last report."""
        return float(compiled().learner_report(self.handle))


def match(rules: Rules, players: Sequence[Player], games: int, seed: int) -> list[Outcome]:
    """Play games with rotating seats, and return their outcomes; `tools.matches` plays the same games.

    The learned players' decisions can differ from those of `engine.opponents.strongest` in the last bits of a value.
    """
    winners, turns = (_int * games)(), (_int * games)()
    compiled().match(ctypes.byref(rules), (Player * len(players))(*players), games, seed, winners, turns)
    return list(map(Outcome, winners, turns))
