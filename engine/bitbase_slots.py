"""The slots of a bitbase class one after the other: what a slot's position is, without unranking."""

import cython
from cython.cimports.engine.bitbase import MEN_SQUARES, SQUARES, Index, choose, slots
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.rules.bitboard import BIT_OF, Bits, lowest

ONE = cython.declare(cython.ulonglong, 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sets(count: cython.int, squares: cython.int, first: cython.int) -> cython.pointer(Bits):
    """Return all bitboards of `count` of the `squares` squares from `first` on, by rank. The caller frees."""
    number: Index = choose(squares, count)
    sets: cython.pointer(Bits) = cython.cast(
        cython.pointer(Bits), malloc(number * cython.sizeof(cython.ulonglong))
    )
    packed: cython.ulonglong = (ONE << count) - 1
    rest: cython.ulonglong
    low: cython.ulonglong
    bits: cython.ulonglong
    at: Index
    if sets == cython.NULL:
        return sets
    for at in range(number):
        bits = 0
        rest = packed
        while rest:
            bits |= ONE << BIT_OF[first + lowest(rest)]
            rest &= rest - 1
        sets[at] = bits
        if packed:
            # the next greater number with as many ones
            low = packed & (~packed + 1)
            rest = packed + low
            packed = rest | (((packed ^ rest) >> 2) >> lowest(low))
    return sets


@cython.cfunc
@cython.exceptval(-1, check=False)
def open_side(side: cython.pointer(Side), counts: tuple) -> cython.int:
    """Fill the struct for a class; `close_side` must follow, also after MemoryError."""
    men, kings, their_men, their_kings = counts
    side.men, side.kings, side.their_men, side.their_kings = men, kings, their_men, their_kings
    side.men_count = choose(MEN_SQUARES, side.men)
    side.kings_count = choose(SQUARES, side.kings)
    side.their_men_count = choose(MEN_SQUARES, side.their_men)
    side.their_kings_count = choose(SQUARES, side.their_kings)
    side.slots = slots(side.men, side.kings, side.their_men, side.their_kings)
    side.levels = side.states = cython.NULL
    side.men_sets = _sets(side.men, MEN_SQUARES, 6)
    side.kings_sets = _sets(side.kings, SQUARES, 1)
    side.their_men_sets = _sets(side.their_men, MEN_SQUARES, 1)
    side.their_kings_sets = _sets(side.their_kings, SQUARES, 1)
    if not (side.men_sets and side.kings_sets and side.their_men_sets and side.their_kings_sets):
        raise MemoryError
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def close_side(side: cython.pointer(Side)) -> cython.void:
    """Free what `open_side` allocated."""
    free(side.men_sets)
    free(side.kings_sets)
    free(side.their_men_sets)
    free(side.their_kings_sets)
