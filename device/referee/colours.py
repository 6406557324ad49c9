"""The markers' colours."""

from __future__ import annotations

COLOURS = ("yellow", "orange", "green", "blue", "red", "white")
"""The markers' colours in the printed editions; players without a name are called by them."""
