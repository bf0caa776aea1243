"""What is kept of a game: the referee's return value, the store's row, the source of a PDN game."""

import datetime as dt

import attrs

from rules.clock import TimeControl
from rules.colour import Colour
from rules.game import Outcome
from rules.move import Move
from rules.position import Position


@attrs.frozen
class Ply:
    """One move as it was played. `seconds` is measured by the referee; `score` in men, the mover's view.

    `clock` is the bank left after the move, in seconds; None without a game clock.
    """

    move: Move
    seconds: float
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    clock: float | None = None


@attrs.frozen
class GameRecord:
    """A finished game. `controls` are white's and black's.

    `detail` tells of the reason what the enumeration cannot: "signal 9", the illegal text.
    """

    white: str
    black: str
    start: Position
    plies: tuple[Ply, ...]
    outcome: Outcome
    detail: str
    controls: tuple[TimeControl, TimeControl]
    move_limit: int | None
    started: dt.datetime
    finished: dt.datetime
    draw_rules: str = "fmjd"
    remarks: tuple[str, ...] = ()
    broken: frozenset[Colour] = attrs.field(default=frozenset(), eq=False)
    """The sides whose programs must be opened again before another game. It is not stored."""
