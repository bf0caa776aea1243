"""Generation of endgame bitbases: retrograde analysis of one pair of material classes.

The two classes of a pair are each other's with the sides exchanged: a quiet move that crowns no man leads
from one to the other. All other moves (captures, crownings) lead to classes that must be attached to
`engine.bitbase` before.

A slot has a level: 0 unknown or drawn, else plies to the end plus one (even: win, odd: loss), and a state.
First every slot's moves are generated once: moves into other classes give a first level, the quiet ones
inside the pair are counted. Then, level by level: a position lost at level n makes every quiet predecessor
a win at n + 1, one that is won counts down its predecessors, and where the count reaches 0 the predecessor
is lost. So each edge is walked once. Where only values of the other classes are known and no distances,
levels are no distances, but wins, draws and losses are the same.
"""

import cython
from cython.cimports.engine.bitbase import Index, better, group_rank, level, own_men_rank
from cython.cimports.engine.bitbase_slots import Side, close_side, open_side, overlap, slot_board
from cython.cimports.libc.string import memchr, memset
from cython.cimports.rules.bitboard import BIT_OF
from cython.cimports.rules.board import BLACK_TURN, Board, Step, make
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
def _start(side: cython.pointer(Side), index: Index) -> cython.int:
    """Give a slot its first level and state; return the level, -1 if a table is missing."""
    moves: MoveList
    step: Step
    number: cython.int
    found: cython.int
    inside: cython.int = 0
    best: cython.int = 1
    board: Board = slot_board(side, index)
    if overlap(board):
        side.states[index] = UNUSED
        return 0
    generate(board, cython.address(moves))
    for number in range(moves.count):
        step = moves.moves[number]
        if moves.captures == 0 and ((board.white_kings >> step.from_bit) & 1 or step.to_bit > 4):
            inside += 1
            continue
        found = level(make(board, step))
        if found < 0:
            return -1
        best = better(best, found + 1 if found else 0)
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
    """Mark every quiet predecessor of a slot (black moved, in `other`); return the highest level given."""
    board: Board = slot_board(side, index)
    empty: cython.ulonglong = PLAYING & ~(
        board.white_men | board.white_kings | board.black_men | board.black_kings
    )
    men: Index = own_men_rank(board.black_men, BLACK_TURN)
    kings: Index = group_rank(board.black_kings, BLACK_TURN)
    their_men: Index = group_rank(board.white_men, BLACK_TURN)
    their_kings: Index = group_rank(board.white_kings, BLACK_TURN)
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
                place = own_men_rank(board.black_men ^ piece ^ origin, BLACK_TURN)
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
                origin = empty & (origin >> (6 + direction) if direction <= 1 else origin << (4 + direction))
                if origin == 0:
                    break
                place = group_rank(board.black_kings ^ piece ^ origin, BLACK_TURN)
                place = (men * other.kings_count + place) * other.their_kings_count + their_kings
                top = max(top, _mark(other, place, reached))
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _start_all(side: cython.pointer(Side), progress: cython.pointer(cython.longlong)) -> cython.int:
    """Give every slot its first level; return the highest, -1 if a table is missing, -2 when stopped."""
    highest: cython.int = 1
    found: cython.int
    index: Index
    for index in range(side.slots):
        found = _start(side, index)
        if found < 0:
            return found
        highest = max(highest, found)
        if index & 0xFFFF == 0:
            progress[DONE] += 0x10000
            if progress[STOP]:
                return -2
    return highest


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _waits(side: cython.pointer(Side), index: Index) -> cython.bint:
    """Tell whether a slot's level is a loss that is not certain: some quiet move is not known to lose."""
    if side.levels[index] & 1 == 0:
        return False
    return side.states[index] != 0 and side.states[index] != CAPTURES


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reach(
    side: cython.pointer(Side),
    other: cython.pointer(Side),
    now: cython.int,
    progress: cython.pointer(cython.longlong),
) -> cython.int:
    """Mark what precedes the positions of level `now`; return the highest level given, -2 when stopped."""
    highest: cython.int = 0
    index: Index
    at: cython.p_uchar = side.levels
    end: cython.p_uchar = side.levels + side.slots
    while at < end:
        at = cython.cast(cython.p_uchar, memchr(at, now, end - at))
        if at == cython.NULL:
            break
        index = at - side.levels
        at += 1
        if not _waits(side, index):
            highest = max(highest, _retract(side, other, index, now))
            if progress[STOP]:
                return -2
    return highest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _solve(
    sides: cython.pointer(Side), number: cython.int, progress: cython.pointer(cython.longlong)
) -> cython.int:
    """Solve a pair (`number` is 1 where both classes are the same one); return the highest level.

    -1: a table is missing; -2: stopped; -3: a win is too long for a byte.
    """
    highest: cython.int = 1
    found: cython.int
    now: cython.int = 0
    which: cython.int
    index: Index
    for which in range(number):
        found = _start_all(sides + which, progress)
        if found < 0:
            return found
        highest = max(highest, found)
    while now < highest:
        now += 1
        if now == MOST_LEVEL:
            return -3
        for which in range(number):
            found = _reach(sides + which, sides + (number - 1 - which), now, progress)
            if found < 0:
                return found
            highest = max(highest, found)
    for which in range(number):
        for index in range(sides[which].slots):
            if _waits(sides + which, index):
                sides[which].levels[index] = 0  # it waited in vain: a draw
    return highest


def solve(
    counts: tuple[int, int, int, int],
    tables: tuple[bytearray, bytearray, bytearray, bytearray],
    progress: object,
) -> int:
    """Solve the class `counts` and its opposite.

    `tables` are levels and states of the class, then of its opposite (the same two again where the class is
    its own opposite), each of one byte a slot. `progress` is a writable buffer of two long integers: slots
    started, and a flag that stops the work when another thread sets it. Runs without the GIL.

    Returns the highest level. LookupError: a class that moves lead to is not attached; OverflowError: a win
    of more than 250 plies; KeyboardInterrupt: stopped; MemoryError.
    """
    sides: Side[2]
    number: cython.int = 1 if counts[:2] == counts[2:] else 2
    counter: cython.longlong[::1] = progress
    pointer: cython.pointer(cython.longlong) = cython.address(counter[0])
    found: cython.int
    which: cython.int
    memset(cython.address(sides[0]), 0, 2 * cython.sizeof(Side))
    try:
        for which in range(2):
            open_side(cython.address(sides[which]), counts[2:] + counts[:2] if which else counts)
            levels, states = tables[2 * which], tables[2 * which + 1]
            if len(levels) != sides[which].slots or len(states) != sides[which].slots:
                raise ValueError(f"the tables of {counts} must have {sides[which].slots} bytes")
            sides[which].levels = levels
            sides[which].states = states
        with cython.nogil:
            found = _solve(cython.address(sides[0]), number, pointer)
    finally:
        for which in range(2):
            close_side(cython.address(sides[which]))
    if found == -1:
        raise LookupError(f"a class that the moves of {counts} lead to is not attached")
    if found == -2:
        raise KeyboardInterrupt
    if found < 0:
        raise OverflowError(f"a win of the class {counts} is too long for a byte")
    return found


def tally(levels: bytearray, states: bytearray) -> tuple[int, int, int, int]:
    """Return how many positions of a solved class are won, drawn, lost, and the plies of the longest win."""
    level_at: cython.p_uchar = levels
    state_at: cython.p_uchar = states
    number: Index = len(levels)
    won: Index = 0
    drawn: Index = 0
    lost: Index = 0
    longest: cython.int = 0
    index: Index
    with cython.nogil:
        for index in range(number):
            if state_at[index] == UNUSED:
                continue
            if level_at[index] == 0:
                drawn += 1
            elif level_at[index] & 1:
                lost += 1
            else:
                won += 1
                longest = max(longest, level_at[index] - 1)
    return won, drawn, lost, longest


def distances(levels: bytearray, states: bytearray) -> bytearray:
    """Turn the levels of a solved class, in place, into a table of distances, and return it.

    A slot that is never looked up repeats the one before it: that compresses best.
    """
    level_at: cython.p_uchar = levels
    state_at: cython.p_uchar = states
    number: Index = len(levels)
    last: cython.uchar = 0
    index: Index
    with cython.nogil:
        for index in range(number):
            if state_at[index] >= CAPTURES:
                level_at[index] = last
            last = level_at[index]
    return levels


def values(levels: bytearray, states: bytearray) -> bytearray:
    """Return a table of values, four slots a byte, of a solved class."""
    table = bytearray((len(levels) + 3) // 4)
    level_at: cython.p_uchar = levels
    state_at: cython.p_uchar = states
    out: cython.p_uchar = table
    number: Index = len(levels)
    last: cython.int = 0
    index: Index
    with cython.nogil:
        for index in range(number):
            if state_at[index] < CAPTURES:
                last = 0 if level_at[index] == 0 else 1 + (level_at[index] & 1)
            out[index >> 2] |= last << ((index & 3) * 2)
    return table
