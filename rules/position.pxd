# A position as Python sees it: see position.py.

from rules.board cimport Board

cdef class Position:
    cdef Board board
