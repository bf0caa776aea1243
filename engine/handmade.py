"""A hand-made evaluation in the form of the learned one, so that the search can be shown without learning.

What it knows is what a draughts player would name: rows and files, support, outposts, men that are blocked or
threatened, the guard at home, runners, kings. NUMBERS has a weight for each such term, in 1/1000 man for the
opening and for the ending. They were set by hand and then moved by games of this evaluation against itself
(docs/evaluation.md tells how), which also corrected some beliefs. No other program's numbers and nothing of
the learned weights went in.

A square and its neighbours lie together in exactly one of the small windows of `engine.weights`, so that
every term about a square between others is counted once, there. `rank` counts a man's rows from its own side
(0 to 9), `file` the files from its left (0 to 9), both from its owner's view.
"""

import cython
from cython.cimports.engine.evaluate import BALANCE, CELLS, KING_SQUARE, WINDOWS
from cython.cimports.engine.evaluate import FIRST_KING as TERMS_BEGIN
from cython.cimports.engine.weights import SINGLES, SMALL_CELLS, SMALL_WINDOWS
from cython.cimports.rules.bitboard import BIT_OF

from engine.weights import PARTS_SIZE

NUMBERS = {
    # The unit. What a man more is worth in the ending is little more.
    "man": (1000, 1060),
    # Rows from home, for men that have left it. With the board full the ranks 2 to 5 rule the middle, and
    # what goes further must be defended; in the ending each row brings a king nearer, the last ones most.
    "rank_1": (4, 25),
    "rank_2": (75, 55),
    "rank_3": (20, 70),
    "rank_4": (65, 85),
    "rank_5": (25, 50),
    "rank_6": (-30, 185),
    "rank_7": (85, 270),
    "rank_8": (190, 490),
    # Files from the left. One file from the edge a man can be exchanged one way only, and blocks the man at
    # the edge; at the edge it has one move, but cannot be taken. The middle reaches both wings.
    "file_0": (-20, 1),
    "file_1": (-85, -70),
    "file_2": (-20, 20),
    "file_3": (12, -20),
    "file_4": (80, -25),
    "file_5": (-2, -14),
    "file_6": (4, -11),
    "file_7": (-30, -30),
    "file_8": (-85, -14),
    "file_9": (30, -8),
    # On the four middle files, ranks 3 to 6.
    "centre": (45, 65),
    # For each own man directly behind: what is exchanged there is taken back.
    "support": (20, 15),
    # Between two own men on a diagonal: nothing can land behind it. With many men on the board it is stiff.
    "column": (-12, 30),
    # Two neighbours on a row: in the ending one goes on with the other beside it.
    "phalanx": (-10, 35),
    # No own man next to it: in the ending a man that runs needs none.
    "alone": (0, 35),
    # Outposts on ranks 5 to 7, with none, one or both of the squares behind filled (the edge counts as
    # filled). Held, they take the other side's room and tie its men down; loose, they are surrounded and
    # lost.
    "loose_5": (-190, -8),
    "half_5": (75, 25),
    "held_5": (65, 55),
    "loose_6": (-175, -35),
    "half_6": (-20, -12),
    "held_6": (35, 85),
    "loose_7": (-145, 30),
    "half_7": (20, -45),
    "held_7": (15, 35),
    # Both squares before it are filled: nothing goes through there. In the ending it lacks the move.
    "blocked": (50, -7),
    # For each of the other side's men directly before it: tied down; and by two of them for good.
    "faced": (-20, -7),
    "locked": (-170, -115),
    # Could be taken if the other side were on move: must be cared for at once.
    "threatened": (-110, -180),
    # For each step to a square where the man that goes there is not taken, up to rank 5 and beyond. Beyond,
    # in the ending, it is a way to a king; with the board full whoever has men to bring on may wait.
    "step": (-25, 1),
    "far_step": (-35, 130),
    # An empty square between two own men on a diagonal: room to play with the board full; in the ending who
    # takes the one man lands before the other.
    "hole": (40, -55),
    # At home on 46, 47, 48, 49, 50 (black: 5, 4, 3, 2, 1). 48, the golden piece, guards two ways to the
    # crowning row from the start on, in the ending with 47; the corner guards nothing.
    "home_1": (13, -30),
    "home_2": (13, 100),
    "home_3": (115, 60),
    "home_4": (6, -20),
    "home_5": (-8, 8),
    # Two neighbours of these squares empty: in the ending a man that comes there is crowned.
    "home_gap": (40, -60),
    # None of the other side's men before it on four files, on ranks 6, 7 and 8: it will be crowned.
    "runner_6": (25, 270),
    "runner_7": (370, 540),
    "runner_8": (480, 1120),
    # For each man more than the other side has, on four files of the four rows before crowning: one gets
    # through.
    "majority": (85, 80),
    # The same one window lower, for men more and for men fewer: a crowd there is spent room.
    "press": (-25, -25),
    "hold": (-50, 15),
    # The first king takes from afar and cannot be kept out; the next ones find less to do. Both are worth
    # more when fewer men are in their way.
    "first_king": (2900, 3500),
    "further_king": (2700, 3000),
    # To be on move: a row further, or a threat answered.
    "move": (45, 95),
    # For each square that a king can go to: safe, or beside a man that would take it there.
    "reach": (35, 8),
    "danger": (10, 6),
    # A king on the line from 46 to 5 reaches most, and three kings do not catch it there.
    "long_diagonal": (0, 60),
    # Men heavier on one wing, for each degree beyond LEAN_FREE: the other wing is run over.
    "lean": (-25, -65),
}
"""The weights, each a pair (opening, ending) in 1/1000 man."""

LEAN_FREE = 2
"""Degrees of lopsidedness that do no harm."""
DEGREES = 16
LONG_LINE = (5, 10, 14, 19, 23, 28, 32, 37, 41, 46)

EMPTY = cython.declare(cython.int, 0)
OWN = cython.declare(cython.int, 1)
OTHER = cython.declare(cython.int, 2)
OFF = cython.declare(cython.int, 3)
WEIGHTS = cython.declare(cython.int[256])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add(sums: cython.p_int, times: cython.int, term: cython.int) -> cython.void:
    """Count a term some times, in both stages."""
    sums[0] += times * WEIGHTS[2 * term]
    sums[1] += times * WEIGHTS[2 * term + 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _man(
    sums: cython.p_int,
    sign: cython.int,
    mine: cython.int,
    rank: cython.int,
    file: cython.int,
    front_left: cython.int,
    front_right: cython.int,
    back_left: cython.int,
    back_right: cython.int,
) -> cython.void:
    """Add what a man is worth beside its four neighbours, as its owner sees them."""
    theirs: cython.int = OTHER if mine == OWN else OWN
    behind: cython.int = (back_left == mine) + (back_right == mine)
    held: cython.int = behind + (back_left == OFF) + (back_right == OFF)
    _add(sums, sign, MAN)
    if rank > 0:
        _add(sums, sign, RANK_1 + rank - 1)
        _add(sums, sign, FILE_0 + file)
    if 3 <= rank <= 6 and 3 <= file <= 6:
        _add(sums, sign, CENTRE)
    if rank == 0:
        _add(sums, sign, HOME_1 + file // 2)
    if (front_left == mine and back_right == mine) or (front_right == mine and back_left == mine):
        _add(sums, sign, COLUMN)
    if rank > 1:
        _add(sums, sign * behind, SUPPORT)
        if behind == 0 and mine not in (front_left, front_right):
            _add(sums, sign, ALONE)
    if 5 <= rank <= 7:
        _add(sums, sign, LOOSE_5 + 3 * (rank - 5) + held)
    if EMPTY not in (front_left, front_right):
        _add(sums, sign, BLOCKED)
    _add(sums, sign * ((front_left == theirs) + (front_right == theirs)), FACED)
    if front_left == theirs and front_right == theirs:
        _add(sums, sign, LOCKED)
    if (
        (front_left == theirs and back_right == EMPTY)
        or (front_right == theirs and back_left == EMPTY)
        or (back_left == theirs and front_right == EMPTY)
        or (back_right == theirs and front_left == EMPTY)
    ):
        _add(sums, sign, THREATENED)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _safe(mine: cython.int, ahead: cython.int, front: cython.int, back: cython.int) -> cython.bint:
    """Return whether a man of `mine` can step onto an empty square without being taken.

    It comes from one of the squares behind, and leaves that one empty: `ahead` is in line with it, `front`
    and `back` are the neighbours on the other diagonal.
    """
    theirs: cython.int = OTHER if mine == OWN else OWN
    return (
        ahead != theirs
        and not (front == theirs and back == EMPTY)
        and not (back == theirs and front == EMPTY)
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _empty(
    sums: cython.p_int,
    sign: cython.int,
    mine: cython.int,
    rank: cython.int,
    front_left: cython.int,
    front_right: cython.int,
    back_left: cython.int,
    back_right: cython.int,
) -> cython.void:
    """Add what an empty square is worth to a side, which sees its four neighbours so."""
    if back_left == mine and _safe(mine, front_right, front_left, back_right):
        _add(sums, sign, FAR_STEP if rank > 5 else STEP)
    if back_right == mine and _safe(mine, front_left, front_right, back_left):
        _add(sums, sign, FAR_STEP if rank > 5 else STEP)
    if front_left == mine and back_right == mine:
        _add(sums, sign, HOLE)
    if front_right == mine and back_left == mine:
        _add(sums, sign, HOLE)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _at(board: cython.p_int, window: cython.int, row: cython.int, column: cython.int) -> cython.int:
    """Return what stands in a row of a small window; columns count from the board's left."""
    if row < 0 or column < 0 or column > 4:
        return OFF
    return board[2 * row + column - window]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _squares(sums: cython.p_int, board: cython.p_int, window: cython.int, first: cython.int) -> cython.void:
    """Add the terms of the squares whose neighbours a small window sees, which begins with row `first`."""
    row: cython.int
    column: cython.int
    left: cython.int
    file: cython.int
    here: cython.int
    for row in range(1 if first else 0, 3):
        here = board[2 * row]
        if here != EMPTY and here == board[2 * row + 1]:
            _add(sums, 1 if here == OWN else -1, PHALANX)
        for column in range(window, window + 2):
            # A square's neighbours have its column and the next one in rows of the first kind, its column and
            # the one before in the others.
            if row % 2 == 0 and column > window and column < 4:
                continue
            if row % 2 == 1 and column == window and column > 0:
                continue
            left = column - row % 2
            file = 2 * column + 1 - row % 2
            here = _at(board, window, row, column)
            up_left: cython.int = _at(board, window, row - 1, left)
            up_right: cython.int = _at(board, window, row - 1, left + 1)
            down_left: cython.int = _at(board, window, row + 1, left)
            down_right: cython.int = _at(board, window, row + 1, left + 1)
            if here == OWN:
                _man(sums, 1, OWN, 9 - first - row, file, up_left, up_right, down_left, down_right)
            elif here == OTHER:
                _man(sums, -1, OTHER, first + row, 9 - file, down_right, down_left, up_right, up_left)
            else:
                _empty(sums, 1, OWN, 9 - first - row, up_left, up_right, down_left, down_right)
                _empty(sums, -1, OTHER, first + row, down_right, down_left, up_right, up_left)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _crowning(sums: cython.p_int, board: cython.p_int, window: cython.int) -> cython.void:
    """Add the terms of the four rows before the crowning row."""
    row: cython.int
    side: cython.int
    guards: cython.int = 0
    more: cython.int = 0
    runners: cython.int[2]
    runners[0] = runners[1] = 0
    if board[0] == EMPTY and board[1] == EMPTY:
        _add(sums, -1, HOME_GAP)
    for row in range(4):
        for side in range(2):
            if board[2 * row + side] == OWN:
                more += 1
                if row and guards == 0:
                    # Two windows see the inner squares, half each.
                    _add(runners, 2 if window + side in (0, 4) else 1, RUNNER_8 + 1 - row)
        guards += (board[2 * row] == OTHER) + (board[2 * row + 1] == OTHER)
    if more > guards:
        _add(sums, more - guards, MAJORITY)
    sums[0] += runners[0] // 2
    sums[1] += runners[1] // 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _middle(sums: cython.p_int, board: cython.p_int) -> cython.void:
    """Add the terms of the rows 2 to 5."""
    i: cython.int
    more: cython.int = 0
    for i in range(8):
        more += (board[i] == OWN) - (board[i] == OTHER)
    if more > 0:
        _add(sums, more, PRESS)
    else:
        _add(sums, more, HOLD)


def handmade(numbers: object = NUMBERS) -> bytearray:
    """Return the unfolded weights (see `engine.weights`) that a set of NUMBERS stands for."""
    parts = bytearray(2 * PARTS_SIZE)
    into: cython.short[::1] = memoryview(parts).cast("h")
    start: cython.Py_ssize_t = 2 * WINDOWS * CELLS
    window: cython.int
    half: cython.int
    cell: cython.int
    rest: cython.int
    i: cython.int
    stage: cython.int
    term: cython.int
    board: cython.int[8]
    sums: cython.int[2]
    for i, pair in enumerate(numbers.values()):
        WEIGHTS[2 * i], WEIGHTS[2 * i + 1] = pair
    for window in range(WINDOWS):
        for half in range(SMALL_WINDOWS):
            for cell in range(SMALL_CELLS):
                rest = cell
                for i in range(8):
                    board[i] = rest % 3
                    rest //= 3
                sums[0] = sums[1] = 0
                _squares(sums, board, window, 2 * half)
                if half == 0:
                    _crowning(sums, board, window)
                else:
                    _middle(sums, board)
                into[start + 2 * cell] = cython.cast(cython.short, sums[0])
                into[start + 2 * cell + 1] = cython.cast(cython.short, sums[1])
            start += 2 * SMALL_CELLS
    start += 2 * WINDOWS * SINGLES
    for stage in range(2):
        # Five terms stand there in the same order: first and further king, move, safe and attacked squares.
        for i in range(5):
            into[start + 2 * i + stage] = WEIGHTS[2 * (FIRST_KING + i) + stage]
        for i in range(LEAN_FREE, DEGREES):
            term = BALANCE - TERMS_BEGIN + i
            into[start + 2 * term + stage] = (i - LEAN_FREE) * WEIGHTS[2 * LEAN + stage]
        for square in LONG_LINE:
            term = KING_SQUARE - TERMS_BEGIN + BIT_OF[cython.cast(cython.int, square)]
            into[start + 2 * term + stage] = WEIGHTS[2 * LONG_DIAGONAL + stage]
    return parts
