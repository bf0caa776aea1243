# Games that the engine plays against itself, without objects: see arena.py.

from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t

from engine.tree cimport Memory, Tree
from engine.path cimport Node
from engine.worker cimport HISTORY_NODES, MOST_PLIES, Worker
from rules.board cimport Board

cdef packed struct Record:
    uint64_t white
    uint64_t black
    uint64_t kings
    int16_t score  # of the search, 1/100 man, from white's view
    int8_t result  # white's points of two
    uint8_t turn
    uint32_t game

cdef struct Settings:
    int nodes
    int least_plies
    int most_plies
    int opening_limit

cdef class Arena:
    cdef Memory first_memory
    cdef Memory second_memory
    cdef Tree first_tree
    cdef Tree second_tree
    cdef Worker *worker[2]
    cdef const short *table[2]
    cdef tuple tables  # kept alive
    cdef Settings settings
    cdef uint64_t random
    cdef Node kept[HISTORY_NODES + MOST_PLIES + 2]
    cdef bint _move_at_random(self, Board *board) noexcept nogil
    cdef Board _opening(self) noexcept nogil
    cdef int _think(self, int player, Board board) noexcept nogil
    cdef int _play(self, Board board, int white, uint32_t game, Record *records, int room, int *count) noexcept nogil
    cdef void _stray(self, Board board, int player, Record *records, int *count, uint32_t game) noexcept nogil
