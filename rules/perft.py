"""Node counts of the game tree: the test of a move generator, and its speed."""

import cython

if cython.compiled:
    from cython import address
    from cython.cimports.rules.board import Board, make
    from cython.cimports.rules.movegen import MoveList, generate
    from cython.cimports.rules.position import Position
else:
    from rules.movegen import generate
    from rules.plain import Board, MoveList, address, make
    from rules.position import Position


# What the made leaves were folded into: without a use the compiler would not make them.
FOLDED = cython.declare(cython.ulonglong, 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_made(board: Board, depth: cython.int) -> cython.ulonglong:
    """Count the positions `depth` plies below the board, each of them made in full; depth is at least 1."""
    global FOLDED  # noqa: PLW0603
    found: MoveList
    after: Board
    index: cython.int
    total: cython.ulonglong = 0
    if not cython.compiled:
        found = MoveList()
    generate(board, address(found))
    if depth > 1:
        for index in range(found.count):
            total += count_made(make(board, found.moves[index]), depth - 1)
        return total
    for index in range(found.count):
        after = make(board, found.moves[index])
        total ^= (after.white_men ^ after.white_kings) + (after.black_men ^ after.black_kings)
    FOLDED ^= total
    return found.count


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
    listed: cython.bint = bulk
    total: cython.ulonglong
    if depth == 0:
        return 1
    with cython.nogil:
        total = count_listed(board, plies) if listed else count_made(board, plies)
    return total
