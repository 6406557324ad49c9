"""Updates the states in docs/architecture.md: `make docs`. A test checks that they are current."""

from __future__ import annotations

from pathlib import Path

from device.referee.diagram import diagram, table

FILE = Path(__file__).parent.parent / "docs" / "architecture.md"
BEGIN, END = "<!-- {}: printed by python -m device.referee.diagram -->\n", "<!-- end of {} -->\n"


def with_states(text: str) -> str:
    """Return the document with the current diagram and table of the referee's states."""
    for name, block in {"diagram": f"```mermaid\n{diagram()}```\n", "table": f"\n{table()}\n"}.items():
        before, rest = text.split(BEGIN.format(name))
        _, after = rest.split(END.format(name))
        text = before + BEGIN.format(name) + block + END.format(name) + after
    return text


if __name__ == "__main__":
    FILE.write_text(with_states(FILE.read_text(encoding="utf-8")), encoding="utf-8")
