"""The 63-bit board: fifty playing squares in an integer, and ghost squares at the edges.

Two rows of five squares take thirteen bits: an even row (counted from 0 at the top) starts at bit
13 * (row // 2), the odd row below it six bits further. A step down the board is a shift by 6 (to the left)
or 7 (to the right), a step up by 7 or 6, in every row; a step over an edge lands on a ghost square or out of
the word, so one mask with the fifty squares is the only test of an edge. Square numbers 1..50 appear at the
edges of the program only.
"""

import cython

if not cython.compiled:
    from rules.plain import lowest

    SQUARE_OF = [0] * 64
    BIT_OF = [0] * 51


def _fill() -> None:
    square: cython.int
    row: cython.int
    bit: cython.int
    for bit in range(64):
        SQUARE_OF[bit] = 0
    BIT_OF[0] = 63
    for square in range(1, 51):
        row = (square - 1) // 5
        bit = 13 * (row // 2) + 6 * (row % 2) + (square - 1) % 5
        BIT_OF[square] = bit
        SQUARE_OF[bit] = square


_fill()


def bit_of(square: int) -> int:
    """Return the bit index of a square 1..50; ValueError for another number."""
    if not 1 <= square <= 50:
        raise ValueError(f"square {square} is not in 1..50")
    return BIT_OF[square]


def square_of(bit: int) -> int:
    """Return the square 1..50 of a bit index 0..63, 0 where the bit is a ghost square."""
    return SQUARE_OF[bit & 63]


@cython.cfunc
@cython.exceptval(0, check=True)
def bits_of(squares: object) -> cython.ulonglong:
    """Return the bitboard of some squares; ValueError for a number outside 1..50 or one given twice."""
    bits: cython.ulonglong = 0
    one: cython.ulonglong
    for square in squares:
        one = cython.cast(cython.ulonglong, 1) << cython.cast(cython.int, bit_of(square))
        if bits & one:
            raise ValueError(f"square {square} is given twice")
        bits |= one
    return bits


@cython.cfunc
def squares_of(bits: cython.ulonglong) -> tuple:
    """Return the squares of a bitboard in ascending order."""
    squares: list = []
    while bits:
        squares.append(SQUARE_OF[lowest(bits)])
        bits &= bits - 1
    return tuple(squares)


def is_compiled() -> bool:
    """Tell whether the kernels run compiled (they also run as plain Python, as a reference)."""
    return cython.compiled
