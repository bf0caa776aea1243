# The moves that led to a node, as the draw rules see them: see path.py.

from rules.bitboard cimport Bits
from rules.board cimport Board, Step

cdef enum:
    NO_CLOCK = -1
    KING_PLIES = 50  # 25 moves each with kings only
    SIXTEEN_PLIES = 32  # three pieces with a king against a lone king
    FIVE_PLIES = 10  # two pieces with a king, or one king, against a lone king
    CLOCK_IN_KEY = 12  # from here on the plies left are part of the position

cdef struct Node:
    Bits key  # pieces and side to move
    int reversible  # plies since the last man move or capture
    int sixteen  # plies played under each rule, NO_CLOCK where it does not apply
    int five
    int remaining  # plies until the first of the three rules ends the game

cdef void begin(Node *node, Board board) noexcept nogil
cdef void follow(Node *node, Board before, Step step, Board after) noexcept nogil
cdef bint repeated(Node *node) noexcept nogil

cdef inline Bits table_key(Node *node) noexcept nogil:
    """The key for the transposition table: near the end of a draw clock the plies left belong to the position."""
    if node.remaining > CLOCK_IN_KEY:
        return node.key
    return node.key ^ (<Bits>0x9E3779B97F4A7C15 * <Bits>(node.remaining + 1))
