"""What Picamera2's calls take, read from its source: it need not be importable, which takes a machine with libcamera.

    python -m tests.hardware.picamera2_signatures WHEEL-OR-FOLDER…  >  tests/hardware/picamera2_signatures.json

writes them down for the releases given (`pip download --no-deps picamera2==0.3.31` fetches one); the contract double of
the quick tests is held against that.
"""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import json
import re
import sys
import zipfile
from pathlib import Path

RECORDED = Path(__file__).with_suffix(".json")
MODULES = {"Picamera2": "picamera2/picamera2.py", "CompletedRequest": "picamera2/request.py"}


def signatures(source: str, class_name: str) -> dict[str, str]:
    """Return the methods and properties of a class with their parameters, as "self, wait=None"."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            for method in node.body:
                # An overload only declares types; the last definition of a name is the method itself.
                if isinstance(method, ast.FunctionDef):
                    for argument in ast.walk(method.args):
                        if isinstance(argument, ast.arg):
                            argument.annotation = None
                    marks = {ast.unparse(one) for one in method.decorator_list} & {"property", "staticmethod"}
                    found[method.name] = " ".join([*sorted(marks), f"({ast.unparse(method.args)})"])
    return found


def of_release(read) -> dict[str, dict[str, str]]:
    """List the signatures of a release, whose files are read by name."""
    return {name: signatures(read(path), name) for name, path in MODULES.items()}


def installed() -> tuple[str, dict[str, dict[str, str]]] | None:
    """Return the version and the signatures of the installed Picamera2; None if it is missing."""
    if importlib.util.find_spec("picamera2") is None:
        return None
    package = Path(importlib.util.find_spec("picamera2").origin).parent.parent
    return importlib.metadata.version("picamera2"), of_release(lambda path: (package / path).read_text())


def main(wheels: list[str]) -> None:
    """Print the signatures in wheels of the calls that the double has."""
    from tests.hardware.picamera2_double import used  # noqa: PLC0415 - modules that import this do not need it

    recorded = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            all_of_them = of_release(lambda path: archive.read(path).decode())
        version = re.search(r"picamera2-([\d.]+)-", wheel)[1]
        recorded[version] = {name: {method: all_of_them[name][method] for method in used()[name]} for name in MODULES}
    print(json.dumps(recorded, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
