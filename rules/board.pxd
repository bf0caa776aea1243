# The position as a C value: see board.py.

from rules.bitboard cimport Bits

cdef extern from *:
    """
    /* Where a man is crowned (rules.md 2): squares 1-5 for white, 46-50 for black. */
    #define BONNARD_WHITE_CROWN 0x1FULL
    #define BONNARD_BLACK_CROWN (0x1FULL << 58)

    /* Single bits: a load is cheaper than a shift by a variable before BMI2 (perft: 4 to 10 %). */
    #define BONNARD_BITS(n) 1ULL << (n), 2ULL << (n), 4ULL << (n), 8ULL << (n)
    #define BONNARD_MORE(n) BONNARD_BITS(n), BONNARD_BITS((n) + 4), BONNARD_BITS((n) + 8), BONNARD_BITS((n) + 12)
    static const unsigned long long bonnard_single[64] = {
        BONNARD_MORE(0), BONNARD_MORE(16), BONNARD_MORE(32), BONNARD_MORE(48)
    };
    """
    const Bits SINGLE "bonnard_single"[64]
    const Bits WHITE_CROWN "BONNARD_WHITE_CROWN"
    const Bits BLACK_CROWN "BONNARD_BLACK_CROWN"

cdef enum:
    WHITE_TURN = 0
    BLACK_TURN = 1

cdef struct Board:
    Bits white_men
    Bits white_kings
    Bits black_men
    Bits black_kings
    int turn  # WHITE_TURN or BLACK_TURN

cdef struct Step:
    Bits captured
    int from_bit
    int to_bit

cdef Bits key(Board board) noexcept nogil
cdef Bits key_after(Bits before, Board board, Step step) noexcept nogil

cdef inline Bits occupied(Board board) noexcept nogil:
    return board.white_men | board.white_kings | board.black_men | board.black_kings

cdef inline Board make(Board board, Step step) noexcept nogil:
    # The board after a legal move: captured pieces go, a man that ends on the far row is crowned. Inline, since
    # a leaf of perft costs 5 ns.
    cdef Bits origin = SINGLE[step.from_bit]
    cdef Bits target = SINGLE[step.to_bit]
    cdef Board after
    if board.turn == WHITE_TURN:
        after.black_men = board.black_men & ~step.captured
        after.black_kings = board.black_kings & ~step.captured
        after.turn = BLACK_TURN
        if (board.white_kings & origin) | (target & WHITE_CROWN):
            after.white_men = board.white_men & ~origin
            after.white_kings = (board.white_kings & ~origin) | target
        else:
            after.white_men = (board.white_men ^ origin) | target
            after.white_kings = board.white_kings
    else:
        after.white_men = board.white_men & ~step.captured
        after.white_kings = board.white_kings & ~step.captured
        after.turn = WHITE_TURN
        if (board.black_kings & origin) | (target & BLACK_CROWN):
            after.black_men = board.black_men & ~origin
            after.black_kings = (board.black_kings & ~origin) | target
        else:
            after.black_men = (board.black_men ^ origin) | target
            after.black_kings = board.black_kings
    return after
