"""Mutation testing with cosmic-ray: changes a module in small ways, and lists the changes that no test notices.

`make mutants MODULE=engine/rules.py`. It works in a copy below build/mutants and continues where it stopped, unless the
module or its tests have changed. docs/mutants.md lists the survivors that were looked at.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = {
    "engine/rules.py": ("engine/test_rules.py", "engine/test_examples.py", "engine/test_illegal.py",
                        "engine/test_positions.py"),
    "device/referee/playing.py": ("device/test_referee.py", "device/test_opponents_turn.py"),
    "device/referee/correcting.py": ("device/test_referee.py", "device/test_phone_corrections.py"),
    "device/storage/copies.py": ("device/test_faults_journal.py", "device/test_full_disk.py"),
}  # fmt: skip
"""The test files about each module, below tests/."""
LIMIT_S = 60
"""How long the tests of one mutant may run; a mutant that needs longer is found."""
LIMIT_BYTES = 4 << 30
"""The address space of the tests of one mutant: an endless loop may fill a list."""


def prepare(module: str) -> Path:
    """Create or reuse the copy of the project for a module.

    Returns:
        The folder of the copy, with the module as it is in the project and cosmic-ray's session.

    Raises:
        subprocess.CalledProcessError: If the tests fail without a mutation.
    """
    copy = ROOT / "build" / "mutants" / module.replace("/", "-").removesuffix(".py")
    tests = [f"tests/{name}" for name in TESTS[module]]
    state = hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in (module, *tests))).hexdigest()
    stamp = copy / "mutants.state"
    if stamp.exists() and stamp.read_text() == state:
        shutil.copyfile(ROOT / module, copy / module)  # an interrupted run may have left a mutation
        return copy
    shutil.rmtree(copy, ignore_errors=True)
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    print(f"{module}: its tests without a mutation", flush=True)
    subprocess.run(command, cwd=copy, check=True, timeout=10 * LIMIT_S)
    # Bytecode of the module would hide a mutation made in the same second.
    for stored in (copy / module).parent.glob(f"__pycache__/{Path(module).stem}.*"):
        stored.unlink()
    (copy / "mutants.toml").write_text(
        f'[cosmic-ray]\nmodule-path = "{module}"\ntimeout = {LIMIT_S}.0\nexcluded-modules = []\n'
        f"test-command = '{' '.join(command)}'\n[cosmic-ray.distributor]\nname = \"local\"\n"
    )
    subprocess.run([program("cosmic-ray"), "init", "mutants.toml", "mutants.sqlite", "--force"], cwd=copy, check=True)
    stamp.write_text(state)
    return copy


def program(name: str) -> str:
    """Return the path of one of cosmic-ray's programs."""
    return str(Path(sys.executable).parent / name)


def counts(copy: Path) -> str:
    """Return how many mutants there are, are done and survived, each on a line."""
    command = [program("cr-report"), "mutants.sqlite"]
    lines = subprocess.run(command, cwd=copy, check=True, capture_output=True, text=True).stdout.splitlines()
    return "\n".join(line for line in lines if line.startswith(("total", "complete", "surviving")))


def run(module: str) -> None:
    """Test the remaining mutants of a module, print the progress each half minute, and at the end the survivors."""
    copy = prepare(module)
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    command = [program("cosmic-ray"), "exec", "mutants.toml", "mutants.sqlite"]
    with subprocess.Popen(command, cwd=copy, env=environment) as work:
        while True:
            try:
                status = work.wait(timeout=30)
                break
            except subprocess.TimeoutExpired:
                print(f"{module}: " + counts(copy).replace("\n", ", "), flush=True)
            except KeyboardInterrupt:
                work.terminate()
                raise
    if status:
        raise subprocess.CalledProcessError(status, command)
    subprocess.run([program("cr-report"), "--surviving-only", "--show-diff", "mutants.sqlite"], cwd=copy, check=True)
    print(f"{module}:\n{counts(copy)}")


def main() -> int:
    """Run `make mutants`; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", default=list(TESTS), help="default: all")
    modules = parser.parse_args().modules
    if unknown := set(modules) - set(TESTS):
        parser.error(f"{', '.join(sorted(unknown))} is not in TESTS of tools/mutants.py, which has: {', '.join(TESTS)}")
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    try:
        for module in modules:
            run(module)
    except KeyboardInterrupt:
        print("\nStopped. The same command continues here.")
        return 130
    except subprocess.SubprocessError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
