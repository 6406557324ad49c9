"""The table of heights, for builders who make their own mount: `python -m case.heights_table`."""

from __future__ import annotations

from case.layout import Layout
from case.parameters import CAMERAS, RIBBON, Choice

TRAYS = (180.0, 200.0, 250.0)


def heights() -> str:
    """Return a table in Markdown: lens, lamps and ribbon in mm for each camera and tray, with a Raspberry Pi 4."""
    rows = [
        "| Camera Module | tray | lens | camera's board | lamps | their upper edge | ribbon |",
        "|---|---|---|---|---|---|---|",
    ]
    for key, camera in CAMERAS.items():
        for tray in TRAYS:
            layout = Layout(Choice(camera=key, tray=tray))
            needed = layout.ribbon_length
            cable = f"{needed:.0f}" + ("" if needed <= RIBBON else f", over the {RIBBON:.0f} that are sold")
            lengths = (tray, layout.lens, layout.board_front, layout.lamp, layout.lamp_top)
            rows.append(f"| {camera.name} | {' | '.join(f'{length:.0f}' for length in lengths)} | {cable} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(heights())
