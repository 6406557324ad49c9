"""A real headless browser for the page's pictures and tests: Debian's Chromium with Selenium."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

PATIENCE_S = 60.0
"""The longest wait in seconds, generous for a busy machine."""

AXE = Path(__file__).parents[2] / "build" / "axe" / "package" / "axe.min.js"
"""Deque's accessibility checker; `make browser` downloads it."""


def missing() -> str:
    """Return what is missing and how to install it; "" if a browser is available."""
    try:
        import selenium  # noqa: F401, PLC0415 - it may be missing
    except ImportError:
        return "no Selenium: pip install -e '.[dev]'"
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        return "no Chromium: apt install chromium chromium-driver"
    return ""


class Browser:
    """One phone, tablet or computer, at one size."""

    def __init__(self, width: int = 390, height: int = 844) -> None:
        """Open it, with a viewport of this size in CSS pixels."""
        from selenium import webdriver  # noqa: PLC0415

        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_script_timeout(PATIENCE_S)
        self.resize(width, height)

    def resize(self, width: int, height: int, *, dark: bool = False) -> None:
        """Change the size or orientation, which is much faster than another browser."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def go(self, address: str) -> None:
        """Open a page."""
        self.driver.get(address)

    def run(self, script: str, *arguments: object) -> Any:  # noqa: ANN401 - whatever the script returns
        """Run a script in the page and return its result."""
        return self.driver.execute_script(script, *arguments)

    def text(self, selector: str) -> str:
        """Return the text of an element; "" if it is missing."""
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def click(self, selector: str) -> None:
        """Click on an element, once it is there."""
        self.until(lambda: self.run("return !!document.querySelector(arguments[0])", selector), selector)
        self.run("document.querySelector(arguments[0]).click()", selector)

    def until(self, is_so: Callable[[], Any], what: str) -> Any:  # noqa: ANN401
        """Wait until a function returns a true value, and return it.

        Raises:
            TimeoutError: If it does not in time.
        """
        deadline = time.monotonic() + PATIENCE_S
        while not (found := is_so()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what} has not come; the page says: {self.text('header')} {self.complaints()}")
            time.sleep(0.05)
        return found

    def complaints(self) -> list[str]:
        """Return the messages on the browser's console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}]

    def picture(self, path: Path) -> None:
        """Save a screenshot."""
        self.driver.save_screenshot(str(path))

    def axe(self) -> list[dict[str, Any]]:
        """Return the serious and critical findings of an accessibility check of the page."""
        self.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
        self.run(AXE.read_text())
        found = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done, String)"
        )
        assert isinstance(found, dict), found
        return [
            {"rule": one["id"], "impact": one["impact"], "where": [node["target"] for node in one["nodes"]]}
            for one in found["violations"]
            if one["impact"] in {"serious", "critical"}
        ]

    def __enter__(self) -> Self:
        """Return the browser."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.driver.quit()
