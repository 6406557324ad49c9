"""All benchmarks, one table each: `make bench`, or `python -m tools.bench rules` for one of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from tools.bench import reading, rules

PARTS: dict[str, Callable[[], None]] = {"rules": rules.main, "reading": lambda: reading.main([])}


def main() -> None:
    """Run the requested benchmarks; all by default."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("part", nargs="?", choices=PARTS, help="which one to run; all by default")
    only = parser.parse_args().part
    for part, run in PARTS.items():
        if only in (None, part):
            run()


main()
