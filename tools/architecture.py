"""Updates the state diagram in docs/architecture.md: `make docs`. A test checks that it is current."""

from __future__ import annotations

from pathlib import Path

from device.referee.diagram import diagram

FILE = Path(__file__).parent.parent / "docs" / "architecture.md"
BEGIN, END = "<!-- printed by python -m device.referee.diagram -->\n```mermaid\n", "```\n<!-- end -->\n"


def with_diagram(text: str) -> str:
    """Return the document with the current diagram."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + diagram() + END + after


if __name__ == "__main__":
    FILE.write_text(with_diagram(FILE.read_text(encoding="utf-8")), encoding="utf-8")
