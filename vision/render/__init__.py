"""Renders pictures of trays with dice, for simulation, training and tests.

`scene` describes a scene, `draw` renders a frame of it, and `truth` and `masks` return what a reader should find in it.
`random_scene` makes a random scene, `table_scene` the ordinary tray of the simulated box, `lay_dice` puts dice into a
scene, and `plan_throw` rolls them over time. To switch a lamp, move a shadow or bump the camera in a film, use
`dataclasses.replace` on the scene's `light.colour`, `shade` or `camera`. The tray is rendered again only if the camera
or the lamp moves.
"""

from vision.render.draw import draw
from vision.render.labels import DieTruth, Flaw, Masks, masks, standing, truth
from vision.render.placing import lay_dice
from vision.render.random_scene import random_scene
from vision.render.random_things import random_hand
from vision.render.scene import Scene
from vision.render.table import IVORY, table_scene
from vision.render.throw import Throw, plan_throw, throw_frames

__all__ = [
    "IVORY",
    "DieTruth",
    "Flaw",
    "Masks",
    "Scene",
    "Throw",
    "draw",
    "lay_dice",
    "masks",
    "plan_throw",
    "random_hand",
    "random_scene",
    "standing",
    "table_scene",
    "throw_frames",
    "truth",
]
