"""One test for all values of its arguments: it fails once, and names each combination that failed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Signature, signature
from typing import Any


def every(**values: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for all combinations of these values of its arguments; its other arguments are fixtures, made once."""
    columns = {name: list(of) for name, of in values.items()}

    def decorated(check: Callable[..., None]) -> Callable[..., None]:
        @wraps(check)
        def checks_all(**fixtures: Any) -> None:
            failures = []
            for combination in itertools.product(*columns.values()):
                try:
                    check(**fixtures, **dict(zip(columns, combination, strict=True)))
                except Exception as error:
                    named = ", ".join(getattr(one, "__name__", None) or str(one) for one in combination)
                    failures.append(f"{named}: {type(error).__name__}: {error}")
            told = "\n".join(failures).encode("utf-8", "backslashreplace").decode()  # xdist takes no surrogates
            assert not failures, f"{len(failures)} failed:\n{told}"

        own = [each for each in signature(check).parameters.values() if each.name not in columns]
        checks_all.__signature__ = Signature(own)  # type: ignore[attr-defined]
        return checks_all

    return decorated
