"""Node counts of the game tree: the test of a move generator, and its speed."""

import cython

if cython.compiled:
    from cython import address
    from cython.cimports.rules.board import Board, make
    from cython.cimports.rules.movegen import MoveList, generate
    from cython.cimports.rules.position import Position
else:
    from rules.board import make
    from rules.movegen import generate
    from rules.plain import Board, MoveList, address
    from rules.position import Position


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_made(board: Board, depth: cython.int) -> cython.ulonglong:
    """Count the positions `depth` plies below the board, each of them made."""
    found: MoveList
    index: cython.int
    total: cython.ulonglong = 0
    if depth == 0:
        return 1
    if not cython.compiled:
        found = MoveList()
    generate(board, address(found))
    for index in range(found.count):
        total += count_made(make(board, found.moves[index]), depth - 1)
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_listed(board: Board, depth: cython.int) -> cython.ulonglong:
    """Count the same by the lengths of the last move lists ("bulk"); depth is at least 1."""
    found: MoveList
    index: cython.int
    total: cython.ulonglong = 0
    if not cython.compiled:
        found = MoveList()
    generate(board, address(found))
    if depth == 1:
        return found.count
    for index in range(found.count):
        total += count_listed(make(board, found.moves[index]), depth - 1)
    return total


def perft(position: Position, depth: int, *, bulk: bool = True) -> int:
    """Count the move sequences of `depth` plies; routes of one move count once, draw rules are not applied.

    The GIL is released. ValueError for a negative depth.
    """
    if depth < 0:
        raise ValueError(f"depth {depth} is negative")
    board: Board = position.board
    plies: cython.int = depth
    listed: cython.bint = bulk and depth > 0
    total: cython.ulonglong
    with cython.nogil:
        total = count_listed(board, plies) if listed else count_made(board, plies)
    return total
