"""A position as four bitboards and the side to move: made by value, only ever built new.

The C face of the rules for the search; `rules.position` is its Python face.
"""

import cython

if cython.compiled:
    from cython.cimports.rules.bitboard import lowest
else:
    from rules.plain import BLACK_CROWN, BLACK_TURN, WHITE_CROWN, WHITE_TURN, Board, Step, lowest, make  # noqa: F401 - for importers

ONE = cython.declare(cython.ulonglong, 1)

# Zobrist numbers: [kind * 64 + bit], kinds in the order of the fields of Board.
ZOBRIST = cython.declare(cython.ulonglong[256])
BLACK_KEY = cython.declare(cython.ulonglong, 0x9E6C63D0876A9A47)


def _fill() -> None:
    """Fill the Zobrist table by splitmix64 from a fixed seed: keys are the same in every process."""
    mask: object = (1 << 64) - 1
    state: object = 0x426F6E6E617264
    for index in range(256):
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        ZOBRIST[index] = mixed ^ (mixed >> 31)


_fill()


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _key_of(bits: cython.ulonglong, kind: cython.int) -> cython.ulonglong:
    total: cython.ulonglong = 0
    while bits:
        total ^= ZOBRIST[kind * 64 + lowest(bits)]
        bits &= bits - 1
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def key(board: Board) -> cython.ulonglong:
    """Return the Zobrist key of pieces and side to move, computed from nothing."""
    total: cython.ulonglong = _key_of(board.white_men, 0) ^ _key_of(board.white_kings, 1)
    total ^= _key_of(board.black_men, 2) ^ _key_of(board.black_kings, 3)
    return total ^ BLACK_KEY if board.turn == BLACK_TURN else total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def key_after(before: cython.ulonglong, board: Board, step: Step) -> cython.ulonglong:
    """Return the key after `step`, from the key and the board before it."""
    origin: cython.ulonglong = ONE << step.from_bit
    target: cython.ulonglong = ONE << step.to_bit
    total: cython.ulonglong = before ^ BLACK_KEY
    kings: cython.ulonglong
    crown: cython.ulonglong
    taken: cython.ulonglong = step.captured
    own: cython.int
    their: cython.int
    if board.turn == WHITE_TURN:
        own, their, kings, crown = 0, 128, board.white_kings, WHITE_CROWN
    else:
        own, their, kings, crown = 128, 0, board.black_kings, BLACK_CROWN
    if kings & origin:
        total ^= ZOBRIST[own + 64 + step.from_bit] ^ ZOBRIST[own + 64 + step.to_bit]
    elif target & crown:
        total ^= ZOBRIST[own + step.from_bit] ^ ZOBRIST[own + 64 + step.to_bit]
    else:
        total ^= ZOBRIST[own + step.from_bit] ^ ZOBRIST[own + step.to_bit]
    kings = board.black_kings if board.turn == WHITE_TURN else board.white_kings
    while taken:
        total ^= ZOBRIST[their + lowest(taken) + (64 if kings & taken & (~taken + 1) else 0)]
        taken &= taken - 1
    return total
