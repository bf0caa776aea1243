# Move ordering: see order.py.

from rules.board cimport Step
from rules.movegen cimport MoveList

cdef enum:
    HISTORY_SIZE = 8192  # 2 sides x 64 from x 64 to
    HISTORY_ONE = 4096  # probability 1
    HISTORY_SHIFT = 5  # a new event weighs 1/32

cdef inline int move_id(Step step) noexcept nogil:
    """Sixteen bits for the table: from, to, and a hash of the captured set. Never 0: no move has from = to = 0."""
    return step.from_bit | (step.to_bit << 6) | <int>((step.captured * <unsigned long long>0x9E3779B97F4A7C15) >> 60 << 12)

cdef inline int history_index(int turn, Step step) noexcept nogil:
    return (turn << 12) | (step.from_bit << 6) | step.to_bit

cdef void score_moves(MoveList *found, int *scores, short *history, int turn, int table_move) noexcept nogil
cdef void bring_best(MoveList *found, int *scores, int first) noexcept nogil
cdef void learn(short *history, int turn, Step *tried, int best) noexcept nogil
