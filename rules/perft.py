"""Node counts of the game tree: the test of a move generator, and its speed.

The last ply is made (leaves.py) or listed by the generator (`generate_side`). Further up the count goes on
from each position as it comes from the bitboards, as in successor generators: a list would be written to be
read once (listed: start 20 %, Woldouby 11 %; made: king endgame 10 %). Captures that go on and those of kings
are listed.
"""

import cython

if cython.compiled:
    from cython import address
    from cython.cimports.rules.bitboard import lowest
    from cython.cimports.rules.board import BLACK_CROWN, BLACK_TURN, SINGLE, WHITE_CROWN, WHITE_TURN, Board
    from cython.cimports.rules.capture import strike_all, strike_men
    from cython.cimports.rules.leaves import Words, after, make_leaves
    from cython.cimports.rules.lines import (
        DOWN_LEFT,
        DOWN_RIGHT,
        SQUARES,
        UP_LEFT,
        UP_RIGHT,
        capturing_men,
        reach,
    )
    from cython.cimports.rules.movegen import MoveList, generate_side, side_can_capture
    from cython.cimports.rules.position import Position
else:
    from rules.capture import strike_all, strike_men
    from rules.leaves import make_leaves
    from rules.lines import capturing_men, reach
    from rules.movegen import generate_side, side_can_capture
    from rules.plain import (
        BLACK_CROWN,
        BLACK_TURN,
        DOWN_LEFT,
        DOWN_RIGHT,
        SINGLE,
        SQUARES,
        UP_LEFT,
        UP_RIGHT,
        WHITE_CROWN,
        WHITE_TURN,
        Board,
        MoveList,
        Words,
        address,
        after,
        lowest,
    )
    from rules.position import Position

# Positions are passed as four words, those of the side to move first: in registers, and without a select on
# the turn for each. `made` tells whether the last ply is made or listed.


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _listed(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
) -> cython.ulonglong:
    """List the moves; return their number."""
    found: MoveList
    if not cython.compiled:
        found = MoveList()
    generate_side(men, kings, their_men, their_kings, turn, address(found))
    return found.count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _below(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
    depth: cython.int,
    made: cython.bint,
) -> cython.ulonglong:
    """Count `depth` plies below a position, at least 1."""
    if depth > 1:
        return _count(men, kings, their_men, their_kings, turn, depth, made)
    if made:
        return make_leaves(men, kings, their_men, their_kings, turn)
    return _listed(men, kings, their_men, their_kings, turn)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _below_captures(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    going_on: cython.ulonglong,
    turn: cython.int,
    depth: cython.int,
    made: cython.bint,
) -> cython.ulonglong:
    """Count `depth` plies below each capture of men and kings, or of men to `going_on` and further."""
    found: MoveList
    following: Words
    index: cython.Py_ssize_t
    total: cython.ulonglong = 0
    if not cython.compiled:
        found = MoveList()
    found.count = found.captures = 0
    if kings:
        strike_all(address(found), men, kings, their_men | their_kings, men | kings | their_men | their_kings)
    else:
        strike_men(address(found), men, their_men | their_kings, going_on)
    for index in range(found.count):
        following = after(men, kings, their_men, their_kings, turn, found.moves[index])
        total += _below(
            following.men, following.kings, following.their_men, following.their_kings, turn ^ 1, depth, made
        )
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _below_steps(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    origins: cython.ulonglong,
    shift: cython.int,
    turn: cython.int,
    depth: cython.int,
    made: cython.bint,
) -> cython.ulonglong:
    """Count `depth` plies below each of the men's steps from `origins`."""
    total: cython.ulonglong = 0
    origin: cython.ulonglong
    stepped: cython.ulonglong
    crown: cython.ulonglong = WHITE_CROWN if turn == WHITE_TURN else BLACK_CROWN
    while origins:
        origin = origins & (~origins + 1)
        stepped = men ^ (origin | (origin << shift if shift > 0 else origin >> -shift))
        total += _below(
            their_men, their_kings, stepped & ~crown, kings | (stepped & crown), turn ^ 1, depth, made
        )
        origins &= origins - 1
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _below_takes(
    men: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    victims: cython.ulonglong,
    shift: cython.int,
    turn: cython.int,
    depth: cython.int,
    made: cython.bint,
) -> cython.ulonglong:
    """Count `depth` plies below each of the men's captures of one of `victims`."""
    total: cython.ulonglong = 0
    victim: cython.ulonglong
    landed: cython.ulonglong
    crown: cython.ulonglong = WHITE_CROWN if turn == WHITE_TURN else BLACK_CROWN
    while victims:
        victim = victims & (~victims + 1)
        landed = men ^ (victim << shift | victim >> shift)
        total += _below(
            their_men & ~victim, their_kings & ~victim, landed & ~crown, landed & crown, turn ^ 1, depth, made
        )
        victims &= victims - 1
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _below_slides(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
    depth: cython.int,
    made: cython.bint,
) -> cython.ulonglong:
    """Count `depth` plies below each of the kings' moves."""
    all_pieces: cython.ulonglong = men | kings | their_men | their_kings
    total: cython.ulonglong = 0
    rest: cython.ulonglong = kings
    still: cython.ulonglong
    targets: cython.ulonglong
    at: cython.Py_ssize_t
    while rest:
        at = lowest(rest)
        still = kings ^ SINGLE[at]
        targets = ~all_pieces & (
            reach(at, all_pieces, DOWN_LEFT)
            | reach(at, all_pieces, DOWN_RIGHT)
            | reach(at, all_pieces, UP_LEFT)
            | reach(at, all_pieces, UP_RIGHT)
        )
        while targets:
            total += _below(
                their_men, their_kings, men, still | (targets & (~targets + 1)), turn ^ 1, depth, made
            )
            targets &= targets - 1
        rest &= rest - 1
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _count_captures(
    men: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    empty: cython.ulonglong,
    turn: cython.int,
    depth: cython.int,
    made: cython.bint,
) -> cython.ulonglong:
    """Count `depth` plies that begin with a man's capture, without kings."""
    enemies: cython.ulonglong = their_men | their_kings
    down_left: cython.ulonglong = (men << 6) & enemies & (empty >> 6)
    down_right: cython.ulonglong = (men << 7) & enemies & (empty >> 7)
    up_left: cython.ulonglong = (men >> 7) & enemies & (empty << 7)
    up_right: cython.ulonglong = (men >> 6) & enemies & (empty << 6)
    going_on: cython.ulonglong = capturing_men(
        (down_left << 6) | (down_right << 7) | (up_left >> 7) | (up_right >> 6), enemies, empty
    )
    total: cython.ulonglong
    if going_on:
        return _below_captures(men, 0, their_men, their_kings, going_on, turn, depth - 1, made)
    # The squares on both sides of a piece change, whichever way it is taken: two directions are one.
    total = _below_takes(men, their_men, their_kings, down_left | up_right, 6, turn, depth - 1, made)
    total += _below_takes(men, their_men, their_kings, down_right | up_left, 7, turn, depth - 1, made)
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
    depth: cython.int,
    made: cython.bint,
) -> cython.ulonglong:
    """Count `depth` plies below a position, at least 2."""
    enemies: cython.ulonglong = their_men | their_kings
    empty: cython.ulonglong = SQUARES & ~(men | kings | enemies)
    total: cython.ulonglong = 0
    if kings:
        if side_can_capture(men, kings, enemies):
            return _below_captures(men, kings, their_men, their_kings, 0, turn, depth - 1, made)
        total = _below_slides(men, kings, their_men, their_kings, turn, depth - 1, made)
    elif capturing_men(men, enemies, empty):
        return _count_captures(men, their_men, their_kings, empty, turn, depth, made)
    if turn == WHITE_TURN:
        total += _below_steps(
            men, kings, their_men, their_kings, men & (empty << 7), -7, WHITE_TURN, depth - 1, made
        )
        total += _below_steps(
            men, kings, their_men, their_kings, men & (empty << 6), -6, WHITE_TURN, depth - 1, made
        )
    else:
        total += _below_steps(
            men, kings, their_men, their_kings, men & (empty >> 6), 6, BLACK_TURN, depth - 1, made
        )
        total += _below_steps(
            men, kings, their_men, their_kings, men & (empty >> 7), 7, BLACK_TURN, depth - 1, made
        )
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_side(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
    depth: cython.int,
) -> cython.ulonglong:
    """Count by the lengths of the last move lists; depth is at least 1."""
    return _below(men, kings, their_men, their_kings, turn, depth, False)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_made(board: Board, depth: cython.int) -> cython.ulonglong:
    """Count the positions `depth` plies below the board, each of them made in full; depth is at least 1."""
    men: cython.ulonglong = board.white_men if board.turn == WHITE_TURN else board.black_men
    kings: cython.ulonglong = board.white_kings if board.turn == WHITE_TURN else board.black_kings
    their_men: cython.ulonglong = board.black_men if board.turn == WHITE_TURN else board.white_men
    their_kings: cython.ulonglong = board.black_kings if board.turn == WHITE_TURN else board.white_kings
    return _below(men, kings, their_men, their_kings, board.turn, depth, True)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_listed(board: Board, depth: cython.int) -> cython.ulonglong:
    """Count the same by the lengths of the last move lists ("bulk"); depth is at least 1."""
    if board.turn == WHITE_TURN:
        return count_side(
            board.white_men, board.white_kings, board.black_men, board.black_kings, WHITE_TURN, depth
        )
    return count_side(
        board.black_men, board.black_kings, board.white_men, board.white_kings, BLACK_TURN, depth
    )


def perft(position: Position, depth: int, *, bulk: bool = True) -> int:
    """Count the move sequences of `depth` plies; routes of one move count once, draw rules are not applied.

    Without `bulk` the positions of the last ply are made, not only listed. The GIL is released. ValueError
    for a negative depth. `rules.perft_table` counts deeper, with a table.
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
