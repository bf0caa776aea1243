# What stands in the lines of the board: see lines.py. Inline, since every move list looks along them.

from rules.bitboard cimport Bits, highest
from rules.board cimport SINGLE

cdef extern from *:
    """
    /* The fifty playing squares: ten rows of five bits. */
    #define BONNARD_ROWS(pair) (0x7DFULL << 13 * (pair))
    #define BONNARD_SQUARES \\
        (BONNARD_ROWS(0) | BONNARD_ROWS(1) | BONNARD_ROWS(2) | BONNARD_ROWS(3) | BONNARD_ROWS(4))
    """
    const Bits SQUARES "BONNARD_SQUARES"

cdef enum:  # the directions of RAYS; bits rise down the board
    DOWN_LEFT = 0
    DOWN_RIGHT = 1
    UP_LEFT = 2
    UP_RIGHT = 3

cdef Bits RAYS[256]  # squares seen from a bit on the empty board, [direction * 64 + bit]

cdef inline Bits reach(Py_ssize_t at, Bits blockers, Py_ssize_t direction) noexcept nogil:
    # The squares from a bit in one direction, up to and with the first blocker. For a constant direction
    # there is no branch: one on "is there a blocker" was missed often (branch misses of the king positions: a
    # fifth less).
    cdef Bits ray = RAYS[direction * 64 + at]
    cdef Bits barred = ray & blockers
    if direction <= DOWN_RIGHT:
        return ray & (barred ^ (barred - 1))  # the subtraction changes all bits up to the lowest
    return ray & (0 - SINGLE[highest(barred | 1)])  # the highest and all above; bit 0 ends a ray

cdef inline Bits capturing_men(Bits men, Bits enemies, Bits empty) noexcept nogil:
    # The men that can capture: an enemy beside them and an empty square behind it.
    return men & (
        ((enemies & (empty >> 6)) >> 6)
        | ((enemies & (empty >> 7)) >> 7)
        | ((enemies & (empty << 7)) << 7)
        | ((enemies & (empty << 6)) << 6)
    )

cdef inline Bits first_behind(
    Bits down_left, Bits down_right, Bits up_left, Bits up_right, Bits enemies, Bits empty
) noexcept nogil:
    # The enemies that a king can take at once, from its reach in each direction: an empty square is behind them.
    return enemies & (
        (down_left & (empty >> 6))
        | (down_right & (empty >> 7))
        | (up_left & (empty << 7))
        | (up_right & (empty << 6))
    )
