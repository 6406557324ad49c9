"""A deterministic profile for all property tests, so a failing run can be repeated."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    derandomize=True,
    max_examples=60,
    deadline=None,
    print_blob=True,
    # Whole games are slow to draw; that is no fault of theirs.
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("repeatable")
