"""What becomes of a position beyond the horizon: captures are played out, and a threat there is met once.

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
from cython.cimports.rules.board import BLACK_TURN, WHITE_TURN, Board, make, occupied
from cython.cimports.rules.movegen import MoveList, can_capture, can_move, generate


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def passed(board: Board) -> Board:
    """Return the board with the other side to move."""
    board.turn = BLACK_TURN if board.turn == WHITE_TURN else WHITE_TURN
    return board


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
    """Search until no capture is on the board, and none threatens where the horizon itself was quiet.

    All captures are followed. At the horizon a threat of the other side is met with every move; below it, and
    without a threat, the evaluation stands.
    """
    found: MoveList
    i: cython.int
    score: cython.int
    best: cython.int
    if stopped(worker):
        return 0
    worker.nodes += 1
    if worker.nodes >= worker.next_poll:
        poll(worker)
    if ply >= MOST_PLIES:
        return static_score(board)
    if not can_capture(board):
        if not horizon or not can_capture(passed(board)):
            if not can_move(board):
                return -WIN + ply
            if worker.shared.options.pieces and popcount(occupied(board)) <= worker.shared.options.pieces:
                score = table_score(board, ply, KING_PLIES)
                if score != INFINITE:
                    return score
            return static_score(board)
        horizon = False
    generate(board, cython.address(found))
    best = -WIN + ply
    for i in range(found.count):
        score = -quiesce(worker, make(board, found.moves[i]), -beta, -alpha, ply + 1, horizon)
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                if score >= beta:
                    break
    return best
