"""Illegal actions raise and nothing happens: the game is the same afterwards, in every part."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine import (
    BadPlayers,
    BadPosition,
    BadRoll,
    BadText,
    BadVariants,
    Bust,
    Corrected,
    EngineError,
    Game,
    IllegalAction,
    Joins,
    Leaves,
    Play,
    Position,
    Returns,
    Rolled,
    SetTo,
    Stop,
    Variants,
    pairings,
    parse_play,
    parse_position,
    parse_roll,
    roll_of,
)
from engine.board import EMPTY, with_piece
from engine.opponents.levels import UnknownLevelError

FRESH = "3 -/- 1 - -"
WON = "3 2:3,7:13,12:3/- 1 - -"
BUSTED = "3 -/- 1 7:1,8:1,9:1 1-1-1-1"
ROLLED = "3 -/- 1 - 1-3-5-6"
NOT_ALL = "every usable sum must be used"
NO_RUNNERS = "with the runners that are free"
REFUSED = [
    # Stops
    (FRESH, Stop(), "nothing has been rolled this turn yet"),
    ("3 2:2/- 2 - -", Stop(), "nothing has been rolled this turn yet"),  # in a later turn too
    ("3 -/- 1 7:1 1-1-6-6", Stop(), "the roll must be used first"),
    (BUSTED, Stop(), "the roll must be used first"),
    ("3+no-stop -/7:2 1 7:2 -", Stop(), "stands on another player's marker"),
    (WON, Stop(), "the game is over"),
    # Rolls
    ("3 -/- 1 - 1-1-6-6", Rolled((1, 2, 3, 4)), "use that roll first"),
    (BUSTED, Rolled((3, 3, 4, 4)), "use that roll first"),
    (WON, Rolled((1, 2, 3, 4)), "the game is over"),
    (FRESH, Corrected((1, 2, 3, 4)), "there is no roll to correct"),
    ("3 -/- 1 7:2 -", Corrected((3, 3, 4, 5)), "there is no roll to correct"),  # it was used
    # Busts
    ("3 -/- 1 7:1,8:1,9:1 1-1-6-1", Bust(), r"no bust: 2\+7 can be used"),
    ("3 -/- 1 7:1 -", Bust(), "no bust without a roll"),
    (WON, Bust(), "no bust without a roll"),
    # Plays
    ("3 -/- 1 7:2 -", Play((7, 7), (7, 7)), "no roll to use"),  # it was used
    (WON, Play((6, 9), (6, 9)), "no roll to use"),
    ("3 -/- 1 2:3 1-1-5-5", Play((2, 10), (2, 10)), "the runner in column 2 is already on the top space"),
    ("3 -/- 1 2:3 1-1-5-5", Play((2, 10), (2,)), "the runner in column 2 is already on the top space"),
    ("3 7:13/- 1 - 3-4-6-6", Play((7, 12), (7, 12)), "column 7 is won"),
    ("3 7:13/- 2 - 3-4-6-6", Play((7, 12), (7,)), "column 7 is won"),
    (ROLLED, Play((5, 10), (5, 10)), r"1-3-5-6 does not make 5\+10, but 4\+11, 6\+9, 7\+8"),
    (ROLLED, Play((4, 9), (4, 9)), "does not make"),  # the sums are of two different pairings
    *((ROLLED, Play((6, 9), columns), NOT_ALL) for columns in ((6,), (9,), (), (6, 6), (9, 6), (6, 9, 9), (7, 8))),
    ("3 -/- 1 - 3-3-4-4", Play((7, 7), (7,)), NOT_ALL),
    ("3 -/- 1 2:2 1-1-1-1", Play((2, 2), (2, 2)), "cannot move 2 and 2"),  # beyond the top
    ("3 -/- 1 8:1,9:1 1-4-5-6", Play((6, 10), (6, 10)), NO_RUNNERS),
    ("3 -/- 1 7:1,8:1,9:1 1-1-1-6", Play((2, 7), (2, 7)), NO_RUNNERS),
    ("3+fast -/- 1 - 2-3-4-5", Play((7, 7), (7, 7)), r"fast start.* forbids 7\+7"),
    ("3+strict -/- 1 - 2-3-4-5", Play((7, 7), (7, 7)), r"fast start.* forbids 7\+7"),
    ("3+strict -/- 1 5:1,7:1,9:1 2-3-4-5", Play((7, 7), (7, 7)), "fast start strict forbids"),
    # Boards set by hand
    *(
        (FRESH, SetTo(parse_position(line)), "changes neither")
        for line in ("4 -/- 1 - -", "3+leap -/- 1 - -", "3 -/-/- 1 - -", "3 - 1 - -", "3 -/-* 1 - -")
    ),
    (
        FRESH,
        SetTo(Position(Variants(), (with_piece(EMPTY, 7, 13), EMPTY), 0, with_piece(EMPTY, 7, 4))),
        "it can hold no runner",
    ),
    # Players who leave, return or join
    (FRESH, Leaves(2), "player 2 is not there"),
    (FRESH, Returns(1), "player 1 is not there"),
    ("3 -/-* 1 - -", Leaves(1), "player 1 is not there"),
    ("3 -/-* 1 - -", Leaves(0), "the last player cannot leave"),
    *((WON, action, "nobody leaves or joins") for action in (Leaves(0), Returns(0), Joins("Carl", "red"))),
]


def parts(game: Game) -> tuple[object, ...]:
    return game.names, game.steps, game.positions, game.player, game.winner


def test_an_illegal_step_is_refused_with_its_reason_and_changes_nothing():
    for line, action, reason in REFUSED:
        position = parse_position(line)
        names = ("yellow", "green", "blue", "red")[: position.players]
        game = replace(Game.new(names), positions=(position,))
        before = parts(game)
        with pytest.raises((IllegalAction, BadPosition), match=reason):
            game.do(action)
        assert parts(game) == before


NO_ROLLS = [(1, 2, 3), (1, 2, 3, 4, 5), (9, 9, 9, 9), (0, 1, 2, 3), (1, 2, 3, 7)]
LONG_NAMES = [["a", "b" * 101], ["a", ""], ["a", "b, c"], ["a", "#b"], ["a", " b"], ["a", "b\nturn 1: a"],
              ["a", "b\x85"], ["a", "a"]]  # fmt: skip
GAME = Game.new(["a", "b"]).do(Rolled((3, 3, 4, 4))).do(Play((7, 7), (7, 7)))
INVALID = [
    (pairings, [(9, 9, 9, 9), (1, 2, 3)], BadRoll, "four dice|1 to 6"),
    *((make, NO_ROLLS, BadRoll, "four dice|1 to 6") for make in (Rolled, Corrected, roll_of)),
    (Position.start(2).with_roll, NO_ROLLS, BadRoll, "four dice|1 to 6"),
    (lambda dice: Position(Variants(), (EMPTY, EMPTY), roll=dice), NO_ROLLS, BadRoll, "four dice|1 to 6"),
    (GAME.undo, [3, 100, -1], IllegalAction, "cannot undo .* steps of 2"),
    (
        parse_roll,
        ["", "1-3-5", "1-3-5-6-6", "0-1-2-3", "1-3-5-7", "a-b-c-d", "1.3.5.6"],
        BadText,
        "is not a roll: write four dice",
    ),
    (
        lambda text: parse_play(text, ()),
        ["", "6", "6-9", "6+9+3", "6+9:", "6+9: 6 9 6", "x+y", "9" * 5000 + "+6", "6+9: " + "9" * 5000],
        BadText,
        "is not a play",
    ),
    (Game.new, LONG_NAMES, BadPlayers, "different names|a player cannot be called"),
    (lambda begins: Game.new(["a", "b"], begins=begins), [-1, 2], BadPosition, "nobody's turn"),
]


def test_an_invalid_argument_is_refused_with_a_short_reason():
    failures = []
    for make, arguments, kind, reason in INVALID:
        for argument in arguments:
            try:
                failures.append((make, argument, make(argument)))
            except Exception as error:
                if not isinstance(error, kind) or not re.search(reason, str(error)) or len(str(error)) > 200:
                    failures.append((make, argument, error))
    assert failures == []


def test_every_refusal_is_an_engine_error():
    for kind in (IllegalAction, BadPlayers, BadPosition, BadRoll, BadText, BadVariants, UnknownLevelError):
        assert issubclass(kind, EngineError)
        assert issubclass(kind, ValueError)


def test_invalid_names_colours_and_levels_are_refused_and_named():
    for what, texts in (
        ("colours", ["red"]), ("colours", ["red", "red"]), ("colours", ["red", ""]), ("levels", ["strongest"]),
        ("levels", ["a, b", ""]), ("names", ["a", "a"]),
    ):  # fmt: skip
        with pytest.raises(BadPlayers) as caught:
            Game.new(**{"names": ["a", "b"]} | {what: texts})
        assert caught.value.what == what
