"""Renders a scene of `vision.render` with Blender's path tracer, Cycles, on one processor.

Shapes, paint and places are those of the scene; how light travels is Blender's. Motion blur, the strip of shade,
fittings of the tray and bars of windows are not rendered.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import bpy

# isort: split
# Parts of Blender, provided by `bpy`.
import bmesh
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from tools.scenes.lamps import Pane, in_room
from tools.scenes.textures import RareSurface
from tools.scenes.things import Ellipsoid, Limb, Slab, things_of
from vision.render.dice import distances, normals_at, paint_at
from vision.render.geometry import FACE_UP, matrix, view
from vision.render.scene import Camera, Colour, DieBody, Light, PlacedDie, Scene, Surface
from vision.render.surfaces import texture

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

_BOUNCES = 5

_FEW_LAMPS = 3
"""The most lamps for which Cycles picks one at random; its light tree has the same noise in twice the time."""

_LAMP_MM = 10.0  # radius of a point of a lamp

_STEPS = 32  # squares of a die's mesh along each edge

_PAINT_PX = 256  # pixels of a die's paint along each edge

_PX_PER_MM = 3.0  # resolution of patterns

_SPECULAR = "Specular IOR Level"  # the strength of reflections; 0.5 is that of plastic


def light_of(scene: Scene, samples: int) -> Picture:
    """Return the light that reaches the camera, as `vision.render.draw.light_of`: linear BGR, (H, W, 3).

    Args:
        scene: The scene.
        samples: The number of paths per pixel; the remaining noise is removed by Intel's denoiser.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _tray(scene)
    for die in scene.dice:
        _die(die)
    for thing in things_of(scene):
        for piece in thing.pieces:
            _piece(piece)
    _lamps(scene.light)
    made = bpy.context.scene
    made.world = bpy.data.worlds.new("around")
    made.world.node_tree.nodes["Background"].inputs["Color"].default_value = (*scene.light.ambient[::-1], 1.0)
    made.camera = _camera(scene.camera)
    made.cycles.use_light_tree = len(scene.light.points) > _FEW_LAMPS
    return scene.camera.bend(_rendered(made, scene.camera.size, samples))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the lines that Blender prints on the terminal for each picture, bypassing Python."""
    sys.stdout.flush()
    kept = os.dup(1)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _rendered(scene: bpy.types.Scene, size: tuple[int, int], samples: int) -> Picture:
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
        with _quiet():
            bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        light = np.array(image.pixels[:], np.float32).reshape(size[1], size[0], 4)
    return np.ascontiguousarray(light[::-1, :, 2::-1])  # Blender's pictures start at the bottom, with red


def _material(
    colour: Colour, rough: float, more: Mapping[str, float] | None = None, paint: Picture | None = None
) -> bpy.types.Material:
    """Return a material.

    Args:
        colour: Its reflectance.
        rough: Its roughness, 0 to 1.
        more: Other inputs of Blender's surface, such as `Metallic`.
        paint: A picture in place of the colour, (H, W, 4), BGR and height, stretched over the mesh's own coordinates.
    """
    made = bpy.data.materials.new("material")
    nodes, links = made.node_tree.nodes, made.node_tree.links
    surface = nodes["Principled BSDF"]
    for name, value in {"Base Color": (*colour[::-1], 1.0), "Roughness": rough, **(more or {})}.items():
        surface.inputs[name].default_value = value
    if paint is not None:
        height, width = paint.shape[:2]
        image = bpy.data.images.new("paint", width, height, alpha=True, float_buffer=True)
        image.alpha_mode = "CHANNEL_PACKED"
        image.pixels.foreach_set(np.ascontiguousarray(paint[::-1, :, (2, 1, 0, 3)], np.float32).ravel())
        shown, bump = nodes.new("ShaderNodeTexImage"), nodes.new("ShaderNodeBump")
        shown.image = image
        bump.inputs["Distance"].default_value = 1.0
        links.new(shown.outputs["Color"], surface.inputs["Base Color"])
        links.new(shown.outputs["Alpha"], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    return made


def _surface(surface: Surface, wide_mm: float, deep_mm: float) -> bpy.types.Material:
    """Return the material of a level surface of this size."""
    px_per_mm = min(_PX_PER_MM, 2000.0 / max(wide_mm, deep_mm))
    picture = texture(surface, wide_mm, deep_mm, px_per_mm)
    paint = np.concatenate([picture, np.ones((*picture.shape[:2], 1), np.float32)], axis=2)
    gloss = surface.gloss if isinstance(surface, RareSurface) else 0.0
    return _material(surface.colour, 0.9 - 0.7 * gloss, {_SPECULAR: 0.1 + 0.4 * gloss}, paint)


def _mesh(mesh: bpy.types.Mesh, look: bpy.types.Material, places: Array | None = None) -> bpy.types.Object:
    """Add a mesh to the scene, with the place of each of its points in the paint, 0 to 1; by default as from above."""
    mesh.materials.append(look)
    if places is None:
        points = np.array([point.co[:2] for point in mesh.vertices])
        low = points.min(axis=0)
        places = (points - low) / np.maximum(points.max(axis=0) - low, 1e-6)
    corners = np.array([corner.vertex_index for corner in mesh.loops])
    mesh.uv_layers.new().data.foreach_set("uv", places[corners].astype(np.float32).ravel())
    made = bpy.data.objects.new("mesh", mesh)
    bpy.context.collection.objects.link(made)
    return made


def _mesh_of(points: Array, faces: Sequence[Sequence[int]]) -> bpy.types.Mesh:
    """Return a mesh of points, (n, 3), and the numbers of each face's corners."""
    mesh = bpy.data.meshes.new("mesh")
    mesh.from_pydata(points.tolist(), [], faces)
    return mesh


def _hull(points: Array) -> bpy.types.Mesh:
    """Return the convex hull of points, (n, 3)."""
    made, mesh = bmesh.new(), bpy.data.meshes.new("hull")
    for point in points:
        made.verts.new(point)
    bmesh.ops.convex_hull(made, input=made.verts[:])
    made.to_mesh(mesh)
    made.free()
    return mesh


def _tray(scene: Scene) -> None:
    """Add floor, wall and table."""
    tray = scene.tray
    wide, deep = tray.width_mm, tray.depth_mm
    table = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * 1.5 * np.array((wide, deep))
    foot, outside = tray.wall_line(), tray.wall_line(tray.rim_mm)
    for flat, z, look in ((table, -0.5, tray.table), (foot, 0.0, tray.floor)):
        reach = flat.max(axis=0) - flat.min(axis=0)
        mesh = _mesh_of(np.column_stack([flat, np.full(len(flat), z)]), [range(len(flat))])
        _mesh(mesh, _surface(look, *map(float, reach)))
    if tray.wall_mm <= 0:
        return
    rings = [(foot, -0.5), (foot, tray.wall_mm), (outside, tray.wall_mm), (outside, -0.5)]
    points = np.concatenate([np.column_stack([flat, np.full(len(flat), z)]) for flat, z in rings])
    count = len(foot)
    faces = [
        (ring + here, ring + (here + 1) % count, ring + count + (here + 1) % count, ring + count + here)
        for ring in (0, count, 2 * count)
        for here in range(count)
    ]
    _mesh(_mesh_of(points, faces), _surface(tray.wall, wide + 2 * tray.rim_mm, deep + 2 * tray.rim_mm))


def _cube(steps: int) -> tuple[Array, Array, list[tuple[int, int, int, int]]]:
    """Return the points of a cube's faces, (n, 3) from -1 to 1, their places in its paint (n, 2), and the squares."""
    along = np.sin(np.linspace(-1, 1, steps + 1) * math.pi / 2)  # close together at the edges
    u, v = (part.ravel() for part in np.meshgrid(along, along))
    points, places = [], []
    squares: list[tuple[int, int, int, int]] = []
    for value, (axis, side) in FACE_UP.items():
        face = np.full((len(u), 3), float(side))
        face[:, (axis + 1) % 3], face[:, (axis + 2) % 3] = u, v
        points.append(face)
        places.append(np.column_stack([np.full(len(u), value - 1.0), np.zeros(len(u))]))
        first = (value - 1) * len(u)
        for row in range(steps):
            for column in range(steps):
                at = first + row * (steps + 1) + column
                square = (at, at + 1, at + steps + 2, at + steps + 1)
                squares.append(square if side > 0 else square[::-1])
    return np.concatenate(points), np.concatenate(places), squares


def _die(die: PlacedDie) -> None:
    """Add a die at its place."""
    body = die.body
    cube, places, squares = _cube(_STEPS)
    ways = (cube / np.linalg.norm(cube, axis=1, keepdims=True)).T.astype(np.float32)
    reach = 1 / np.abs(ways).max(axis=0)
    points = np.asarray(reach * ways, np.float32)
    for _ in range(40):
        reach = reach - distances(points, body)
        points = np.asarray(reach * ways, np.float32)
    for value, (axis, _) in FACE_UP.items():
        on_face = places[:, 0] == value - 1
        places[on_face, 0] += (points[(axis + 1) % 3, on_face] + 1) / 2
        places[on_face, 1] = (1 - points[(axis + 2) % 3, on_face]) / 2
    mesh = _mesh_of(points.T.astype(float) * body.size_mm / 2, squares)
    look = _material(
        body.body,
        0.65 - 0.6 * body.gloss,
        {"Metallic": body.metal, "Transmission Weight": body.translucency, _SPECULAR: 0.1 + 0.4 * body.gloss},
        _paint_of(body),
    )
    made = _mesh(mesh, look, places * (1 / 6, 1.0))
    mesh.shade_smooth()
    mesh.normals_split_custom_set_from_vertices(normals_at(points, body).T.tolist())
    made.rotation_mode, made.rotation_quaternion, made.location = "QUATERNION", die.turn, die.centre


def _paint_of(body: DieBody) -> Picture:
    """Return the paint of the six faces side by side, (256, 6 * 256, 4): BGR, and the height in mm."""
    along = ((np.arange(_PAINT_PX) + 0.5) / _PAINT_PX * 2 - 1).astype(np.float32)
    u, v = (part.ravel() for part in np.meshgrid(along, along))
    cells = []
    for axis, side in FACE_UP.values():
        points = np.full((3, len(u)), np.float32(side))
        points[(axis + 1) % 3], points[(axis + 2) % 3] = u, v
        normals = np.zeros_like(points)
        normals[axis] = side
        colour, _, pip = paint_at(points, normals, -normals, body, 2 / _PAINT_PX)
        height = 1.0 - 0.06 * body.size_mm * body.pip_depth * pip
        cells.append(np.column_stack([colour, height]).reshape(_PAINT_PX, _PAINT_PX, 4))
    return np.concatenate(cells, axis=1)


def _piece(piece: Limb | Ellipsoid | Slab) -> None:
    """Add a piece of an object."""
    ball, _, _ = _cube(8)
    ball /= np.linalg.norm(ball, axis=1, keepdims=True)
    if isinstance(piece, Limb):
        ends = zip((piece.start_mm, piece.end_mm), piece.radii_mm, strict=True)
        points = np.concatenate([np.array(middle) + radius * ball for middle, radius in ends])
        look = _material(piece.colour, 0.6, {_SPECULAR: 0.1})
    elif isinstance(piece, Ellipsoid):
        points = ball * piece.radii_mm @ matrix(piece.turn).T + piece.centre_mm
        look = _material(piece.colour, 0.6, {_SPECULAR: 0.1})
    else:
        flat = np.array(piece.outline_mm)
        heights = (max(0.05, piece.top_mm - piece.thick_mm), piece.top_mm)
        points = np.concatenate([np.column_stack([flat, np.full(len(flat), z)]) for z in heights])
        look = _surface(piece.surface, *map(float, flat.max(axis=0) - flat.min(axis=0)))
    mesh = _hull(points)
    if not isinstance(piece, Slab):
        mesh.shade_smooth()
    _mesh(mesh, look)


def _lamps(light: Light) -> None:
    """Add the points of the lamp, with their light on the middle of the floor as in the scene, and the panes."""
    points = np.array(light.points)
    away = np.linalg.norm(points, axis=1)
    # A lamp of P watts at distance d lights a white sheet that faces it to P / (2 pi d)^2.
    watts = (2 * math.pi * away) ** 2 / (points[:, 2] / away).sum()
    most = max(*light.colour, 1e-9)
    for place, power in zip(light.points, watts, strict=True):
        bpy.ops.object.light_add(type="POINT", location=place)
        lamp = bpy.context.object.data
        lamp.energy, lamp.shadow_soft_size = float(power) * most, _LAMP_MM
        lamp.color = [part / most for part in light.colour[::-1]]
    for pane in in_room(light).panes:
        _pane(pane)


def _pane(pane: Pane) -> None:
    """Add a pane that only shiny surfaces show."""
    count = 32 if pane.is_round else 4
    turns = (np.arange(count) + 0.5) * math.tau / count
    rim = np.column_stack([np.cos(turns), np.sin(turns)]) * (1.0 if pane.is_round else math.sqrt(2))
    c, s = math.cos(math.radians(pane.towards_deg)), math.sin(math.radians(pane.towards_deg))
    flat = rim * pane.half_mm @ np.array([[c, s], [-s, c]])
    both = np.concatenate([flat, flat * pane.hole]) if pane.hole else flat
    faces = [(at, (at + 1) % count, count + (at + 1) % count, count + at) for at in range(count)]
    points = np.column_stack([both, np.zeros(len(both))]) + pane.middle_mm
    shining = _material((0.0, 0.0, 0.0), 1.0, {"Emission Strength": pane.brightness})
    shining.node_tree.nodes["Principled BSDF"].inputs["Emission Color"].default_value = (1.0, 1.0, 1.0, 1.0)
    made = _mesh(_mesh_of(points, faces if pane.hole else [range(count)]), shining)
    made.visible_diffuse = made.visible_camera = made.visible_shadow = made.visible_transmission = False


def _camera(camera: Camera) -> bpy.types.Object:
    eye = view(camera)
    bpy.ops.object.camera_add(location=eye.position)
    made = bpy.context.object
    made.rotation_mode = "QUATERNION"
    right, down, forward = eye.axes
    made.rotation_quaternion = Matrix(np.stack([right, -down, -forward], axis=1).tolist()).to_quaternion()
    made.data.sensor_fit, made.data.angle = "HORIZONTAL", math.radians(camera.field_of_view_deg)
    made.data.clip_start, made.data.clip_end = 1.0, 1e5
    return made
