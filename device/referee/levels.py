"""The levels that a seat can have."""

from __future__ import annotations

OPPONENTS = ("child", "hasty", "counter", "rule-28-outer", "evolved", "strongest")
"""The keys of `engine.opponents.LEVELS` that are offered, weakest first.

The referee uses only the names: strategies may need numpy, and are run by `device.thinking`.
"""
