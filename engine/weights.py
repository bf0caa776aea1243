"""Weights as they are learned and shipped, and their folding into the table that `engine.evaluate` reads.

Most contents of a window are never met in a game. A cell is therefore the sum of a part of its own, zero
where too little was seen, of the values of the two windows of eight squares in it (rows 0-3 and 2-5), and
of the values of its single men. That is what is learned and, being mostly zeros, what packs well; the sums
are made when it is unpacked.
"""

import cython
from cython.cimports.engine.evaluate import CELLS, FIRST_KING, NET, NET_SIZE, TERMS, TRITS, WINDOWS

PARTS = (
    ("cells", 2 * WINDOWS * CELLS),
    ("small", 2 * WINDOWS * SMALL_WINDOWS * SMALL_CELLS),
    ("singles", 2 * WINDOWS * SINGLES),
    ("terms", 2 * (TERMS - FIRST_KING)),
    ("net", NET_SIZE),
)
"""The int16 arrays of unfolded weights in their order, and their lengths.

All but the net's are pairs (opening, ending)."""

PARTS_SIZE = sum(size for _, size in PARTS)
"""Numbers of all unfolded weights."""


def _fill() -> None:
    """Fill in the small windows' numbers; the squares of a row are bits 2p and 2p + 1 of the large one."""
    small: cython.int
    index: cython.int
    total: cython.int
    power: cython.int
    place: object = (0, 3, 1, 4, 2, 5)
    for small in range(2):
        rows = [place[row] for row in range(2 * small, 2 * small + 4)]
        for index in range(4096):
            total, power = 0, 1
            for row in rows:
                for bit in (2 * row, 2 * row + 1):
                    if index >> bit & 1:
                        total += power
                    power *= 3
            SMALL[small * 4096 + index] = total


_fill()


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _clipped(value: cython.int) -> cython.short:
    return cython.cast(cython.short, -32768 if value < -32768 else min(value, 32767))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _singles(
    parts: cython.pointer(cython.const[cython.short]), own: cython.int, other: cython.int
) -> cython.int:
    """Add up the values of single men; `parts` starts at the window's first pair."""
    total: cython.int = 0
    bit: cython.int
    for bit in range(12):
        if own >> bit & 1:
            total += parts[2 * bit]
        if other >> bit & 1:
            total += parts[2 * (12 + bit)]
    return total


def fold(parts: object, table: object) -> None:
    """Write the table of `engine.evaluate` that unfolded weights stand for.

    Both are int16 buffers of their full size; ValueError for another.
    """
    source: cython.const[cython.short][::1] = memoryview(parts).cast("B").cast("h")
    target: cython.short[::1] = memoryview(table).cast("B").cast("h")
    if source.shape[0] != PARTS_SIZE or target.shape[0] != NET + NET_SIZE:
        raise ValueError(f"weights have {PARTS_SIZE} and a table has {NET + NET_SIZE} numbers")
    small: cython.Py_ssize_t = 2 * WINDOWS * CELLS
    singles: cython.Py_ssize_t = small + 2 * WINDOWS * SMALL_WINDOWS * SMALL_CELLS
    terms: cython.Py_ssize_t = singles + 2 * WINDOWS * SINGLES
    window: cython.int
    late: cython.int
    own: cython.int
    other: cython.int
    free: cython.int
    cell: cython.Py_ssize_t
    part: cython.Py_ssize_t
    value: cython.int
    with cython.nogil:
        for window in range(WINDOWS):
            for own in range(4096):
                free = 4095 & ~own
                other = free
                while True:
                    cell = 2 * (window * CELLS + TRITS[own] + 2 * TRITS[other])
                    for late in range(2):
                        value = source[cell + late]
                        part = small + 2 * (2 * window) * SMALL_CELLS + late
                        value += source[part + 2 * (SMALL[own] + 2 * SMALL[other])]
                        part += 2 * SMALL_CELLS
                        value += source[part + 2 * (SMALL[4096 + own] + 2 * SMALL[4096 + other])]
                        part = singles + 2 * window * SINGLES + late
                        value += _singles(cython.address(source[part]), own, other)
                        target[cell + late] = _clipped(value)
                    if other == 0:
                        break
                    other = (other - 1) & free
        for part in range(2 * (TERMS - FIRST_KING)):
            target[2 * FIRST_KING + part] = source[terms + part]
        for part in range(NET_SIZE):
            target[NET + part] = source[terms + 2 * (TERMS - FIRST_KING) + part]


MAN = 1000
STEP = 15
KING = 3000


def untaught() -> bytearray:
    """Return the unfolded weights of an engine that knows only that men and advancing are good, kings better.

    Every learning starts here, and the engine plays with it where no weights are shipped.
    """
    parts = bytearray(2 * PARTS_SIZE)
    numbers = memoryview(parts).cast("h")
    singles = 2 * WINDOWS * CELLS + 2 * WINDOWS * SMALL_WINDOWS * SMALL_CELLS
    place = (0, 3, 1, 4, 2, 5)
    for window in range(WINDOWS):
        for row in range(6):
            for column in (window, window + 1):
                # Windows that see this square: one at the edges, two elsewhere; both halves see rows 4, 5.
                share = (1 if column in (0, 4) else 2) * (2 if row in (4, 5) else 1)
                bit = 2 * place[row] + column - window
                for stage in range(2):
                    own = singles + 2 * (window * SINGLES + bit) + stage
                    numbers[own] = (MAN + STEP * (9 - row)) // share
                    numbers[own + 24] = -(MAN + STEP * row) // share
    for stage in range(2):
        terms = singles + 2 * WINDOWS * SINGLES + stage
        numbers[terms] = numbers[terms + 2] = KING
    return parts
