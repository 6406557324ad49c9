"""Renders pictures of trays with dice, for the simulated box, tests and training.

`scene` describes a scene and `draw` renders a frame of it. `table_scene` is the ordinary tray of the simulated box,
`lay_dice` puts dice into a scene, and `plan_throw` rolls them over time. To switch a lamp, move a shadow or bump the
camera in a film, use `dataclasses.replace` on the scene's `light.colour`, `shade` or `camera`. The tray is rendered
again only if the camera or the lamp moves.
"""

from vision.render.draw import draw
from vision.render.placing import lay_dice
from vision.render.scene import Scene
from vision.render.table import IVORY, table_scene
from vision.render.throw import Throw, plan_throw

__all__ = [
    "IVORY",
    "Scene",
    "Throw",
    "draw",
    "lay_dice",
    "plan_throw",
    "table_scene",
]
