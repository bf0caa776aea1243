"""Node counts with a table of the positions met before, for deep values: start depth 11 in seconds."""

from array import array

import cython

if cython.compiled:
    from cython import address
    from cython.cimports.rules.board import WHITE_TURN, Board
    from cython.cimports.rules.leaves import Words, after
    from cython.cimports.rules.movegen import MoveList, generate_side
    from cython.cimports.rules.perft import count_side
    from cython.cimports.rules.position import Position
else:
    from rules.movegen import generate_side
    from rules.perft import count_side
    from rules.plain import WHITE_TURN, Board, MoveList, Words, address, after
    from rules.position import Position

ENTRY_BYTES = 16
MOST_MEGABYTES = 1 << 20
# All 64 bits: what plain Python needs to multiply as C does.
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
# Odd numbers of even mixture, one for the check and one for each word of a position.
STIR = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
KINGS = cython.declare(cython.ulonglong, 0xC2B2AE3D27D4EB4F)
THEIR_MEN = cython.declare(cython.ulonglong, 0x165667B19E3779F9)
THEIR_KINGS = cython.declare(cython.ulonglong, 0xD6E8FEB86659FD93)
# Below this depth a count is cheaper than a look into memory.
LEAST_DEPTH = cython.declare(cython.int, 3)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _mixed(state: cython.ulonglong, word: cython.ulonglong) -> cython.ulonglong:
    """Stir a word into a hash (multiply and fold, after splitmix64)."""
    state = ((state ^ word) * STIR) & ALL
    return state ^ (state >> 31)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _hashed(
    men: cython.ulonglong,
    kings: cython.ulonglong,
    their_men: cython.ulonglong,
    their_kings: cython.ulonglong,
    turn: cython.int,
    depth: cython.int,
    entries: cython.pointer(cython.ulonglong),
    slot_bits: cython.int,
) -> cython.ulonglong:
    found: MoveList
    following: Words
    index: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    check: cython.ulonglong
    place: cython.ulonglong
    value: cython.ulonglong
    total: cython.ulonglong = 0
    if depth < LEAST_DEPTH:
        return count_side(men, kings, their_men, their_kings, turn, depth)
    check = _mixed(_mixed(_mixed(_mixed(2 * depth + turn, men), kings), their_men), their_kings)
    # The slot comes from another hash: two positions must agree in both to be confused.
    place = men * MEN + kings * KINGS + their_men * THEIR_MEN + their_kings * THEIR_KINGS
    slot = cython.cast(cython.Py_ssize_t, 2 * ((place & ALL) >> (64 - slot_bits)))
    value = entries[slot + 1]
    if value and entries[slot] ^ value == check:
        return value
    if not cython.compiled:
        found = MoveList()
    generate_side(men, kings, their_men, their_kings, turn, address(found))
    for index in range(found.count):
        following = after(men, kings, their_men, their_kings, turn, found.moves[index])
        total += _hashed(
            following.men,
            following.kings,
            following.their_men,
            following.their_kings,
            turn ^ 1,
            depth - 1,
            entries,
            slot_bits,
        )
    entries[slot] = check ^ total
    entries[slot + 1] = total
    return total


@cython.cclass
class PerftTable:
    """A table of counts that several threads may use at once.

    No lock: each entry is two words, and the first is the check of the position exclusive-or the second.
    Words of two writers do not fit together and are taken for another position's.
    """

    def __init__(self, megabytes: int) -> None:
        """Make an empty table of at most so many megabytes, a power of two of entries; ValueError below 1."""
        if not 1 <= megabytes <= MOST_MEGABYTES:
            raise ValueError(f"{megabytes} MB: accepted are 1 to {MOST_MEGABYTES}")
        self.slot_bits = (megabytes * 1024 * 1024 // ENTRY_BYTES).bit_length() - 1
        self.entries = array("Q", [0, 0]) * (1 << self.slot_bits)

    def count(self, position: Position, depth: int) -> int:
        """Count the move sequences of `depth` plies as `perft` does; ValueError for a negative depth.

        The GIL is released: threads may count different positions at once.
        """
        if depth < 0:
            raise ValueError(f"depth {depth} is negative")
        board: Board = position.board
        plies: cython.int = depth
        slot_bits: cython.int = self.slot_bits
        white: cython.bint = board.turn == WHITE_TURN
        men: cython.ulonglong = board.white_men if white else board.black_men
        kings: cython.ulonglong = board.white_kings if white else board.black_kings
        their_men: cython.ulonglong = board.black_men if white else board.white_men
        their_kings: cython.ulonglong = board.black_kings if white else board.white_kings
        entries: cython.pointer(cython.ulonglong)
        total: cython.ulonglong
        if depth == 0:
            return 1
        if cython.compiled:  # noqa: SIM108  (a pointer, not an object)
            entries = address(self.entries[0])
        else:
            entries = self.entries
        with cython.nogil:
            total = _hashed(men, kings, their_men, their_kings, board.turn, plies, entries, slot_bits)
        return total
