"""Move ordering: the table's move first, then by how often a move from and to the same squares was the best.

The history is a probability for each side, start and end square, kept as a moving average over the cut-offs
(after Scan; engine.md 1).
"""

import cython
from cython.cimports.rules.board import Step


def score_moves(found, scores, history, turn, table_move):
    """Fill `scores` for the moves of `found`."""
    i: cython.int
    for i in range(found.count):
        scores[i] = history[history_index(turn, found.moves[i])]
        if table_move != 0 and move_id(found.moves[i]) == table_move:
            scores[i] = 2 * HISTORY_ONE


def bring_best(found, scores, first):
    """Bring the best of the moves from `first` on to `first`, keeping the order of the rest."""
    i: cython.int
    best: cython.int = first
    score: cython.int
    step: Step
    for i in range(first + 1, found.count):
        if scores[i] > scores[best]:
            best = i
    if best == first:
        return
    score = scores[best]
    step = found.moves[best]
    i = best
    while i > first:
        scores[i] = scores[i - 1]
        found.moves[i] = found.moves[i - 1]
        i -= 1
    scores[first] = score
    found.moves[first] = step


def learn(history, turn, tried, best):
    """Note that of the moves tried, the one at `best` was good and those before it were not."""
    i: cython.int
    index: cython.int
    for i in range(best):
        index = history_index(turn, tried[i])
        history[index] -= history[index] >> HISTORY_SHIFT
    index = history_index(turn, tried[best])
    history[index] += (HISTORY_ONE - history[index]) >> HISTORY_SHIFT
