"""The bounds of players and columns, and the players' colours, are each written in one place."""

from __future__ import annotations

import shutil
import subprocess
import sys

from device.page.web_side.assets import Assets
from device.referee.players import COLOURS

FIVE_PLAY = """
from device.laptop.table_view import table_view
from device.page.box_side.snapshot import Shown, snapshot
from device.referee.players import COLOURS
from device.referee.setup import answer_with
from device.referee.states import NewGame, Situation, Welcome
from device.screens.draw import draw
from device.screens.views import screen
from engine import Game, parse_transcript, transcript
from engine.errors import BadVariants

now = Situation(Welcome())
now = answer_with(now, NewGame(Welcome()), "5")
for answer in (*list(COLOURS)[:5], "base rules", "orange"):
    now = answer_with(now, now.state, answer)
assert now.game.player == "orange" and parse_transcript(transcript(now.game)) == now.game
oled = draw(screen(now))
data = snapshot(Shown(now, screen(now), oled), 1)
assert len(data["game"]["colours"]) == 5
table = table_view(oled, now, "", (80, 24), dice_are_simulated=True).plain
assert all(f"{seat} {name} 0/3" in table for seat, name in enumerate(now.game.names, start=1))
try:
    Game.new(list("abcdef"))
except BadVariants as error:
    assert "2 to 5 can play, or 1 solo, not 6" in str(error)
"""


def test_five_can_play_after_one_number_is_added(tmp_path):
    shutil.copytree("engine", tmp_path / "engine")
    file = tmp_path / "engine" / "variants.py"
    file.write_text(file.read_text("utf-8").replace("4: 3, 1: 3}", "4: 3, 5: 3, 1: 3}"), "utf-8")
    command = [sys.executable, "-c", FIVE_PLAY]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_the_page_draws_every_colour_of_the_box_in_a_shape_it_knows():
    files = {name: bytes(Assets().answer(name, {}).body).decode() for name in ("colours.js", "board.js")}
    for name, marker in COLOURS.items():
        assert f'"{name}": {{"rgb": "{marker.rgb}", "shape": "{marker.shape}"}}' in files["colours.js"]
        assert marker.shape == "circle" or f"  {marker.shape}: " in files["board.js"]
