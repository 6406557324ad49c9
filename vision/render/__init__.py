"""Pictures of trays with dice, drawn by the project itself for simulation and tests.

`scene` says what there is to see, `draw` makes a frame of it, and `truth` and `masks` tell what a reader should find
in it; `random_scene` makes any scene by chance, `table_scene` the everyday tray of the simulated box, `lay_dice` puts
dice into a scene, and `plan_throw` lets them be thrown over time. A film's lamp that is switched, a shadow that passes
and a camera that is bumped are `dataclasses.replace` on the scene's `light.colour`, `shade` and `camera`; only a new
place of camera or lamp makes the tray be drawn anew.
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
