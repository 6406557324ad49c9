"""The table of heights, for builders who make their own mount: `python -m case.heights_table`."""

from __future__ import annotations

from case.layout import Layout
from case.parameters import CAMERAS, RIBBON, Choice

TRAYS = (180.0, 200.0, 220.0, 250.0)


def heights() -> str:
    """Return a table in Markdown: lens, lamps and ribbon for each camera and tray, with a Raspberry Pi 4."""
    rows = [
        "| camera | tray | lens above the felt | lower side of the camera's board | lamps from the middle "
        "| their upper edge | ribbon |",
        "|---|---|---|---|---|---|---|",
    ]
    for key, camera in CAMERAS.items():
        for tray in TRAYS:
            layout = Layout(Choice(camera=key, tray=tray))
            needed = layout.ribbon_length
            cable = f"{needed:.0f} mm" + ("" if needed <= RIBBON else f", over the {RIBBON:.0f} mm that are sold")
            rows.append(
                f"| {camera.name} | {tray:.0f} mm | {layout.lens:.0f} mm | {layout.board_front:.0f} mm "
                f"| {layout.lamp:.0f} mm | {layout.lamp_top:.0f} mm | {cable} |"
            )
    return "\n".join(rows)


if __name__ == "__main__":
    print(heights())
