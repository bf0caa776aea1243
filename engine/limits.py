"""What one search may spend, and how a clock becomes a time budget.

All times are seconds. A clock is the bank *without* the coming increment (DESIGN 5): the increment is added before the
move, so a move may use `clock + increment`.
"""

import math
from typing import Self

import attrs

from rules.clock import Clock

DEFAULT_OVERHEAD = 0.03
"""Seconds between our answer and the moment the referee's clock stops, when nothing better is known."""


@attrs.frozen
class Limits:
    """What one search may spend; with nothing set it runs until it is stopped.

    The first limit that is reached ends the search.
    """

    depth: int | None = None
    """Plies of the last iteration."""
    nodes: int | None = None
    """Positions searched by all threads together."""
    move_time: float | None = None
    """Seconds for this move, exactly used unless the move is forced."""
    clock: float | None = None
    """Seconds left in the bank, without the coming increment."""
    increment: float = 0.0
    """Seconds added before each move."""
    moves_left: int | None = None
    """Own moves to be made in `clock`, this one included; None for the rest of the game."""
    overhead: float = DEFAULT_OVERHEAD
    """Seconds of a move that pass outside the search."""
    ponder: bool = False
    """Think on the opponent's time: no limit counts before `Search.ponder_hit()`."""
    endless: bool = False
    """Analysis: go on until stopped, even when the move is forced or the win is proven."""
    lines: int = 1
    """Principal variations wanted, best first."""

    @classmethod
    def of_clock(cls, clock: Clock, *, overhead: float = DEFAULT_OVERHEAD) -> Self:
        """Return the limits of the side whose `clock` is about to run."""
        raise NotImplementedError


@attrs.frozen
class Budget:
    """Seconds of search: `soft` is what a calm move takes, `hard` is never passed."""

    soft: float = math.inf
    hard: float = math.inf


def budget(limits: Limits, *, pieces: int = 40) -> Budget:
    """Return the time budget of a move under `limits`, with `pieces` on the board."""
    raise NotImplementedError
