"""Node counts of the game tree: the test of a move generator, and its speed."""

import cython

if cython.compiled:
    from cython import address
    from cython.cimports.rules.board import Board, make
    from cython.cimports.rules.movegen import MoveList, generate_words
    from cython.cimports.rules.position import Position
else:
    from rules.movegen import generate_words
    from rules.plain import Board, MoveList, address, make
    from rules.position import Position


# What the made leaves were folded into: without a use the compiler would not make them.
FOLDED = cython.declare(cython.ulonglong, 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _made(
    white_men: cython.ulonglong,
    white_kings: cython.ulonglong,
    black_men: cython.ulonglong,
    black_kings: cython.ulonglong,
    turn: cython.int,
    depth: cython.int,
) -> cython.ulonglong:
    global FOLDED  # noqa: PLW0603
    found: MoveList
    board: Board
    after: Board
    index: cython.Py_ssize_t
    total: cython.ulonglong = 0
    if not cython.compiled:
        found, board = MoveList(), Board()
    generate_words(white_men, white_kings, black_men, black_kings, turn, address(found))
    board.white_men, board.white_kings = white_men, white_kings
    board.black_men, board.black_kings = black_men, black_kings
    board.turn = turn
    if depth > 1:
        for index in range(found.count):
            after = make(board, found.moves[index])
            total += _made(
                after.white_men, after.white_kings, after.black_men, after.black_kings, after.turn, depth - 1
            )
        return total
    for index in range(found.count):
        after = make(board, found.moves[index])
        total ^= (after.white_men ^ after.white_kings) + (after.black_men ^ after.black_kings)
    FOLDED ^= total
    return found.count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _listed(
    white_men: cython.ulonglong,
    white_kings: cython.ulonglong,
    black_men: cython.ulonglong,
    black_kings: cython.ulonglong,
    turn: cython.int,
    depth: cython.int,
) -> cython.ulonglong:
    found: MoveList
    board: Board
    after: Board
    index: cython.Py_ssize_t
    total: cython.ulonglong = 0
    if not cython.compiled:
        found, board = MoveList(), Board()
    generate_words(white_men, white_kings, black_men, black_kings, turn, address(found))
    if depth == 1:
        return found.count
    board.white_men, board.white_kings = white_men, white_kings
    board.black_men, board.black_kings = black_men, black_kings
    board.turn = turn
    for index in range(found.count):
        after = make(board, found.moves[index])
        total += _listed(
            after.white_men, after.white_kings, after.black_men, after.black_kings, after.turn, depth - 1
        )
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_made(board: Board, depth: cython.int) -> cython.ulonglong:
    """Count the positions `depth` plies below the board, each of them made in full; depth is at least 1."""
    return _made(board.white_men, board.white_kings, board.black_men, board.black_kings, board.turn, depth)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_listed(board: Board, depth: cython.int) -> cython.ulonglong:
    """Count the same by the lengths of the last move lists ("bulk"); depth is at least 1."""
    return _listed(board.white_men, board.white_kings, board.black_men, board.black_kings, board.turn, depth)


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
