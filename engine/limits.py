"""What one search may spend, and how a clock becomes a time budget.

All times are seconds. A clock is the bank *without* the coming increment (DESIGN 5): the increment is added
before the move, so a move may use `clock + increment`.
"""

import math
from typing import Self

import attrs

from rules.clock import Clock

DEFAULT_OVERHEAD = 0.03
"""Seconds between our answer and the moment the referee's clock stops, when nothing better is known."""

MOVES_AHEAD_EARLY = 32
"""Own moves that a clock without a shorter period is shared among, with all pieces on the board."""
MOVES_AHEAD_LATE = 12
"""The same in the late ending."""
MOVES_AHEAD_OVERHEAD = 60
"""Own moves whose overhead is put aside when nothing tells how many there will be."""
ALL_PIECES = 40
LONGEST = 4.0
"""The hard limit in shares of a calm move."""
LEAST = 0.001
"""Seconds that every search may take: enough for one ply."""


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
    """Seconds for this move, used up unless the move is forced or the game decided."""
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
        control = clock.control
        return cls(
            depth=control.depth,
            nodes=control.nodes,
            move_time=control.move_time,
            clock=clock.bank,
            increment=control.increment,
            moves_left=clock.moves_left,
            overhead=overhead,
        )

    @property
    def timed(self) -> bool:
        """Whether time limits the search."""
        return self.move_time is not None or self.clock is not None


@attrs.frozen
class Budget:
    """Seconds of search: `soft` is what a calm move takes, `hard` is never passed."""

    soft: float = math.inf
    hard: float = math.inf


def budget(limits: Limits, *, pieces: int = ALL_PIECES) -> Budget:
    """Return the time budget of a move under `limits`, with `pieces` on the board.

    A bank is shared among the moves of its period, or among as many as a game may still last if those are
    fewer; what the coming moves may lose to overhead is put aside first. A move never takes more than the
    bank less twice the overhead.
    """
    if limits.move_time is not None:
        # A short time a move is measured with a tolerance by whoever sets it: only a little is held back.
        exact = max(LEAST, limits.move_time - min(limits.overhead, 0.002 + 0.02 * limits.move_time))
        if limits.clock is None:
            return Budget(exact, exact)
        share = budget(attrs.evolve(limits, move_time=None), pieces=pieces)
        return Budget(min(exact, share.hard), min(exact, share.hard))
    if limits.clock is None:
        return Budget()
    now = limits.clock + limits.increment - 2 * limits.overhead
    stage = min(pieces, ALL_PIECES) / ALL_PIECES
    moves: float = MOVES_AHEAD_LATE + (MOVES_AHEAD_EARLY - MOVES_AHEAD_LATE) * stage
    if limits.moves_left is not None:
        moves = min(moves, max(1, limits.moves_left))
    # Overhead varies: put aside double for every move to come, but never a whole short bank.
    coming = (limits.moves_left or MOVES_AHEAD_OVERHEAD) - 1
    reserve = max(0.0, min(2 * coming * limits.overhead, 0.9 * now))
    soft = (now - reserve + (moves - 1) * limits.increment) / moves
    # Whatever this move takes, most of the bank is left for the next ones, except on the last move of a
    # period.
    bonus = max(0.0, min(now, limits.increment))
    most = now if moves <= 1 else bonus + (now - bonus - reserve) * max(0.25, 1.5 / (moves + 1))
    hard = max(LEAST, min(LONGEST * soft, most))
    return Budget(max(LEAST, min(soft, hard)), hard)


@attrs.define
class Pace:
    """How much of the budget a move deserves.

    More when the score falls or the best move changes, less when all is calm.
    """

    budget: Budget
    exact: bool = False
    """Use the whole budget whatever the search says (a time for each move)."""
    score: int | None = None
    """The last iteration's score in 1/100 men."""
    move: object = None
    calm: int = 0
    """Iterations since the best move changed."""
    stretch: float = 1.0
    """What the soft budget is multiplied by."""

    def iteration(self, score: int, move: object) -> None:
        """Take note of a completed iteration's score, in 1/100 men, and best move."""
        self.calm = self.calm + 1 if move == self.move else 0
        fall = 0 if self.score is None else max(0, self.score - score)
        self.stretch = (1.4, 1.1, 1.0, 0.85)[min(self.calm, 3)] if self.calm <= 3 else 0.7  # noqa: PLR2004
        self.stretch *= 1.0 + min(fall, 80) / 40
        self.score, self.move = score, move

    def enough(self, elapsed: float) -> bool:
        """Return whether to play now: another iteration usually takes as long as all before."""
        if self.exact:
            return elapsed >= self.budget.hard
        return elapsed >= min(self.budget.hard, 0.6 * self.budget.soft * self.stretch)

    @property
    def deadline(self) -> float:
        """Seconds after which an iteration is broken off, unless its score is falling."""
        if self.exact:
            return self.budget.hard
        return min(self.budget.hard, 1.8 * self.budget.soft * self.stretch)
