"""Make the case: `python -m case [OUT] [--pi 4] [--camera 3] [--oled 2.42] [--button 12] [--parts full] [--tray 200]`.

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
from case.parameters import OFFERED, Choice
from case.picture import draw
from case.steps import steps


def make(layout: Layout, out: Path) -> None:
    """Write all files of a choice, and print each part's count and size."""
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
        dimensions = " x ".join(f"{length:.0f}" for length in size)
        print(f"{len(part.places)} {part.name}: {dimensions} mm")
    everything = [copy for part in parts for copy in part.copies]
    export_step(Compound(children=everything), out / "assembly.step")
    for step in steps(layout, parts, others):
        target = out / f"{step.name}.png"
        draw(step.shown, target, turn=step.turn, rise=step.rise, decal=step.decal, notes=step.notes)
        print(step.name)


def main() -> None:
    """Make the files of the choice on the command line."""
    parser = argparse.ArgumentParser(
        prog="case", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, nargs="?", default=Path("build/case"))
    for name, offered in OFFERED.items():
        parser.add_argument(f"--{name}", choices=offered, default=getattr(Choice, name))
    parser.add_argument("--tray", type=float, default=Choice.tray, help="inner width, 180 to 240 mm")
    args = parser.parse_args()
    try:
        layout = Layout(Choice(args.pi, args.camera, args.oled, args.button, args.parts, args.tray))
    except ValueError as error:
        sys.exit(f"case: {error}")
    make(layout, args.out)
    print(f"lens {layout.lens:.0f} mm above the felt; camera ribbon {layout.ribbon_length:.0f} mm")


if __name__ == "__main__":
    main()
