"""Benchmark of the page: `python -m tools.bench.page`.

Measures the memory and idle work of the page process, and the time from a picture on the OLED until a browser has
drawn it.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

from tools.docs import browser as chromium
from tools.docs.browser import Browser
from tools.docs.page import Stage, choosing, deciding

IDLE_S = 20.0
CHANGES = 100

WATCH = """
window.drawn = {};
new MutationObserver(() => {
  const serial = document.documentElement.dataset.serial;
  requestAnimationFrame(() => { window.drawn[serial] ??= Date.now(); });
}).observe(document.documentElement, {attributes: true, attributeFilter: ["data-serial"]});
"""


def cpu_s(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def switches(pid: int) -> int:
    """Return how often a process was scheduled."""
    text = Path(f"/proc/{pid}/status").read_text()
    return sum(int(line.split()[1]) for line in text.splitlines() if "ctxt_switches" in line)


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0]) / 1024


def idle(pid: int, when: str) -> None:
    """Print the idle work of a process."""
    before, woken = cpu_s(pid), switches(pid)
    time.sleep(IDLE_S)
    print(
        f"{when}: {memory_mb(pid):.1f} MB resident; in {IDLE_S:.0f} s {cpu_s(pid) - before:.2f} s of processor, "
        f"woken {switches(pid) - woken} times"
    )


def delays(stage: Stage) -> list[float]:
    """Return the delays from the OLED to the page, in milliseconds."""
    with Browser() as browser:
        browser.go(f"{stage.address}#box")
        browser.until(lambda: browser.run("return document.documentElement.dataset.line === 'up'"), "the table")
        browser.run(WATCH)
        shown = []
        for count in range(CHANGES):
            before = browser.run("return document.documentElement.dataset.serial")
            at = 1000 * time.time()
            stage.show((choosing, deciding)[count % 2]())
            serial = browser.until(
                lambda before=before: browser.run(  # type: ignore[misc]
                    "const s = document.documentElement.dataset.serial;"
                    "return s !== arguments[0] && window.drawn[s] && s",
                    before,
                ),
                "a change",
            )
            shown.append(browser.run("return window.drawn[arguments[0]]", serial) - at)
        return shown


def main() -> None:
    """Measure all."""
    with tempfile.TemporaryDirectory() as folder, Stage(Path(folder)).open() as stage:
        pid = stage.pid
        stage.show(choosing())
        idle(pid, "page's process, nobody looks")
        if problem := chromium.missing():
            print(f"delay not measured: {problem}")
            return
        found = delays(stage)
        print(
            f"OLED to page, {CHANGES} changes in Chromium: median {statistics.median(found):.0f} ms, "
            f"worst {max(found):.0f} ms, load {os.getloadavg()[0]:.1f}"
        )
        print(f"page's process after that: {memory_mb(pid):.1f} MB resident")


if __name__ == "__main__":
    main()
