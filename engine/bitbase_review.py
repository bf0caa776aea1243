"""Review of stored bitbase tables: count a class, and compare every position with its successors.

Where distances are stored this is a proof: a win in n plies needs a move to a loss in n - 1 and none to a
shorter one, a loss in n a move to a win in n - 1 and none to a longer one, down to 0, a side without a
move; a draw needs a move to a draw and none to a loss.
"""

import cython
from cython.cimports.engine.bitbase import Index, better, level, probe, probe_quiet
from cython.cimports.engine.bitbase_slots import Side, close_side, open_side, overlap, slot_board
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memset
from cython.cimports.rules.board import Board, make
from cython.cimports.rules.movegen import MoveList, generate
from cython.cimports.rules.position import Position


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _successors(board: Board, exact: cython.bint) -> cython.int:
    """Return a position's level from its successors'; without distances 2 for a win and 1 for a loss."""
    moves: MoveList
    number: cython.int
    found: cython.int
    best: cython.int = 1
    generate(board, cython.address(moves))
    for number in range(moves.count):
        found = level(make(board, moves.moves[number]))
        best = better(best, found + 1 if found else 0)
    if exact or best == 0:
        return best
    return 1 if best & 1 else 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _review(
    side: cython.pointer(Side), found: cython.pointer(Review), compare: cython.bint, exact: cython.bint
) -> cython.int:
    index: Index
    board: Board
    stored: cython.int
    for index in range(side.slots):
        board = slot_board(side, index)
        if overlap(board):
            continue
        stored = level(board)
        if stored < 0:
            return -1
        if stored == 0:
            found.drawn += 1
        elif stored & 1:
            found.lost += 1
        else:
            found.won += 1
            if exact and stored - 1 > found.longest:
                found.longest = stored - 1
        if not exact and stored:
            stored = 1 if stored & 1 else 2
        if compare and stored != _successors(board, exact):
            found.wrong += 1
    return 0


def review(
    counts: tuple[int, int, int, int], *, compare: bool, exact: bool
) -> tuple[int, int, int, int, int]:
    """Return the numbers of won, drawn and lost positions, the longest win in plies, how many are wrong.

    With `compare` every position is compared with its successors (else none is wrong). `exact`: the class has
    distances (else the longest win is 0). Runs without the GIL. LookupError if a table is missing.
    """
    side: Side
    found: Review
    missing: cython.int
    comparing: cython.bint = compare
    distances: cython.bint = exact
    memset(cython.address(side), 0, cython.sizeof(Side))
    memset(cython.address(found), 0, cython.sizeof(Review))
    try:
        open_side(cython.address(side), counts)
        with cython.nogil:
            missing = _review(cython.address(side), cython.address(found), comparing, distances)
    finally:
        close_side(cython.address(side))
    if missing:
        raise LookupError(f"the tables that the class {counts} needs are not loaded")
    return found.won, found.drawn, found.lost, found.longest, found.wrong


def probe_all(positions: list[Position], rounds: int, *, quiet: bool) -> int:
    """Probe every position, all of them `rounds` times without the GIL; return the sum, to be compared.

    For measuring: the loop and the copy of a board are all that is done besides. `quiet`: without the look
    for a capture, which only positions without one allow.
    """
    count: Index = len(positions)
    total: cython.longlong = 0
    last: cython.longlong = rounds
    at: Index
    unchecked: cython.bint = quiet
    boards: cython.pointer(Board) = cython.cast(cython.pointer(Board), malloc(count * cython.sizeof(Board)))
    if boards == cython.NULL:
        raise MemoryError
    for at in range(count):
        position: Position = positions[at]
        boards[at] = position.board
    with cython.nogil:
        while last > 0:
            last -= 1
            for at in range(count):
                total += probe_quiet(boards[at]) if unchecked else probe(boards[at])
    free(boards)
    return total
