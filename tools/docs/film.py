"""Records the beginning of a game on the simulated box as a GIF for the README: `python -m tools.docs.film`."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from device.camera.simulated import SimulatedTray
from device.referee.state import State
from device.sim.gif import GifRecorder
from device.sim.robot import LOOK_S, next_action
from device.sim.table import SimulatedTable
from device.storage.journal import Journal

FILE = Path(__file__).parents[2] / "docs" / "play.gif"
SEED = 59
THROWS = 5
LOOK_AT_SCREEN_S = 1.4
"""The time that each screen is shown before the next action, in seconds: long enough to read it."""
THROW_S = 10.0
"""The longest time from a roll to its pairings, in seconds; dice that are still unreadable are rolled again."""


def main() -> None:
    """Play some rolls in real time and write the GIF."""
    recorder = GifRecorder(FILE)
    tray = SimulatedTray(SEED)
    with (
        tempfile.TemporaryDirectory() as folder,
        SimulatedTable(Journal(Path(folder) / "journal.sqlite3"), tray) as table,
    ):

        def film(seconds: float, while_in: State | None = None) -> None:
            end = time.monotonic() + seconds
            while time.monotonic() < end and while_in in (None, table.box.situation.beneath):
                time.sleep(LOOK_S)
                recorder.add(table.picture(), tray.picture())

        throws = 0
        while throws < THROWS:
            action = next_action(table.box.situation, players=2)
            if table.box.situation.game is not None:
                film(LOOK_AT_SCREEN_S)
            if action is None:
                waits = table.box.situation.beneath
                tray.throw(4)
                throws += 1
                film(THROW_S, waits)
            else:
                table.buttons.press(action.button, long=action.long)
                film(2 * LOOK_S)
        film(LOOK_AT_SCREEN_S)
    recorder.save()


if __name__ == "__main__":
    main()
