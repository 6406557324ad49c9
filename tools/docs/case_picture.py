"""Renders the README's main picture with Blender: the case with dice in its tray and a screen of the box.

Usage: `python -m tools.docs.case_picture OUT [--share 1.0]`, after `make case`, in Blender's environment; `make
    case-picture` does both. It renders the parts in `build/case/assembly`.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import bpy
from mathutils import Vector

from case.layout import Layout
from case.parameters import SCREENS, Choice, Design
from tools.training.path_traced.draw import _die, _material, _wearing
from tools.training.path_traced.plan import DieLook, LaidDie, Material, linear

ROOT = Path(__file__).parents[2]
PARTS = ROOT / "build" / "case" / "assembly"
SCREEN = ROOT / "docs" / "screens" / "choosing.png"
SIZE = (1280, 860)
SAMPLES = 48

_DARK, _WOODEN = Material(linear("26282c"), 0.45), Material(linear("8a5a32"), 0.5)
_LOOKS = {
    "lid": Material(linear("34373c"), 0.5),
    "console": Material(linear("34373c"), 0.5),
    "tray_left": _DARK,
    "tray_right": _DARK,
    "lamp": _DARK,
    "post": _WOODEN,
    "arm": _WOODEN,
    "holder": _WOODEN,
    "bought felt": Material(linear("3c8c5a"), 0.95, "noise", linear("4a9a68"), 40.0, bump=0.3),
    "bought STOP": Material(linear("c0181c"), 0.25),
    "bought board": Material(linear("0c6a38"), 0.4),
    "bought camera": Material(linear("0c6a38"), 0.4),
}
_BUTTON = Material(linear("e8e6e0"), 0.25)
_GLOW = 5.0
"""The brightness of the diffusers; that of the screen is a tenth of it."""

_DICE = ((2, (-5.2, 2.4), 0.4), (3, (1.5, -3.1), 1.1), (4, (4.3, 4.4), 0.2), (5, (-1.6, 5.6), 0.7))
"""The dice: values as on the screen, places in cm, and rotations."""


def _shining(name: str, strength: float, picture: Path | None = None) -> bpy.types.Material:
    material = bpy.data.materials.new(name)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    light = nodes.new("ShaderNodeEmission")
    light.inputs["Strength"].default_value = strength
    if picture:
        image = nodes.new("ShaderNodeTexImage")
        image.image, image.interpolation = bpy.data.images.load(str(picture)), "Closest"
        links.new(image.outputs["Color"], light.inputs["Color"])
    else:
        light.inputs["Color"].default_value = (1.0, 0.93, 0.82, 1.0)
    links.new(light.outputs["Emission"], nodes["Material Output"].inputs["Surface"])
    return material


def _parts() -> None:
    for file in sorted(PARTS.glob("*.stl")):
        if file.stem in ("bought screen", "frame"):
            continue
        bpy.ops.wm.stl_import(filepath=str(file), global_scale=0.1)
        look = _LOOKS.get(file.stem, _BUTTON if file.stem.startswith("bought") else _DARK)
        bpy.context.object.data.materials.append(
            _shining("diffuser", _GLOW) if file.stem == "diffuser" else _material(look)
        )


def _screen(layout: Layout) -> None:
    (u, v), screen = layout.panel.screen, SCREENS[layout.choice.oled]
    tilt = math.radians(Design.TILT)
    v, deep = v + screen.offset, -Design.FLOOR + 0.6
    x = sum(layout.console_x) / 2 + u
    y = layout.console_y[0] + v * math.cos(tilt) - deep * math.sin(tilt)
    z = layout.lid_front + v * math.sin(tilt) + deep * math.cos(tilt)
    for wider, lower, material in (
        (2.0, 0.2, _material(Material((0.0, 0.0, 0.0), 0.1))),
        (0.0, 0.0, _shining("screen", _GLOW / 10, SCREEN)),
    ):
        bpy.ops.mesh.primitive_plane_add(size=1, location=(x / 10, y / 10, (z - lower) / 10), rotation=(tilt, 0, 0))
        bpy.context.object.scale = (*((side + wider) / 10 for side in screen.active), 1)
        _wearing(material)


def _ribbon(layout: Layout) -> None:
    points = [Vector(point) / 10 for point in layout.ribbon]
    corners = [point + Vector((0, side * 0.8, 0)) for point in points for side in (-1, 1)]
    mesh = bpy.data.meshes.new("ribbon")
    mesh.from_pydata(corners, [], [(2 * n, 2 * n + 1, 2 * n + 3, 2 * n + 2) for n in range(len(points) - 1)])
    mesh.materials.append(_material(Material((0.8, 0.8, 0.78), 0.4)))
    bpy.context.collection.objects.link(bpy.data.objects.new("ribbon", mesh))


def _dice() -> None:
    body = Material(linear("f4f2ec"), 0.15, coat=0.5)
    pips = Material(linear("101010"), 0.5)
    look = DieLook(1.6, 0.08, 0.09, 0.09, 0.25, 0.4, 5, body, pips, pips)
    made: dict[DieLook, bpy.types.Object] = {}
    for value, place, turn in _DICE:
        _die(LaidDie(look, value, (*place, 0.8), turn), made)


def _around(layout: Layout) -> None:
    bpy.ops.mesh.primitive_plane_add(size=400, location=(0, 0, (layout.bottom - Design.FOOT) / 10))
    _wearing(_material(Material(linear("b08a5a"), 0.5, "wood", linear("9a744a"), 2.0)))
    for place, size, watts in (((-60, -50, 90), 60, 60000), ((70, 20, 80), 80, 40000)):
        bpy.ops.object.light_add(type="AREA", location=place)
        light = bpy.context.object
        light.data.size, light.data.energy = size, watts
        light.rotation_euler = (-Vector(place)).to_track_quat("-Z", "Y").to_euler()
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("around")
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.9, 0.95, 1.0, 1.0)
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.5
    place = Vector((-4, -70, 50))
    bpy.ops.object.camera_add(location=place)
    scene.camera = bpy.context.object
    scene.camera.rotation_euler = (Vector((-5.5, 0, 14.2)) - place).to_track_quat("-Z", "Y").to_euler()
    scene.camera.data.angle = math.radians(40)


def main() -> None:
    """Draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=1.0, help="of its full size")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="paths per pixel")
    args = parser.parse_args()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    layout = Layout(Choice())
    _parts()
    _screen(layout)
    _ribbon(layout)
    _dice()
    _around(layout)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = args.samples, True
    scene.render.resolution_x, scene.render.resolution_y = (int(args.share * side) for side in SIZE)
    scene.view_settings.view_transform = "AgX"
    scene.render.image_settings.file_format, scene.render.image_settings.quality = "JPEG", 88
    scene.render.filepath = str(args.out.resolve())
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
