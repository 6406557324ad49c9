"""A whole game: who plays, the steps so far, and every position on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.actions import Action, Joins
from engine.errors import BadPlayers, IllegalAction, shown
from engine.position import Position
from engine.rules import after
from engine.variants import Variants

LONGEST = 100
"""The largest number of letters of a name, a colour or a level."""

PERSON = "person"
"""The word for a person, in place of a level, in texts."""


def _texts(texts: Sequence[str], what: str) -> tuple[str, ...]:
    """Return these texts if a transcript can contain each of them; a level may be "", for a person.

    Raises:
        BadPlayers: If it cannot.
    """
    for text in texts:
        if not (_can_be_written(text) or (what == "levels" and text == "")):
            one = f"a {what.removesuffix('s')}" if what != "names" else "a player"
            raise BadPlayers(
                f"{one} cannot be called {shown(text)}: at most {LONGEST} letters, no comma, no #, "
                "no line break, no outer space",
                what,
            )
    return tuple(texts)


def _seats(
    names: Sequence[str], colours: Sequence[str], levels: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the names, colours and levels of a game, as `Game` stores them, or raise `BadPlayers`, see `Game.new`."""
    names, colours, levels = _texts(names, "names"), _texts(colours, "colours"), _texts(levels, "levels")
    for texts, what in ((names, "names"), (colours, "colours")):
        if len(set(texts)) < len(texts):
            raise BadPlayers(f"players need different {what}: {shown(', '.join(texts))}", what)
    for texts, what in ((colours, "colours"), (levels, "levels")):
        if texts and len(texts) != len(names):
            raise BadPlayers(f"{len(names)} players need as many {what}, not {len(texts)}", what)
    levels = tuple("" if level == PERSON else level for level in levels)
    return names, colours or names, levels or ("",) * len(names)


def _can_be_written(text: str) -> bool:
    # In a transcript, a comma separates names, a # begins a comment, and spaces around a name are lost.
    return 0 < len(text) <= LONGEST and text.isprintable() and text == text.strip() and not set(text) & {",", "#"}


@dataclass(frozen=True, slots=True)
class Game:
    """An immutable game: each step returns a new game, so undo is exact.

    Create it with `new`, `do`, `undo` or `engine.parse_transcript`, which check it. The fields are for reading only.

    Attributes:
        names: The players' names, in the order of play, with those who left or joined late.
        steps: The steps so far, first to last.
        positions: The position at the start and after each step.
        colours: The colours of the players' markers, in the same order.
        levels: The opponent's level at each seat, "" for a person.
    """

    names: tuple[str, ...]
    steps: tuple[Action, ...]
    positions: tuple[Position, ...]
    colours: tuple[str, ...]
    levels: tuple[str, ...]

    @classmethod
    def new(
        cls,
        names: Sequence[str],
        variants: Variants | None = None,
        begins: int = 0,
        *,
        colours: Sequence[str] = (),
        levels: Sequence[str] = (),
    ) -> Game:
        """Return a new game.

        Args:
            names: The players' names, all different, in the order of play; one for a solo game.
            variants: The variants of the rules; None for the basic rules.
            begins: The player who begins, as an index into `names`.
            colours: The colours of their markers, all different; empty if the names are the colours.
            levels: The player at each seat: "" or "person", or the name of an opponent's level, which need not be known
                here; empty if all are people.

        Raises:
            BadPlayers: If two players have the same name or colour, there is not one colour or level for each player,
                or a transcript could not contain one of the texts.
            BadVariants, BadPosition: See `Position.start`.
        """
        names, colours, levels = _seats(names, colours, levels)
        return cls(names, (), (Position.start(len(names), variants, begins),), colours, levels)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def start(self) -> Position:
        """The position before the first step."""
        return self.positions[0]

    @property
    def winner(self) -> str | None:
        """The winner's name; None while the game goes on."""
        return None if self.position.winner is None else self.names[self.position.winner]

    @property
    def player(self) -> str:
        """The name of the player whose turn it is."""
        return self.names[self.position.turn]

    @property
    def level(self) -> str:
        """The level of the opponent whose turn it is; "" if a person has to decide."""
        return self.levels[self.position.turn]

    def do(self, action: Action) -> Game:
        """Return the game after one more step.

        Raises:
            IllegalAction, BadPosition: If the step is not allowed; this game does not change.
            BadVariants, BadPlayers: If a player cannot join.
        """
        position = after(self.position, action)
        game = replace(self, steps=(*self.steps, action), positions=(*self.positions, position))
        return game.joined(action) if isinstance(action, Joins) else game

    def joined(self, new: Joins) -> Game:
        """Return the game with one more seat; `do` does this with the step.

        Raises:
            BadPlayers: If the new player's name or colour is taken, or a transcript could not contain it.
        """
        names, colours, levels = _seats((*self.names, new.name), (*self.colours, new.colour), (*self.levels, new.level))
        return replace(self, names=names, colours=colours, levels=levels)

    def undo(self, steps: int = 1) -> Game:
        """Return the game before the last `steps` steps, across turns and back to its start.

        Raises:
            IllegalAction: If there are fewer steps.
        """
        if not 0 <= steps <= len(self.steps):
            raise IllegalAction(f"cannot undo {shown(steps)} steps of {len(self.steps)}")
        keep = len(self.steps) - steps
        seats = self.positions[keep].players  # those who joined later are gone
        return Game(
            self.names[:seats],
            self.steps[:keep],
            self.positions[: keep + 1],
            self.colours[:seats],
            self.levels[:seats],
        )
