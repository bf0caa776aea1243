"""What is kept of a game: the referee's return value, the store's row, the source of a PDN game."""

import datetime

import attrs

from rules.clock import TimeControl
from rules.game import Outcome
from rules.move import Move
from rules.position import Position


@attrs.frozen
class Ply:
    """One move as it was played. `seconds` is measured by the referee; `score` in men, the mover's view."""

    move: Move
    seconds: float
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None


@attrs.frozen
class GameRecord:
    """A finished game. `detail` tells of the reason what the enumeration cannot ("signal 9", the illegal text)."""

    white: str
    black: str
    start: Position
    plies: tuple[Ply, ...]
    outcome: Outcome
    detail: str
    control: TimeControl
    move_limit: int | None
    started: datetime.datetime
    finished: datetime.datetime
    draw_rules: str = "fmjd"
    remarks: tuple[str, ...] = ()
