"""What the tests of reading share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def dice_dir() -> Path:
    """The folder of labelled pictures of dice, which is not part of the repository."""
    default = Path(__file__).resolve().parents[3] / "shared" / "dice"
    folder = Path(os.environ.get("CANTSTOP_DICE", default))
    if not folder.is_dir():
        pytest.skip(f"no labelled dice pictures at {folder}; set CANTSTOP_DICE to their folder")
    return folder
