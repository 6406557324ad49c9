"""The results of a soak test as a table."""

from __future__ import annotations

import statistics

from rich.table import Table

from tools.soak.games import Totals
from tools.soak.kills import Report

PARTS = ("camera", "reading", "journal", "drawing", "display", "bus")

LEAST = 8
"""The least number of figures that is divided into quarters."""


def table(found: Totals, killed: Report) -> Table:
    """Return a table of the results of the games, and of the kills without hardware."""
    shown = Table("what", "how much")
    rows: list[tuple[str, str]] = []
    if killed.kills:
        rows += [
            ("killed without wires", f"{killed.kills}, {killed.before_start} of them while it started"),
            ("… inputs shown; files damaged", f"{killed.inputs}; {sum(killed.damages.values())}"),
            ("… situations lost; ended by itself", f"{len(killed.lost)}; {killed.failed}"),
        ]
    if found.resumed:
        rows += _games(found)
        rows += _times(found)
    for row in rows:
        shown.add_row(*row)
    return shown


def _games(found: Totals) -> list[tuple[str, str]]:
    faults = ", ".join(f"{name} {count}" for name, count in sorted(found.faults.items()))
    rows = [
        ("games begun; played to the end", f"{found.begun}; {found.games} in {found.seconds / 60:.0f} min"),
        ("… rolls; read wrong", f"{found.throws}; {found.wrong}"),
        ("… faults", faults or "none"),
        ("… kills; starts; situations lost", f"{found.kills}; {found.resumed}; {len(found.lost)}"),
        (
            "… starts on a full disk; games no longer listed",
            f"{found.full_starts}; {len(found.unlisted)}",
        ),
        ("… boxes stuck or ended by themselves", str(found.stuck)),
        ("… games that differ; gone with a file", f"{len(found.unlike)}; {found.gone}"),
        ("… written to disk, MB; MB a game", f"{found.written_mb:.1f}; {_share(found.written_mb, found.games)}"),
    ]
    if found.memory_mb:
        most = max(found.memory_mb)
        rows.append(
            ("memory of the killed boxes: median, most", f"{statistics.median(found.memory_mb):.0f}, {most:.0f} MB")
        )
    if len(found.long_memory_mb) >= LEAST:
        quarter = len(found.long_memory_mb) // 4
        first, last = found.long_memory_mb[:quarter], found.long_memory_mb[-quarter:]
        told = (
            f"{statistics.median(first):.1f}, {statistics.median(last):.1f} MB; most {max(found.long_memory_mb):.1f} MB"
        )
        rows.append(("memory of the other: first, last quarter", told))
    return rows


def _times(found: Totals) -> list[tuple[str, str]]:
    calm = [roll for roll, fault in found.rolls if not fault]
    rows = []
    for name, rolls in (("nothing failing", calm), ("all", [roll for roll, _ in found.rolls])):
        if not rolls:
            continue
        whole = [sum(roll.get(part, 0.0) for part in PARTS) for roll in rolls]
        rows.append((f"still dice to choices, {len(rolls)} ({name}), ms", _middle_and_worst(whole)))
        if name == "nothing failing":
            rows += [(f"… {part}", _middle_and_worst([roll.get(part, 0.0) for roll in rolls])) for part in PARTS]
    return rows


def _middle_and_worst(seconds: list[float]) -> str:
    return f"{1000 * statistics.median(seconds):.1f}; worst {1000 * max(seconds):.0f}"


def _share(whole: float, parts: int) -> str:
    return f"{whole / parts:.1f}" if parts else "no game was finished"
