"""Make the case: `python -m case [OUT] [--pi 4] [--camera 3] [--oled 2.42] [--button 16] [--tray 200]`.

Writes each printed part as STL, 3MF, STEP and PNG, as it lies on the printer's bed, and the assembly as STEP and as
pictures of every step.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from build123d import Compound, Mesher, export_step, export_stl

from case.assembly import bought, printed
from case.layout import Layout
from case.parameters import OFFERED, RIBBON, Choice
from case.picture import draw
from case.steps import steps


def make(layout: Layout, out: Path) -> None:
    """Write all files of a choice, and print the size of each part."""
    out.mkdir(parents=True, exist_ok=True)
    parts, others = printed(layout), bought(layout)
    for part in parts:
        laid = part.laid
        export_stl(laid, out / f"{part.name}.stl", tolerance=0.05, angular_tolerance=0.2)
        export_step(laid, out / f"{part.name}.step")
        mesher = Mesher()
        mesher.add_shape(laid, linear_deflection=0.05, angular_deflection=0.2)
        mesher.write(out / f"{part.name}.3mf")
        draw([(laid, part.colour)], out / f"{part.name}.png")
        size = laid.bounding_box().size
        print(
            f"{part.name:12} x{len(part.places):<3} {size.X:6.1f} x {size.Y:6.1f} x {size.Z:6.1f} mm "
            f"{laid.volume / 1000:7.1f} cm3"
        )
    everything = [copy for part in parts for copy in part.copies]
    export_step(Compound(children=everything), out / "assembly.step")
    for name, shown, turn, rise in steps(layout, parts, others):
        draw(shown, out / f"{name}.png", turn=turn, rise=rise)
        print(name)


def main() -> None:
    """Make the files of the choice on the command line."""
    parser = argparse.ArgumentParser(
        prog="case", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, nargs="?", default=Path("build/case"))
    for name, offered in OFFERED.items():
        parser.add_argument(f"--{name}", choices=offered, default=getattr(Choice, name))
    parser.add_argument("--tray", type=float, default=Choice.tray, help="inner width, 180 to 250 mm")
    args = parser.parse_args()
    try:
        layout = Layout(Choice(args.pi, args.camera, args.oled, args.button, args.tray))
    except ValueError as error:
        sys.exit(f"case: {error}")
    make(layout, args.out)
    needed = layout.ribbon_length
    print(f"lens {layout.lens:.0f} mm above the felt; camera ribbon {needed:.0f} mm")
    if needed > RIBBON:
        print(f"case: no official ribbon is that long ({RIBBON:.0f} mm). Choose a smaller tray or another camera.")


if __name__ == "__main__":
    main()
