"""Generation of endgame bitbases: retrograde analysis of one pair of material classes.

The two classes of a pair are each other's with the sides exchanged: a quiet move that crowns no man leads from one to
the other. All other moves (captures, crownings) lead to classes that must be attached to `engine.bitbase` before.

A slot has a level: 0 unknown or drawn, else plies to the end plus one (even: win, odd: loss), and a state. First every
slot's moves are generated once: moves into other classes give a first level, the quiet ones inside the pair are counted. Then,
level by level: a position lost at level n makes every quiet predecessor a win at n + 1, one that is won counts down its
predecessors, and where the count reaches 0 the predecessor is lost. So each edge is walked once. Where only values of the
other classes are known and no distances, levels are no distances, but wins, draws and losses are the same.
"""

import cython
from cython.cimports.engine.bitbase import (
    MEN_SQUARES,
    SQUARES,
    Index,
    choose,
    kings_rank,
    level,
    men_rank,
    slots,
)
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memchr, memset
from cython.cimports.rules.bitboard import BIT_OF, Bits, lowest
from cython.cimports.rules.board import BLACK_TURN, WHITE_TURN, Board, Step, make
from cython.cimports.rules.movegen import MoveList, generate

ONE = cython.declare(cython.ulonglong, 1)
PLAYING = cython.declare(cython.ulonglong, 0)  # the fifty squares
DONE = cython.declare(cython.int, 0)  # fields of the progress counter
STOP = cython.declare(cython.int, 1)


def _fill() -> None:
    square: cython.int
    global PLAYING  # noqa: PLW0603
    for square in range(1, 51):
        PLAYING |= ONE << BIT_OF[square]


_fill()


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sets(count: cython.int, squares: cython.int, first: cython.int) -> cython.pointer(Bits):
    """Return all bitboards of `count` of the `squares` squares from `first` on, by rank. The caller frees."""
    number: Index = choose(squares, count)
    sets: cython.pointer(Bits) = cython.cast(
        cython.pointer(Bits), malloc(number * cython.sizeof(cython.ulonglong))
    )
    packed: cython.ulonglong = (ONE << count) - 1
    rest: cython.ulonglong
    low: cython.ulonglong
    bits: cython.ulonglong
    at: Index
    if sets == cython.NULL:
        return sets
    for at in range(number):
        bits = 0
        rest = packed
        while rest:
            bits |= ONE << BIT_OF[first + lowest(rest)]
            rest &= rest - 1
        sets[at] = bits
        if packed:
            # the next greater number with as many ones
            low = packed & (~packed + 1)
            rest = packed + low
            packed = rest | (((packed ^ rest) >> 2) >> lowest(low))
    return sets


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _board(side: cython.pointer(Side), index: Index) -> Board:
    """Return the position of a slot, white to move."""
    board: Board
    board.black_kings = side.their_kings_sets[index % side.their_kings_count]
    index //= side.their_kings_count
    board.white_kings = side.kings_sets[index % side.kings_count]
    index //= side.kings_count
    board.black_men = side.their_men_sets[index % side.their_men_count]
    board.white_men = side.men_sets[index // side.their_men_count]
    board.turn = WHITE_TURN
    return board


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _overlap(board: Board) -> cython.bint:
    men: cython.ulonglong = board.white_men | board.black_men
    if (board.white_men & board.black_men) or (board.white_kings & board.black_kings):
        return True
    return (men & (board.white_kings | board.black_kings)) != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _start(side: cython.pointer(Side), index: Index) -> cython.int:
    """Give a slot its first level and state; return the level, -1 if a table is missing."""
    moves: MoveList
    step: Step
    number: cython.int
    found: cython.int
    inside: cython.int = 0
    best: cython.int = 1
    board: Board = _board(side, index)
    if _overlap(board):
        side.states[index] = UNUSED
        return 0
    generate(board, cython.address(moves))
    for number in range(moves.count):
        step = moves.moves[number]
        if moves.captures == 0 and (
            (board.white_kings >> step.from_bit) & 1 or step.to_bit > 4  # noqa: PLR2004
        ):
            inside += 1
            continue
        found = level(make(board, step))
        if found < 0:
            return -1
        found = found + 1 if found else 0
        # best so far: the shortest win, else a draw, else the longest loss
        if found & 1:
            if best & 1 and found > best:
                best = found
        elif found == 0:
            if best & 1:
                best = 0
        elif best & 1 or best == 0 or found < best:
            best = found
    side.levels[index] = best
    if moves.captures:
        side.states[index] = CAPTURES
    elif best & 1 == 0:
        side.states[index] = NEVER_LOST
    else:
        side.states[index] = inside
        if inside and best == 1:
            side.levels[index] = 0  # nothing known yet, and nothing to wait for
    return best


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _mark(other: cython.pointer(Side), index: Index, reached: cython.int) -> cython.int:
    """Tell a predecessor that a move of it leads to `reached`; return the level that it got, or 0."""
    state: cython.int = other.states[index]
    known: cython.int = other.levels[index]
    if state >= CAPTURES:
        return 0
    if reached & 1:
        if known == 0 or known & 1 or known > reached + 1:
            other.levels[index] = reached + 1
            other.states[index] = NEVER_LOST
            return reached + 1
        return 0
    if state > MOST_COUNTED:
        return 0
    state -= 1
    other.states[index] = state
    if state:
        return 0
    if known < reached + 1:
        known = reached + 1
        other.levels[index] = known
    return known


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _retract(
    side: cython.pointer(Side), other: cython.pointer(Side), index: Index, reached: cython.int
) -> cython.int:
    """Mark every quiet predecessor of a slot: black, to move in `other`, takes back a move. Return the top level."""
    board: Board = _board(side, index)
    empty: cython.ulonglong = PLAYING & ~(
        board.white_men | board.white_kings | board.black_men | board.black_kings
    )
    men: Index = men_rank(board.black_men, BLACK_TURN, True)
    kings: Index = kings_rank(board.black_kings, BLACK_TURN)
    their_men: Index = men_rank(board.white_men, BLACK_TURN, False)
    their_kings: Index = kings_rank(board.white_kings, BLACK_TURN)
    rest: cython.ulonglong = board.black_men
    piece: cython.ulonglong
    origin: cython.ulonglong
    direction: cython.int
    top: cython.int = 0
    place: Index
    while rest:
        piece = rest & (~rest + 1)
        rest ^= piece
        for direction in range(2):
            origin = (piece >> (6 + direction)) & empty
            if origin:
                place = men_rank(board.black_men ^ piece ^ origin, BLACK_TURN, True)
                place = (place * other.their_men_count + their_men) * other.kings_count + kings
                place = place * other.their_kings_count + their_kings
                top = max(top, _mark(other, place, reached))
    men = men * other.their_men_count + their_men
    rest = board.black_kings
    while rest:
        piece = rest & (~rest + 1)
        rest ^= piece
        for direction in range(4):
            origin = piece
            while True:
                if direction < 2:  # noqa: PLR2004
                    origin = (origin >> (6 + direction)) & empty
                else:
                    origin = (origin << (4 + direction)) & empty
                if origin == 0:
                    break
                place = kings_rank(board.black_kings ^ piece ^ origin, BLACK_TURN)
                place = (men * other.kings_count + place) * other.their_kings_count + their_kings
                top = max(top, _mark(other, place, reached))
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _solve(sides: cython.pointer(Side), number: cython.int, progress: cython.pointer(cython.longlong)) -> cython.int:
    """Solve a pair (`number` is 1 where both classes are the same one); return the highest level.

    -1: a table is missing; -2: stopped; -3: a win is too long for a byte.
    """
    highest: cython.int = 1
    found: cython.int
    now: cython.int
    which: cython.int
    index: Index
    side: cython.pointer(Side)
    other: cython.pointer(Side)
    at: cython.p_uchar
    end: cython.p_uchar
    for which in range(number):
        side = sides + which
        for index in range(side.slots):
            found = _start(side, index)
            if found < 0:
                return -1
            highest = max(highest, found)
            if index & 0xFFFF == 0:
                progress[DONE] += 0x10000
                if progress[STOP]:
                    return -2
    now = 0
    while now < highest:
        now += 1
        for which in range(number):
            side = sides + which
            other = sides + (number - 1 - which)
            at = side.levels
            end = side.levels + side.slots
            while at < end:
                at = cython.cast(cython.p_uchar, memchr(at, now, end - at))
                if at == cython.NULL:
                    break
                index = at - side.levels
                at += 1
                if now & 1 and side.states[index] != 0 and side.states[index] != CAPTURES:
                    continue
                if now >= MOST_LEVEL:
                    return -3
                highest = max(highest, _retract(side, other, index, now))
                if progress[STOP]:
                    return -2
    # what waited in vain is a draw
    for which in range(number):
        side = sides + which
        for index in range(side.slots):
            if side.levels[index] & 1 and side.states[index] != 0 and side.states[index] != CAPTURES:
                side.levels[index] = 0
    return highest


def solve(
    counts: tuple[int, int, int, int],
    tables: tuple[bytearray, bytearray, bytearray, bytearray],
    progress: object,
) -> int:
    """Solve the class `counts` and its opposite.

    `tables` are levels and states of the class, then of its opposite (the same two again where the class is its own
    opposite), each of one byte a slot. `progress` is a writable buffer of two long integers: slots started, and a flag
    that stops the work when another thread sets it. Runs without the GIL.

    Returns the highest level. LookupError: a class that moves lead to is not attached; OverflowError: a win of more
    than 250 plies; KeyboardInterrupt: stopped; MemoryError.
    """
    sides: Side[2]
    number: cython.int = 1 if counts[:2] == counts[2:] else 2
    counter: cython.longlong[::1] = progress
    pointer: cython.pointer(cython.longlong) = cython.address(counter[0])
    found: cython.int
    which: cython.int
    try:
        memset(sides, 0, 2 * cython.sizeof(Side))
        for which in range(2):
            order = counts[2:] + counts[:2] if which else counts
            _open(cython.address(sides[which]), order, tables[2 * which], tables[2 * which + 1])
        with cython.nogil:
            found = _solve(cython.address(sides[0]), number, pointer)
    finally:
        for which in range(2):
            free(sides[which].men_sets)
            free(sides[which].kings_sets)
            free(sides[which].their_men_sets)
            free(sides[which].their_kings_sets)
    if found == -1:
        raise LookupError(f"a class that the moves of {counts} lead to is not attached")
    if found == -2:  # noqa: PLR2004
        raise KeyboardInterrupt
    if found < 0:
        raise OverflowError(f"a win of the class {counts} is too long for a byte")
    return found


@cython.cfunc
@cython.exceptval(-1)
def _open(side: cython.pointer(Side), counts: tuple, levels: bytearray, states: bytearray) -> cython.int:
    men, kings, their_men, their_kings = counts
    side.men, side.kings, side.their_men, side.their_kings = men, kings, their_men, their_kings
    side.men_count = choose(MEN_SQUARES, side.men)
    side.kings_count = choose(SQUARES, side.kings)
    side.their_men_count = choose(MEN_SQUARES, side.their_men)
    side.their_kings_count = choose(SQUARES, side.their_kings)
    side.slots = slots(side.men, side.kings, side.their_men, side.their_kings)
    if len(levels) != side.slots or len(states) != side.slots:
        raise ValueError(f"the tables of {counts} must have {side.slots} bytes")
    side.levels = levels
    side.states = states
    side.men_sets = _sets(side.men, MEN_SQUARES, 6)
    side.kings_sets = _sets(side.kings, SQUARES, 1)
    side.their_men_sets = _sets(side.their_men, MEN_SQUARES, 1)
    side.their_kings_sets = _sets(side.their_kings, SQUARES, 1)
    if not (side.men_sets and side.kings_sets and side.their_men_sets and side.their_kings_sets):
        raise MemoryError
    return 0
