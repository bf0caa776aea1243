"""What one search thread works with, and what all threads of a search share.

The shared words (the stop flag, the deadlines, the node counts) are relaxed atomics; everything else in a
`Worker` is touched by its own thread alone while it searches.
"""

import cython
from cython.cimports.engine.path import KING_PLIES, begin, follow
from cython.cimports.libc.stdint import int64_t
from cython.cimports.libc.string import memmove, memset
from cython.cimports.rules.board import Board, make
from cython.cimports.rules.movegen import MoveList, generate


def all_nodes(shared):
    """Return the nodes of all threads, each as of its last poll."""
    total: int64_t = 0
    i: cython.int
    for i in range(MOST_THREADS):
        total += count_load(cython.address(shared.counts[i]), RELAXED)
    return total


def poll(worker):
    """Publish the node count and, in the main thread, raise the stop flag when a limit is reached."""
    soft: int64_t
    hard: int64_t
    time: int64_t
    left: int64_t
    shared: cython.pointer(Shared) = worker.shared
    worker.next_poll = worker.nodes + POLL_NODES
    count_store(cython.address(shared.counts[worker.number]), worker.nodes, RELAXED)
    if worker.number != 0:
        return
    if worker.node_limit:
        left = worker.node_limit - all_nodes(shared)
        if left <= 0:
            flag_store(cython.address(shared.stop), 1, RELAXED)
        elif left < POLL_NODES:
            worker.next_poll = worker.nodes + left
    soft = count_load(cython.address(shared.deadline), RELAXED)
    hard = count_load(cython.address(shared.hard_deadline), RELAXED)
    if soft or hard:
        time = now()
        if (hard and time >= hard) or (soft and time >= soft and not worker.failing):
            flag_store(cython.address(shared.stop), 1, RELAXED)


def stand_at(worker, board):
    """Make `board` the root, without a history."""
    worker.root = board
    begin(worker.path, board)


def advance(worker, step):
    """Play a legal move at the root: what stood there becomes history."""
    after: Board = make(worker.root, step)
    follow(worker.path, worker.root, step, after)
    # Whoever plays on after the last draw rule must not make us look behind the nodes that are kept.
    worker.path[1].reversible = min(worker.path[1].reversible, KING_PLIES)
    worker.root = after
    memmove(
        cython.address(worker.nodes_of_game[0]),
        cython.address(worker.nodes_of_game[1]),
        (HISTORY_NODES + 1) * cython.sizeof(worker.nodes_of_game[0]),
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
    # The weights, or the bitbases, may have changed since.
    memset(worker.evaluations, 0, cython.sizeof(worker.evaluations))
    worker.nodes = 0
    worker.ends = 0
    worker.end_plies = 0
    worker.next_poll = 0
    worker.failing = False
    return found.count
