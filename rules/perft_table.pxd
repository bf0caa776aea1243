# Counts of positions met again: see perft_table.py.

cdef class PerftTable:
    cdef unsigned long long[::1] entries  # (check, count and depth) in turn
    cdef int slot_bits
