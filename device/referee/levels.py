"""The levels that a seat can be given."""

from __future__ import annotations

OPPONENTS = ("child", "hasty", "counter", "rule-28-outer", "evolved", "strongest")
"""The keys of those of `engine.opponents.LEVELS` that are offered, weakest first.

The referee names them only: strategies may need numpy, and are asked by `device.thinking`.
"""
