"""Renders a planned picture with Blender's path tracer, Cycles, on one processor."""

from __future__ import annotations

import math
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import bpy

# isort: split
# Parts of Blender, provided by `bpy`.
import bmesh
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from numpy.typing import NDArray

from tools.training.path_traced.plan import (
    CARD,
    CUP,
    PENCIL,
    PIPS,
    SIZE,
    Camera,
    DieLook,
    LaidDie,
    Lamp,
    Material,
    Plan,
    Thing,
    Tray,
    axes,
)

SAMPLES = 10
"""The number of paths per pixel; the remaining noise is removed by Intel's denoiser."""

LEARN_SIZE, LEARN_SAMPLES = (560, 420), 8
"""The number of paths per pixel in training pictures, where more pictures help more than finer ones."""

CASE_SAMPLES = 4
"""The number of paths per pixel in the case's tray, whose few lamps cause little noise."""

_FEW_LAMPS = 3
"""The most lamps for which Cycles picks one at random; its light tree has the same noise in twice the time."""

_BOUNCES = 5

_FLAT = 0.9999
"""The cosine of the angle to an axis below which a face belongs to a flat side."""

_SIDES = {1: (0, 0, 1), 6: (0, 0, -1), 2: (1, 0, 0), 5: (-1, 0, 0), 3: (0, 1, 0), 4: (0, -1, 0)}
"""The direction of each value's side while the 1 is on top."""

_PATTERNS = {
    "noise": ("ShaderNodeTexNoise", 0, 1.0),
    "wood": ("ShaderNodeTexNoise", 0, 1 / 6),
    "checker": ("ShaderNodeTexChecker", 1, 1.0),
    "waves": ("ShaderNodeTexWave", 1, 1 / 3),
    "cells": ("ShaderNodeTexVoronoi", 0, 1.0),
    "bricks": ("ShaderNodeTexBrick", 1, 1 / 4),
}
"""Blender's node for each pattern, the index of its output, and the factor for its scale."""


def draw(plan: Plan, size: tuple[int, int] = SIZE, samples: int = SAMPLES) -> NDArray[np.float32]:
    """Return the light that reaches the camera: (height, width, 3), linear red, green and blue."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _tray(plan.tray)
    made: dict[DieLook, bpy.types.Object] = {}
    for die in plan.dice:
        _die(die, made)
    if plan.thing is not None:
        _thing(plan.thing)
    for lamp in plan.lamps:
        _lamp(lamp)
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("around")
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = plan.around
    scene.camera = _camera(plan.camera)
    scene.cycles.use_light_tree = len(plan.lamps) > _FEW_LAMPS
    return _rendered(scene, size, samples)


def _rendered(scene: bpy.types.Scene, size: tuple[int, int], samples: int) -> NDArray[np.float32]:
    scene.render.engine = "CYCLES"
    scene.cycles.samples = samples
    scene.cycles.max_bounces = _BOUNCES
    scene.cycles.use_denoising = True
    scene.cycles.denoising_prefilter = scene.cycles.denoising_quality = "FAST"
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.view_settings.view_transform = "Raw"
    scene.render.image_settings.file_format = "OPEN_EXR"
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "light.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        light = np.array(image.pixels[:], np.float32).reshape(size[1], size[0], 4)
    return np.ascontiguousarray(light[::-1, :, :3])  # Blender's pictures start at the bottom


def save(picture: NDArray[np.uint8], path: Path) -> None:
    """Write a picture, (H, W, 3) red, green, blue, as PNG."""
    height, width = picture.shape[:2]
    image = bpy.data.images.new(path.stem, width, height)
    levels = np.ones((height, width, 4), np.float32)
    levels[..., :3] = picture[::-1] / np.float32(255)
    image.pixels.foreach_set(levels.ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()


def _material(look: Material) -> bpy.types.Material:
    material = bpy.data.materials.new("material")
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = nodes["Principled BSDF"]
    for name, value in (
        ("Base Color", (*look.colour, 1.0)),
        ("Roughness", look.rough),
        ("Transmission Weight", look.clear),
        ("Coat Weight", look.coat),
    ):
        surface.inputs[name].default_value = value
    if look.pattern:
        kind, output, factor = _PATTERNS[look.pattern]
        place, spread = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
        pattern, mix = nodes.new(kind), nodes.new("ShaderNodeValToRGB")
        links.new(place.outputs["Object"], spread.inputs["Vector"])
        links.new(spread.outputs["Vector"], pattern.inputs["Vector"])
        links.new(pattern.outputs[output], mix.inputs["Fac"])
        links.new(mix.outputs["Color"], surface.inputs["Base Color"])
        spread.inputs["Scale"].default_value = (1, 12, 12) if look.pattern == "wood" else (1, 1, 1)
        pattern.inputs["Scale"].default_value = factor * look.scale
        ramp = mix.color_ramp.elements
        ramp[0].color, ramp[1].color = (*look.colour, 1.0), (*look.second, 1.0)
        if look.pattern in ("noise", "wood"):
            ramp[0].position, ramp[1].position = 0.35, 0.65  # noise hardly leaves the middle
        if look.bump:
            bump = nodes.new("ShaderNodeBump")
            bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = look.bump, 0.02
            links.new(pattern.outputs[output], bump.inputs["Height"])
            links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    return material


def _block(middle: tuple[float, float, float], size: tuple[float, float, float], turn_rad: float = 0.0) -> None:
    bpy.ops.mesh.primitive_cube_add(size=1, location=middle, scale=size, rotation=(0, 0, turn_rad))


def _wearing(material: bpy.types.Material) -> None:
    bpy.context.object.data.materials.append(material)


def _tray(tray: Tray) -> None:
    floor, walls, table = (_material(look) for look in (tray.floor, tray.walls, tray.table))
    is_bare = tray.shape == "bare"
    bpy.ops.mesh.primitive_plane_add(size=300, location=(0, 0, 0 if is_bare else -0.6))
    _wearing(floor if is_bare else table)
    wide, deep, thick, high = tray.wide, tray.deep, tray.thick, tray.high
    if tray.shape == "box":
        _block((0, 0, -0.3), (wide + 2 * thick, deep + 2 * thick, 0.6))
        _wearing(floor)
        for side in (-1, 1):
            _block((side * (wide + thick) / 2, 0, high / 2), (thick, deep + 2 * thick, high))
            _wearing(walls)
            _block((0, side * (deep + thick) / 2, high / 2), (wide, thick, high))
            _wearing(walls)
    elif tray.shape == "round":
        bpy.ops.mesh.primitive_cylinder_add(radius=wide / 2, depth=0.6, location=(0, 0, -0.3), vertices=96)
        _wearing(floor)
        bpy.ops.mesh.primitive_cylinder_add(
            radius=wide / 2 + thick, depth=high, location=(0, 0, high / 2), vertices=96, end_fill_type="NOTHING"
        )
        _wearing(walls)
        wall = bpy.context.object.modifiers.new("wall", "SOLIDIFY")
        wall.thickness, wall.offset = thick, -1


def _die(die: LaidDie, made: dict[DieLook, bpy.types.Object]) -> None:
    """Add a die at its place; identical dice share their mesh and material."""
    if die.look in made:
        shape = made[die.look].copy()
        bpy.context.collection.objects.link(shape)
    else:
        shape = made[die.look] = _shape(die.look)
    on_top = Vector(_SIDES[die.value]).rotation_difference(Vector((0, 0, 1)))
    turned = Quaternion((0, 0, 1), die.turn_rad) @ on_top
    axis = (-math.sin(die.lean_way_rad), math.cos(die.lean_way_rad), 0)
    shape.rotation_mode = "QUATERNION"
    shape.rotation_quaternion = Quaternion(axis, die.lean_rad) @ turned
    shape.location = die.middle


def _shape(look: DieLook) -> bpy.types.Object:
    """Return a cube with rounded edges and a bowl cut out for each pip."""
    size = look.size_cm
    bpy.ops.mesh.primitive_cube_add(size=size)
    shape = bpy.context.object
    materials = [_material(part) for part in (look.body, look.pips, look.first)]
    body = bmesh.new()
    body.from_mesh(shape.data)
    bmesh.ops.bevel(
        body,
        geom=body.edges[:] + body.verts[:],
        offset=look.edge * size,
        segments=look.segments,
        profile=0.5,
        affect="EDGES",
        clamp_overlap=True,
    )
    body.to_mesh(shape.data)
    bowls = bpy.data.objects.new("bowls", _bowls(look))
    bpy.context.collection.objects.link(bowls)
    for material in materials:
        shape.data.materials.append(material)
        bowls.data.materials.append(material)
    cut = shape.modifiers.new("pips", "BOOLEAN")
    cut.object, cut.operation, cut.solver, cut.material_mode = bowls, "DIFFERENCE", "EXACT", "INDEX"
    bpy.context.view_layer.objects.active = shape
    bpy.ops.object.modifier_apply(modifier=cut.name)
    bpy.data.objects.remove(bowls)
    for face in shape.data.polygons:
        # A flat side is one face with many corners: with smooth shading its reflections would look dented.
        face.use_smooth = max(abs(part) for part in face.normal) < _FLAT
    return shape


def _bowls(look: DieLook) -> bpy.types.Mesh:
    """Return the balls that cut out the pips, each with the number of its material."""
    size = look.size_cm
    ball_points, ball_faces = _ball()
    points: list[Any] = []
    faces: list[Any] = []
    materials: list[Any] = []
    for value, side in _SIDES.items():
        normal = Vector(side)
        across = normal.cross(Vector((0, 1, 0)) if side[0] else Vector((1, 0, 0)))
        along = normal.cross(across)
        radius = size * (look.one if value == 1 else look.pip)
        deep = look.depth * radius
        ball = (radius**2 + deep**2) / (2 * deep)  # a ball of this size cuts out a cap of that radius and depth
        turned = np.array(normal.to_track_quat("Z", "Y").to_matrix())
        for x, y in PIPS[value]:
            middle = normal * (size / 2 + ball - deep) + (across * x + along * y) * look.spread * size
            faces.append(ball_faces + len(points) * len(ball_points))
            points.append(ball * ball_points @ turned.T + np.array(middle))
            materials.append(np.full(len(ball_faces), 2 if value == 1 else 1))
    mesh = bpy.data.meshes.new("bowls")
    # In one go: with Blender's own function a die takes three seconds, as each ball is added to all before it.
    mesh.from_pydata(np.concatenate(points).tolist(), [], np.concatenate(faces).tolist())
    mesh.polygons.foreach_set("material_index", np.concatenate(materials).astype(np.int32))
    mesh.update()
    return mesh


@lru_cache(maxsize=1)
def _ball() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return a ball of radius 1: points (n, 3), and the corners of its faces (m, 3), counter-clockwise from outside."""
    made = bmesh.new()
    bmesh.ops.create_uvsphere(made, u_segments=24, v_segments=32, radius=1)
    bmesh.ops.triangulate(made, faces=made.faces[:])
    points = np.array([point.co for point in made.verts], float)
    return points, np.array([[corner.index for corner in face.verts] for face in made.faces], int)


def _thing(thing: Thing) -> None:
    if thing.kind == "cup":
        bpy.ops.mesh.primitive_cylinder_add(radius=CUP[0], depth=CUP[1], location=thing.place, vertices=64)
    elif thing.kind == "card":
        _block(thing.place, CARD, thing.turn_rad)
    else:
        turns = (math.pi / 2, 0, thing.turn_rad)
        bpy.ops.mesh.primitive_cylinder_add(radius=PENCIL[0], depth=PENCIL[1], location=thing.place, rotation=turns)
    _wearing(_material(thing.material))


def _lamp(lamp: Lamp) -> None:
    bpy.ops.object.light_add(type="POINT" if lamp.is_ball else "AREA", location=lamp.place)
    light = bpy.context.object
    light.data.energy, light.data.color = lamp.watts, lamp.colour
    if lamp.is_ball:
        light.data.shadow_soft_size = lamp.size
    else:
        light.data.size = lamp.size
        aim = -Vector(lamp.place)
        if lamp.high:
            light.data.shape, light.data.size_y = "RECTANGLE", lamp.high
            aim.z = 0
        light.rotation_euler = aim.to_track_quat("-Z", "Y").to_euler()


def _camera(camera: Camera) -> bpy.types.Object:
    bpy.ops.object.camera_add(location=camera.place)
    seen_by = bpy.context.object
    seen_by.rotation_mode = "QUATERNION"
    seen_by.rotation_quaternion = Matrix(axes(camera).T.tolist()).to_quaternion()
    seen_by.data.angle, seen_by.data.clip_start = camera.field_rad, 0.1
    if camera.f_stop is not None:
        seen_by.data.dof.use_dof = True
        seen_by.data.dof.focus_distance = math.dist(camera.place, camera.target)
        seen_by.data.dof.aperture_fstop = camera.f_stop
    return seen_by
