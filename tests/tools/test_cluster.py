"""Long jobs on a Dask cluster: `--cluster` of the tools score, throws and tournament."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

import dask
import pytest
from distributed import Client, LocalCluster

from tests.waiting import PATIENCE_S, until
from tools import jobs, score, throws, tournament

pytestmark = pytest.mark.filterwarnings("default")  # Dask's own warnings are not ours


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The scheduler of a cluster of two workers on this machine, each a process of its own with two threads."""
    with LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None, worker_dashboard_address=None
    ) as local:
        yield local.scheduler_address


def main(argv: Sequence[str]) -> int:
    """Run a tool, by its name and arguments."""
    tool = {"score": score, "throws": throws, "tournament": tournament}[argv[0]]
    return tool.main(argv[1:])


def printed_by(capsys, *argv: str) -> str:
    assert main([*argv]) == 0
    return capsys.readouterr().out


def test_a_tournament_and_scenes_on_a_cluster_have_the_same_results_as_on_this_machine(address, tmp_path, capsys):
    command = ("tournament", "child", "evolved", "--games", "48")
    assert printed_by(capsys, *command, "--cluster", address) == printed_by(capsys, *command, "--jobs", "1")
    command = ("score", "--scenes", "3", "--kinds", "dark", "--seed", "71", "--confidences")
    assert main([*command, str(tmp_path / "there.csv"), "--cluster", address]) == 0
    assert main([*command, str(tmp_path / "here.csv"), "--jobs", "1"]) == 0
    assert (tmp_path / "there.csv").read_text() == (tmp_path / "here.csv").read_text()


def test_the_work_runs_on_the_workers(address, monkeypatch, capsys):
    def in_process(piece: tournament.Piece) -> tournament.Result:
        return tournament.Result(piece, 0, (os.getpid(), os.getpid()))

    monkeypatch.setattr(tournament, "play_piece", in_process)
    printed = printed_by(capsys, "tournament", "child", "--alone", "--games", "9", "--cluster", address)
    found = re.search(r"Beginner +2 +[\d.]+ +±0.000 +(\d+) ", printed)
    assert int(found[1]) != os.getpid()


def test_without_a_usable_cluster_the_error_says_what_to_do(address, monkeypatch, capsys):
    monkeypatch.setattr(jobs, "CONNECT_S", 0.5)
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for where, told in (
            ("tcp://127.0.0.1:9", "start one with: dask scheduler"),
            ("somewhere", "--cluster somewhere: missing port number"),
            (f"tcp://127.0.0.1:{server.server_port}", "start one with: dask scheduler"),
        ):
            assert main(["throws", "--count", "1", "--cluster", where]) == 2
            assert told in capsys.readouterr().err, where
        server.shutdown()
    monkeypatch.setattr(jobs, "CONNECT_S", 60)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "distributed", None)
        assert main(["score", "--scenes", "1", "--cluster", "tcp://127.0.0.1:9"]) == 2
        assert "pip install 'cantstop-box[cluster]'" in capsys.readouterr().err
    monkeypatch.setattr(jobs, "_code_version", os.getpid)
    assert main(["tournament", "child", "hasty", "--cluster", address]) == 2
    assert "install the same versions there" in capsys.readouterr().err


LONG = ("tournament", "rule-28-outer", "--alone", "--games", "99999")
"""A job in some 40 pieces."""


def at_third_piece(monkeypatch, event: Callable[[], object]) -> None:
    """Let something happen while the job waits for its third piece."""
    waits, is_done = count(1), jobs._is_done

    def wait_for_piece(future, client) -> bool:
        if next(waits) == 3:
            event()
        return is_done(future, client)

    monkeypatch.setattr(jobs, "_is_done", wait_for_piece)


def test_ctrl_c_prints_the_results_so_far_and_cancels_the_rest(address, monkeypatch, capsys):
    at_third_piece(monkeypatch, lambda: signal.default_int_handler(signal.SIGINT, None))
    assert main([*LONG, "--cluster", address]) == 130
    printed = capsys.readouterr()
    assert "interrupted after 2 of " in printed.err
    assert "solo, rules 3" in printed.out
    with Client(address, timeout=PATIENCE_S) as client:
        until(lambda: not client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)), "no task left")


def test_a_lost_cluster_ends_the_job_with_the_results_so_far(monkeypatch, capsys):
    monkeypatch.setattr(jobs, "SILENCE_S", 0.5)
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        subprocess.Popen([sys.executable, "-c", ONE_WORKER], stdout=subprocess.PIPE, text=True) as process,
    ):
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        at_third_piece(monkeypatch, process.kill)
        assert main([*LONG, "--cluster", address]) == 130
    printed = capsys.readouterr()
    assert f"{address}: the scheduler or all workers have gone" in printed.err
    assert "interrupted after" in printed.err
    assert "solo, rules 3" in printed.out


ONE_WORKER = """
import time
from distributed import LocalCluster

with LocalCluster(
    n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, host="tcp://127.0.0.1"
) as local:
    print(local.scheduler_address, flush=True)
    time.sleep(60)
"""
"""A program that prints its scheduler's address and has one worker within itself."""
