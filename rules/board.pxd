# The position as a C value: see board.py.

from rules.bitboard cimport Bits, lowest

cdef enum:
    WHITE_TURN = 0
    BLACK_TURN = 1

cdef struct Board:
    Bits white_men
    Bits white_kings
    Bits black_men
    Bits black_kings
    int turn  # WHITE_TURN or BLACK_TURN

cdef struct Step:
    Bits captured
    int from_bit
    int to_bit

cdef Board make(Board board, Step step) noexcept nogil
cdef Bits key(Board board) noexcept nogil
cdef Bits key_after(Bits before, Board board, Step step) noexcept nogil

cdef inline Bits occupied(Board board) noexcept nogil:
    return board.white_men | board.white_kings | board.black_men | board.black_kings
