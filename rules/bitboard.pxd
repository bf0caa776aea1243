# The 63-bit board: see bitboard.py for the layout.

cdef extern from *:
    """
    /* Hardware population count from the x86-64-v2 baseline on; arm64 always has one. */
    #if defined(__x86_64__) && !defined(__POPCNT__)
    #pragma GCC target("popcnt")
    #endif
    static inline Py_ssize_t bonnard_popcount(unsigned long long bits) { return __builtin_popcountll(bits); }
    static inline Py_ssize_t bonnard_lowest(unsigned long long bits) { return __builtin_ctzll(bits); }
    static inline Py_ssize_t bonnard_highest(unsigned long long bits) { return 63 ^ __builtin_clzll(bits); }
    """
    Py_ssize_t popcount "bonnard_popcount"(unsigned long long bits) noexcept nogil
    Py_ssize_t lowest "bonnard_lowest"(unsigned long long bits) noexcept nogil  # undefined for 0
    Py_ssize_t highest "bonnard_highest"(unsigned long long bits) noexcept nogil  # undefined for 0

ctypedef unsigned long long Bits

cdef int SQUARE_OF[64]  # bit index -> square 1..50, 0 for a ghost square
cdef int BIT_OF[51]  # square 1..50 -> bit index
cdef Bits bits_of(object squares) except? 0
cdef tuple squares_of(Bits bits)
