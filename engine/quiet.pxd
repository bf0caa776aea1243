# Quiescence: see quiet.py.

from engine.worker cimport Worker
from rules.bitboard cimport Bits
from rules.board cimport Board

cdef int quiesce(Worker *worker, Board board, int alpha, int beta, int ply, Bits key) noexcept nogil
cdef int static_score(Board board) noexcept nogil
cdef int remembered_score(Worker *worker, Board board, Bits key) noexcept nogil
cdef int table_score(Board board, int ply, int remaining) noexcept nogil
