# All legal moves of a board: see movegen.py.

from rules.bitboard cimport Bits, highest, lowest
from rules.board cimport Board, Step

cdef extern from *:
    """
    /* The fifty playing squares: ten rows of five bits. */
    #define BONNARD_ROWS(pair) (0x7DFULL << 13 * (pair))
    #define BONNARD_SQUARES (BONNARD_ROWS(0) | BONNARD_ROWS(1) | BONNARD_ROWS(2) | BONNARD_ROWS(3) | BONNARD_ROWS(4))
    """
    const Bits SQUARES "BONNARD_SQUARES"
    const Bits GUARD "(1ULL << 63)"  # a ghost bit: with it no word is 0

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
    Bits blockers  # all pieces but the capturing one
    Bits empty  # the other squares
    int origin
    bint remembers
    Seen seen[SEEN_SIZE]

cdef void generate_words(
    Bits white_men, Bits white_kings, Bits black_men, Bits black_kings, int turn, MoveList *found
) noexcept nogil
cdef bint words_can_capture(
    Bits white_men, Bits white_kings, Bits black_men, Bits black_kings, int turn
) noexcept nogil
cdef bint can_move(Board board) noexcept nogil

# The words of a board go over in registers. A struct of five is copied through memory by wider loads than the
# stores before them, which stalls: 1.6 times slower in perft.

cdef inline void generate(Board board, MoveList *found) noexcept nogil:
    generate_words(board.white_men, board.white_kings, board.black_men, board.black_kings, board.turn, found)

cdef inline bint can_capture(Board board) noexcept nogil:
    return words_can_capture(
        board.white_men, board.white_kings, board.black_men, board.black_kings, board.turn
    )
