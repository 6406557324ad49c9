"""Tests the page's interface with valid and invalid requests, by schemathesis: `make fuzz`.

It runs twice: as a stranger, and as a paired phone. No request may fail (status 500 or higher) or get a response that
the description does not allow, and no stranger's request may reach the box.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.docs.page import Stage, choosing
from tools.soak.openapi import description

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
EXAMPLES = 50
"""The number of requests for each operation and phase."""
PER_S = 15
"""The rate in requests per second, below the limit of one address; the limit itself is tested in tests/page."""


def attack(stage: Stage, key: str) -> int:
    """Run schemathesis.

    Args:
        stage: The box and its page.
        key: A phone's key; "" for a stranger.

    Returns:
        Its exit status, 0 if it found nothing.
    """
    program = shutil.which("schemathesis", path=str(Path(sys.executable).parent))
    if program is None:
        print("no schemathesis: pip install -e '.[fuzz]'", file=sys.stderr)
        return 2
    described = stage.file.with_name("openapi.json")
    described.write_text(json.dumps(description()))
    command = [program, "run", str(described), "--url", stage.address.rstrip("/")]
    command += ["--checks", CHECKS, "--max-examples", str(EXAMPLES), "--rate-limit", f"{PER_S}/s", "--seed", "1"]
    command += ["--mode", "all", "--phases", "coverage,fuzzing"]
    if key:
        command += ["--header", f"Authorization: Bearer {key}"]
    return subprocess.run(command, check=False, cwd=tempfile.gettempdir()).returncode


def main() -> int:
    """Test as a stranger and as a paired phone; return 0 if nothing was found."""
    with tempfile.TemporaryDirectory() as folder, Stage(Path(folder)).open() as stage:
        stage.show(choosing())
        stage.throw((2, 3, 4, 5))
        found = attack(stage, "")
        if stage.pressed:
            print(f"a stranger has pressed: {stage.pressed}", file=sys.stderr)
            return 1
        print("Nothing of a stranger's reached the box. Now as a phone that is paired.", flush=True)
        found = attack(stage, stage.keys.pair("INVITED", "fuzz")) or found
        print(f"{len(stage.pressed)} presses of the paired phone reached the box; the publisher lives: ", end="")
        print(stage.publisher.alive())
        return found


if __name__ == "__main__":
    sys.exit(main())
