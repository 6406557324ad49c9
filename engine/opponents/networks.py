"""The file of trained networks, one for each number of players and columns to win; read without NumPy."""

from __future__ import annotations

import zipfile
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("values.npz")
"""The weights of all networks: half floats, about 100 kB each."""


def network_name(players: int, columns_to_win: int) -> str:
    """Return the name of a network in the file."""
    return f"{players}x{columns_to_win}"


def is_trained(players: int, columns_to_win: int) -> bool:
    """Whether there is a network for this number of players and columns to win."""
    return network_name(players, columns_to_win) in _names(FILE)


@lru_cache(maxsize=1)
def _names(file: Path) -> frozenset[str]:
    """Return the names of the networks in a file; none if it is missing or damaged."""
    try:
        with zipfile.ZipFile(file) as networks:
            return frozenset(name.removesuffix(".npy") for name in networks.namelist())
    except (OSError, zipfile.BadZipFile):
        return frozenset()
