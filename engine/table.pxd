"""The transposition table: 16-byte entries in 64-byte buckets, shared by all threads without a lock."""

from libc.stdint cimport int16_t, uint8_t, uint64_t, uint16_t

from rules.position cimport Board

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #include <sys/mman.h>

    /* Two words into one, every bit of the result depending on every bit of both. */
    static inline uint64_t bonnard_fold(uint64_t a, uint64_t b) {
        unsigned __int128 product = (unsigned __int128)a * b;
        return (uint64_t)product ^ (uint64_t)(product >> 64);
    }

    #define BONNARD_HUGE_PAGE ((size_t)1 << 21)

    /* Zeroed memory on a 2 MB boundary, in huge pages where the system grants them. The system gives pages, and
       zeroes them, as they are used: a large table costs nothing at start. */
    static inline void *bonnard_table_memory(size_t bytes) {
        char *whole = mmap(NULL, bytes + BONNARD_HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        size_t before;
        if (whole == MAP_FAILED) return NULL;
        before = (size_t)(-(uintptr_t)whole & (BONNARD_HUGE_PAGE - 1));
        if (before) munmap(whole, before);
        if (before < BONNARD_HUGE_PAGE) munmap(whole + before + bytes, BONNARD_HUGE_PAGE - before);
    #if defined(MADV_HUGEPAGE)
        madvise(whole + before, bytes, MADV_HUGEPAGE);
    #endif
        return whole + before;
    }

    /* Zero it again. Linux takes the pages back at once and gives zeroed ones when they are used; with a small
       table that would cost more than it saves. */
    static inline void bonnard_zero_memory(void *memory, size_t bytes) {
    #if defined(__linux__)
        if (bytes > BONNARD_HUGE_PAGE && !madvise(memory, bytes, MADV_DONTNEED)) return;
    #endif
        memset(memory, 0, bytes);
    }

    static inline void bonnard_free_memory(void *memory, size_t bytes) {
        if (memory) munmap(memory, bytes);
    }
    """
    uint64_t fold "bonnard_fold"(uint64_t a, uint64_t b) noexcept nogil
    void *table_memory "bonnard_table_memory"(size_t bytes) noexcept nogil
    void zero_memory "bonnard_zero_memory"(void *memory, size_t bytes) noexcept nogil
    void free_memory "bonnard_free_memory"(void *memory, size_t bytes) noexcept nogil
    uint64_t load "__atomic_load_n"(uint64_t *source, int order) noexcept nogil
    void store "__atomic_store_n"(uint64_t *target, uint64_t value, int order) noexcept nogil
    void prefetch_line "__builtin_prefetch"(void *address) noexcept nogil
    int RELAXED "__ATOMIC_RELAXED"

cdef enum Bound:
    NO_BOUND = 0
    UPPER = 1
    LOWER = 2
    EXACT = 3

cdef struct Entry:
    uint64_t check  # key XOR data: a torn or overwritten entry matches no key
    uint64_t data  # from low to high: move 16, score 16, free 16, depth 8, bound 2, age 6

cdef struct Table:
    Entry *entries
    uint64_t mask  # number of buckets - 1
    uint64_t age  # 0..63, one more for each search

cdef struct Found:
    int move  # 16 bits of `move_id`, 0 if none
    int score
    int depth
    int bound

cdef inline uint64_t position_key(Board board) noexcept nogil:
    """Key of a position: three multiplications, cheaper than keeping a Zobrist key up to date."""
    cdef uint64_t men = fold(board.white_men ^ <uint64_t>0x9E3779B97F4A7C15, board.black_men ^ <uint64_t>0xC2B2AE3D27D4EB4F)
    cdef uint64_t kings = fold(board.white_kings ^ <uint64_t>0xD6E8FEB86659FD93, board.black_kings ^ <uint64_t>0xA0761D6478BD642F)
    return fold(men ^ (<uint64_t>0xE7037ED1A0B428DB + <uint64_t>board.turn), kings ^ <uint64_t>0x8EBC6AF09C88C6E3)

cdef inline void prefetch(Table *table, uint64_t key) noexcept nogil:
    """Ask for the bucket of `key` before it is needed."""
    prefetch_line(table.entries + 4 * (key & table.mask))

cdef bint probe(Table *table, uint64_t key, Found *found) noexcept nogil
cdef void record(Table *table, uint64_t key, int move, int score, int depth, int bound) noexcept nogil
cdef bint allocate(Table *table, size_t megabytes) noexcept nogil
cdef void clear(Table *table) noexcept nogil
cdef void release(Table *table) noexcept nogil
