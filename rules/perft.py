"""Node counts of the game tree: the test of a move generator, and its speed."""

import cython

if cython.compiled:
    from cython import address
    from cython.cimports.rules.bitboard import lowest, popcount
    from cython.cimports.rules.board import BLACK_CROWN, BLACK_TURN, SINGLE, WHITE_CROWN, WHITE_TURN, Board
    from cython.cimports.rules.capture import strike_all
    from cython.cimports.rules.lines import (
        DOWN_LEFT,
        DOWN_RIGHT,
        SQUARES,
        UP_LEFT,
        UP_RIGHT,
        capturing_men,
        first_behind,
        reach,
    )
    from cython.cimports.rules.movegen import MoveList, generate_side
    from cython.cimports.rules.position import Position
else:
    from rules.capture import strike_all
    from rules.lines import capturing_men, first_behind, reach
    from rules.movegen import generate_side
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
        popcount,
    )
    from rules.position import Position


# What the made leaves were folded into: without a use the compiler would not make them. Never read.
FOLDED = cython.declare(cython.ulonglong, 0)

# Positions are passed as four words, those of the side to move first: in registers, and without a select on
# the turn for each.
#
# The last ply of `count_made` is made from the same bitboards that the generator writes its lists from, with
# no list between them, as the successor generators of other programs do (made: 10 to 35 %). Every word of a
# position goes into the fold. Loops go two at a time, beyond the end if need be (start: 3 to 5 %): fewer
# branch misses than one at a time, less waste than four; what is made beyond the end is folded, not counted.


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _fold(
    men: cython.ulonglong, kings: cython.ulonglong, their_men: cython.ulonglong, their_kings: cython.ulonglong
) -> cython.ulonglong:
    """Use up a position: every word of it goes into the result."""
    return (men + kings) + (their_men + their_kings)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _steps(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    targets: cython.ulonglong,
    shift: cython.int,
    crown: cython.ulonglong,
) -> cython.ulonglong:
    """Make the positions after men's steps to `targets` and fold them."""
    total: cython.ulonglong = 0
    target: cython.ulonglong
    after: cython.ulonglong
    while targets:
        target = targets & (~targets + 1)
        after = men ^ (target | (target >> shift if shift > 0 else target << -shift))
        total ^= _fold(after & ~crown, kings | (after & crown), their_men, their_kings)
        targets &= targets - 1
        target = targets & (~targets + 1)
        after = men ^ (target | (target >> shift if shift > 0 else target << -shift))
        total ^= _fold(after & ~crown, kings | (after & crown), their_men, their_kings)
        targets &= targets - 1
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _takes(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    victims: cython.ulonglong,
    shift: cython.int,
    crown: cython.ulonglong,
) -> cython.ulonglong:
    """Make the position after the capture of the lowest of `victims` and fold it."""
    victim: cython.ulonglong = victims & (~victims + 1)
    after: cython.ulonglong = men ^ (victim << shift | victim >> shift)
    return _fold(after & ~crown, kings | (after & crown), their_men & ~victim, their_kings & ~victim)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _make_captures(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
) -> cython.ulonglong:
    """Make and fold the positions after the captures, of which there is one at least; return their number."""
    global FOLDED  # noqa: PLW0603
    found: MoveList
    following: Words
    index: cython.Py_ssize_t
    total: cython.ulonglong = 0
    if not cython.compiled:
        found = MoveList()
    if kings:
        found.count = found.captures = 0
        strike_all(address(found), men, kings, their_men | their_kings, men | kings | their_men | their_kings)
    else:
        generate_side(men, kings, their_men, their_kings, turn, address(found))
    for index in range(found.count):
        following = after(men, kings, their_men, their_kings, turn, found.moves[index])
        total ^= _fold(following.their_men, following.their_kings, following.men, following.kings)
    FOLDED ^= total
    return found.count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _leaves(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
) -> cython.ulonglong:
    """Make and fold the positions after all moves; return their number.

    Men's steps, single captures and kings' slides are made from the bitboards; the other captures are listed.
    """
    global FOLDED  # noqa: PLW0603
    enemies: cython.ulonglong = their_men | their_kings
    all_pieces: cython.ulonglong = men | kings | enemies
    empty: cython.ulonglong = SQUARES & ~all_pieces
    down_left: cython.ulonglong = (men << 6) & enemies & (empty >> 6)
    down_right: cython.ulonglong = (men << 7) & enemies & (empty >> 7)
    up_left: cython.ulonglong = (men >> 7) & enemies & (empty << 7)
    up_right: cython.ulonglong = (men >> 6) & enemies & (empty << 6)
    crown: cython.ulonglong = WHITE_CROWN if turn == WHITE_TURN else BLACK_CROWN
    rest: cython.ulonglong
    still: cython.ulonglong
    total: cython.ulonglong
    at: cython.Py_ssize_t
    count: cython.Py_ssize_t
    if down_left | down_right | up_left | up_right:
        if kings or capturing_men(
            (down_left << 6) | (down_right << 7) | (up_left >> 7) | (up_right >> 6), enemies, empty
        ):
            return _make_captures(men, kings, their_men, their_kings, turn)
        count = popcount(down_left) + popcount(down_right) + popcount(up_left) + popcount(up_right)
        total = 0
        while down_left | down_right | up_left | up_right:
            total ^= _takes(men, kings, their_men, their_kings, down_left, 6, crown)
            total ^= _takes(men, kings, their_men, their_kings, down_right, 7, crown)
            total ^= _takes(men, kings, their_men, their_kings, up_left, 7, crown)
            total ^= _takes(men, kings, their_men, their_kings, up_right, 6, crown)
            down_left &= down_left - 1
            down_right &= down_right - 1
            up_left &= up_left - 1
            up_right &= up_right - 1
        FOLDED ^= total
        return count
    if turn == WHITE_TURN:
        down_left = (men >> 7) & empty
        down_right = (men >> 6) & empty
        if (down_left | down_right) & WHITE_CROWN:
            total = _steps(men, kings, their_men, their_kings, down_left, -7, WHITE_CROWN)
            total ^= _steps(men, kings, their_men, their_kings, down_right, -6, WHITE_CROWN)
        else:
            total = _steps(men, kings, their_men, their_kings, down_left, -7, 0)
            total ^= _steps(men, kings, their_men, their_kings, down_right, -6, 0)
    else:
        down_left = (men << 6) & empty
        down_right = (men << 7) & empty
        if (down_left | down_right) & BLACK_CROWN:
            total = _steps(men, kings, their_men, their_kings, down_left, 6, BLACK_CROWN)
            total ^= _steps(men, kings, their_men, their_kings, down_right, 7, BLACK_CROWN)
        else:
            total = _steps(men, kings, their_men, their_kings, down_left, 6, 0)
            total ^= _steps(men, kings, their_men, their_kings, down_right, 7, 0)
    count = popcount(down_left) + popcount(down_right)
    rest = kings
    while rest:
        at = lowest(rest)
        down_left = reach(at, all_pieces, DOWN_LEFT)
        down_right = reach(at, all_pieces, DOWN_RIGHT)
        up_left = reach(at, all_pieces, UP_LEFT)
        up_right = reach(at, all_pieces, UP_RIGHT)
        if first_behind(down_left, down_right, up_left, up_right, enemies, empty):
            return _make_captures(men, kings, their_men, their_kings, turn)
        down_left = (down_left | down_right | up_left | up_right) & empty
        count += popcount(down_left)
        still = kings ^ SINGLE[at]
        while down_left:
            total ^= _fold(men, still | (down_left & (~down_left + 1)), their_men, their_kings)
            down_left &= down_left - 1
            total ^= _fold(men, still | (down_left & (~down_left + 1)), their_men, their_kings)
            down_left &= down_left - 1
        rest &= rest - 1
    FOLDED ^= total
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _made(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
    depth: cython.int,
) -> cython.ulonglong:
    found: MoveList
    following: Words
    index: cython.Py_ssize_t
    total: cython.ulonglong = 0
    if not cython.compiled:
        found = MoveList()
    generate_side(men, kings, their_men, their_kings, turn, address(found))
    for index in range(found.count):
        following = after(men, kings, their_men, their_kings, turn, found.moves[index])
        if depth == 2:
            total += _leaves(
                following.men, following.kings, following.their_men, following.their_kings, turn ^ 1
            )
        else:
            total += _made(
                following.men,
                following.kings,
                following.their_men,
                following.their_kings,
                turn ^ 1,
                depth - 1,
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
    found: MoveList
    following: Words
    index: cython.Py_ssize_t
    total: cython.ulonglong = 0
    if not cython.compiled:
        found = MoveList()
    generate_side(men, kings, their_men, their_kings, turn, address(found))
    if depth == 1:
        return found.count
    for index in range(found.count):
        following = after(men, kings, their_men, their_kings, turn, found.moves[index])
        total += count_side(
            following.men, following.kings, following.their_men, following.their_kings, turn ^ 1, depth - 1
        )
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_made(board: Board, depth: cython.int) -> cython.ulonglong:
    """Count the positions `depth` plies below the board, each of them made in full; depth is at least 1."""
    men: cython.ulonglong = board.white_men if board.turn == WHITE_TURN else board.black_men
    kings: cython.ulonglong = board.white_kings if board.turn == WHITE_TURN else board.black_kings
    their_men: cython.ulonglong = board.black_men if board.turn == WHITE_TURN else board.white_men
    their_kings: cython.ulonglong = board.black_kings if board.turn == WHITE_TURN else board.white_kings
    if depth == 1:
        return _leaves(men, kings, their_men, their_kings, board.turn)
    return _made(men, kings, their_men, their_kings, board.turn, depth)


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
