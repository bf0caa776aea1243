"""What a quiet position is worth: pattern tables learned from self-play, and a few terms beside them.

The board's upper six rows are covered by four overlapping windows, two squares wide and six rows high; the
lower six rows are the same four windows seen from the other side of the board, with the colours swapped. A
window's contents (empty, own man, other's man on twelve squares; a king counts as empty) are a number in
base 3, and that number is an index into the window's table of 3 ** 12 cells: 8 lookups give the value of
all formations of men, material and advancement included. (Scan 3 showed what windows of this size, tied by
the rotation, are worth.) To that come the first king, further kings, the king's square, the squares a king
can go to (safe, or attacked by a man), how lopsided the men stand, and the move.

Beside them stands a small net: 32 units, each the sum of one weight for every piece on its square, seen by
the side to move, that counts if it is above zero. It knows what no window can see: how pieces far from each
other and the move go together.

Every weight is a pair, for the opening and for the ending, mixed by the number of pieces. Weights are in
1/1000 man, scores in 1/100 man from the side to move's view; a board turned by 180 degrees with colours and
move swapped has exactly the same score. A table is an int16 array: the pair of term i at [2 * i] and [2 * i
+ 1]; evaluate.pxd names the terms.
"""

import cython
from cython.cimports.rules.bitboard import lowest, popcount
from cython.cimports.rules.board import WHITE_TURN, Board
from cython.cimports.rules.lines import SQUARES
from cython.cimports.rules.position import Position

TABLE_SIZE = NET + NET_SIZE
"""Weights of a table: int16 numbers."""

# The left window: squares 0 and 1 of the rows 0-5. The product with GATHER has these twelve bits at the top.
WINDOW = cython.declare(cython.ulonglong, 0x30C1860C3)
GATHER = cython.declare(cython.ulonglong, 0x10020040000000)
# The leftmost two and five of the ten files, and their mirror images.
LEFT_TWO = cython.declare(cython.ulonglong, 0)
LEFT_FIVE = cython.declare(cython.ulonglong, 0)
RIGHT_TWO = cython.declare(cython.ulonglong, 0)
RIGHT_FIVE = cython.declare(cython.ulonglong, 0)
ONE = cython.declare(cython.ulonglong, 1)
MOST_BALANCE = cython.declare(cython.int, 15)
# So few pieces seldom beat a side that has a king.
FEW = cython.declare(cython.int, 3)

# Zeros: what is evaluated with before a table is put in use.
EMPTY_TABLE = cython.declare(cython.short[4260000])
OWNER: object = None


def _fill() -> None:
    index: cython.int
    bit: cython.int
    power: cython.int
    row: cython.int
    start: cython.int
    for index in range(4096):
        TRITS[index] = 0
        power = 1
        for bit in range(12):
            if index >> bit & 1:
                TRITS[index] += power
            power *= 3
    global LEFT_TWO, LEFT_FIVE, RIGHT_TWO, RIGHT_FIVE  # noqa: PLW0603
    for row in range(10):
        start = 13 * (row // 2) + 6 * (row % 2)
        LEFT_TWO |= ONE << start
        LEFT_FIVE |= (ONE << start) | (ONE << (start + 1))
        if row % 2:
            LEFT_FIVE |= ONE << (start + 2)
    RIGHT_TWO = turned(LEFT_TWO)
    RIGHT_FIVE = turned(LEFT_FIVE)


_fill()
TABLE = EMPTY_TABLE


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _contents(men: cython.ulonglong, window: cython.int) -> cython.int:
    """Return the men in a window as 12 bits."""
    return cython.cast(cython.int, (((men >> window) & WINDOW) * GATHER) >> 52)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _balance(men: cython.ulonglong) -> cython.int:
    """Return how lopsided a side's men stand, 0 to 15; the same for the turned board."""
    lean: cython.int = popcount(men & LEFT_TWO) + popcount(men & LEFT_FIVE)
    lean -= popcount(men & RIGHT_TWO) + popcount(men & RIGHT_FIVE)
    lean = -lean if lean < 0 else lean
    return min(lean, MOST_BALANCE)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _attacked(men: cython.ulonglong, empty: cython.ulonglong) -> cython.ulonglong:
    """Return the empty squares on which a man could take a piece at once."""
    down: cython.ulonglong = ((men << 6) & (empty >> 6)) | ((men << 7) & (empty >> 7))
    return (down | ((men >> 6) & (empty << 6)) | ((men >> 7) & (empty << 7))) & empty


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reach(kings: cython.ulonglong, empty: cython.ulonglong) -> cython.ulonglong:
    """Return the squares that kings can go to without a capture."""
    found: cython.ulonglong = 0
    one: cython.ulonglong = (kings << 6) & empty
    while one:
        found |= one
        one = (one << 6) & empty
    one = (kings << 7) & empty
    while one:
        found |= one
        one = (one << 7) & empty
    one = (kings >> 6) & empty
    while one:
        found |= one
        one = (one >> 6) & empty
    one = (kings >> 7) & empty
    while one:
        found |= one
        one = (one >> 7) & empty
    return found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _divisor(
    own: cython.ulonglong, own_kings: cython.ulonglong, other: cython.ulonglong, other_kings: cython.ulonglong
) -> cython.int:
    """Return what a side's advantage is divided by, because little material seldom beats a king."""
    difference: cython.int
    if other_kings == 0:
        return 1
    if popcount(own) <= FEW:
        return 16
    if popcount(own_kings) != popcount(other_kings):
        return 1
    difference = popcount(own) - popcount(other)
    return 2 if -1 <= difference <= 1 else 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _stage(pieces: cython.int) -> cython.int:
    return min(40 - pieces, STAGES)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _term(found: cython.pointer(Features), term: cython.int, value: cython.int) -> cython.void:
    if value and found.count < MOST_FEATURES:
        found.terms[found.count] = term
        found.values[found.count] = value
        found.count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _king_terms(board: Board, found: cython.pointer(Features)) -> cython.void:
    """Add the terms of both sides' kings."""
    empty: cython.ulonglong = SQUARES & ~(
        board.white_men | board.white_kings | board.black_men | board.black_kings
    )
    side: cython.int
    sign: cython.int
    kings: cython.ulonglong
    danger: cython.ulonglong
    squares: cython.ulonglong
    for side in range(2):
        sign = 1 if side == 0 else -1
        kings = board.white_kings if side == 0 else board.black_kings
        if kings == 0:
            continue
        _term(found, FIRST_KING, sign)
        _term(found, FURTHER_KING, sign * (popcount(kings) - 1))
        danger = _attacked(board.black_men if side == 0 else board.white_men, empty)
        squares = _reach(kings, empty)
        _term(found, SAFE_SQUARE, sign * popcount(squares & ~danger))
        _term(found, ATTACKED_SQUARE, sign * popcount(squares & danger))
        while kings:
            _term(found, KING_SQUARE + (lowest(kings) if side == 0 else 62 - lowest(kings)), sign)
            kings &= kings - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _list_rows(found: cython.pointer(Features), kind: cython.int, pieces: cython.ulonglong) -> cython.void:
    """List the net's rows of some pieces."""
    while pieces:
        found.rows[found.inputs] = 64 * kind + lowest(pieces)
        found.inputs += 1
        pieces &= pieces - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def extract(board: Board, found: cython.pointer(Features)) -> cython.void:
    """List everything that `evaluate` weighs, for fitting and as a check; white counts positive."""
    white_turned: cython.ulonglong = turned(board.white_men)
    black_turned: cython.ulonglong = turned(board.black_men)
    white: cython.ulonglong = board.white_men | board.white_kings
    black: cython.ulonglong = board.black_men | board.black_kings
    window: cython.int
    found.count = 0
    found.inputs = 0
    if board.turn == WHITE_TURN:
        _list_rows(found, 0, board.white_men)
        _list_rows(found, 1, board.black_men)
        _list_rows(found, 2, board.white_kings)
        _list_rows(found, 3, board.black_kings)
    else:
        _list_rows(found, 0, black_turned)
        _list_rows(found, 1, white_turned)
        _list_rows(found, 2, turned(board.black_kings))
        _list_rows(found, 3, turned(board.white_kings))
    for window in range(4):
        found.own[window] = _contents(board.white_men, window)
        found.other[window] = _contents(board.black_men, window)
        found.own[4 + window] = _contents(black_turned, window)
        found.other[4 + window] = _contents(white_turned, window)
    _term(found, TURN, 1 if board.turn == WHITE_TURN else -1)
    _term(found, BALANCE + _balance(board.white_men), 1)
    _term(found, BALANCE + _balance(board.black_men), -1)
    if board.white_kings | board.black_kings:
        _king_terms(board, found)
    found.stage = _stage(popcount(white | black))
    found.white_divisor = _divisor(white, board.white_kings, black, board.black_kings)
    found.black_divisor = _divisor(black, board.black_kings, white, board.white_kings)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _kings(board: Board, opening: cython.p_int, ending: cython.p_int) -> cython.void:
    """Add what the kings are worth; apart, because most positions have none."""
    found: Features
    index: cython.int
    found.count = 0
    _king_terms(board, cython.address(found))
    for index in range(found.count):
        opening[0] += found.values[index] * TABLE[2 * found.terms[index]]
        ending[0] += found.values[index] * TABLE[2 * found.terms[index] + 1]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _net(
    men: cython.ulonglong,
    other_men: cython.ulonglong,
    kings: cython.ulonglong,
    other_kings: cython.ulonglong,
    opening: cython.p_int,
    ending: cython.p_int,
) -> cython.void:
    """Find what the net says of a position, seen by the side to move, in 1/1000 man."""
    net: cython.pointer(cython.const[cython.short]) = TABLE + NET
    row: cython.pointer(cython.const[cython.short]) = net + NET_BIAS
    pieces: cython.ulonglong[4]
    left: cython.ulonglong
    kind: cython.int
    # The units' sums stay in four registers, for which they must be variables of their own.
    first: Lanes = load(row)
    second: Lanes = load(row + 8)
    third: Lanes = load(row + 16)
    fourth: Lanes = load(row + 24)
    pieces[0] = men
    pieces[1] = other_men
    pieces[2] = kings
    pieces[3] = other_kings
    for kind in range(4):
        left = pieces[kind]
        while left:
            row = net + UNITS * lowest(left)
            first = plus(first, row)
            second = plus(second, row + 8)
            third = plus(third, row + 16)
            fourth = plus(fourth, row + 24)
            left &= left - 1
        net += 64 * UNITS
    first = positive(first)
    second = positive(second)
    third = positive(third)
    fourth = positive(fourth)
    row = TABLE + NET + NET_OPENING
    opening[0] = dot(first, row) + dot(second, row + 8) + dot(third, row + 16) + dot(fourth, row + 24)
    opening[0] >>= NET_SHIFT
    row = TABLE + NET + NET_ENDING
    ending[0] = dot(first, row) + dot(second, row + 8) + dot(third, row + 16) + dot(fourth, row + 24)
    ending[0] >>= NET_SHIFT


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def evaluate(board: Board) -> cython.int:
    """Return the worth of a quiet position in 1/100 man, from the side to move's view."""
    white_turned: cython.ulonglong = turned(board.white_men)
    black_turned: cython.ulonglong = turned(board.black_men)
    white: cython.ulonglong = board.white_men | board.white_kings
    black: cython.ulonglong = board.black_men | board.black_kings
    window: cython.int
    index: cython.int
    opening: cython.int
    ending: cython.int
    stage: cython.int
    score: cython.int
    if board.turn == WHITE_TURN:
        _net(
            board.white_men,
            board.black_men,
            board.white_kings,
            board.black_kings,
            cython.address(opening),
            cython.address(ending),
        )
        opening += TABLE[2 * TURN]
        ending += TABLE[2 * TURN + 1]
    else:
        _net(
            black_turned,
            white_turned,
            turned(board.black_kings),
            turned(board.white_kings),
            cython.address(opening),
            cython.address(ending),
        )
        opening = -opening - TABLE[2 * TURN]
        ending = -ending - TABLE[2 * TURN + 1]
    for window in range(4):
        index = window * CELLS
        index += TRITS[_contents(board.white_men, window)] + 2 * TRITS[_contents(board.black_men, window)]
        opening += TABLE[2 * index]
        ending += TABLE[2 * index + 1]
        index = window * CELLS
        index += TRITS[_contents(black_turned, window)] + 2 * TRITS[_contents(white_turned, window)]
        opening -= TABLE[2 * index]
        ending -= TABLE[2 * index + 1]
    index = 2 * (BALANCE + _balance(board.white_men))
    opening += TABLE[index]
    ending += TABLE[index + 1]
    index = 2 * (BALANCE + _balance(board.black_men))
    opening -= TABLE[index]
    ending -= TABLE[index + 1]
    stage = _stage(popcount(white | black))
    if board.white_kings | board.black_kings:
        _kings(board, cython.address(opening), cython.address(ending))
        score = opening * (STAGES - stage) + ending * stage
        if score > 0:
            score = score // _divisor(white, board.white_kings, black, board.black_kings)
        else:
            score = score // _divisor(black, board.black_kings, white, board.white_kings)
    else:
        score = opening * (STAGES - stage) + ending * stage
    score = score // (10 * STAGES)
    return score if board.turn == WHITE_TURN else -score


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def use_table(table: cython.pointer(cython.const[cython.short])) -> cython.void:
    """Evaluate with this table from now on, in every thread."""
    global TABLE  # noqa: PLW0603
    TABLE = table


def table_of(buffer):
    """Return the int16 table in a buffer, which must be kept alive; ValueError if its size is wrong."""
    view: cython.const[cython.short][::1] = memoryview(buffer).cast("B").cast("h")
    if view.shape[0] != TABLE_SIZE:
        raise ValueError(f"a table of weights has {TABLE_SIZE} numbers, this one has {view.shape[0]}")
    return cython.address(view[0])


def use_weights(buffer: object) -> None:
    """Evaluate with the int16 table in a buffer from now on; ValueError if its size is wrong."""
    global OWNER  # noqa: PLW0603
    use_table(table_of(buffer))
    OWNER = buffer


def score(position: Position) -> int:
    """Return the worth of a position in 1/100 man, from the side to move's view."""
    return evaluate(position.board)


def features(position: Position) -> list[tuple[int, int]]:
    """Return the terms that `evaluate` weighs and how often each counts for white; for tests and plots."""
    found: Features
    extract(position.board, cython.address(found))
    terms: list = [
        (
            (window % 4) * CELLS + TRITS[found.own[window]] + 2 * TRITS[found.other[window]],
            1 if window < WINDOWS else -1,
        )
        for window in range(8)
    ]
    terms += [(found.terms[index], found.values[index]) for index in range(found.count)]
    return terms
