"""The last ply of a node count by made positions: the position after every move is built.

The positions come from the bitboards that the generator writes its lists from, with no list between them, as
the successor generators of other programs do (made: 10 to 35 %). Captures that go on and those of kings are
listed first. Every word of a position goes into a fold. Loops go two at a time, beyond the end if need be
(start: 3 to 5 %): fewer branch misses than one at a time, less waste than four; what is made beyond the end
is folded, not counted.
"""

import cython

if cython.compiled:
    from cython import address
    from cython.cimports.rules.bitboard import lowest, popcount
    from cython.cimports.rules.board import BLACK_CROWN, SINGLE, WHITE_CROWN, WHITE_TURN
    from cython.cimports.rules.capture import strike_all, strike_men
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
    from cython.cimports.rules.movegen import MoveList
else:
    from rules.capture import strike_all, strike_men
    from rules.lines import capturing_men, first_behind, reach
    from rules.plain import (
        BLACK_CROWN,
        DOWN_LEFT,
        DOWN_RIGHT,
        SINGLE,
        SQUARES,
        UP_LEFT,
        UP_RIGHT,
        WHITE_CROWN,
        WHITE_TURN,
        MoveList,
        Words,
        address,
        after,
        lowest,
        popcount,
    )

# What the made positions were folded into: without a use the compiler would not make them. Never read.
FOLDED = cython.declare(cython.ulonglong, 0)


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
    origins: cython.ulonglong,
    shift: cython.int,
    crown: cython.ulonglong,
) -> cython.ulonglong:
    """Make the positions after men's steps from `origins` and fold them."""
    total: cython.ulonglong = 0
    origin: cython.ulonglong
    others: cython.ulonglong
    stepped: cython.ulonglong
    while origins:
        # The lowest is what the others lack: cheaper than to negate besides (start: 2 %).
        others = origins & (origins - 1)
        origin = origins ^ others
        stepped = men ^ (origin | (origin << shift if shift > 0 else origin >> -shift))
        total ^= _fold(stepped & ~crown, kings | (stepped & crown), their_men, their_kings)
        origins = others & (others - 1)
        origin = others ^ origins
        stepped = men ^ (origin | (origin << shift if shift > 0 else origin >> -shift))
        total ^= _fold(stepped & ~crown, kings | (stepped & crown), their_men, their_kings)
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _make_steps(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    empty: cython.ulonglong,
    turn: cython.int,
) -> cython.ulonglong:
    """Make and fold the positions after men's steps; return their number."""
    global FOLDED  # noqa: PLW0603
    left: cython.ulonglong
    right: cython.ulonglong
    # Crowning is tested once: without it only one word of a leaf changes.
    if turn == WHITE_TURN:
        left = men & (empty << 7)
        right = men & (empty << 6)
        if (left | right) & (WHITE_CROWN << 6):
            FOLDED ^= _steps(men, kings, their_men, their_kings, left, -7, WHITE_CROWN)
            FOLDED ^= _steps(men, kings, their_men, their_kings, right, -6, WHITE_CROWN)
        else:
            FOLDED ^= _steps(men, kings, their_men, their_kings, left, -7, 0)
            FOLDED ^= _steps(men, kings, their_men, their_kings, right, -6, 0)
    else:
        left = men & (empty >> 6)
        right = men & (empty >> 7)
        if (left | right) & (BLACK_CROWN >> 6):
            FOLDED ^= _steps(men, kings, their_men, their_kings, left, 6, BLACK_CROWN)
            FOLDED ^= _steps(men, kings, their_men, their_kings, right, 7, BLACK_CROWN)
        else:
            FOLDED ^= _steps(men, kings, their_men, their_kings, left, 6, 0)
            FOLDED ^= _steps(men, kings, their_men, their_kings, right, 7, 0)
    return popcount(left) + popcount(right)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _take(
    men: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    victims: cython.ulonglong,
    shift: cython.int,
    crown: cython.ulonglong,
) -> cython.ulonglong:
    """Make the position after a man's capture of the lowest of `victims` and fold it."""
    victim: cython.ulonglong = victims & (~victims + 1)
    landed: cython.ulonglong = men ^ (victim << shift | victim >> shift)
    return _fold(landed & ~crown, landed & crown, their_men & ~victim, their_kings & ~victim)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _make_list(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
    found: cython.pointer(MoveList),
) -> cython.ulonglong:
    """Make and fold the positions after the moves of a list; return their number."""
    global FOLDED  # noqa: PLW0603
    following: Words
    index: cython.Py_ssize_t
    total: cython.ulonglong = 0
    for index in range(found.count):
        following = after(men, kings, their_men, their_kings, turn, found.moves[index])
        total ^= _fold(following.their_men, following.their_kings, following.men, following.kings)
    FOLDED ^= total
    return found.count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _make_long(
    men: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    going_on: cython.ulonglong,
    turn: cython.int,
) -> cython.ulonglong:
    """Make and fold the positions after men's captures that go on, their first to these squares."""
    found: MoveList
    if not cython.compiled:
        found = MoveList()
    found.count = found.captures = 0
    strike_men(address(found), men, their_men | their_kings, going_on)
    return _make_list(men, 0, their_men, their_kings, turn, address(found))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _make_strikes(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    strikers: cython.ulonglong,
    turn: cython.int,
) -> cython.ulonglong:
    """Make and fold the positions after the captures of `strikers`, kings among them; return their number."""
    found: MoveList
    enemies: cython.ulonglong = their_men | their_kings
    if not cython.compiled:
        found = MoveList()
    found.count = found.captures = 0
    strike_all(address(found), men & strikers, kings & strikers, enemies, men | kings | enemies)
    return _make_list(men, kings, their_men, their_kings, turn, address(found))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _make_captures(
    men: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    empty: cython.ulonglong,
    turn: cython.int,
) -> cython.ulonglong:
    """Make and fold the positions after the captures of men, without kings; return their number."""
    global FOLDED  # noqa: PLW0603
    enemies: cython.ulonglong = their_men | their_kings
    crown: cython.ulonglong = WHITE_CROWN if turn == WHITE_TURN else BLACK_CROWN
    down_left: cython.ulonglong = (men << 6) & enemies & (empty >> 6)
    down_right: cython.ulonglong = (men << 7) & enemies & (empty >> 7)
    up_left: cython.ulonglong = (men >> 7) & enemies & (empty << 7)
    up_right: cython.ulonglong = (men >> 6) & enemies & (empty << 6)
    going_on: cython.ulonglong = capturing_men(
        (down_left << 6) | (down_right << 7) | (up_left >> 7) | (up_right >> 6), enemies, empty
    )
    along: cython.ulonglong
    across: cython.ulonglong
    count: cython.Py_ssize_t
    total: cython.ulonglong = 0
    if going_on:
        return _make_long(men, their_men, their_kings, going_on, turn)
    # The squares on both sides of a piece change, whichever way it is taken: two directions are one.
    along = down_left | up_right
    across = down_right | up_left
    count = popcount(along) + popcount(across)
    while along | across:
        total ^= _take(men, their_men, their_kings, along, 6, crown)
        total ^= _take(men, their_men, their_kings, across, 7, crown)
        along &= along - 1
        across &= across - 1
    FOLDED ^= total
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _make_with_kings(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
) -> cython.ulonglong:
    """Make and fold the positions after all moves of a side with kings; return their number."""
    global FOLDED  # noqa: PLW0603
    enemies: cython.ulonglong = their_men | their_kings
    all_pieces: cython.ulonglong = men | kings | enemies
    empty: cython.ulonglong = SQUARES & ~all_pieces
    down_left: cython.ulonglong
    down_right: cython.ulonglong
    up_left: cython.ulonglong
    up_right: cython.ulonglong
    still: cython.ulonglong
    rest: cython.ulonglong = kings
    at: cython.Py_ssize_t
    total: cython.ulonglong = 0
    count: cython.Py_ssize_t = 0
    if capturing_men(men, enemies, empty):
        return _make_strikes(men, kings, their_men, their_kings, men | kings, turn)
    while rest:
        at = lowest(rest)
        down_left = reach(at, all_pieces, DOWN_LEFT)
        down_right = reach(at, all_pieces, DOWN_RIGHT)
        up_left = reach(at, all_pieces, UP_LEFT)
        up_right = reach(at, all_pieces, UP_RIGHT)
        if first_behind(down_left, down_right, up_left, up_right, enemies, empty):
            # The kings before this one cannot capture, nor can the men.
            return _make_strikes(men, kings, their_men, their_kings, rest, turn)
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
    return count + _make_steps(men, kings, their_men, their_kings, empty, turn)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_leaves(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
) -> cython.ulonglong:
    """Make and fold the positions after all moves; return their number."""
    enemies: cython.ulonglong = their_men | their_kings
    empty: cython.ulonglong = SQUARES & ~(men | enemies)
    if kings:
        return _make_with_kings(men, kings, their_men, their_kings, turn)
    if capturing_men(men, enemies, empty):
        return _make_captures(men, their_men, their_kings, empty, turn)
    return _make_steps(men, 0, their_men, their_kings, empty, turn)
