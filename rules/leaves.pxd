# The last ply of a node count, made: see leaves.py.

from rules.bitboard cimport Bits
from rules.board cimport BLACK_CROWN, SINGLE, WHITE_CROWN, WHITE_TURN, Step

cdef struct Words:  # a position: its four words, those of the side to move first
    Bits men
    Bits kings
    Bits their_men
    Bits their_kings

cdef unsigned long long make_leaves(
    Bits men, Bits kings, Bits their_men, Bits their_kings, int turn
) noexcept nogil

cdef inline Words after(
    Bits men, Bits kings, Bits their_men, Bits their_kings, int turn, Step step
) noexcept nogil:
    # The position after a step, seen from the other side. Inline, so that it never is in memory.
    cdef Bits origin = SINGLE[step.from_bit]
    cdef Bits target = SINGLE[step.to_bit]
    cdef Bits crown = WHITE_CROWN if turn == WHITE_TURN else BLACK_CROWN
    cdef Words words
    words.men = their_men & ~step.captured
    words.kings = their_kings & ~step.captured
    if kings & origin:
        words.their_men = men
        words.their_kings = kings ^ origin | target
    else:
        # No other man stands on the far row: only one that has just come there is crowned.
        men = men ^ origin | target
        words.their_men = men & ~crown
        words.their_kings = kings | (men & crown)
    return words
