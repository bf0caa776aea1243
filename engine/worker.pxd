# What one search thread works with, and what all of them share: see worker.py.

from libc.stdint cimport int64_t, uint64_t

from engine.path cimport Node
from engine.table cimport Table
from rules.board cimport Board, Step
from rules.movegen cimport MOST_MOVES

cdef extern from *:
    """
    #include <stdint.h>
    #include <time.h>
    static inline int64_t bonnard_now(void) {
        struct timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
    }
    """
    int64_t now "bonnard_now"() noexcept nogil  # nanoseconds
    int flag_load "__atomic_load_n"(int *source, int order) noexcept nogil
    void flag_store "__atomic_store_n"(int *target, int value, int order) noexcept nogil
    int64_t count_load "__atomic_load_n"(int64_t *source, int order) noexcept nogil
    void count_store "__atomic_store_n"(int64_t *target, int64_t value, int order) noexcept nogil
    int RELAXED "__ATOMIC_RELAXED"

cdef enum:
    MOST_PLIES = 160  # of a line
    MOST_DEPTH = 127
    HISTORY_NODES = 128  # game positions kept before the root; the 25-move rule needs 50
    MOST_LINES = 64
    MOST_THREADS = 64
    WIN = 10000  # a win now, in 1/100 men; a win in n plies is n less
    LEAST_WIN = 9000  # every score beyond is a win or loss by force
    EVAL_LIMIT = 4000  # no evaluation is beyond
    INFINITE = 20000
    POLL_NODES = 1024  # between two looks at the clock
    EVALUATIONS = 2048  # a power of two; more of them leave the nearest cache (docs/search.md)

cdef struct Options:
    int reductions
    int pruning
    int extensions
    int table
    int bitbases
    int pieces  # of the bitbases in use, 0 for none

cdef struct Line:
    int score
    int depth
    int length
    Step moves[MOST_PLIES]

cdef struct Shared:
    Table table
    int stop
    int64_t deadline  # nanoseconds of the monotonic clock, 0 for none
    int64_t hard_deadline
    int64_t counts[MOST_THREADS]  # nodes of each thread at its last poll
    Options options

# What a quiet position is worth, as remembered. A key of zero is none. Whoever searches without `prepare` must
# keep to one table of weights and to the same bitbases.
cdef struct Evaluation:
    uint64_t key
    int64_t score

cdef struct Worker:
    Evaluation evaluations[EVALUATIONS]  # since `prepare`, each in the place of its key's lowest bits
    Shared *shared
    int64_t nodes
    int64_t next_poll
    int64_t ends  # variations that came to a quiet position
    int64_t end_plies  # the plies of all these together
    int64_t node_limit  # of all threads, 0 for none
    int number  # 0 is the main thread, which watches the limits
    int endless  # go on when the win is proven
    int failing  # the root's score is falling: only the hard limit counts
    int root_count
    int lines
    Board root
    Step moves[MOST_MOVES]  # of the root, best first
    Line line[MOST_LINES]
    short history[8192]
    Node nodes_of_game[HISTORY_NODES + MOST_PLIES + 2]  # history, root, line
    Node *path  # the root among them: path[-1] is the position before it
    int pv_length[MOST_PLIES + 2]
    Step pv[MOST_PLIES + 2][MOST_PLIES + 2]

cdef void poll(Worker *worker) noexcept nogil
cdef int64_t all_nodes(Shared *shared) noexcept nogil

# For callers in C: once `stand_at`, then `advance` for each move of the game; for each search `prepare`.
cdef void stand_at(Worker *worker, Board board) noexcept nogil
cdef void advance(Worker *worker, Step step) noexcept nogil
cdef int prepare(Worker *worker) noexcept nogil

cdef inline bint stopped(Worker *worker) noexcept nogil:
    return flag_load(&worker.shared.stop, RELAXED) != 0
