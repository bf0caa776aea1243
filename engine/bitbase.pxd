# Win, draw or loss of positions with few pieces by one look-up: see bitbase.py.

from rules.board cimport Board

cdef enum:
    BITBASE_LOSS = -1
    BITBASE_DRAW = 0
    BITBASE_WIN = 1
    BITBASE_UNKNOWN = 2  # too many pieces, no table loaded, or (probe only) a position with a capture

cdef enum:
    MOST_PIECES = 5  # of a table that can be loaded
    CODES = 1296  # material classes: four counts 0..5
    SQUARES = 50
    MEN_SQUARES = 45  # all but the far row
    LOST = 2  # in a table of values

ctypedef unsigned long long Index

# The search's seam. No lock, no allocation, one memory access. A search that meets a quiet position with at
# most loaded_pieces() pieces has the exact score of a draw, and that of a win or loss in distance_quiet plies
# if the draw clocks leave as many; a longer win it searches on.
# `probe` looks for a capture first; `probe_quiet` is for a caller that knows that the side to move has none.
# Both see the value from the side to move. BITBASE_WIN and BITBASE_LOSS take no account of draw clocks.
cdef int probe(Board board) noexcept nogil
cdef int probe_quiet(Board board) noexcept nogil
# Plies to the end with best play, 0 for a side to move without a move; -1 for a draw or without a table of
# distances (2 to 4 pieces have one, 5 have not). Even: the side to move loses; odd: it wins. Quiet
# positions only. With fresh draw clocks every win of 2 to 4 pieces is short enough (two against one king: 9
# of 10 plies, three: 31 of 32, all: 43 of 50).
cdef int distance_quiet(Board board) noexcept nogil
# The greatest number of pieces for which every table is loaded; 0 before engine.bitbase_file.load().
cdef int loaded_pieces() noexcept nogil

# For the generator: 0 draw, else plies + 1 (even: win, odd: loss), -1 unknown; captures are played out.
cdef int level(Board board) noexcept nogil
cdef Index slots(int men, int kings, int their_men, int their_kings) noexcept nogil
cdef Index own_men_rank(unsigned long long men, int turn) noexcept nogil
cdef Index group_rank(unsigned long long bits, int turn) noexcept nogil
cdef Index choose(int n, int k) noexcept nogil

# Of two levels the one that the side to move prefers: the shortest win, else a draw, else the longest loss.
cdef inline int better(int best, int new) noexcept nogil:
    if new & 1:
        return new if best & 1 and new > best else best
    if new == 0:
        return 0 if best & 1 else best
    return new if best & 1 or best == 0 or new < best else best
