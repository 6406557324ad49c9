"""Is there a pip in the middle of a face, however faint, or a lamp's reflection? Two small networks look for these.

The middle pip of a 3 or 5 is the only one whose loss turns the value into another one, and the only place where a
reflection like a pip does. The values network overlooks a pip if little paint is left, and takes most such reflections
for pips; these networks see the face in more contrast.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.stages import network
from vision.stages.crops import CROP_PX, FACE
from vision.types import Frame

SIDE_PX = 32  # side of what the network sees: the top face and a little around it

_SEEN = slice((CROP_PX - SIDE_PX) // 2, (CROP_PX + SIDE_PX) // 2)

_STRONG, _FAINTEST = 0.92, 6.0
"""The part of a face whose differences from the body are smaller than the pips' strength, and that strength's least
value in levels."""


def chance_of_pip(crop: Frame, body: NDArray[np.float32]) -> float:
    """Return the probability of a pip in the middle of a face.

    Args:
        crop: The die, seen from straight above, (CROP_PX, CROP_PX, 3).
        body: The colour of its body, BGR (3,).
    """
    return _chance("middle", crop, body)


def chance_of_lamp(crop: Frame, body: NDArray[np.float32]) -> float:
    """Return the probability that what looks like a pip in the middle is a lamp's reflection; arguments as above."""
    return _chance("lamp", crop, body)


def _chance(name: str, crop: Frame, body: NDArray[np.float32]) -> float:
    return 1 / (1 + math.exp(-float(network.run(name, contrast(crop, body))[0])))


def contrast(crop: Frame, body: NDArray[np.float32]) -> Frame:
    """Return the inner part of such a crop in more contrast, (SIDE_PX, SIDE_PX, 3), so that a worn pip stands out.

    The body becomes grey in any colour of dice, and half the difference between it and the pips the whole range.
    """
    off = crop[FACE, FACE].reshape(-1, 3) - body
    squares, rank = np.einsum("ij,ij->i", off, off), int(_STRONG * len(off))  # many times as fast as NumPy's percentile
    strength = max(math.sqrt(np.partition(squares, rank)[rank]), _FAINTEST)
    return np.asarray(np.clip(128 + 256 / strength * (crop[_SEEN, _SEEN] - body), 0, 255), np.uint8)
