"""The kernel's Python face: what threads share, and the search of one thread."""

import cython
from cython.cimports.engine.bitbase import loaded_pieces
from cython.cimports.engine.order import HISTORY_ONE, HISTORY_SIZE
from cython.cimports.engine.search import deepen
from cython.cimports.engine.table import allocate, clear, release
from cython.cimports.engine.worker import (
    HISTORY_NODES,
    MOST_LINES,
    MOST_THREADS,
    RELAXED,
    Line,
    advance,
    all_nodes,
    count_store,
    flag_load,
    flag_store,
    now,
    prepare,
    stand_at,
)
from cython.cimports.libc.stdint import int64_t
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.rules.bitboard import BIT_OF, SQUARE_OF, bits_of, squares_of
from cython.cimports.rules.board import Step
from cython.cimports.rules.move import Move, new_move
from cython.cimports.rules.position import Position


@cython.cclass
class Memory:
    """What the threads of one engine share: the transposition table, the stop flag and the switches."""

    def __init__(self, megabytes: cython.int) -> None:
        """Allocate a transposition table of at most so many megabytes (MemoryError)."""
        release(cython.address(self.shared.table))
        if not allocate(cython.address(self.shared.table), megabytes):
            raise MemoryError(f"no memory for a transposition table of {megabytes} MB")
        self.shared.stop = 0
        self.shared.deadline = 0
        self.shared.hard_deadline = 0
        self.set_options()

    def __dealloc__(self) -> None:
        """Give the table back."""
        release(cython.address(self.shared.table))

    def set_options(
        self,
        *,
        reductions: bool = True,
        pruning: bool = True,
        extensions: bool = True,
        table: bool = True,
        bitbases: bool = True,
    ) -> None:
        """Switch parts of the search off: what remains with all off is plain alpha-beta."""
        self.shared.options.reductions = reductions
        self.shared.options.pruning = pruning
        self.shared.options.extensions = extensions
        self.shared.options.table = table
        self.shared.options.bitbases = bitbases

    def clear(self) -> None:
        """Forget all positions."""
        with cython.nogil:
            clear(cython.address(self.shared.table))

    def stop(self) -> None:
        """Make every running search end."""
        flag_store(cython.address(self.shared.stop), 1, RELAXED)

    def arm(self) -> None:
        """Take the stop and the deadlines back and let the table age, before a new search."""
        i: cython.int
        flag_store(cython.address(self.shared.stop), 0, RELAXED)
        self.set_deadlines(0, 0)
        self.shared.options.pieces = loaded_pieces() if self.shared.options.bitbases else 0
        for i in range(MOST_THREADS):
            count_store(cython.address(self.shared.counts[i]), 0, RELAXED)
        self.shared.table.age = (self.shared.table.age + 1) & 63

    def set_deadlines(self, soft: cython.double, hard: cython.double) -> None:
        """Stop at these times of `clock()`, 0 for none; a falling score passes the soft one."""
        count_store(cython.address(self.shared.deadline), cython.cast(int64_t, soft * 1e9), RELAXED)
        count_store(cython.address(self.shared.hard_deadline), cython.cast(int64_t, hard * 1e9), RELAXED)

    @property
    def nodes(self) -> int:
        """Positions searched by all threads; each thread's share is at most 1,024 behind."""
        return all_nodes(cython.address(self.shared))

    @property
    def stopped(self) -> bool:
        """Whether the stop flag is up."""
        return flag_load(cython.address(self.shared.stop), RELAXED) != 0


@cython.cclass
class Tree:
    """The search of one thread."""

    def __init__(self, memory: Memory, number: cython.int = 0) -> None:
        """Make the search of thread `number`, below 64; number 0 watches the limits."""
        self.memory = memory
        free(self.worker)
        self.worker = cython.cast(cython.pointer(Worker), calloc(1, cython.sizeof(Worker)))
        if self.worker == cython.NULL:
            raise MemoryError("no memory for a search thread")
        self.worker.shared = cython.address(memory.shared)
        self.worker.number = number
        self.worker.path = cython.address(self.worker.nodes_of_game[HISTORY_NODES])
        self.forget()

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.worker)

    def forget(self) -> None:
        """Forget what was learned about moves."""
        i: cython.int
        for i in range(HISTORY_SIZE):
            self.worker.history[i] = HISTORY_ONE // 2

    def set_root(
        self,
        start: Position,
        moves: object = (),
        *,
        lines: cython.int = 1,
        nodes: int64_t = 0,
        endless: cython.bint = False,
    ) -> int:
        """Set up the position after `moves` from `start`; return the number of legal moves.

        `nodes` limits the nodes of all threads (0: no limit) and `lines` is the number of principal
        variations.
        """
        worker: cython.pointer(Worker) = self.worker
        stand_at(worker, start.board)
        for move in moves:
            advance(worker, step_of(move))
        worker.node_limit = nodes
        worker.endless = endless
        worker.lines = max(1, min(lines, MOST_LINES))
        return prepare(worker)

    def run(self, first: cython.int, last: cython.int) -> int:
        """Search iterations `first` to `last` without the GIL; return the last completed, or `first` - 1.

        An iteration that proves a win no deeper search can shorten is the last, except when endless.
        """
        done: cython.int
        with cython.nogil:
            done = deepen(self.worker, first, last)
        return done

    @property
    def nodes(self) -> int:
        """Positions searched since the root was set."""
        return self.worker.nodes

    @property
    def mean_depth(self) -> float:
        """Plies at which the variations ended, on average; 0 before the first end."""
        return self.worker.end_plies / self.worker.ends if self.worker.ends else 0.0

    def line(self, index: cython.int) -> tuple:
        """Return (score, depth, moves) of a principal variation, 0 the best."""
        line: cython.pointer(Line) = cython.address(self.worker.line[index])
        i: cython.int
        moves: list = []
        for i in range(line.length):
            moves.append(move_of(line.moves[i]))
        return line.score, line.depth, tuple(moves)

    def best(self) -> Move:
        """Return the best root move known; before the first iteration, any."""
        return move_of(self.worker.moves[0])


def clock() -> float:
    """Return the seconds of the monotonic clock that deadlines are given in."""
    return now() * 1e-9


@cython.cfunc
def move_of(step: Step) -> Move:
    """Return a kernel move as Python sees it."""
    return new_move(SQUARE_OF[step.from_bit], SQUARE_OF[step.to_bit], squares_of(step.captured))


@cython.cfunc
def step_of(move: Move) -> Step:
    """Return a move as the kernel sees it."""
    step: Step
    step.captured = bits_of(move.captured)
    step.from_bit = BIT_OF[move.from_square]
    step.to_bit = BIT_OF[move.to_square]
    return step
