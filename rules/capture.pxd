# Captures that go on, and those of kings: see capture.py.

from rules.bitboard cimport Bits
from rules.movegen cimport MoveList

cdef enum:
    SEEN_SIZE = 512  # a power of two

cdef struct Seen:
    Bits captured
    Py_ssize_t at

cdef struct Strike:
    MoveList *found
    Bits enemies
    Bits blockers  # all pieces but the capturing one
    Bits empty  # the other squares
    Py_ssize_t origin
    bint remembers
    Seen seen[SEEN_SIZE]

cdef void strike_men(MoveList *found, Bits men, Bits enemies, Bits going_on) noexcept nogil
cdef void strike_all(MoveList *found, Bits men, Bits kings, Bits enemies, Bits all_pieces) noexcept nogil
