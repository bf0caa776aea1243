"""The Python face of the engine: start a search, watch it, stop it, take its result.

A `Searcher` owns the transposition table and serves one game at a time; a `Search` runs in plain threads with
the GIL released. Nothing here needs an event loop.
"""

import functools
import math
import threading
from collections.abc import Callable, Sequence

import attrs

from engine.assets import load_weights
from engine.limits import Budget, Limits, Pace, budget
from engine.slices import DEFAULT, ask_for_slices
from engine.tree import Memory, Tree, clock
from rules.game import Game
from rules.move import Move
from rules.position import Position

INFO_INTERVAL = 0.1
"""Least seconds between two reports of progress."""
MOST_DEPTH = 127
MOST_NODES = 1 << 62
FOREVER = 1e9
"""Seconds that no search lasts; the kernel counts nanoseconds in 64 bits."""
MOST_THREADS = 64
LEAST_WIN = 9000
WIN = 10000


class SearchFaultError(RuntimeError):
    """A search thread failed, which no position or limit should bring about; the text names the fault."""


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
    """Seconds since the start."""
    variation: tuple[Move, ...]
    """Principal variation, starting with our move."""
    line: int = 1
    """1 for the best line, 2 for the second best, up to `Limits.lines`."""
    mean_depth: float = 0.0
    """Plies at which the variations of the main thread ended, captures included, on average so far."""

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
    fault: Exception | None = None
    """What went wrong in a search thread. The rest is then what was known before it, `move` still legal."""


@functools.cache
def load_weights_once() -> None:
    """Load the shipped weights at the first use of the engine; `evaluate.use_weights` may change them."""
    load_weights()


def describe_fault(fault: Exception) -> str:
    """Name an exception in one line."""
    return " ".join(f"{type(fault).__name__}: {fault}".split()).rstrip(": ")


def win_in(score: int) -> int | None:
    """Return the plies to a proven win (positive) or loss (negative) of a kernel score, else None."""
    if abs(score) < LEAST_WIN:
        return None
    return WIN - score if score > 0 else -(WIN + score)


class Search:
    """A running search. Any thread may call any method at any time."""

    def __init__(
        self,
        memory: Memory,
        trees: list[Tree],
        limits: Limits,
        *,
        budget_of_move: Budget,
        choices: int,
        on_info: Callable[[Info], None] | None,
        on_result: Callable[[Result], None] | None = None,
    ) -> None:
        """Take over trees whose roots are set; `Searcher.start` makes searches."""
        self._memory = memory
        self._trees = trees
        self._limits = limits
        self._choices = choices
        self._on_info = on_info
        self._on_result = on_result
        self._pace = Pace(budget_of_move, exact=limits.move_time is not None)
        self._begun = self._clock_started = clock()
        self._lock = threading.Lock()
        self._released = threading.Event()
        """Set when the answer may be given: at once, or when a pondering or endless search is told to."""
        self._pondering = limits.ponder
        if not limits.ponder and not limits.endless:
            self._released.set()
        self._finished = threading.Event()
        self._result: Result | None = None
        self._fault: Exception | None = None
        self._set_deadlines()

    def stop(self) -> None:
        """End the search within milliseconds; `result` then returns the best move so far."""
        self._released.set()
        with self._lock:
            # The flag belongs to all searches of the engine: one that has ended must not stop the next.
            if not self._finished.is_set():
                # Last, so that the GIL is soon free for the search threads, which come back at once.
                self._memory.stop()

    def ponder_hit(self) -> None:
        """Start the clock: the expected move was played. Without effect unless the search ponders."""
        with self._lock:
            if not self._pondering or self._finished.is_set():
                return
            self._pondering = False
            self._clock_started = clock()
            self._set_deadlines()
        self._released.set()

    def result(self, timeout: float | None = None) -> Result:
        """Wait for the end and return what was decided.

        Raises TimeoutError after `timeout` seconds; the search goes on. Raises SearchFaultError if a search
        thread failed. A pondering search that has nothing left to do waits for `ponder_hit` or `stop`, an
        endless one for `stop`.
        """
        if not self._finished.wait(timeout):
            raise TimeoutError(f"the search did not end within {timeout} s")
        assert self._result is not None  # noqa: S101 - set before the event
        fault = self._result.fault
        if fault is not None:
            raise SearchFaultError(f"the search failed: {describe_fault(fault)}") from fault
        return self._result

    @property
    def done(self) -> bool:
        """Whether `result` would return at once."""
        return self._finished.is_set()

    def _set_deadlines(self) -> None:
        """Tell the kernel when to break off; nothing while pondering."""
        if self._pondering or not self._limits.timed:
            return
        start = self._clock_started
        soft, hard = self._pace.deadline, self._pace.budget.hard
        self._memory.set_deadlines(start + min(soft, FOREVER), start + min(hard, FOREVER))

    def run(self) -> None:
        """Search to the end in this thread; helpers come and go inside.

        What fails in a search thread ends the search and becomes the result's `fault`.
        """
        depth = 0
        helpers: list[threading.Thread] = []
        try:
            try:
                for number, tree in enumerate(self._trees[1:], start=1):
                    helper = threading.Thread(target=self._help, args=(tree, 1 + number % 2), daemon=True)
                    helper.start()
                    helpers.append(helper)
                depth = self._deepen()
            except Exception as error:  # noqa: BLE001 - told with the result
                self._fail(error)
            self._released.wait()
            self._result = self._final(depth)
            # Not after the helpers' end: on a busy machine they get their turn later.
            if self._on_result is not None:
                self._on_result(self._result)
        finally:
            self._memory.stop()
            for helper in helpers:
                helper.join()
            with self._lock:
                self._finished.set()

    def _help(self, tree: Tree, first: int) -> None:
        """Search in a thread beside the main one, until the flag is up."""
        try:
            tree.run(first, MOST_DEPTH)
        except Exception as error:  # noqa: BLE001 - told with the result
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Keep what went wrong first, and end the search."""
        with self._lock:
            self._fault = self._fault or error
        self._memory.stop()

    def _deepen(self) -> int:
        """Search one iteration after another until a limit says enough; return the last completed depth."""
        tree = self._trees[0]
        limits = self._limits
        last = MOST_DEPTH if limits.depth is None else min(limits.depth, MOST_DEPTH)
        reported = -math.inf
        pending: list[Info] = []
        depth = 0
        while depth < last:
            completed = tree.run(depth + 1, depth + 1)
            if completed == depth:
                break
            depth = completed
            score = tree.line(0)[0]
            if self._on_info is not None:
                pending = self._infos()
                if clock() - reported >= INFO_INTERVAL:
                    reported = clock()
                    self._report(pending)
                    pending = []
            if not limits.endless and self._enough(score, depth):
                break
        # Helpers off the processors first: whoever reads the report needs one.
        self._memory.stop()
        self._report(pending)
        return depth

    def _enough(self, score: int, depth: int) -> bool:
        """Return whether the move is clear after an iteration."""
        distance = win_in(score)
        if distance is not None and depth >= abs(distance):
            return True
        if not self._limits.timed:
            return False
        self._pace.iteration(score, self._trees[0].best())
        with self._lock:
            if self._pondering:
                return False
            self._set_deadlines()
        return self._choices == 1 or self._pace.enough(clock() - self._begun)

    def _infos(self) -> list[Info]:
        """Describe every line after an iteration."""
        infos = []
        seconds = clock() - self._begun
        nodes = self._memory.nodes
        mean = self._trees[0].mean_depth
        for number, (score, depth, variation) in enumerate(self._lines()):
            infos.append(Info(depth, score / 100, win_in(score), nodes, seconds, variation, number + 1, mean))
        return infos

    def _lines(self) -> list[tuple[int, int, tuple[Move, ...]]]:
        """Return score, depth and moves of each line, the best score first.

        Each line is searched without the moves of those before it, so that a later one may find more. In an
        iteration that was broken off the last lines are still those of the one before, and stay last.
        """
        number = min(self._limits.lines, self._choices)
        return sorted(map(self._trees[0].line, range(number)), key=lambda line: (-line[1], -line[0]))

    def _report(self, infos: list[Info]) -> None:
        if self._on_info is not None:
            for info in infos:
                self._on_info(info)

    def _final(self, depth: int) -> Result:
        """Return the result, with whatever went wrong on the way; of a failing one, any legal move."""
        try:
            result = self._best_so_far(depth)
        except Exception as error:  # noqa: BLE001 - told with the result
            self._fail(error)
            move = self._trees[0].best() if self._choices else None
            result = Result(move, None, 0, 0.0, None, 0, clock() - self._begun, ())
        return attrs.evolve(result, fault=self._fault) if self._fault else result

    def _best_so_far(self, depth: int) -> Result:
        """Put together the result; the last iteration may have been broken off."""
        nodes = self._memory.nodes
        seconds = clock() - self._begun
        if not self._choices:
            return Result(None, None, 0, -WIN / 100, 0, 0, seconds, ())
        score, _, variation = self._lines()[0]
        if not variation:
            variation = (self._trees[0].best(),)
        move = variation[0]
        reply = variation[1] if len(variation) > 1 else None
        return Result(move, reply, depth, score / 100, win_in(score), nodes, seconds, variation)


class Searcher:
    """An engine with its transposition table. One search at a time."""

    def __init__(self, threads: int = 1, tt_mb: int = 64) -> None:
        """Make an engine with `threads` search threads and a transposition table of `tt_mb` megabytes.

        The table's real size is the largest power of two that fits. Raises ValueError for a number below 1
        or more threads than 64, MemoryError for a table that does not fit into memory.
        """
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"{threads} search threads: 1 to {MOST_THREADS} are possible")
        if tt_mb < 1:
            raise ValueError(f"a transposition table of {tt_mb} MB: at least 1 is needed")
        load_weights_once()
        self.memory = Memory(tt_mb)
        self._trees = [Tree(self.memory, number) for number in range(threads)]
        self._current: Search | None = None

    def start(
        self,
        game: Game,
        limits: Limits,
        on_info: Callable[[Info], None] | None = None,
        on_result: Callable[[Result], None] | None = None,
    ) -> Search:
        """Start searching the position of `game` and return at once.

        `on_info` is called from a search thread, at most every 100 ms and once before the end, `on_result`
        as soon as the move is known; the search is over when `result` returns. `game` is read before this
        returns and may change afterwards. Raises RuntimeError while another search of this engine runs, and
        when the system gives no thread.
        """
        search = self._begin(game, limits, on_info, on_result)

        def run() -> None:
            # A thread that answers at once may have started us; its short slices are not for searching.
            ask_for_slices(DEFAULT)
            search.run()

        try:
            threading.Thread(target=run, name="search", daemon=True).start()
        except RuntimeError:  # the system has no more threads: nothing runs that must end first
            self._current = None
            raise
        return search

    def search(self, game: Game, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """Search in the calling thread (with helpers if `threads` > 1) and return the result.

        Raises SearchFaultError if a search thread failed.
        """
        search = self._begin(game, limits, on_info)
        search.run()
        return search.result()

    def new_game(self) -> None:
        """Forget what earlier searches learned, so that the next one does not depend on them.

        Raises RuntimeError while a search runs.
        """
        self._check_idle()
        self.memory.clear()
        for tree in self._trees:
            tree.forget()

    def _check_idle(self) -> None:
        if self._current is not None and not self._current.done:
            raise RuntimeError("this engine is searching: stop that search and take its result first")

    def _begin(
        self,
        game: Game,
        limits: Limits,
        on_info: Callable[[Info], None] | None,
        on_result: Callable[[Result], None] | None = None,
    ) -> Search:
        self._check_idle()
        self.memory.arm()
        choices = 0
        for tree in self._trees:
            choices = tree.set_root(
                game.start,
                game.moves,
                lines=limits.lines,
                nodes=min(limits.nodes or 0, MOST_NODES),
                endless=limits.endless,
            )
        position = game.position
        pieces = sum(
            map(len, (position.white_men, position.white_kings, position.black_men, position.black_kings))
        )
        if not choices:
            limits = attrs.evolve(limits, depth=0, ponder=False, endless=False)
        self._current = Search(
            self.memory,
            self._trees,
            limits,
            budget_of_move=budget(limits, pieces=pieces),
            choices=choices,
            on_info=on_info,
            on_result=on_result,
        )
        return self._current


def search_position(
    tree: Tree, position: Position, moves: Sequence[Move] = (), *, nodes: int = 0, depth: int = MOST_DEPTH
) -> tuple[Move | None, int, int]:
    """Search what stands after `moves` from `position` in the calling thread, at no cost beside the search.

    For self-play: make the tree once (`Tree(Memory(megabytes))`, after `load_weights_once`). The first
    limit reached ends the search; `nodes` 0 is no limit. Pass the moves since the last man move or capture,
    for repetitions and clocks. Returns the move (None if there is none), its score in 1/100 men for the
    side to move (a win in n plies is 10,000 - n), and the depth completed.
    """
    tree.memory.arm()
    if not tree.set_root(position, moves, nodes=nodes):
        return None, -WIN, 0
    completed = tree.run(1, depth)
    return tree.best(), tree.line(0)[0], completed
