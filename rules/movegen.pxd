# All legal moves of a board: see movegen.py.

from rules.bitboard cimport Bits
from rules.board cimport BLACK_TURN, WHITE_TURN, Board, Step

cdef extern from *:
    const Bits GUARD "(1ULL << 63)"  # a ghost bit: with it no word is 0

cdef enum:
    MOST_MOVES = 1024  # a position with 384 captures is known; no legal one near this many

cdef struct MoveList:
    int count
    int captures  # pieces that every move of the list takes; 0 for quiet moves
    Step moves[MOST_MOVES]

cdef void generate_side(
    Bits men, Bits kings, Bits their_men, Bits their_kings, int turn, MoveList *found
) noexcept nogil
cdef bint side_can_capture(Bits men, Bits kings, Bits enemies) noexcept nogil
cdef bint can_move(Board board) noexcept nogil

# The words of a board go over in registers, those of the side to move first. A struct of five is copied through
# memory by wider loads than the stores before them, which stalls: 1.6 times slower in perft.

cdef inline void generate(Board board, MoveList *found) noexcept nogil:
    if board.turn == WHITE_TURN:
        generate_side(
            board.white_men, board.white_kings, board.black_men, board.black_kings, WHITE_TURN, found
        )
    else:
        generate_side(
            board.black_men, board.black_kings, board.white_men, board.white_kings, BLACK_TURN, found
        )

cdef inline bint can_capture(Board board) noexcept nogil:
    if board.turn == WHITE_TURN:
        return side_can_capture(board.white_men, board.white_kings, board.black_men | board.black_kings)
    return side_can_capture(board.black_men, board.black_kings, board.white_men | board.white_kings)
