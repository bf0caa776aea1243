# Generation of bitbase tables, one pair of material classes at a time: see bitbase_build.py.

cdef enum:
    # What is known of a slot besides its level. Smaller numbers count the quiet moves not known to lose.
    MOST_COUNTED = 250
    NEVER_LOST = 253  # some move draws or wins
    CAPTURES = 254  # the side to move must capture: the level is final
    UNUSED = 255  # two groups overlap
    MOST_LEVEL = 254
