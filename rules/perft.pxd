# Node counts: see perft.py.

from rules.bitboard cimport Bits
from rules.board cimport Board

cdef unsigned long long count_made(Board board, int depth) noexcept nogil
cdef unsigned long long count_listed(Board board, int depth) noexcept nogil
cdef unsigned long long count_side(
    Bits men, Bits kings, Bits their_men, Bits their_kings, int turn, int depth
) noexcept nogil
