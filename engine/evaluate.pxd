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

cdef extern from *:
    """
    /* Eight 16-bit numbers in a vector register; in memory they may stand at any address. */
    typedef short bonnard_lanes __attribute__((vector_size(16)));
    typedef short bonnard_stored __attribute__((vector_size(16), aligned(2), may_alias));
    typedef int bonnard_sums __attribute__((vector_size(16)));
    static inline bonnard_lanes bonnard_load(const short *from) { return *(const bonnard_stored *)from; }
    static inline bonnard_lanes bonnard_plus(bonnard_lanes sums, const short *from) {
        return sums + *(const bonnard_stored *)from;
    }
    static inline bonnard_lanes bonnard_positive(bonnard_lanes sums) { return sums & (sums > 0); }
    static inline int bonnard_dot(bonnard_lanes sums, const short *factors) {
        bonnard_sums found = (bonnard_sums)__builtin_ia32_pmaddwd128(sums, bonnard_load(factors));
        return found[0] + found[1] + found[2] + found[3];
    }
    """
    ctypedef struct Lanes "bonnard_lanes":
        pass
    Lanes load "bonnard_load"(const short *source) noexcept nogil
    Lanes plus "bonnard_plus"(Lanes sums, const short *source) noexcept nogil
    Lanes positive "bonnard_positive"(Lanes sums) noexcept nogil
    int dot "bonnard_dot"(Lanes sums, const short *factors) noexcept nogil

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
    UNITS = 32  # of the net: as many as Lanes
    NET = 4251712  # where it begins in the table, behind the 2 * TERMS weights, on a cache line
    NET_BIAS = 4 * 64 * 32  # from there: rows of UNITS for own men, other's men, own kings, other's kings on the 64
    NET_OPENING = NET_BIAS + 32  # bits of the board, seen by the side to move; the bias; what each unit counts
    NET_ENDING = NET_BIAS + 64
    NET_SIZE = NET_BIAS + 96
    NET_SHIFT = 11  # the net's sums are in 1/2048 of 1/1000 man
    MOST_FEATURES = 128

cdef struct Features:
    int own[8]  # 12-bit contents of each window: the men of the side it is seen from
    int other[8]  # and the men of the other side; the last four windows are black's and count negative
    int count  # further terms
    int terms[128]
    int values[128]
    int inputs  # of the net: pieces
    int rows[40]  # the net's row of each piece, kind * 64 + bit
    int stage  # 0 with all pieces on the board, STAGES in the late ending
    int white_divisor  # what a score good for white is divided by
    int black_divisor  # what a score good for black is divided by

cdef int TRITS[4096]  # 12 bits read as base-3 digits
cdef const short *TABLE

cdef int evaluate(Board board) noexcept nogil
cdef void extract(Board board, Features *found) noexcept nogil
cdef void use_table(const short *table) noexcept nogil
cdef const short *table_of(object buffer) except NULL
