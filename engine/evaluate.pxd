# The evaluation as a C function: see evaluate.py for its form, its units and the layout of the weights.

from rules.bitboard cimport Bits
from rules.board cimport Board

cdef extern from *:
    """
    /* The 63-bit board turned by 180 degrees: bit b goes to bit 62 - b. */
    static inline unsigned long long bonnard_turned(unsigned long long bits) {
        bits = __builtin_bswap64(bits);
        bits = ((bits >> 4) & 0x0F0F0F0F0F0F0F0FULL) | ((bits & 0x0F0F0F0F0F0F0F0FULL) << 4);
        bits = ((bits >> 2) & 0x3333333333333333ULL) | ((bits & 0x3333333333333333ULL) << 2);
        bits = ((bits >> 1) & 0x5555555555555555ULL) | ((bits & 0x5555555555555555ULL) << 1);
        return bits >> 1;
    }
    """
    Bits turned "bonnard_turned"(Bits bits) noexcept nogil

cdef enum:
    WINDOWS = 4  # windows of one half; the other half's are the same four, seen from the other side
    CELLS = 531441  # 3 ** 12 contents of a window
    FIRST_KING = 4 * 531441  # the terms that follow the cells
    FURTHER_KING = 4 * 531441 + 1
    TURN = 4 * 531441 + 2
    SAFE_SQUARE = 4 * 531441 + 3
    ATTACKED_SQUARE = 4 * 531441 + 4
    BALANCE = 4 * 531441 + 5  # sixteen degrees of lopsidedness
    KING_SQUARE = 4 * 531441 + 21  # 63 bits of the board, from the owner's side
    TERMS = 4 * 531441 + 84
    STAGES = 32
    MOST_FEATURES = 128

cdef struct Features:
    int own[8]  # 12-bit contents of each window: the men of the side it is seen from
    int other[8]  # and the men of the other side; the last four windows are black's and count negative
    int count  # further terms
    int terms[128]
    int values[128]
    int stage  # 0 with all pieces on the board, STAGES in the late ending
    int white_divisor  # what a score good for white is divided by
    int black_divisor  # what a score good for black is divided by

cdef int TRITS[4096]  # 12 bits read as base-3 digits
cdef const short *TABLE

cdef int evaluate(Board board) noexcept nogil
cdef void extract(Board board, Features *found) noexcept nogil
cdef void use_table(const short *table) noexcept nogil
cdef const short *table_of(object buffer) except NULL
