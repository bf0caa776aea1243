# Node counts: see perft.py.

from rules.board cimport Board

cdef unsigned long long count_made(Board board, int depth) noexcept nogil
cdef unsigned long long count_listed(Board board, int depth) noexcept nogil
