"""The link that pairs this machine's browser is a secret, and no argument of a program is."""

from __future__ import annotations

from device.laptop.page_process import open_in_browser
from tests.waiting import until

LINK = "http://127.0.0.1:8017/P/SECRET"


def test_the_browser_gets_the_link_in_a_file_that_only_its_user_can_read(tmp_path, monkeypatch):
    browser = tmp_path / "browser"
    browser.write_text(
        '#!/bin/sh\nfile=${1#file://}\n{ echo "$@"; stat -c %a "$file"; cat "$file"; } >"$0.part"\n'
        'mv "$0.part" "$0.told"\n'
    )
    browser.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    with open_in_browser(LINK) as opener:
        told = tmp_path / "browser.told"
        until(told.exists, "the browser")
        opener.terminate()
    argument, mode, page = told.read_text().split("\n", 2)
    assert "SECRET" not in argument
    assert mode == "600"
    assert f"url={LINK}" in page
