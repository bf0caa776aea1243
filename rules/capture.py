"""Captures that go on, and those of kings: majority, Turkish strike, each move once.

The rules are the FMJD's (Annex 1, article 4). A capture is searched from its start square with that square
empty and the taken pieces standing; two routes with the same start, end and captured set are one move. Apart
from the rest of the generator, so that not every list pays for a frame of 8 KB and saved registers.
"""

import cython

if cython.compiled:
    from cython import address
    from cython.cimports.rules.bitboard import lowest
    from cython.cimports.rules.board import SINGLE
    from cython.cimports.rules.lines import (
        DOWN_LEFT,
        DOWN_RIGHT,
        SQUARES,
        UP_LEFT,
        UP_RIGHT,
        capturing_men,
        reach,
    )
    from cython.cimports.rules.movegen import MOST_MOVES, MoveList
else:
    from rules.lines import capturing_men, reach
    from rules.plain import (
        DOWN_LEFT,
        DOWN_RIGHT,
        MOST_MOVES,
        SEEN_SIZE,
        SINGLE,
        SQUARES,
        UP_LEFT,
        UP_RIGHT,
        MoveList,
        Strike,
        address,
        lowest,
    )

# From this many captures on the routes of a king are remembered: crowded boards have more routes than moves.
REMEMBER_FROM = cython.declare(cython.int, 6)
# Two routes of a man over the same pieces go round a ring of at least four; those of a king differ sooner.
RING = cython.declare(cython.int, 4)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _offer(
    strike: cython.pointer(Strike),
    captured: cython.ulonglong,
    at: cython.Py_ssize_t,
    taken: cython.int,
    twice: cython.bint,
) -> cython.void:
    """Keep a finished capture if none takes more and it is not in the list; `twice` tells that it may be."""
    found: cython.pointer(MoveList) = strike.found
    index: cython.Py_ssize_t
    if taken < found.captures:
        return
    if taken > found.captures:
        found.captures = taken
        found.count = 0
    if twice:
        for index in range(found.count):
            if (
                found.moves[index].captured == captured
                and found.moves[index].to_bit == at
                and found.moves[index].from_bit == strike.origin
            ):
                return
    if found.count < MOST_MOVES:
        found.moves[found.count].captured = captured
        found.moves[found.count].from_bit = strike.origin
        found.moves[found.count].to_bit = at
        found.count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _seen_before(
    strike: cython.pointer(Strike), captured: cython.ulonglong, at: cython.Py_ssize_t
) -> cython.bint:
    """Tell whether the piece came by here with the same pieces taken: what follows is in the list then."""
    slot: cython.Py_ssize_t
    if not strike.remembers:
        for slot in range(SEEN_SIZE):
            strike.seen[slot].at = -1
        strike.remembers = True
    slot = cython.cast(
        cython.Py_ssize_t,
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
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _victims(
    strike: cython.pointer(Strike), captured: cython.ulonglong, at: cython.Py_ssize_t
) -> cython.ulonglong:
    """Return the pieces that a man on a bit can take."""
    empty: cython.ulonglong = strike.empty
    here: cython.ulonglong = SINGLE[at]
    return (
        (here << 6 & empty >> 6)
        | (here << 7 & empty >> 7)
        | (here >> 7 & empty << 7)
        | (here >> 6 & empty << 6)
    ) & (strike.enemies & ~captured)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _strike_man(
    strike: cython.pointer(Strike),
    captured: cython.ulonglong,
    at: cython.Py_ssize_t,
    victims: cython.ulonglong,
    taken: cython.int,
) -> cython.void:
    """Take each of `victims` from `at` and go on; `taken` counts it. Passing the far row does not crown.

    A capture that ends is kept here, without a call for it (Woldouby: 3 % fewer instructions).
    """
    following: cython.ulonglong
    now: cython.ulonglong
    to: cython.Py_ssize_t
    while victims:
        # The landing square is as far behind the victim as the man stands before it.
        to = 2 * lowest(victims) - at
        now = captured | (victims & (~victims + 1))
        following = _victims(strike, now, to)
        if following:
            _strike_man(strike, now, to, following, taken + 1)
        else:
            _offer(strike, now, to, taken, taken >= RING)
        victims &= victims - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _start_men(
    strike: cython.pointer(Strike),
    victims: cython.ulonglong,
    shift: cython.Py_ssize_t,
    empty: cython.ulonglong,
) -> cython.void:
    """Take each of the first victims, on bits that lie `shift` from their captors, and go on."""
    at: cython.Py_ssize_t
    victim: cython.ulonglong
    while victims:
        at = lowest(victims)
        victim = victims & (~victims + 1)
        strike.origin = at - shift
        strike.empty = empty | SINGLE[at - shift]
        # All of them are known to go on.
        _strike_man(strike, victim, at + shift, _victims(strike, victim, at + shift), 2)
        victims &= victims - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def strike_men(
    found: cython.pointer(MoveList),
    men: cython.ulonglong,
    enemies: cython.ulonglong,
    going_on: cython.ulonglong,
) -> cython.void:
    """Fill an empty list with the captures of men, no king beside them, whose first ends on `going_on`."""
    strike: Strike
    empty: cython.ulonglong = SQUARES & ~(men | enemies)
    if not cython.compiled:
        strike = Strike()
    strike.found = found
    strike.enemies = enemies
    _start_men(address(strike), (men << 6) & enemies & (empty >> 6) & (going_on >> 6), 6, empty)
    _start_men(address(strike), (men << 7) & enemies & (empty >> 7) & (going_on >> 7), 7, empty)
    _start_men(address(strike), (men >> 7) & enemies & (empty << 7) & (going_on << 7), -7, empty)
    _start_men(address(strike), (men >> 6) & enemies & (empty << 6) & (going_on << 6), -6, empty)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _open(empty: cython.ulonglong, direction: cython.Py_ssize_t) -> cython.ulonglong:
    """Return the squares behind which, in a direction, is an empty one."""
    if direction == DOWN_LEFT:
        return empty >> 6
    if direction == DOWN_RIGHT:
        return empty >> 7
    return empty << 7 if direction == UP_LEFT else empty << 6


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _first_victim(
    strike: cython.pointer(Strike),
    captured: cython.ulonglong,
    at: cython.Py_ssize_t,
    direction: cython.Py_ssize_t,
) -> cython.ulonglong:
    """Return the enemy that a king on a bit can take in a direction, or 0."""
    return (
        reach(at, strike.blockers, direction) & _open(strike.empty, direction) & (strike.enemies & ~captured)
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _strike_king(
    strike: cython.pointer(Strike),
    captured: cython.ulonglong,
    victim: cython.Py_ssize_t,
    direction: cython.Py_ssize_t,
    taken: cython.int,
) -> cython.void:
    """Go on with a king's capture: `captured` holds the piece on `victim`, just passed in a direction.

    The squares behind are looked at together: the next victim straight on is the same from all of them, and
    only the two directions across are looked along from each. The piece just taken bars the way back.
    """
    beyond: cython.ulonglong
    landings: cython.ulonglong
    ahead: cython.ulonglong
    left: cython.ulonglong
    right: cython.ulonglong
    at: cython.Py_ssize_t
    falling: cython.bint = direction in (DOWN_RIGHT, UP_LEFT)
    if taken >= REMEMBER_FROM and _seen_before(strike, captured, 4 * victim + direction):
        return
    beyond = reach(victim, strike.blockers, direction)
    landings = beyond & strike.empty
    ahead = beyond & _open(strike.empty, direction) & (strike.enemies & ~captured)
    if ahead:
        _strike_king(strike, captured | ahead, lowest(ahead), direction, taken + 1)
    while landings:
        at = lowest(landings)
        landings &= landings - 1
        if falling:
            left = _first_victim(strike, captured, at, DOWN_LEFT)
            right = _first_victim(strike, captured, at, UP_RIGHT)
            if left:
                _strike_king(strike, captured | left, lowest(left), DOWN_LEFT, taken + 1)
            if right:
                _strike_king(strike, captured | right, lowest(right), UP_RIGHT, taken + 1)
        else:
            left = _first_victim(strike, captured, at, UP_LEFT)
            right = _first_victim(strike, captured, at, DOWN_RIGHT)
            if left:
                _strike_king(strike, captured | left, lowest(left), UP_LEFT, taken + 1)
            if right:
                _strike_king(strike, captured | right, lowest(right), DOWN_RIGHT, taken + 1)
        if not (ahead | left | right):
            _offer(strike, captured, at, taken, taken > 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _start_king(strike: cython.pointer(Strike), direction: cython.Py_ssize_t) -> cython.void:
    victim: cython.ulonglong = _first_victim(strike, 0, strike.origin, direction)
    if victim:
        _strike_king(strike, victim, lowest(victim), direction, 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def strike_all(
    found: cython.pointer(MoveList),
    men: cython.ulonglong,
    kings: cython.ulonglong,
    enemies: cython.ulonglong,
    all_pieces: cython.ulonglong,
) -> cython.void:
    """Fill an empty list with the captures of men and kings; it stays empty if there is none."""
    strike: Strike
    if not cython.compiled:
        strike = Strike()
    strike.found = found
    strike.enemies = enemies
    while kings:
        strike.origin = lowest(kings)
        strike.blockers = all_pieces ^ SINGLE[strike.origin]
        strike.empty = SQUARES & ~strike.blockers
        strike.remembers = False
        _start_king(address(strike), DOWN_LEFT)
        _start_king(address(strike), DOWN_RIGHT)
        _start_king(address(strike), UP_LEFT)
        _start_king(address(strike), UP_RIGHT)
        kings &= kings - 1
    men = capturing_men(men, enemies, SQUARES & ~all_pieces)
    while men:
        strike.origin = lowest(men)
        strike.empty = SQUARES & ~all_pieces | SINGLE[strike.origin]
        _strike_man(address(strike), 0, strike.origin, _victims(address(strike), 0, strike.origin), 1)
        men &= men - 1
