"""Mutation testing with cosmic-ray: changes a module in small ways, and lists the changes that no test notices.

`make mutants MODULE=engine/rules.py`, or a folder. It works in a copy below build/mutants and continues where it
stopped, unless the module or its tests have changed. CONTRIBUTING.md says what survives.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = {
    "engine/rules.py": ("engine/test_rules.py", "engine/test_illegal.py", "engine/test_positions.py"),
    "device/referee": ("device/test_referee.py", "device/test_box_care.py", "device/test_seats.py",
                       "device/test_opponents_turn.py", "device/test_phone_corrections.py", "device/test_screens.py",
                       "device/test_odds_screens.py", "device/test_preferences.py", "device/test_signals.py",
                       "device/test_fewest_turns.py", "device/test_box.py", "device/test_faults.py"),
    "device/storage": ("device/test_faults_journal.py", "device/test_journal.py",
                       "device/test_preferences.py", "device/test_fewest_turns.py", "device/test_cli_games.py",
                       "device/test_dice_statistics.py"),
    "vision/verdict": ("vision/test_verdict.py", "vision/test_leaning.py", "vision/test_middle_pip.py",
                       "vision/test_see_through.py", "vision/test_painted_over.py", "vision/test_new_things.py"),
}  # fmt: skip
"""The test files about each module or folder, below tests/; quick ones, as they run for every mutant."""
NEEDLESS = re.compile(
    r"core/Replace(BinaryOperator_BitOr_.*"  # the unions of types
    r"|BinaryOperator_(Add_(?!Sub)|Sub_(?!Add)|Mul_(?!Div)|Div_(?!Mul)|(Mod|FloorDiv|Pow|BitAnd|BitXor|LShift|RShift)_(?!Add)).*"
    r"|ComparisonOperator_(?!Is).*_Is(Not)?)"
)
"""Mutations left out: types, another wrong operator at the same place, another spelling of the same comparison."""
LIMIT_S = 60
"""How long the tests of one mutant may run; a mutant that needs longer is found."""
LIMIT_BYTES = 4 << 30
"""The address space of the tests of one mutant: an endless loop may fill a list."""


def tests_of(name: str) -> list[str]:
    """Return the test files about a module or folder; empty if TESTS has none."""
    return [f"tests/{file}" for about, files in TESTS.items() if f"{name}/".startswith(f"{about}/") for file in files]


def modules_of(name: str) -> list[str]:
    """Return the modules in a folder, or the module of that name."""
    files = [ROOT / name] if name.endswith(".py") else sorted((ROOT / name).glob("*.py"))
    return [str(file.relative_to(ROOT)) for file in files if file.is_file()]


def prepare(name: str, most: int) -> Path:
    """Create or reuse the copy of the project for a module or folder, with at most `most` mutants to be tested.

    Returns:
        The folder of the copy, with its modules as they are in the project and cosmic-ray's session.

    Raises:
        subprocess.CalledProcessError: If the tests fail without a mutation.
    """
    copy = ROOT / "build" / "mutants" / name.replace("/", "-").removesuffix(".py")
    modules, tests = modules_of(name), tests_of(name)
    contents = b"".join((ROOT / file).read_bytes() for file in (*modules, *tests))
    state = f"{hashlib.sha256(contents).hexdigest()} {most}"
    stamp = copy / "mutants.state"
    if stamp.exists() and stamp.read_text() == state:
        for module in modules:  # an interrupted run may have left a mutation
            shutil.copyfile(ROOT / module, copy / module)
        return copy
    shutil.rmtree(copy, ignore_errors=True)
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    for file in filter(None, files):
        if (ROOT / file).is_file():
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / file, copy / file)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    print(f"{name}: its tests without a mutation", flush=True)
    subprocess.run(command, cwd=copy, check=True, timeout=10 * LIMIT_S)
    # Stored bytecode would hide a mutation made in the same second.
    for stored in {(copy / module).parent / "__pycache__" for module in modules}:
        shutil.rmtree(stored, ignore_errors=True)
    (copy / "mutants.toml").write_text(
        f"[cosmic-ray]\nmodule-path = {modules}\ntimeout = {LIMIT_S}.0\nexcluded-modules = []\n"
        f"test-command = '{' '.join(command)}'\n[cosmic-ray.distributor]\nname = \"local\"\n"
    )
    subprocess.run([program("cosmic-ray"), "init", "mutants.toml", "mutants.sqlite", "--force"], cwd=copy, check=True)
    choose(copy / "mutants.sqlite", most)
    stamp.write_text(state)
    return copy


def choose(session: Path, most: int) -> None:
    """Drop the mutants in `NEEDLESS` from a session, and draw `most` of the others with a fixed seed."""
    with contextlib.closing(sqlite3.connect(session)) as database, database:
        rows = database.execute(
            "SELECT job_id, operator_name FROM mutation_specs "
            "ORDER BY module_path, start_pos_row, start_pos_col, operator_name"
        )
        jobs = [job for job, operator in rows if not NEEDLESS.fullmatch(operator)]
        kept = set(random.Random(0).sample(jobs, min(most, len(jobs))))
        others = [(job,) for (job,) in database.execute("SELECT job_id FROM work_items") if job not in kept]
        database.executemany("DELETE FROM mutation_specs WHERE job_id = ?", others)
        database.executemany("DELETE FROM work_items WHERE job_id = ?", others)


def program(name: str) -> str:
    """Return the path of one of cosmic-ray's programs."""
    return str(Path(sys.executable).parent / name)


def counts(copy: Path) -> str:
    """Return how many mutants there are, are done and survived, each on a line."""
    command = [program("cr-report"), "mutants.sqlite"]
    lines = subprocess.run(command, cwd=copy, check=True, capture_output=True, text=True).stdout.splitlines()
    return "\n".join(line for line in lines if line.startswith(("total", "complete", "surviving")))


def run(name: str, most: int) -> None:
    """Test the remaining mutants of a name, print the progress each half minute, and at the end the survivors."""
    copy = prepare(name, most)
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    command = [program("cosmic-ray"), "exec", "mutants.toml", "mutants.sqlite"]
    with subprocess.Popen(command, cwd=copy, env=environment) as work:
        while True:
            try:
                status = work.wait(timeout=30)
                break
            except subprocess.TimeoutExpired:
                print(f"{name}: " + counts(copy).replace("\n", ", "), flush=True)
            except KeyboardInterrupt:
                work.terminate()
                raise
    if status:
        raise subprocess.CalledProcessError(status, command)
    subprocess.run([program("cr-report"), "--surviving-only", "--show-diff", "mutants.sqlite"], cwd=copy, check=True)
    print(f"{name}:\n{counts(copy)}")


def main() -> int:
    """Run `make mutants`; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(TESTS), help="modules or folders; default: all")
    parser.add_argument("--most", type=int, default=300, help="mutants of each, drawn at random; default 300")
    options = parser.parse_args()
    for name in options.names:
        if not (tests_of(name) and modules_of(name)):
            parser.error(f"{name} is not below TESTS of tools/mutants.py, which has: {', '.join(TESTS)}")
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    try:
        for name in options.names:
            run(name, options.most)
    except KeyboardInterrupt:
        print("\nStopped. The same command continues here.")
        return 130
    except subprocess.SubprocessError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
