"""The result of a film that went right, for tests to vary."""

from __future__ import annotations

from tools.scenes.films import Played
from tools.scenes.trouble import Kind

RIGHT = Played(
    seed=1,
    kind=Kind.HAND,
    values=(1, 2, 3, 4),
    reported=(1, 2, 3, 4),
    wait_s=0.2,
    phantoms=0,
    doubles=0,
    pushes=0,
    why="",
)
