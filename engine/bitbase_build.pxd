# Generation of bitbase tables, one pair of material classes at a time: see bitbase_build.py.

from rules.bitboard cimport Bits
from engine.bitbase cimport Index

cdef enum:
    # What is known of a slot besides its level. Smaller numbers count the quiet moves not known to lose.
    MOST_COUNTED = 250
    NEVER_LOST = 253  # some move draws or wins
    CAPTURES = 254  # the side to move must capture: the level is final
    UNUSED = 255  # two groups overlap
    MOST_LEVEL = 254

# One class of the pair, with the side to move as white: for each group its number, all its bitboards in the order
# of their ranks, and how many there are.
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
    unsigned char *levels
    unsigned char *states
