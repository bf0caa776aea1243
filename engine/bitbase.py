"""Endgame bitbases: win, draw or loss of a position with few pieces, by one look-up.

A material class is four counts: men and kings of the side to move, men and kings of the other side. A board
is seen from the side to move (black to move is turned by 180 degrees), so one table serves both colours.
The index of a position is its place among all ways to put the four groups on the board, each group by
itself (the slots where two groups overlap stay unused): a group's rank is a sum of binomial coefficients
over its squares.

A table of distances has a byte a slot: 0 draw, else plies to the end plus one (even: win, odd: loss of the
side to move). A table of values has two bits a slot: 0 draw, 1 win, 2 loss; classes of five pieces have
only that. Positions in which the side to move must capture are not stored: their slots hold whatever
compresses best, and `value` plays them out. Draw clocks and repetition are not known here. Tables are
loaded by `engine.bitbase_file`.
"""

from enum import IntEnum

import cython
from cython.cimports.rules.bitboard import SQUARE_OF, lowest, popcount
from cython.cimports.rules.board import BLACK_TURN, WHITE_TURN, Board, make, occupied
from cython.cimports.rules.movegen import MoveList, can_capture, generate
from cython.cimports.rules.position import Position

# Binomial coefficients [n * 8 + k], and the terms of a rank [number in the group * 64 + bit]: RANK for kings
# and the other side's men, OWN_RANK for the men of the side to move, who cannot be on squares 1 to 5.
CHOOSE = cython.declare(cython.ulonglong[512])
RANK = cython.declare(cython.ulonglong[512])
OWN_RANK = cython.declare(cython.ulonglong[512])

# Tables by class code; NULL where none is loaded. `_kept` holds the buffers that they point into.
VALUES = cython.declare(cython.pointer(cython.const[cython.uchar])[CODES])
DISTANCES = cython.declare(cython.pointer(cython.const[cython.uchar])[CODES])
PIECES = cython.declare(cython.int, 0)
DISTANCE_PIECES = cython.declare(cython.int, 0)
_kept: dict = {}


class Value(IntEnum):
    """What a position is worth to the side to move, with best play and without draw clocks."""

    LOSS = -1
    DRAW = 0
    WIN = 1


def _fill() -> None:
    n: cython.int
    k: cython.int
    bit: cython.int
    for n in range(64):
        for k in range(8):
            if k == 0:
                CHOOSE[n * 8 + k] = 1
            elif n == 0:
                CHOOSE[n * 8 + k] = 0
            else:
                CHOOSE[n * 8 + k] = CHOOSE[(n - 1) * 8 + k - 1] + CHOOSE[(n - 1) * 8 + k]
    for k in range(7):
        for bit in range(64):
            RANK[k * 64 + bit] = 0
            OWN_RANK[k * 64 + bit] = 0
            if SQUARE_OF[bit]:
                RANK[k * 64 + bit] = CHOOSE[(SQUARE_OF[bit] - 1) * 8 + k + 1]
            if SQUARE_OF[bit] > SQUARES - MEN_SQUARES:
                OWN_RANK[k * 64 + bit] = CHOOSE[(SQUARE_OF[bit] - 6) * 8 + k + 1]
    for n in range(CODES):
        VALUES[n] = cython.NULL
        DISTANCES[n] = cython.NULL


_fill()


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose(n: cython.int, k: cython.int) -> Index:
    """Return the number of ways to choose k of n squares, for k below 8."""
    return CHOOSE[n * 8 + k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def slots(men: cython.int, kings: cython.int, their_men: cython.int, their_kings: cython.int) -> Index:
    """Return the number of slots of a class, unused ones included."""
    return (
        CHOOSE[MEN_SQUARES * 8 + men]
        * CHOOSE[SQUARES * 8 + kings]
        * CHOOSE[MEN_SQUARES * 8 + their_men]
        * CHOOSE[SQUARES * 8 + their_kings]
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _rank(
    bits: cython.ulonglong, terms: cython.pointer(cython.ulonglong), turn: cython.int
) -> cython.ulonglong:
    total: cython.ulonglong = 0
    row: cython.int
    if turn == WHITE_TURN:
        row = 0
        while bits:
            total += terms[row + lowest(bits)]
            bits &= bits - 1
            row += 64
    else:
        row = popcount(bits) * 64
        while bits:
            row -= 64
            total += terms[row + 62 - lowest(bits)]
            bits &= bits - 1
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def own_men_rank(men: cython.ulonglong, turn: cython.int) -> Index:
    """Return the rank of the men of the side `turn`, as it sees them."""
    return _rank(men, OWN_RANK, turn)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def group_rank(bits: cython.ulonglong, turn: cython.int) -> Index:
    """Return the rank of kings, or of the other side's men, as the side `turn` sees them."""
    return _rank(bits, RANK, turn)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _code(board: Board) -> cython.int:
    """Return the class code, or -1 where there are more than five pieces or a side has none."""
    white: cython.int = popcount(board.white_men)
    white_kings: cython.int = popcount(board.white_kings)
    black: cython.int = popcount(board.black_men)
    black_kings: cython.int = popcount(board.black_kings)
    if white + white_kings + black + black_kings > MOST_PIECES:
        return -1
    if not (white + white_kings) or not (black + black_kings):
        return -1
    if board.turn == WHITE_TURN:
        return ((white * 6 + white_kings) * 6 + black) * 6 + black_kings
    return ((black * 6 + black_kings) * 6 + white) * 6 + white_kings


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _index(board: Board, code: cython.int) -> cython.ulonglong:
    own_men: cython.ulonglong = board.white_men
    own_kings: cython.ulonglong = board.white_kings
    their_men: cython.ulonglong = board.black_men
    their_kings: cython.ulonglong = board.black_kings
    if board.turn == BLACK_TURN:
        own_men, own_kings, their_men, their_kings = their_men, their_kings, own_men, own_kings
    at: cython.ulonglong = _rank(own_men, OWN_RANK, board.turn)
    at = at * CHOOSE[MEN_SQUARES * 8 + code // 6 % 6] + _rank(their_men, RANK, board.turn)
    at = at * CHOOSE[SQUARES * 8 + code // 36 % 6] + _rank(own_kings, RANK, board.turn)
    return at * CHOOSE[SQUARES * 8 + code % 6] + _rank(their_kings, RANK, board.turn)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def loaded_pieces() -> cython.int:
    """Return the greatest number of pieces for which every table of values is loaded."""
    return PIECES


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _value_of(found: cython.int) -> cython.int:
    """Return the value of a level."""
    if found == 0:
        return BITBASE_DRAW
    return BITBASE_LOSS if found & 1 else BITBASE_WIN


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def probe_quiet(board: Board) -> cython.int:
    """Return the value of a position in which the side to move has no capture."""
    code: cython.int = _code(board)
    at: cython.ulonglong
    found: cython.int
    if code < 0:
        return BITBASE_UNKNOWN
    if DISTANCES[code] != cython.NULL:
        return _value_of(DISTANCES[code][_index(board, code)])
    if VALUES[code] == cython.NULL:
        return BITBASE_UNKNOWN
    at = _index(board, code)
    found = (VALUES[code][at >> 2] >> ((at & 3) * 2)) & 3
    return BITBASE_LOSS if found == LOST else found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def probe(board: Board) -> cython.int:
    """Return the value of a position, BITBASE_UNKNOWN if the side to move has a capture."""
    if popcount(occupied(board)) > PIECES or can_capture(board):
        return BITBASE_UNKNOWN
    return probe_quiet(board)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def distance_quiet(board: Board) -> cython.int:
    """Return the plies to the end of a won or lost quiet position, -1 for a draw or if not known."""
    code: cython.int = _code(board)
    if code < 0 or DISTANCES[code] == cython.NULL:
        return -1
    return cython.cast(cython.int, DISTANCES[code][_index(board, code)]) - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _level_quiet(board: Board) -> cython.int:
    code: cython.int = _code(board)
    found: cython.int
    if code >= 0 and DISTANCES[code] != cython.NULL:
        return DISTANCES[code][_index(board, code)]
    found = probe_quiet(board)
    if found == BITBASE_UNKNOWN:
        return -1
    return 2 if found == BITBASE_WIN else -found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def level(board: Board) -> cython.int:
    """Return 0 for a draw, plies + 1 for a win (even) or a loss (odd), -1 if a table is missing.

    Captures are played out. Without a table of distances a won position counts as 2, a lost one as 1.
    """
    own: cython.ulonglong = board.white_men | board.white_kings
    best: cython.int
    found: cython.int
    number: cython.int
    moves: MoveList
    if board.turn == BLACK_TURN:
        own = board.black_men | board.black_kings
    if own == 0:
        return 1
    if not can_capture(board):
        return _level_quiet(board)
    generate(board, cython.address(moves))
    best = 1
    for number in range(moves.count):
        found = level(make(board, moves.moves[number]))
        if found < 0:
            return -1
        best = better(best, found + 1 if found else 0)
    return best


def value(position: Position) -> Value | None:
    """Return what a position is worth to the side to move; None if it has too many pieces for what is loaded.

    Captures are played out. Draw clocks and repetition are not considered.
    """
    board: Board = position.board
    found: cython.int = level(board)
    if found < 0:
        return None
    if found == 0:
        return Value.DRAW
    return Value.LOSS if found & 1 else Value.WIN


def distance(position: Position) -> int | None:
    """Return the plies to the end of a won or lost position with best play of both sides.

    The end is a side to move without a move. None for a draw, and for more pieces than have distances (four).
    """
    board: Board = position.board
    found: cython.int
    if popcount(occupied(board)) > DISTANCE_PIECES:
        return None
    found = level(board)
    return found - 1 if found > 0 else None


def attach(counts: tuple[int, int, int, int], buffer: object, bits: int) -> None:
    """Use a table: `counts` names its class (own men, own kings, their men, their kings).

    `buffer` holds values (2 bits a slot) or distances (8 bits) and is kept. ValueError if it is too short.
    """
    view: cython.const[cython.uchar][::1] = buffer
    men: cython.int
    kings: cython.int
    their_men: cython.int
    their_kings: cython.int
    men, kings, their_men, their_kings = counts
    code: cython.int = ((men * 6 + kings) * 6 + their_men) * 6 + their_kings
    needed: cython.ulonglong = slots(men, kings, their_men, their_kings)
    if view.shape[0] < (needed if bits == 8 else (needed + 3) // 4):
        raise ValueError(f"a bitbase table of {view.shape[0]} bytes is too short for the class {counts}")
    _kept[counts, bits] = buffer
    if bits == 8:
        DISTANCES[code] = cython.address(view[0])
    else:
        VALUES[code] = cython.address(view[0])
    _count_pieces()


def detach() -> None:
    """Forget every table. No search may run meanwhile."""
    code: cython.int
    for code in range(CODES):
        VALUES[code] = cython.NULL
        DISTANCES[code] = cython.NULL
    _kept.clear()
    _count_pieces()


def pieces() -> int:
    """Return the greatest number of pieces for which all values are loaded (0 before any is)."""
    return PIECES


def slot_count(counts: tuple[int, int, int, int]) -> int:
    """Return the number of slots of a class, unused ones included."""
    men, kings, their_men, their_kings = counts
    return slots(men, kings, their_men, their_kings)


def classes(number: int) -> list[tuple[int, int, int, int]]:
    """Return all classes of `number` pieces with a piece on each side, ordered by their counts."""
    every = range(number + 1)
    return [
        (men, kings, their_men, number - men - kings - their_men)
        for men in every
        for kings in every
        for their_men in every
        if 0 < men + kings < number and men + kings + their_men <= number
    ]


def _count_pieces() -> None:
    global PIECES, DISTANCE_PIECES  # noqa: PLW0603
    PIECES = _complete((2, 8))
    DISTANCE_PIECES = _complete((8,))


def _complete(kinds: tuple[int, ...]) -> int:
    number = 1
    while number < MOST_PIECES and all(
        any((counts, bits) in _kept for bits in kinds) for counts in classes(number + 1)
    ):
        number += 1
    return number if number > 1 else 0
