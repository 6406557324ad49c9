"""The report of a running box, for paired phones."""

from __future__ import annotations

import io
import json
import logging
import zipfile
from contextlib import ExitStack

from device.config import Config
from device.health.issue_report import LINES, RecentLog, of_running_box
from tests.page.helpers import Table, page_process


def test_a_paired_phone_gets_self_check_and_log_as_one_archive_and_a_stranger_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    log = RecentLog()
    logger = logging.getLogger("box")
    logger.addHandler(log)
    with ExitStack() as ending:
        ending.callback(logger.removeHandler, log)
        logger.warning("the display %s", "was unplugged")

        def report() -> list[tuple[str, bytes]]:
            return [("report.json", of_running_box(Config(), tmp_path / "j.txt")), ("log.txt", log.text().encode())]

        table = ending.enter_context(Table(tmp_path, report=report))
        web = ending.enter_context(page_process(table.file))
        table.show("choosing")
        key = table.pair(web)
        assert web.ask("GET", "/api/report.zip")[0] == 401
        status, _, packed = web.ask("GET", "/api/report.zip", key=key)
    assert status == 200
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert "WARNING box: the display was unplugged" in files["log.txt"]
    told = json.loads(files["report.json"])
    assert {"storage", "space", "clock", "heat", "power"} <= set(told["findings"])
    assert str(tmp_path) not in files["report.json"], "folders name people"


def test_a_simulated_box_has_no_report(table, web, key):
    assert web.ask("GET", "/api/report.zip", key=key)[0] == 404


def test_the_log_in_memory_has_an_end():
    log = RecentLog()
    for number in range(LINES + 5):
        log.handle(logging.makeLogRecord({"msg": f"line {number}."}))
    lines = log.text().splitlines()
    assert len(lines) == LINES
    assert lines[0].endswith("line 5.")
