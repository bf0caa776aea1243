"""What becomes of a position beyond the horizon: captures are played out, and one sacrifice is tried.

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
from cython.cimports.engine.worker import EVAL_LIMIT, INFINITE, MOST_PLIES, WIN, poll, stopped
from cython.cimports.rules.bitboard import popcount
from cython.cimports.rules.board import Board, make, occupied
from cython.cimports.rules.movegen import MoveList, can_capture, can_move, generate


def static_score(board):
    """Return the evaluation, kept clear of the scores of proven wins."""
    score: cython.int = evaluate(board)
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, score))


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


def quiesce(worker, board, alpha, beta, ply, horizon):
    """Search until no capture is on the board, with one offer of pieces.

    All captures are followed. A position without one is worth its evaluation, or what a quiet move makes of
    it that the other side must answer by a capture: one such sacrifice in a line, where `horizon` is set.
    With pruning none is tried where the evaluation is too far below alpha for it to help.
    """
    found: MoveList
    child: Board
    i: cython.int
    score: cython.int
    best: cython.int
    forced: cython.bint
    pieces: cython.int = worker.shared.options.pieces
    if stopped(worker):
        return 0
    worker.nodes += 1
    if worker.nodes >= worker.next_poll:
        poll(worker)
    if ply >= MOST_PLIES:
        return static_score(board)
    forced = can_capture(board)
    best = -WIN + ply
    if not forced:
        if not can_move(board):
            return best
        if pieces and popcount(occupied(board)) <= pieces:
            score = table_score(board, ply, KING_PLIES)
            if score != INFINITE:
                return score
        best = static_score(board)
        if not horizon or best >= beta:
            return best
        if worker.shared.options.pruning and best + SACRIFICE_MARGIN < alpha:
            return best
        alpha = max(alpha, best)
        horizon = False
    generate(board, cython.address(found))
    for i in range(found.count):
        child = make(board, found.moves[i])
        if not forced and not can_capture(child):
            continue
        score = -quiesce(worker, child, -beta, -alpha, ply + 1, horizon)
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                if score >= beta:
                    break
    return best
