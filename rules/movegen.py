"""All legal moves of International draughts: compulsory capture, majority, flying kings, Turkish strike.

The rules are the FMJD's (Annex 1, articles 3 and 4). Two routes with the same start, end and captured set are
one move. A capture is searched from its start square with that square empty and the taken pieces standing.
"""

import cython

if cython.compiled:
    from cython import address
    from cython.cimports.rules.bitboard import highest, lowest, popcount
    from cython.cimports.rules.board import WHITE_TURN, Board, Step, occupied
else:
    from rules.plain import (
        GUARD,
        MOST_MOVES,
        SEEN_SIZE,
        SQUARES,
        WHITE_TURN,
        Board,
        Step,
        Strike,
        address,
        highest,
        lowest,
        occupied,
        popcount,
    )

ONE = cython.declare(cython.ulonglong, 1)
# Squares seen from a bit on the empty board, [direction * 64 + bit]: down left and right, up left and right.
RAYS = cython.declare(cython.ulonglong[256])
# The same beyond a blocker, for the two directions up, one entry later: entry 0 is for "no blocker".
BEYOND_UP = cython.declare(cython.ulonglong[128])
# From this many captures on the routes of a piece are remembered: crowded boards have more routes than moves.
REMEMBER_FROM = cython.declare(cython.int, 6)


def _fill() -> None:
    squares: object = 0
    for row in range(10):
        squares |= 0x1F << (13 * (row // 2) + 6 * (row % 2))
    for direction, shift in enumerate((6, 7, -7, -6)):
        for bit in range(64):
            ray, at = 0, bit + shift
            while 0 <= at < 64 and (squares >> at) & 1 and (squares >> bit) & 1:
                ray |= 1 << at
                at += shift
            RAYS[direction * 64 + bit] = ray
    for entry in range(128):
        BEYOND_UP[entry] = RAYS[128 + entry - 1] if entry % 64 else 0


_fill()


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _reach(at: cython.int, blockers: cython.ulonglong, direction: cython.int) -> cython.ulonglong:
    """Return the squares from a bit in one direction up to and with the first blocker; without a branch."""
    ray: cython.ulonglong = RAYS[direction * 64 + at]
    barred: cython.ulonglong = ray & blockers
    if barred:
        ray &= ~RAYS[direction * 64 + (lowest(barred) if direction < 2 else highest(barred))]
    return ray


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _put(
    found: cython.pointer(MoveList), captured: cython.ulonglong, origin: cython.int, target: cython.int
) -> cython.void:
    if found.count < MOST_MOVES:
        found.moves[found.count].captured = captured
        found.moves[found.count].from_bit = origin
        found.moves[found.count].to_bit = target
        found.count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _offer(
    strike: cython.pointer(Strike), captured: cython.ulonglong, at: cython.int, taken: cython.int
) -> cython.void:
    """Keep a finished capture if none takes more and it is not in the list by another route."""
    found: cython.pointer(MoveList) = strike.found
    index: cython.int
    if taken < found.captures:
        return
    if taken > found.captures:
        found.captures = taken
        found.count = 0
    # A second route over the same set needs two pieces (a king's landing squares between them); the moves of
    # other pieces stand before those of this one.
    if taken > 1:
        for index in range(found.count - 1, -1, -1):
            if found.moves[index].from_bit != strike.origin:
                break
            if found.moves[index].captured == captured and found.moves[index].to_bit == at:
                return
    _put(found, captured, strike.origin, at)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _seen_before(strike: cython.pointer(Strike), captured: cython.ulonglong, at: cython.int) -> cython.bint:
    """Tell whether the same piece stood here with the same pieces taken; what follows is in the list then."""
    slot: cython.int
    if not strike.remembers:
        for slot in range(SEEN_SIZE):
            strike.seen[slot].at = -1
        strike.remembers = True
    slot = cython.cast(
        cython.int,
        (
            (captured * cython.cast(cython.ulonglong, 0x9E3779B97F4A7C15) + cython.cast(cython.ulonglong, at))
            >> 32
        )
        & (SEEN_SIZE - 1),
    )
    if strike.seen[slot].captured == captured and strike.seen[slot].at == at:
        return True
    strike.seen[slot].captured = captured
    strike.seen[slot].at = at
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _strike_man(
    strike: cython.pointer(Strike), captured: cython.ulonglong, at: cython.int, taken: cython.int
) -> cython.void:
    """Go on with a man's capture from `at`; passing the far row does not crown it."""
    empty: cython.ulonglong = strike.empty
    here: cython.ulonglong = ONE << at
    victims: cython.ulonglong = (
        (here << 6 & empty >> 6)
        | (here << 7 & empty >> 7)
        | (here >> 7 & empty << 7)
        | (here >> 6 & empty << 6)
    ) & (strike.enemies & ~captured)
    victim: cython.int
    if not victims:
        _offer(strike, captured, at, taken)
    while victims:
        victim = lowest(victims)
        # The landing square is as far behind the victim as the man stands before it.
        _strike_man(strike, captured | (victims & (~victims + 1)), 2 * victim - at, taken + 1)
        victims &= victims - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _king_victims(at: cython.int, enemies: cython.ulonglong, blockers: cython.ulonglong) -> cython.ulonglong:
    """Return the enemies that a king on a bit can take: first in a line, with an empty square behind."""
    empty: cython.ulonglong = SQUARES & ~blockers
    return enemies & (
        (_reach(at, blockers, 0) & empty >> 6)
        | (_reach(at, blockers, 1) & empty >> 7)
        | (_reach(at, blockers, 2) & empty << 7)
        | (_reach(at, blockers, 3) & empty << 6)
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _strike_king(
    strike: cython.pointer(Strike), captured: cython.ulonglong, at: cython.int, taken: cython.int
) -> cython.void:
    """Go on with a king's capture from `at`, in every direction; the piece just taken bars the way back."""
    direction: cython.int
    victim: cython.ulonglong
    landings: cython.ulonglong
    victims: cython.ulonglong
    if taken >= REMEMBER_FROM and _seen_before(strike, captured, at):
        return
    victims = _king_victims(at, strike.enemies & ~captured, strike.blockers)
    if not victims:
        if taken:
            _offer(strike, captured, at, taken)
        return
    for direction in range(4):
        victim = victims & RAYS[direction * 64 + at]
        if not victim:
            continue
        landings = _reach(lowest(victim), strike.blockers, direction) & strike.empty
        while landings:
            _strike_king(strike, captured | victim, lowest(landings), taken + 1)
            landings &= landings - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _capturing_men(
    men: cython.ulonglong, enemies: cython.ulonglong, empty: cython.ulonglong
) -> cython.ulonglong:
    """Return the men that can capture: an enemy beside them and an empty square behind it."""
    return men & (
        ((enemies & (empty >> 6)) >> 6)
        | ((enemies & (empty >> 7)) >> 7)
        | ((enemies & (empty << 7)) << 7)
        | ((enemies & (empty << 6)) << 6)
    )


# Lists of moves are written four at a time, beyond the end if need be: the bitboard tells the count, and
# a loop of unknown length costs a branch miss a list.


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _put_step(
    moves: cython.pointer(Step), index: cython.Py_ssize_t, targets: cython.ulonglong, shift: cython.int
) -> cython.ulonglong:
    """Write the man's step to the lowest target; return the other targets."""
    at: cython.int = lowest(targets | GUARD)
    moves[index].captured = 0
    moves[index].from_bit = at - shift
    moves[index].to_bit = at
    return targets & (targets - 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _quiet_men(
    moves: cython.pointer(Step), count: cython.Py_ssize_t, targets: cython.ulonglong, shift: cython.int
) -> cython.Py_ssize_t:
    """Append the men's steps that end on `targets`, `shift` bits away; return the count."""
    index: cython.Py_ssize_t = count
    count += popcount(targets)
    while targets:
        targets = _put_step(moves, index, targets, shift)
        targets = _put_step(moves, index + 1, targets, shift)
        targets = _put_step(moves, index + 2, targets, shift)
        targets = _put_step(moves, index + 3, targets, shift)
        index += 4
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _put_slide(
    moves: cython.pointer(Step), index: cython.Py_ssize_t, targets: cython.ulonglong, at: cython.int
) -> cython.ulonglong:
    """Write the king's move to the lowest target; return the other targets."""
    moves[index].captured = 0
    moves[index].from_bit = at
    moves[index].to_bit = lowest(targets | GUARD)
    return targets & (targets - 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _quiet_king(
    moves: cython.pointer(Step), count: cython.Py_ssize_t, at: cython.int, targets: cython.ulonglong
) -> cython.Py_ssize_t:
    """Append a king's moves to `targets`; return the count."""
    index: cython.Py_ssize_t = count
    count += popcount(targets)
    while targets:
        targets = _put_slide(moves, index, targets, at)
        targets = _put_slide(moves, index + 1, targets, at)
        targets = _put_slide(moves, index + 2, targets, at)
        targets = _put_slide(moves, index + 3, targets, at)
        index += 4
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _single(
    moves: cython.pointer(Step), count: cython.Py_ssize_t, victims: cython.ulonglong, shift: cython.int
) -> cython.Py_ssize_t:
    """Append men's captures of one piece each; a step adds `shift` to the bit index. Return the count."""
    at: cython.int
    while victims:
        at = lowest(victims)
        moves[count].captured = victims & (~victims + 1)
        moves[count].from_bit = at - shift
        moves[count].to_bit = at + shift
        count += 1
        victims &= victims - 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def generate_words(
    white_men: cython.ulonglong,
    white_kings: cython.ulonglong,
    black_men: cython.ulonglong,
    black_kings: cython.ulonglong,
    turn: cython.int,
    found: cython.pointer(MoveList),
) -> cython.void:
    """Fill the list with the legal moves, each (from, to, captured set) once; an empty list is a lost game.

    Callers use `generate(board, found)`, which hands over the words of the board.
    """
    white: cython.bint = turn == WHITE_TURN
    men: cython.ulonglong = white_men if white else black_men
    kings: cython.ulonglong = white_kings if white else black_kings
    all_pieces: cython.ulonglong = white_men | white_kings | black_men | black_kings
    enemies: cython.ulonglong = all_pieces ^ men ^ kings
    empty: cython.ulonglong = SQUARES & ~all_pieces
    down_left: cython.ulonglong
    down_right: cython.ulonglong
    up_left: cython.ulonglong
    up_right: cython.ulonglong
    capturing: cython.ulonglong
    landings: cython.ulonglong
    rest: cython.ulonglong
    at: cython.int
    count: cython.Py_ssize_t
    strike: Strike
    found.count = 0
    found.captures = 0
    down_left = (men << 6) & enemies & (empty >> 6)
    down_right = (men << 7) & enemies & (empty >> 7)
    up_left = (men >> 7) & enemies & (empty << 7)
    up_right = (men >> 6) & enemies & (empty << 6)
    capturing = (down_left >> 6) | (down_right >> 7) | (up_left << 7) | (up_right << 6)
    if not capturing:
        # Quiet moves, unless a king finds a capture while its lines are looked at.
        # At most 20 pieces with 17 squares each: they always fit.
        if white:
            count = _quiet_men(found.moves, 0, (men >> 7) & empty, -7)
            count = _quiet_men(found.moves, count, (men >> 6) & empty, -6)
        else:
            count = _quiet_men(found.moves, 0, (men << 6) & empty, 6)
            count = _quiet_men(found.moves, count, (men << 7) & empty, 7)
        rest = kings
        while rest:
            at = lowest(rest)
            down_left = _reach(at, all_pieces, 0)
            down_right = _reach(at, all_pieces, 1)
            up_left = _reach(at, all_pieces, 2)
            up_right = _reach(at, all_pieces, 3)
            capturing = enemies & (
                (down_left & empty >> 6)
                | (down_right & empty >> 7)
                | (up_left & empty << 7)
                | (up_right & empty << 6)
            )
            if capturing:
                break
            count = _quiet_king(found.moves, count, at, (down_left | down_right | up_left | up_right) & empty)
            rest &= rest - 1
        if not capturing:
            found.count = count
            return
        # The kings before this one cannot capture.
        capturing, kings = 0, rest
        landings = down_left = down_right = up_left = up_right = 0
    rest = kings
    while rest:
        if _king_victims(lowest(rest), enemies, all_pieces):
            capturing |= rest & (~rest + 1)
        rest &= rest - 1
    landings = (down_left << 6) | (down_right << 7) | (up_left >> 7) | (up_right >> 6)
    if not (capturing & kings) and not _capturing_men(landings, enemies, empty):
        # No capture goes on: most positions with captures are like this.
        count = _single(found.moves, 0, down_left, 6)
        count = _single(found.moves, count, down_right, 7)
        count = _single(found.moves, count, up_left, -7)
        found.count = _single(found.moves, count, up_right, -6)
        found.captures = 1
        return
    if not cython.compiled:
        strike = Strike()
    strike.found = found
    strike.enemies = enemies
    while capturing:
        strike.origin = lowest(capturing)
        strike.blockers = all_pieces ^ (ONE << strike.origin)
        strike.empty = SQUARES & ~strike.blockers
        strike.remembers = False
        if (kings >> strike.origin) & 1:
            _strike_king(address(strike), 0, strike.origin, 0)
        else:
            _strike_man(address(strike), 0, strike.origin, 0)
        capturing &= capturing - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def words_can_capture(
    white_men: cython.ulonglong,
    white_kings: cython.ulonglong,
    black_men: cython.ulonglong,
    black_kings: cython.ulonglong,
    turn: cython.int,
) -> cython.bint:
    """Tell whether the side to move has a capture, and so must capture: `can_capture(board)`."""
    white: cython.bint = turn == WHITE_TURN
    men: cython.ulonglong = white_men if white else black_men
    kings: cython.ulonglong = white_kings if white else black_kings
    all_pieces: cython.ulonglong = white_men | white_kings | black_men | black_kings
    enemies: cython.ulonglong = all_pieces ^ men ^ kings
    if _capturing_men(men, enemies, SQUARES & ~all_pieces):
        return True
    while kings:
        if _king_victims(lowest(kings), enemies, all_pieces):
            return True
        kings &= kings - 1
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_move(board: Board) -> cython.bint:
    """Tell whether the side to move has any legal move; if not, it has lost."""
    white: cython.bint = board.turn == WHITE_TURN
    men: cython.ulonglong = board.white_men if white else board.black_men
    kings: cython.ulonglong = board.white_kings if white else board.black_kings
    empty: cython.ulonglong = SQUARES & ~occupied(board)
    if white and (((men >> 6) | (men >> 7)) & empty):
        return True
    if not white and (((men << 6) | (men << 7)) & empty):
        return True
    if ((kings << 6) | (kings << 7) | (kings >> 6) | (kings >> 7)) & empty:
        return True
    return can_capture(board)


if not cython.compiled:

    def generate(board, found):
        """Fill the list with the legal moves of a board."""
        generate_words(
            board.white_men, board.white_kings, board.black_men, board.black_kings, board.turn, found
        )

    def can_capture(board):
        """Tell whether the side to move has a capture."""
        return words_can_capture(
            board.white_men, board.white_kings, board.black_men, board.black_kings, board.turn
        )
