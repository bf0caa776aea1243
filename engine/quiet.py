"""What becomes of a position beyond the horizon: captures are played out.

Scores are in 1/100 men from the side to move's view, as everywhere in the search.
"""

import cython
from cython.cimports.engine.bitbase import (
    BITBASE_DRAW,
    BITBASE_UNKNOWN,
    BITBASE_WIN,
    distance_quiet,
    probe_quiet,
)
from cython.cimports.engine.evaluate import evaluate
from cython.cimports.engine.path import KING_PLIES
from cython.cimports.engine.worker import (
    EVAL_LIMIT,
    EVALUATIONS,
    INFINITE,
    MOST_PLIES,
    WIN,
    Evaluation,
    poll,
    stopped,
)
from cython.cimports.rules.bitboard import popcount
from cython.cimports.rules.board import make, occupied
from cython.cimports.rules.movegen import MoveList, can_capture, can_move, generate


def static_score(board):
    """Return the evaluation, kept clear of the scores of proven wins."""
    score: cython.int = evaluate(board)
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, score))


def remembered_score(worker, board, key):
    """Return `static_score` of a quiet position, which is remembered by its key."""
    kept: cython.pointer(Evaluation) = cython.address(worker.evaluations[key & (EVALUATIONS - 1)])
    if kept.key != key:
        kept.score = static_score(board)
        kept.key = key
    return kept.score


def table_score(board, ply, remaining):
    """Return what the bitbases say of a quiet position, INFINITE if nothing certain.

    A win counts if it comes before a draw clock runs out, `remaining` plies from here; without a distance, as
    with five pieces, it says nothing.
    """
    value: cython.int = probe_quiet(board)
    distance: cython.int
    if value == BITBASE_DRAW:
        return 0
    if value == BITBASE_UNKNOWN:
        return INFINITE
    distance = distance_quiet(board)
    if distance < 0 or distance > remaining:
        return INFINITE
    return WIN - ply - distance if value == BITBASE_WIN else -WIN + ply + distance


def quiesce(worker, board, alpha, beta, ply, key):
    """Search until no capture is on the board; then the evaluation stands, unless there is no move at all.

    `key` is the position's, by which its evaluation is remembered; 0 where nobody made one.
    """
    kept: cython.pointer(Evaluation) = cython.address(worker.evaluations[key & (EVALUATIONS - 1)])
    found: MoveList
    i: cython.int
    score: cython.int
    best: cython.int = -WIN + ply
    pieces: cython.int = worker.shared.options.pieces
    if stopped(worker):
        return 0
    worker.nodes += 1
    if worker.nodes >= worker.next_poll:
        poll(worker)
    if ply >= MOST_PLIES:
        return static_score(board)
    if key and kept.key == key:
        worker.ends += 1
        worker.end_plies += ply
        return kept.score
    if not can_capture(board):
        worker.ends += 1
        worker.end_plies += ply
        if not can_move(board):
            return best
        if pieces and popcount(occupied(board)) <= pieces:
            score = table_score(board, ply, KING_PLIES)
            if score != INFINITE:
                return score
        return remembered_score(worker, board, key) if key else static_score(board)
    generate(board, cython.address(found))
    for i in range(found.count):
        score = -quiesce(worker, make(board, found.moves[i]), -beta, -alpha, ply + 1, 0)
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                if score >= beta:
                    break
    return best
