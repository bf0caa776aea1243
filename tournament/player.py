"""A player: whoever chooses the moves of one side, as the referee sees it.

An engine process that speaks Hub, a program that speaks DXP over the network and our own engine are all one
interface here. A player neither judges moves nor keeps a clock: it carries the question to the program and
the answer back, with the time that the answer took. The referee asks one `move` at a time, keeps `watch` open
while the other side thinks, and cancels whichever it no longer needs. No method raises on account of what the
program behind it does: that comes back as a `Fault`.
"""

import abc
from typing import Literal

import attrs

from rules.clock import Clock, TimeControl
from rules.colour import Colour
from rules.game import Game, Outcome
from rules.move import Move
from rules.position import Position


@attrs.frozen
class Setup:
    """What a player must know of a game before the first move.

    `move_limit` is moves per player, None for no limit; `control` is the player's own time control.
    """

    start: Position
    colour: Colour
    control: TimeControl
    opponent: str
    move_limit: int | None = None


@attrs.frozen
class Clocks:
    """Both clocks while a move is asked for: `own` belongs to the player asked."""

    own: Clock
    other: Clock


@attrs.frozen
class Played:
    """The player's move, which the referee has yet to check.

    `move` is None when the answer could not be read as a legal move of the position; `text` is then what was
    sent. `seconds` runs from the flushed request to the last byte of the answer. `score` is in men, the
    player's own view.
    """

    move: Move | None
    seconds: float
    text: str = ""
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    ponder: Move | None = None


@attrs.frozen
class Resign:
    """The player gives the game up (GAMEEND 1)."""


@attrs.frozen
class DrawClaim:
    """The player says that the game is drawn (GAMEEND 2)."""


@attrs.frozen
class WinClaim:
    """The player says that it has won (GAMEEND 3)."""


@attrs.frozen
class Leave:
    """The player ends the game without saying how it stands (GAMEEND 0)."""


@attrs.frozen
class TakeBack:
    """The player asks for the position after `plies` plies; the answer is `answer_take_back`."""

    plies: int


@attrs.frozen
class Fault:
    """The player cannot go on. `detail` is one clause for the record, such as "signal 9"."""

    kind: Literal["crash", "disconnect", "stall", "protocol"]
    detail: str


Answer = Played | Resign | DrawClaim | WinClaim | Leave | TakeBack | Fault
Notice = Resign | DrawClaim | WinClaim | Leave | TakeBack | Fault


class Player(abc.ABC):
    """One side of a game. A player's life is open; for each game begin, moves, finish; at last close."""

    #: The name shown in tables and tags; known after `open` (a DXP program tells its own only in `begin`).
    name: str

    #: True when somebody else started the program: it may refuse a game, and thinks as soon as it has
    #: accepted.
    remote: bool = False

    #: True when `open` may be called again after a Fault in the middle of a game.
    restartable: bool = False

    #: True when the player keeps to a time control of its own: the referee then allows three times the move
    #: time.
    external_time: bool = False

    @abc.abstractmethod
    async def open(self) -> Fault | None:
        """Start or reach the program; None when it is ready. After a Fault it may be called again."""

    @abc.abstractmethod
    async def begin(self, setup: Setup) -> Fault | None:
        """Agree on a new game; None when the program has accepted it."""

    @abc.abstractmethod
    async def move(self, game: Game, clocks: Clocks) -> Answer:
        """Ask for a move in `game`'s position. Cancelled by the referee when the time allowed is over."""

    async def ponder(self, game: Game, clocks: Clocks, expected: Move | None) -> None:  # noqa: B027 - optional
        """Let the program think in the opponent's time, if it can; `expected` is the reply it hopes for."""

    @abc.abstractmethod
    async def watch(self) -> Notice:
        """Wait, while the other side is on move, until the program ends or breaks the game."""

    async def answer_take_back(self, *, granted: bool) -> None:  # noqa: B027 - optional
        """Answer the TakeBack just returned; when `granted`, the game stands there now."""

    async def refuse(self, answer: Played) -> bool:  # noqa: ARG002 - optional
        """Tell the program that its move is not legal; return whether it may be asked for another."""
        return False

    @abc.abstractmethod
    async def finish(self, game: Game, outcome: Outcome, *, last: bool = False) -> Fault | None:
        """End the game at the program: the GAMEEND exchange in DXP, `stop` in Hub. Bounded in time.

        With `last` the program is told that no other game follows. A Fault means that the program must be
        opened again before another game.
        """

    @abc.abstractmethod
    async def close(self) -> None:
        """Let go of the program and of everything that belongs to it. Never fails; may be called twice."""
