# All legal moves of a board: see movegen.py.

from rules.bitboard cimport Bits, highest, lowest
from rules.board cimport Board, Step

cdef enum:
    MOST_MOVES = 1024  # a position with 384 captures is known; no legal one near this many
    SEEN_SIZE = 512  # a power of two

cdef struct MoveList:
    int count
    int captures  # pieces that every move of the list takes; 0 for quiet moves
    Step moves[MOST_MOVES]

cdef struct Seen:
    Bits captured
    int at

cdef struct Strike:
    MoveList *found
    Bits enemies
    Bits blockers
    int origin
    bint remembers
    Seen seen[SEEN_SIZE]

cdef void generate(Board board, MoveList *found) noexcept nogil
cdef bint can_capture(Board board) noexcept nogil
cdef bint can_move(Board board) noexcept nogil
