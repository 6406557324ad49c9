"""The everyday tray as it was learnt, and a throw in it."""

from __future__ import annotations

import numpy as np

from tests.vision.looks import looks_at
from vision.render.draw import draw
from vision.render.placing import lay_dice
from vision.render.table import IVORY, table_scene
from vision.tray.calibrate import measure

TABLE = table_scene()
KNOWN = measure(looks_at(TABLE)).tray
THROWN = lay_dice(np.random.default_rng(4), TABLE, [IVORY] * 4, [1, 3, 4, 6])
FRAME = draw(THROWN, 11)
SIZE = (640, 480)
