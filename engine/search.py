"""The search: principal variations over a shared transposition table, without the GIL and without objects.

Scores are in 1/100 men from the side to move's view; a proven win in n plies is WIN - n. What each part is
worth is told in docs/search.md.
"""

import math

import cython
from cython.cimports.engine.order import bring_best, learn, move_id, score_moves
from cython.cimports.engine.path import follow, repeated, table_key
from cython.cimports.engine.quiet import quiesce, remembered_score, static_score, table_score
from cython.cimports.engine.table import EXACT, LOWER, UPPER, Found, prefetch, probe, record
from cython.cimports.engine.worker import (
    EVAL_LIMIT,
    INFINITE,
    MOST_PLIES,
    RELAXED,
    count_store,
    poll,
    stopped,
)
from cython.cimports.libc.string import memcpy, memmove
from cython.cimports.rules.bitboard import Bits, popcount
from cython.cimports.rules.board import BLACK_TURN, WHITE_TURN, Board, Step, make, occupied
from cython.cimports.rules.movegen import MoveList, can_capture, generate

WHITE_CROWN = cython.declare(cython.ulonglong, 0x1F)
BLACK_CROWN = cython.declare(cython.ulonglong, 0x1F << 58)
ONE = cython.declare(cython.ulonglong, 1)
# Plies taken off a late move, [64 * depth + number of the move].
REDUCTIONS = cython.declare(cython.schar[4096])


def _fill() -> None:
    for depth in range(64):
        for number in range(64):
            REDUCTIONS[64 * depth + number] = int(0.5 + math.log(max(depth, 1)) * math.log(number + 1) / 2)


_fill()


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
def keep_line(worker: cython.pointer(Worker), ply: cython.int, step: Step) -> cython.void:
    """Make `step` and the line below it the principal variation from `ply`."""
    length: cython.int = worker.pv_length[ply + 1]
    worker.pv[ply][0] = step
    memcpy(
        cython.address(worker.pv[ply][1]),
        cython.address(worker.pv[ply + 1][0]),
        length * cython.sizeof(Step),
    )
    worker.pv_length[ply] = length + 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def from_root(score: cython.int, ply: cython.int) -> cython.int:
    """Return a score of the table, where wins count from the position, as one that counts from the root."""
    if score >= LEAST_WIN:
        return score - ply
    return score + ply if score <= -LEAST_WIN else score


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def child_cuts(
    worker: cython.pointer(Worker),
    board: Board,
    found: cython.pointer(MoveList),
    beta: cython.int,
    depth: cython.int,
    ply: cython.int,
) -> cython.int:
    """Return a score of at least beta if the table knows a move that reaches it, else INFINITE."""
    node: cython.pointer(Node) = worker.path + ply
    table: cython.pointer(Table) = cython.address(worker.shared.table)
    reply: Found
    keys: Bits[64]
    count: cython.int = min(found.count, 64)
    i: cython.int
    score: cython.int
    # The table is in memory, not in a cache: ask for all buckets before the first is looked at.
    for i in range(count):
        follow(node, board, found.moves[i], make(board, found.moves[i]))
        keys[i] = table_key(node + 1)
        prefetch(table, keys[i])
    for i in range(count):
        if not probe(table, keys[i], cython.address(reply)):
            continue
        if reply.depth < depth - 1 or not reply.bound & UPPER:
            continue
        score = -from_root(reply.score, ply + 1)
        if score >= beta:
            follow(node, board, found.moves[i], make(board, found.moves[i]))
            if not repeated(node + 1):
                return score
    return INFINITE


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def threatened(board: Board) -> cython.bint:
    """Return whether the other side could capture if it were on move."""
    board.turn = BLACK_TURN if board.turn == WHITE_TURN else WHITE_TURN
    return can_capture(board)


def search(worker, board, alpha, beta, depth, ply, principal, prune):
    """Return the score of `board` within the window (fail soft), `depth` plies deep and then quiet."""
    found: MoveList
    scores: cython.int[1024]
    entry: Found
    child: Board
    node: cython.pointer(Node) = worker.path + ply
    options: cython.pointer(Options) = cython.address(worker.shared.options)
    table: cython.pointer(Table) = cython.address(worker.shared.table)
    hash_key: Bits
    table_move: cython.int = 0
    first_alpha: cython.int
    margin: cython.int
    # What no quiet move near the horizon will exceed.
    limit: cython.int = INFINITE
    extension: cython.int
    reduction: cython.int
    i: cython.int
    score: cython.int
    best: cython.int = -INFINITE
    best_index: cython.int = -1

    worker.pv_length[ply] = 0
    if node.reversible >= 4 and repeated(node):
        return 0
    if depth <= 0:
        return quiesce(worker, board, alpha, beta, ply, node.key)
    if stopped(worker):
        return 0
    worker.nodes += 1
    if worker.nodes >= worker.next_poll:
        poll(worker)
    if ply >= MOST_PLIES:
        return static_score(board)
    # A win further away than one already found cannot matter.
    alpha = max(alpha, -WIN + ply)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha
    first_alpha = alpha

    hash_key = table_key(node)
    if options.table and probe(table, hash_key, cython.address(entry)):
        table_move = entry.move
        score = from_root(entry.score, ply)
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
    if options.pieces and found.captures == 0 and popcount(occupied(board)) <= options.pieces:
        score = table_score(board, ply, node.remaining)
        if score != INFINITE:
            return score

    if options.table and depth >= CUTOFF_DEPTH and not principal:
        score = child_cuts(worker, board, cython.address(found), beta, depth, ply)
        if score != INFINITE:
            return score

    # Near the horizon the evaluation is trusted when it is far from the window and nothing hangs.
    if (
        options.pruning
        and not principal
        and depth <= STATIC_DEPTH
        and found.captures == 0
        and -EVAL_LIMIT < beta < EVAL_LIMIT
        and node.remaining > depth  # a draw clock that runs out is another score
        and popcount(occupied(board)) > options.pieces
    ):
        score = remembered_score(worker, board, node.key)
        margin = STATIC_MARGIN * depth
        if score >= beta + margin and not threatened(board):
            return score - margin
        if depth <= FUTILE_DEPTH:
            limit = score + FUTILE_MARGIN * depth

    # What a shallower search finds far above beta, the full one is trusted to find above beta.
    if options.pruning and prune and not principal and depth >= PRUNING_DEPTH and found.count > 1:
        margin = PRUNING_MARGIN * depth
        if -EVAL_LIMIT < beta < EVAL_LIMIT - margin:
            score = search(
                worker,
                board,
                beta + margin - 1,
                beta + margin,
                depth * PRUNING_PERCENT // 100,
                ply,
                False,
                False,
            )
            if stopped(worker):
                return 0
            if score >= beta + margin:
                return score if score >= LEAST_WIN else score - margin

    extension = options.extensions and found.count == 1
    if options.reductions and table_move == 0 and depth >= UNKNOWN_DEPTH and found.count > 1:
        depth -= 1

    score_moves(cython.address(found), scores, worker.history, board.turn, table_move)
    for i in range(found.count):
        bring_best(cython.address(found), scores, i)
        child = make(board, found.moves[i])
        follow(node, board, found.moves[i], child)
        # A late quiet move will not make up for it, unless it forces a capture or repeats a position.
        if (
            limit <= alpha
            and i > 0
            and best > -LEAST_WIN
            and not crowns(cython.address(board), cython.address(found.moves[i]))
            and not can_capture(child)
            and not repeated(node + 1)
        ):
            best = max(best, limit)
            continue
        prefetch(table, table_key(node + 1))
        reduction = 0
        if (
            options.reductions
            and depth >= REDUCTION_DEPTH
            and i >= (3 if principal else 1)
            and found.captures == 0
            and not crowns(cython.address(board), cython.address(found.moves[i]))
        ):
            reduction = REDUCTIONS[64 * min(depth, 63) + min(i, 63)]
            if principal and reduction > 1:
                reduction -= 1
        if i == 0:
            score = -search(worker, child, -beta, -alpha, depth - 1 + extension, ply + 1, principal, True)
        else:
            score = -search(worker, child, -alpha - 1, -alpha, depth - 1 - reduction, ply + 1, False, True)
            if score > alpha and reduction:
                score = -search(worker, child, -alpha - 1, -alpha, depth - 1, ply + 1, False, True)
            if alpha < score < beta:
                score = -search(worker, child, -beta, -alpha, depth - 1, ply + 1, True, True)
        if stopped(worker):
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
    if options.table:
        record(
            table,
            hash_key,
            move_id(found.moves[best_index]) if best_index >= 0 else 0,
            from_root(best, -ply),
            depth,
            LOWER if best >= beta else (EXACT if best > first_alpha else UPPER),
        )
    return best


def search_root(worker, alpha, beta, depth, line):
    """Search the root's moves from number `line` on; the best comes there, its line to `worker.line`."""
    i: cython.int
    score: cython.int
    best: cython.int = -INFINITE
    next_depth: cython.int = depth - 1
    step: Step
    child: Board
    into: cython.pointer(Line) = cython.address(worker.line[line])
    if worker.root_count == 1 and worker.shared.options.extensions:
        next_depth = depth
    for i in range(line, worker.root_count):
        step = worker.moves[i]
        child = make(worker.root, step)
        follow(worker.path, worker.root, step, child)
        if i == line:
            score = -search(worker, child, -beta, -alpha, next_depth, 1, True, True)
        else:
            score = -search(worker, child, -alpha - 1, -alpha, next_depth, 1, False, True)
            if alpha < score < beta:
                score = -search(worker, child, -beta, -alpha, next_depth, 1, True, True)
        if stopped(worker):
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
    score: cython.int
    alpha: cython.int
    beta: cython.int
    window: cython.int
    for line in range(min(worker.lines, worker.root_count)):
        score = worker.line[line].score
        alpha = -INFINITE
        beta = INFINITE
        window = WINDOW
        if depth >= ASPIRATION_DEPTH and -EVAL_LIMIT < score < EVAL_LIMIT:
            alpha = score - window
            beta = score + window
        while True:
            score = search_root(worker, alpha, beta, depth, line)
            if stopped(worker):
                worker.failing = False
                return False
            if alpha < score < beta:
                break
            window *= 2
            if score <= alpha:
                worker.failing = line == 0
                alpha = score - window if window <= WIDEST and score > -EVAL_LIMIT else -INFINITE
            else:
                beta = score + window if window <= WIDEST and score < EVAL_LIMIT else INFINITE
        worker.failing = False
    return True


def deepen(worker, first, last):
    """Search iterations `first` to `last` of a root made ready by `prepare`; return the last one completed.

    Without a stop or a limit that is `last`, or the first one that proves a win which no deeper search can
    shorten (unless `endless`). The best move is `worker.moves[0]`, its score `worker.line[0].score`.
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
