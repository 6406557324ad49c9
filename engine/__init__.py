"""The rules of Can't Stop: pure values and functions, standard library only; see also `engine.odds`, `.opponents`.

>>> game = Game.new(["yellow", "green"]).do(Rolled((3, 3, 5, 6)))
>>> [play_text(play) for play in plays(game.position)]
['6+11', '8+9']
>>> str(game.do(Play((8, 9), (8, 9))).position)
'3 -/- 1 8:1,9:1 -'
"""

from engine.actions import Action, Bust, Corrected, Joins, Leaves, Play, Returns, Rolled, SeatChange, SetTo, Stop
from engine.board import COLUMNS, TOP
from engine.dice import Pairing, Roll, pairings, roll_of, roll_text
from engine.errors import BadPlayers, BadPosition, BadRoll, BadText, BadVariants, EngineError, IllegalAction
from engine.game import Game
from engine.notation import parse_play, parse_position, parse_roll, play_text
from engine.piece_moves import MarkerMove, RunnerMove, marker_moves, runner_moves, stop_wins
from engine.position import Position, Problem
from engine.rules import after, is_bust, may_roll, may_stop, plays
from engine.transcript import parse_transcript, step_text, transcript
from engine.variants import FEWEST_COLUMNS_TO_WIN, MOST_COLUMNS_TO_WIN, MOST_PLAYERS, FastStart, Variants

__all__ = [
    "COLUMNS",
    "FEWEST_COLUMNS_TO_WIN",
    "MOST_COLUMNS_TO_WIN",
    "MOST_PLAYERS",
    "TOP",
    "Action",
    "BadPlayers",
    "BadPosition",
    "BadRoll",
    "BadText",
    "BadVariants",
    "Bust",
    "Corrected",
    "EngineError",
    "FastStart",
    "Game",
    "IllegalAction",
    "Joins",
    "Leaves",
    "MarkerMove",
    "Pairing",
    "Play",
    "Position",
    "Problem",
    "Returns",
    "Roll",
    "Rolled",
    "RunnerMove",
    "SeatChange",
    "SetTo",
    "Stop",
    "Variants",
    "after",
    "is_bust",
    "marker_moves",
    "may_roll",
    "may_stop",
    "pairings",
    "parse_play",
    "parse_position",
    "parse_roll",
    "parse_transcript",
    "play_text",
    "plays",
    "roll_of",
    "roll_text",
    "runner_moves",
    "step_text",
    "stop_wins",
    "transcript",
]
