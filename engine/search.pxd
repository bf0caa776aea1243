# The search: see search.py.

from engine.path cimport Node
from engine.table cimport Table
from engine.worker cimport (
    HISTORY_NODES,
    LEAST_WIN,
    MOST_DEPTH,
    MOST_LINES,
    WIN,
    Line,
    Options,
    Shared,
    Worker,
)
from rules.board cimport Board, Step

cdef enum:
    ASPIRATION_DEPTH = 4  # from here on an iteration begins with a window around the last score
    WINDOW = 10  # its half width in 1/100 men, doubled at each failure,
    WIDEST = 500  # and thrown open beyond this
    PRUNING_DEPTH = 3
    PRUNING_PERCENT = 40  # of the depth, for the trial search
    PRUNING_MARGIN = 10  # 1/100 men for each ply of depth
    STATIC_DEPTH = 3  # most depth at which an evaluation above beta cuts a node,
    STATIC_MARGIN = 50  # by 1/100 men for each ply of depth,
    FUTILE_DEPTH = 2  # and one below alpha the late moves
    FUTILE_MARGIN = 60
    CUTOFF_DEPTH = 2  # least depth for a look at all children in the table
    UNKNOWN_DEPTH = 4  # least depth to search a ply less without a move from the table
    REDUCTION_DEPTH = 2

cdef int search(Worker *worker, Board board, int alpha, int beta, int depth, int ply, bint principal, bint prune) noexcept nogil
cdef int search_root(Worker *worker, int alpha, int beta, int depth, int line) noexcept nogil
cdef bint iterate(Worker *worker, int depth) noexcept nogil
cdef int deepen(Worker *worker, int first, int last) noexcept nogil
