"""The result of a film that went right, for tests to vary."""

from __future__ import annotations

from vision.render.trouble import Kind
from vision.scoring.throws import Played

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
