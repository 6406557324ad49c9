"""Alignment of two views of a tray."""

from __future__ import annotations

import cv2
import numpy as np

from vision.settling import camera_push
from vision.settling.camera_push import Background, compare

HEIGHT, WIDTH = 120, 160


def floor(width: int = 2 * WIDTH) -> np.ndarray:
    """A relief that looks different everywhere, smooth enough to be followed: shape (120, width)."""
    rough = np.random.default_rng(3).standard_normal((HEIGHT + 8, width + 8)).astype(np.float32)
    return cv2.blur(rough, (9, 9))[4:-4, 4:-4]


def seen(relief: np.ndarray) -> Background:
    return Background(np.ascontiguousarray(relief), np.ones(relief.shape, np.bool_))


def test_a_shift_that_leaves_almost_nothing_to_compare_is_not_a_camera_move(monkeypatch) -> None:
    wide = floor()
    far = np.array([[1, 0, -105], [0, 1, 0]], np.float32)  # found by chance: that strip is all that is left
    monkeypatch.setattr(camera_push, "_align", lambda *_: far)
    before, now = seen(wide[:, :WIDTH]), seen(wide[:, 105 : 105 + WIDTH])
    assert camera_push._correlation(before, now, far) > 0.99
    assert compare(before, now) is None
