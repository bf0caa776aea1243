"""The search: principal variation search over a shared transposition table, without the GIL and without objects.

Scores are in 1/100 men from the side to move's view. A proven win in n plies is WIN - n.
"""

import cython
from cython.cimports.engine.evaluate import evaluate
from cython.cimports.engine.order import bring_best, learn, move_id, score_moves
from cython.cimports.engine.path import begin, follow, repeated, table_key
from cython.cimports.engine.table import (
    EXACT,
    LOWER,
    UPPER,
    Found,
    allocate,
    clear,
    prefetch,
    probe,
    record,
    release,
)
from cython.cimports.libc.stdint import int64_t, uint64_t
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memcpy, memmove
from cython.cimports.rules.bitboard import BIT_OF, SQUARE_OF, Bits, bits_of, squares_of
from cython.cimports.rules.board import BLACK_TURN, WHITE_TURN, Board, Step, make
from cython.cimports.rules.move import Move, new_move
from cython.cimports.rules.movegen import MoveList, can_capture, can_move, generate
from cython.cimports.rules.position import Position

WHITE_CROWN = cython.declare(cython.ulonglong, 0x1F)
BLACK_CROWN = cython.declare(cython.ulonglong, 0x1F << 58)
ONE = cython.declare(cython.ulonglong, 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def all_nodes(shared: cython.pointer(Shared)) -> int64_t:  # noqa: F821
    """Return the nodes of all threads, each as of its last poll."""
    total: int64_t = 0
    i: cython.int
    for i in range(MOST_THREADS):  # noqa: F821
        total += count_load(cython.address(shared.counts[i]), RELAXED)  # noqa: F821
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def poll(worker: cython.pointer(Worker)) -> cython.void:  # noqa: F821
    """Look at the clock and the node limit; raise the stop flag when one is reached."""
    time: int64_t
    soft: int64_t
    hard: int64_t
    total: int64_t
    shared: cython.pointer(Shared) = worker.shared  # noqa: F821
    worker.next_poll = worker.nodes + POLL_NODES  # noqa: F821
    count_store(cython.address(shared.counts[worker.number]), worker.nodes, RELAXED)  # noqa: F821
    if worker.number != 0:
        return
    if worker.node_limit:
        total = all_nodes(shared)
        if total >= worker.node_limit:
            flag_store(cython.address(shared.stop), 1, RELAXED)  # noqa: F821
        elif worker.node_limit - total < POLL_NODES:  # noqa: F821
            worker.next_poll = worker.nodes + (worker.node_limit - total)
    soft = count_load(cython.address(shared.deadline), RELAXED)  # noqa: F821
    hard = count_load(cython.address(shared.hard_deadline), RELAXED)  # noqa: F821
    if soft or hard:
        time = now()  # noqa: F821
        if (hard and time >= hard) or (soft and time >= soft and not worker.failing):
            flag_store(cython.address(shared.stop), 1, RELAXED)  # noqa: F821


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def passed(board: Board) -> Board:
    """Return the board with the other side to move."""
    board.turn = BLACK_TURN if board.turn == WHITE_TURN else WHITE_TURN
    return board


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def crowns(board: cython.pointer(Board), step: cython.pointer(Step)) -> cython.bint:
    """Return whether a man of the side to move is crowned by `step`."""
    target: Bits = ONE << step.to_bit
    if board.turn == WHITE_TURN:
        return (target & WHITE_CROWN) != 0 and (board.white_men >> step.from_bit) & 1
    return (target & BLACK_CROWN) != 0 and (board.black_men >> step.from_bit) & 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def static_score(board: Board) -> cython.int:
    """Return the evaluation, kept clear of the scores of proven wins."""
    score: cython.int = evaluate(board)
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, score))


def quiesce(worker, board, alpha, beta, ply, depth):
    """Search until no capture is on the board and none threatens.

    All captures are followed. At the horizon itself (`depth` 0) a threat of the other side is met with every move;
    below it, and without a threat, the evaluation stands.
    """
    found: MoveList
    i: cython.int
    score: cython.int
    best: cython.int
    if flag_load(cython.address(worker.shared.stop), RELAXED):
        return 0
    worker.nodes += 1
    if worker.nodes >= worker.next_poll:
        poll(worker)
    if ply >= MOST_PLIES:
        return static_score(board)
    if not can_capture(board):
        if depth < 0 or not can_capture(passed(board)):
            if not can_move(board):
                return -WIN + ply
            return static_score(board)
        depth -= 1
    generate(board, cython.address(found))
    best = -WIN + ply
    for i in range(found.count):
        score = -quiesce(worker, make(board, found.moves[i]), -beta, -alpha, ply + 1, depth)
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                if score >= beta:
                    break
    return best


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def keep_line(worker: cython.pointer(Worker), ply: cython.int, step: Step) -> cython.void:  # noqa: F821
    """Make `step` and the line below it the principal variation from `ply`."""
    length: cython.int = worker.pv_length[ply + 1]
    worker.pv[ply][0] = step
    memcpy(cython.address(worker.pv[ply][1]), cython.address(worker.pv[ply + 1][0]), length * cython.sizeof(Step))
    worker.pv_length[ply] = length + 1


def search(worker, board, alpha, beta, depth, ply, principal, excluded):
    """Return the score of `board` within the window (fail soft), `depth` plies deep and then quiet."""
    found: MoveList
    scores: cython.int[1024]
    entry: Found
    node: cython.pointer(Node) = worker.path + ply
    options: cython.pointer(Options) = cython.address(worker.shared.options)
    child: Board
    i: cython.int
    score: cython.int
    best: cython.int
    best_index: cython.int = -1
    first_alpha: cython.int = alpha
    next_depth: cython.int
    reduction: cython.int
    table_move: cython.int = 0
    hash_key: Bits
    margin: cython.int

    worker.pv_length[ply] = 0
    if node.reversible >= 4 and repeated(node):
        return 0
    if depth <= 0:
        return quiesce(worker, board, alpha, beta, ply, 0)
    if flag_load(cython.address(worker.shared.stop), RELAXED):
        return 0
    worker.nodes += 1
    if worker.nodes >= worker.next_poll:
        poll(worker)
    if ply >= MOST_PLIES:
        return static_score(board)
    # A win further away than one already found cannot matter.
    if alpha < -WIN + ply:
        alpha = -WIN + ply
        first_alpha = alpha
    if beta > WIN - ply - 1:
        beta = WIN - ply - 1
    if alpha >= beta:
        return alpha

    hash_key = table_key(node)
    if options.table and not excluded and probe(cython.address(worker.shared.table), hash_key, cython.address(entry)):
        table_move = entry.move
        score = entry.score
        if score >= LEAST_WIN:
            score -= ply
        elif score <= -LEAST_WIN:
            score += ply
        if not principal and entry.depth >= depth:
            if entry.bound == EXACT:
                return score
            if entry.bound == LOWER and score >= beta:
                return score
            if entry.bound == UPPER and score <= alpha:
                return score

    generate(board, cython.address(found))
    if found.count == 0:
        return -WIN + ply
    if node.remaining <= 0:
        return 0

    if (
        options.pruning
        and not principal
        and depth >= 3
        and not excluded
        and beta < EVAL_LIMIT
        and beta > -EVAL_LIMIT
    ):
        margin = options.tune[0] * depth
        score = search(worker, board, beta + margin - 1, beta + margin, depth * options.tune[1] // 100, ply, False, -1)
        if score >= beta + margin:
            return score - margin if score < LEAST_WIN else score
        if flag_load(cython.address(worker.shared.stop), RELAXED):
            return 0

    score_moves(cython.address(found), scores, worker.history, board.turn, table_move)
    best = -INFINITE
    for i in range(found.count):
        bring_best(cython.address(found), scores, i)
        child = make(board, found.moves[i])
        follow(node, board, found.moves[i], child)
        prefetch(cython.address(worker.shared.table), table_key(node + 1))
        next_depth = depth - 1
        if options.extensions and found.count == 1:
            next_depth = depth
        reduction = 0
        if (
            options.reductions
            and depth >= 2
            and i >= (3 if principal else 1)
            and found.captures == 0
            and not crowns(cython.address(board), cython.address(found.moves[i]))
        ):
            reduction = 1 if i < options.tune[2] else 2
        if i == 0:
            score = -search(worker, child, -beta, -alpha, next_depth, ply + 1, principal, 0)
        else:
            score = -search(worker, child, -alpha - 1, -alpha, next_depth - reduction, ply + 1, False, 0)
            if score > alpha and reduction:
                score = -search(worker, child, -alpha - 1, -alpha, next_depth, ply + 1, False, 0)
            if score > alpha and score < beta:
                score = -search(worker, child, -beta, -alpha, next_depth, ply + 1, True, 0)
        if flag_load(cython.address(worker.shared.stop), RELAXED):
            return 0
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_index = i
                if principal:
                    keep_line(worker, ply, found.moves[i])
                if score >= beta:
                    break

    if best_index >= 0:
        learn(worker.history, board.turn, found.moves, best_index)
    score = best
    if score >= LEAST_WIN:
        score += ply
    elif score <= -LEAST_WIN:
        score -= ply
    if options.table:
        record(
            cython.address(worker.shared.table),
            hash_key,
            move_id(found.moves[best_index]) if best_index >= 0 else 0,
            score,
            0,
            depth,
            LOWER if best >= beta else (EXACT if best > first_alpha else UPPER),
        )
    return best


def search_root(worker, alpha, beta, depth, line):
    """Search the root's moves from number `line` on; the best comes to that place, its variation to `worker.line`."""
    i: cython.int
    score: cython.int
    best: cython.int = -INFINITE
    next_depth: cython.int
    step: Step
    child: Board
    into: cython.pointer(Line) = cython.address(worker.line[line])
    for i in range(line, worker.root_count):
        step = worker.moves[i]
        child = make(worker.root, step)
        follow(worker.path, worker.root, step, child)
        next_depth = depth if worker.root_count == 1 and worker.shared.options.extensions else depth - 1
        if i == line:
            score = -search(worker, child, -beta, -alpha, next_depth, 1, True, 0)
        else:
            score = -search(worker, child, -alpha - 1, -alpha, next_depth, 1, False, 0)
            if score > alpha and score < beta:
                score = -search(worker, child, -beta, -alpha, next_depth, 1, True, 0)
        if flag_load(cython.address(worker.shared.stop), RELAXED):
            return best
        if score > best:
            best = score
            if score > alpha or i == line:
                memmove(
                    cython.address(worker.moves[line + 1]),
                    cython.address(worker.moves[line]),
                    (i - line) * cython.sizeof(Step),
                )
                worker.moves[line] = step
                into.score = score
                into.depth = depth
                if score > alpha:
                    keep_line(worker, 0, step)
                    memcpy(into.moves, worker.pv[0], worker.pv_length[0] * cython.sizeof(Step))
                    into.length = worker.pv_length[0]
                    alpha = score
                elif into.length == 0 or move_id(into.moves[0]) != move_id(step):
                    into.moves[0] = step
                    into.length = 1
            if score >= beta:
                break
    return best


def iterate(worker, depth):
    """Search the root `depth` plies deep for each line wanted; False if stopped before the end."""
    line: cython.int
    count: cython.int = min(worker.lines, worker.root_count)
    guess: cython.int
    score: cython.int
    alpha: cython.int
    beta: cython.int
    window: cython.int
    worker.root_depth = depth
    for line in range(count):
        guess = worker.line[line].score
        alpha = -INFINITE
        beta = INFINITE
        window = 10
        if depth >= 4 and -EVAL_LIMIT < guess < EVAL_LIMIT:
            alpha = guess - window
            beta = guess + window
        while True:
            score = search_root(worker, alpha, beta, depth, line)
            if flag_load(cython.address(worker.shared.stop), RELAXED):
                worker.failing = False
                return False
            if alpha < score < beta:
                break
            window *= 2
            if score <= alpha:
                worker.failing = line == 0
                alpha = score - window if window <= 500 and score > -EVAL_LIMIT else -INFINITE
            else:
                beta = score + window if window <= 500 and score < EVAL_LIMIT else INFINITE
        worker.failing = False
    return True


def stand_at(worker, board):
    """Make `board` the root, without a history."""
    worker.root = board
    begin(worker.path, board)


def advance(worker, step):
    """Play a legal move at the root: what stood there becomes history."""
    after: Board = make(worker.root, step)
    follow(worker.path, worker.root, step, after)
    worker.root = after
    memmove(
        cython.address(worker.nodes_of_game[0]),
        cython.address(worker.nodes_of_game[1]),
        (HISTORY_NODES + 1) * cython.sizeof(Node),
    )


def prepare(worker):
    """Make a new search of the root ready; return the number of its legal moves."""
    found: MoveList
    i: cython.int
    generate(worker.root, cython.address(found))
    worker.root_count = found.count
    for i in range(found.count):
        worker.moves[i] = found.moves[i]
    for i in range(MOST_LINES):
        worker.line[i].score = 0
        worker.line[i].depth = 0
        worker.line[i].length = 0
    worker.nodes = 0
    worker.next_poll = 0
    worker.failing = False
    return found.count


def deepen(worker, first, last):
    """Search iterations `first` to `last` of a root made ready; return the last one completed.

    Without a stop, a limit or a legal move short of it that is `last`, or the first one that proves a win which no
    deeper search can shorten (unless `endless`). The best move is `worker.moves[0]`, its score `worker.line[0].score`.
    """
    depth: cython.int
    done: cython.int = first - 1
    if worker.root_count == 0:
        return done
    for depth in range(first, last + 1):
        if not iterate(worker, depth):
            break
        done = depth
        if WIN - abs(worker.line[0].score) <= depth and not worker.endless:
            break
    count_store(cython.address(worker.shared.counts[worker.number]), worker.nodes, RELAXED)
    return done


@cython.cclass
class Memory:
    """What the threads of one engine share: the transposition table, the stop flag and the switches."""

    def __cinit__(self, megabytes: cython.int) -> None:
        """Allocate a transposition table of at most so many megabytes (MemoryError)."""
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
    ) -> None:
        """Switch parts of the search off: what remains with all off is plain alpha-beta."""
        self.shared.options.reductions = reductions
        self.shared.options.pruning = pruning
        self.shared.options.extensions = extensions
        self.shared.options.table = table
        self.shared.options.tune[0] = 10
        self.shared.options.tune[1] = 40
        self.shared.options.tune[2] = 4

    def tune(self, index: int, value: int) -> None:
        self.shared.options.tune[index] = value

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
        for i in range(MOST_THREADS):
            count_store(cython.address(self.shared.counts[i]), 0, RELAXED)
        self.shared.table.age = (self.shared.table.age + 1) & 63

    def set_deadlines(self, soft: cython.double, hard: cython.double) -> None:
        """Stop at these times of `clock()`, 0 for none; an iteration whose score falls may pass the soft one."""
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

    def __cinit__(self, memory: Memory, number: cython.int = 0) -> None:
        """Make the search of thread `number`, below 64; number 0 watches the limits."""
        self.memory = memory
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
        for i in range(8192):
            self.worker.history[i] = 2048

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

        `nodes` limits the nodes of all threads (0: no limit) and `lines` is the number of principal variations.
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
        """Search iterations `first` to `last` without the GIL; return the last one completed (`first` - 1 if none).

        An iteration that proves a win no deeper search can shorten is the last, except when endless.
        """
        with cython.nogil:
            first = deepen(self.worker, first, last)
        return first

    @property
    def nodes(self) -> int:
        """Positions searched since the root was set."""
        return self.worker.nodes

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
    return new_move(SQUARE_OF[step.from_bit], SQUARE_OF[step.to_bit], squares_of(step.captured))


@cython.cfunc
def step_of(move: Move) -> Step:
    step: Step
    step.captured = bits_of(move.captured)
    step.from_bit = BIT_OF[move.from_square]
    step.to_bit = BIT_OF[move.to_square]
    return step
