# Weights as they are learned and shipped: see weights.py.

cdef enum:
    SMALL_WINDOWS = 2  # of eight squares in each window of twelve
    SMALL_CELLS = 6561  # 3 ** 8
    SINGLES = 24  # an own man, then another's man, on each of a window's twelve squares

cdef int SMALL[2 * 4096]  # [small window * 4096 + contents of the window] -> contents of the small one in base 3
