"""All benchmarks, one table each: `make bench`, or `python -m tools.bench rules` and so on for some of them."""

from __future__ import annotations

import argparse
from importlib import import_module

PARTS = {
    "rules": "how fast the legal plays of a roll are listed",
    "reading": "reading dice beside the well-known recipe (its options: python -m tools.bench.reading --help)",
}


def main() -> None:
    """Run the requested benchmarks; all by default."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench",
        description="Run the benchmarks and print a table of each.",
        epilog="\n".join(f"  {name:<12}{what}" for name, what in PARTS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="which benchmarks to run; all by default")
    args = parser.parse_args()
    unknown = [part for part in args.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; choose from {', '.join(PARTS)}")
    for part in args.parts or PARTS:
        module = import_module(f"tools.bench.{part}")
        module.main([]) if part == "reading" else module.main()


main()
