# The slots of a material class, for those that walk through all of them: see bitbase_slots.py.

from rules.bitboard cimport Bits
from rules.board cimport WHITE_TURN, Board
from engine.bitbase cimport Index

# One class: for each group its number, all its bitboards in the order of their ranks, and how many there are.
# The side to move is white.
cdef struct Side:
    int men
    int kings
    int their_men
    int their_kings
    Index men_count
    Index kings_count
    Index their_men_count
    Index their_kings_count
    Bits *men_sets
    Bits *kings_sets
    Bits *their_men_sets
    Bits *their_kings_sets
    Index slots
    unsigned char *levels  # the generator's, a byte a slot each
    unsigned char *states

# Fill the struct (pointers to the tables excepted); -1 with MemoryError set. `close_side` frees, once.
cdef int open_side(Side *side, tuple counts) except -1
cdef void close_side(Side *side) noexcept nogil

# The position of a slot, white to move.
cdef inline Board slot_board(Side *side, Index index) noexcept nogil:
    cdef Board board
    board.black_kings = side.their_kings_sets[index % side.their_kings_count]
    index //= side.their_kings_count
    board.white_kings = side.kings_sets[index % side.kings_count]
    index //= side.kings_count
    board.black_men = side.their_men_sets[index % side.their_men_count]
    board.white_men = side.men_sets[index // side.their_men_count]
    board.turn = WHITE_TURN
    return board

# Whether two groups share a square: such a slot is no position.
cdef inline bint overlap(Board board) noexcept nogil:
    cdef Bits men = board.white_men | board.black_men
    cdef Bits kings = board.white_kings | board.black_kings
    cdef Bits same = (board.white_men & board.black_men) | (board.white_kings & board.black_kings)
    return (same | (men & kings)) != 0
