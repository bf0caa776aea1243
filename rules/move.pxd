# A move as Python sees it: see move.py.

cdef class Move:
    cdef readonly int from_square
    cdef readonly int to_square
    cdef readonly tuple captured

cdef Move new_move(int from_square, int to_square, tuple captured)
