"""The Python face of the engine: start a search, watch it, stop it, take its result.

A `Searcher` owns the transposition table and serves one game at a time; a `Search` runs in plain threads with the GIL
released. Nothing here needs an event loop.
"""

from collections.abc import Callable

import attrs

from engine.limits import Limits
from rules.game import Game
from rules.move import Move


@attrs.frozen
class Info:
    """One line of a search's progress. `score` is in men, positive when the side to move stands better."""

    depth: int
    """Plies of the iteration."""
    score: float
    """Men, from the side to move's view; a proven win is +-(100 - 0.01 x plies), as Hub wants it."""
    win_in: int | None
    """Plies to a proven win (positive) or loss (negative); None if nothing is proven."""
    nodes: int
    """Positions searched so far by all threads."""
    time: float
    """Seconds since the start, or since the ponder hit."""
    variation: tuple[Move, ...]
    """Principal variation, starting with our move."""
    line: int = 1
    """1 for the best line, 2 for the second best, up to `Limits.lines`."""

    @property
    def speed(self) -> float:
        """Nodes per second; 0 when no time has passed."""
        return self.nodes / self.time if self.time > 0 else 0.0


@attrs.frozen
class Result:
    """What a search decided. `move` is None only if the side to move has no legal move."""

    move: Move | None
    ponder: Move | None
    """The expected reply, or None."""
    depth: int
    """Plies of the last completed iteration."""
    score: float
    win_in: int | None
    nodes: int
    time: float
    variation: tuple[Move, ...]


class Search:
    """A running search. Any thread may call any method at any time."""

    def stop(self) -> None:
        """End the search as soon as possible (a few milliseconds); `result` then returns the best move so far."""
        raise NotImplementedError

    def ponder_hit(self) -> None:
        """Start the clock: the expected move was played. Without effect unless the search ponders."""
        raise NotImplementedError

    def result(self, timeout: float | None = None) -> Result:
        """Wait for the end and return what was decided.

        Raises TimeoutError after `timeout` seconds; the search goes on.
        A pondering search that has nothing left to do waits for `ponder_hit` or `stop`.
        """
        raise NotImplementedError

    @property
    def done(self) -> bool:
        """Whether `result` would return at once."""
        raise NotImplementedError


class Searcher:
    """An engine with its transposition table. One search at a time."""

    def __init__(self, threads: int = 1, tt_mb: int = 64) -> None:
        """Make an engine with `threads` search threads and a transposition table of `tt_mb` megabytes.

        The table's real size is the largest power of two that fits. Raises ValueError for a number below 1.
        """
        raise NotImplementedError

    def start(self, game: Game, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Search:
        """Start searching the position of `game` and return at once.

        `on_info` is called from a search thread, at most every 100 ms and once before the end. `game` is read before
        this returns and may change afterwards. Raises RuntimeError while another search of this engine runs.
        """
        raise NotImplementedError

    def search(self, game: Game, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """Search in the calling thread (with helpers if `threads` > 1) and return the result."""
        raise NotImplementedError

    def new_game(self) -> None:
        """Forget what earlier searches learned, so that the next one does not depend on them."""
        raise NotImplementedError
