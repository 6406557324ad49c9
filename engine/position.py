"""A position: everything that determines how a game can continue."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.board import COLUMNS, EMPTY, PER_COLUMN, RUNNERS, TOP, Spaces, pieces, spaces_text
from engine.dice import Roll, roll_of, roll_text
from engine.errors import BadPosition, BadVariants, shown
from engine.variants import Variants

HAS_LEFT = "*"
"""The mark, in a position's text, behind the markers of a player who has left."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why no game can reach a position; `str` returns it in English.

    Attributes:
        text: What is wrong, one of a few fixed texts, so that it can be translated. It has {placeholders} for values.
        values: The values of the placeholders, by name.
    """

    text: str
    values: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        """Return the problem in English words."""
        return self.text.format(**dict(self.values)) if self.values else self.text


def _problem(text: str, **values: int) -> Problem:
    return Problem(text, tuple(values.items()))


def _wrong_with(spaces: Spaces) -> list[str]:
    """Return what is wrong with these spaces by column; empty if nothing is."""
    if len(spaces) != PER_COLUMN:
        return [f"pieces are {PER_COLUMN} numbers, space by column, not {shown(spaces)}"]
    return [
        f"column {column} has no space {space}, its spaces are 1 to {top}" if top else "the columns are 2 to 12"
        for column, (space, top) in enumerate(zip(spaces, TOP, strict=True))
        if not 0 <= space <= top
    ]


@dataclass(frozen=True)
class Position:
    """The board, whose turn it is, and the roll that waits for a choice, if any.

    The phase of the turn follows from these: with a roll, a choice is due (or a bust, if nothing is legal); without
    one, the player may roll, and may stop if there are runners on the board.

    Each field is checked when a position is created. Whether a game can reach the whole position is checked by
    `problems` and `check`, because people can set the board by hand.

    Attributes:
        variants: The variants of the rules.
        markers: For each player, in the order of play, the space of the marker in each column (0 if none).
        turn: The player whose turn it is, as an index into `markers`.
        runners: The space of the runner in each column (0 if none).
        roll: The dice that were rolled and not used yet, sorted.
        out: The players who have left the game, lowest first; their turns are skipped.

    Raises:
        BadPosition: If a column does not have a space, or a player does not exist.
        BadRoll: If the roll is not valid.
    """

    variants: Variants
    markers: tuple[Spaces, ...]
    turn: int = 0
    runners: Spaces = EMPTY
    roll: Roll | None = None
    out: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if wrong := [problem for spaces in (*self.markers, self.runners) for problem in _wrong_with(spaces)]:
            raise BadPosition("; ".join(wrong))
        if not 0 <= self.turn < self.players:
            raise BadPosition(f"it is nobody's turn: player {self.turn + 1} of {self.players}")
        if self.out and not set(self.out) < set(range(self.players)):
            raise BadPosition(f"the players who have left are some of {self.players}, not {shown(self.out)}")
        if self.roll is not None:
            object.__setattr__(self, "roll", roll_of(self.roll))

    def __str__(self) -> str:
        """Return the position as one line of text, which `engine.parse_position` reads."""
        return " ".join(
            (
                str(self.variants),
                "/".join(spaces_text(own) + HAS_LEFT * (player in self.out) for player, own in enumerate(self.markers)),
                str(self.turn + 1),
                spaces_text(self.runners),
                roll_text(self.roll) if self.roll else "-",
            )
        )

    @classmethod
    def start(cls, players: int, variants: Variants | None = None, turn: int = 0) -> Position:
        """Return the empty board at the start of a game.

        Args:
            players: The number of players.
            variants: The variants of the rules; None for the basic rules.
            turn: The player who begins, counted from 0.

        Raises:
            BadVariants: If these variants do not allow this number of players.
            BadPosition: If `turn` is not the number of a player.
        """
        Variants().check(players)
        position = cls(Variants() if variants is None else variants, (EMPTY,) * players, turn)
        position.check()
        return position

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.markers)

    @cached_property
    def free_runners(self) -> int:
        """The number of runners that are not on the board."""
        return RUNNERS - (PER_COLUMN - self.runners.count(0))

    @cached_property
    def owners(self) -> tuple[int | None, ...]:
        """The player who has won each column, by column; None if it is open."""
        owners: list[int | None] = [None] * PER_COLUMN
        for player, markers in enumerate(self.markers):
            for column in COLUMNS:
                if markers[column] == TOP[column]:
                    owners[column] = player
        return tuple(owners)

    @cached_property
    def usable(self) -> tuple[bool, ...]:
        """Whether a runner could move in each column: the column is not won and no runner is on its top space."""
        return tuple(
            [owner is None and runner < top for owner, runner, top in zip(self.owners, self.runners, TOP, strict=True)]
        )

    def won(self, player: int) -> tuple[int, ...]:
        """Return the columns that `player` has won."""
        return tuple(column for column in COLUMNS if self.owners[column] == player)

    @cached_property
    def winner(self) -> int | None:
        """The player who has won the game; None if it has not ended."""
        for player in range(self.players):
            if len(self.won(player)) >= self.variants.columns_to_win:
                return player
        return None

    def others_on(self, column: int, space: int) -> tuple[int, ...]:
        """Return the players, other than the one whose turn it is, who have a marker on this space."""
        return tuple(
            player
            for player, markers in enumerate(self.markers)
            if player != self.turn and space and markers[column] == space
        )

    def with_roll(self, roll: Roll | None) -> Position:
        """Return the same position with this roll to choose from.

        Raises:
            BadRoll: If it is not a roll.
        """
        found = object.__new__(Position)
        # What was computed from the pieces does not depend on the roll; odds ask for all 126 rolls of a position.
        found.__dict__.update(self.__dict__)
        found.__dict__["roll"] = None if roll is None else roll_of(roll)
        return found

    def changed(
        self,
        *,
        markers: tuple[Spaces, ...] | None = None,
        turn: int | None = None,
        runners: Spaces | None = None,
        out: tuple[int, ...] | None = None,
    ) -> Position:
        """Return the position with these fields and without a roll, unchecked.

        For the rules and for strategies that look ahead, whose changes are always possible in a game.
        """
        found = object.__new__(Position)
        found.__dict__.update(
            variants=self.variants,
            markers=self.markers if markers is None else markers,
            turn=self.turn if turn is None else turn,
            runners=self.runners if runners is None else runners,
            roll=None,
            out=self.out if out is None else out,
        )
        return found

    def problems(self) -> tuple[Problem, ...]:
        """Return why no game can reach this position; empty if a game can."""
        try:
            self.variants.check(self.players)
        except BadVariants as error:
            return (Problem(str(error)),)
        found = []
        if self.free_runners < 0:
            found.append(
                _problem(
                    "there are only {all} runners, not {runners}", all=RUNNERS, runners=RUNNERS - self.free_runners
                )
            )
        for column in COLUMNS:
            found += self._problems_in(column)
        found += self._problems_of_turn()
        return tuple(found)

    def _problems_of_turn(self) -> list[Problem]:
        """Return what is wrong with who has won."""
        found = []
        enough = [p for p in range(self.players) if len(self.won(p)) >= self.variants.columns_to_win]
        if len(enough) > 1:
            found.append(Problem("only one player can have won"))
        if self.winner is not None:
            if self.turn != self.winner:
                found.append(Problem("the game is won, so it must be the winner's turn"))
            if self.roll or any(self.runners):
                found.append(Problem("the game is won, so there can be no roll and no runners"))
        elif self.turn in self.out:
            found.append(Problem("it must be the turn of a player who has not left"))
        return found

    def _problems_in(self, column: int) -> list[Problem]:
        """Return what is wrong within one column."""
        found = []
        standing = [markers[column] for markers in self.markers if markers[column]]
        if TOP[column] in standing and len(standing) > 1:
            found.append(_problem("column {column} is won, so it can hold no other marker", column=column))
        if TOP[column] in standing and self.runners[column]:
            found.append(_problem("column {column} is won, so it can hold no runner", column=column))
        if 0 < self.runners[column] <= self.markers[self.turn][column]:
            found.append(_problem("the runner in column {column} must be above the player's own marker", column=column))
        if self.variants.leap:
            if len(set(standing)) < len(standing):
                found.append(_problem("with leap, two markers cannot share a space (column {column})", column=column))
            if self.others_on(column, self.runners[column]):
                found.append(
                    _problem("with leap, a runner cannot share a space with a marker (column {column})", column=column)
                )
        return found

    def check(self) -> None:
        """Check that a game can reach this position.

        Raises:
            BadVariants: If these variants do not allow this number of players.
            BadPosition: If a game cannot reach it.
        """
        self.variants.check(self.players)
        if problems := self.problems():
            raise BadPosition("; ".join(map(str, problems)))

    def runners_out(self) -> list[tuple[int, int]]:
        """Return the runners on the board as (column, space), lowest column first."""
        return pieces(self.runners)
