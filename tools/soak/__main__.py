"""The soak test: `python -m tools.soak [--games N] [--kills N]`, or `make soak`.

A box plays without hardware. It is killed, its files are damaged and its disk is full at random instants
(`tools.soak.lives`); after each start it must be where it was, with all finished games. After Ctrl-C the results so
far are printed.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
from contextlib import suppress

from tools.soak.lives import Report, campaign


def main() -> int:
    """Run the soak; exit with 1 if anything was lost."""
    words = argparse.ArgumentParser(prog="python -m tools.soak", description="Plays with kills, damage and full disks.")
    words.add_argument("--kills", type=int, default=2000, help="how many kills in short lives (default 2000)")
    words.add_argument("--games", type=int, default=200, help="how many games are then played in longer lives (200)")
    words.add_argument("--seed", type=int, default=0, help="decides what is played and what fails")
    args = words.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # even if a shell has started it in the background
        signal.signal(number, signal.default_int_handler)
    logging.disable(logging.CRITICAL)  # every fault is logged, and there are thousands
    report = Report()

    def tell() -> None:
        if sys.stderr.isatty():
            print(f"\r{report.kills} kills, {report.games} games", end="", file=sys.stderr, flush=True)

    with suppress(KeyboardInterrupt):
        campaign(args.kills, args.games, args.seed, report, tell)
    tell()
    print(_text(report))
    return int(not report.is_clean)


def _text(report: Report) -> str:
    damages = ", ".join(f"{kind} {count}" for kind, count in sorted(report.damages.items())) or "none"
    lines = (
        f"kills: {report.kills}, {report.unstarted} while it started; it ended by itself: {report.failed}",
        f"inputs shown: {report.inputs}; situations lost: {len(report.lost)}",
        f"damages: {damages}; lives with a full disk: {report.full}",
        f"games played: {report.games}; gone with a damaged file: {report.gone}; wrong: {len(report.wrong)}",
    )
    return "\n".join([*lines, *report.wrong])


if __name__ == "__main__":
    sys.exit(main())
