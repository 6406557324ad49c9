"""A real browser without a window, for the pictures of the page and for its tests: Debian's Chromium by Selenium."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PATIENCE_S = 60.0
"""Far longer than anything takes, as other programs may load the machine."""

AXE = Path(__file__).parent.parent / "build" / "axe" / "package" / "axe.min.js"
"""Deque's accessibility check; `make browser` fetches it."""


def missing() -> str:
    """Say what is not installed; "" where a browser can be had."""
    try:
        import selenium  # noqa: F401, PLC0415 - it may not be there
    except ImportError:
        return "no Selenium: pip install -e '.[dev]'"
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        return "no Chromium: apt install chromium chromium-driver"
    return ""


class Browser:
    """One phone, tablet or computer, at one size."""

    def __init__(self, width: int = 390, height: int = 844, *, dark: bool = False, scale: float = 1.0) -> None:
        """Open it.

        Args:
            width: Of its view, in CSS pixels.
            height: Likewise.
            dark: Whether it wants dark colours.
            scale: Pixels of the picture for each CSS pixel.
        """
        from selenium import webdriver  # noqa: PLC0415

        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_script_timeout(PATIENCE_S)
        self.resize(width, height, scale, dark=dark)

    def resize(self, width: int, height: int, scale: float = 1.0, *, dark: bool = False) -> None:
        """Turn it, or make it another one; a new size costs nothing beside another browser."""
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def go(self, address: str) -> None:
        """Open a page."""
        self.driver.get(address)

    def run(self, script: str, *arguments: object) -> Any:  # noqa: ANN401 - whatever the script returns
        """Run a script in the page, and give what it returns."""
        return self.driver.execute_script(script, *arguments)

    def text(self, selector: str) -> str:
        """Return the text of an element; "" where there is none."""
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def click(self, selector: str) -> None:
        """Click on an element, once it is there."""
        self.until(lambda: self.run("return !!document.querySelector(arguments[0])", selector), selector)
        self.run("document.querySelector(arguments[0]).click()", selector)

    def until(self, is_so: Callable[[], Any], what: str) -> Any:  # noqa: ANN401
        """Wait until something is so, and give it.

        Raises:
            TimeoutError: If it does not come to be.
        """
        deadline = time.monotonic() + PATIENCE_S
        while not (found := is_so()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what} has not come; the page says: {self.text('header')} {self.complaints()}")
            time.sleep(0.05)
        return found

    def complaints(self) -> list[str]:
        """List what the browser's console has complained of since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}]

    def picture(self, path: Path) -> None:
        """Keep a picture of what is to be seen."""
        self.driver.save_screenshot(str(path))

    def axe(self) -> list[dict[str, Any]]:
        """Check how accessible the page is, and list the findings that are serious or critical."""
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
        """Use it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.driver.quit()
