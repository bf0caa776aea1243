"""The C types of the kernels as plain Python has them: used only where the kernels run uncompiled."""

from collections import defaultdict

import cython

WHITE_TURN, BLACK_TURN = 0, 1
MOST_MOVES = 1024
SEEN_SIZE = 512
SQUARES = sum(0x7DF << 13 * pair for pair in range(5))
GUARD = 1 << 63
WHITE_CROWN = 0x1F
BLACK_CROWN = 0x1F << 58

Board = cython.struct(
    white_men=cython.ulonglong,
    white_kings=cython.ulonglong,
    black_men=cython.ulonglong,
    black_kings=cython.ulonglong,
    turn=cython.int,
)
Step = cython.struct(captured=cython.ulonglong, from_bit=cython.int, to_bit=cython.int)
Seen = cython.struct(captured=cython.ulonglong, at=cython.int)


class MoveList:
    """A list of legal moves; the entries come into being as they are used."""

    def __init__(self) -> None:
        """Make an empty list."""
        self.count = 0
        self.captures = 0
        self.moves = defaultdict(Step)


class Strike:
    """The search state of one capturing piece."""

    def __init__(self) -> None:
        """Make a state whose fields the generator fills."""
        self.seen = defaultdict(Seen)


def popcount(bits: int) -> int:
    """Count the ones."""
    return bits.bit_count()


def lowest(bits: int) -> int:
    """Return the index of the lowest one."""
    return (bits & -bits).bit_length() - 1


def highest(bits: int) -> int:
    """Return the index of the highest one."""
    return bits.bit_length() - 1


def occupied(board: Board) -> int:
    """Return all pieces of a board."""
    return board.white_men | board.white_kings | board.black_men | board.black_kings


def make(board: Board, step: Step) -> Board:
    """Return the board after a legal move."""
    own, their = ("white", "black") if board.turn == WHITE_TURN else ("black", "white")
    crown = WHITE_CROWN if board.turn == WHITE_TURN else BLACK_CROWN
    origin, target = 1 << step.from_bit, 1 << step.to_bit
    king = bool(getattr(board, own + "_kings") & origin or target & crown)
    return Board(
        **{
            own + "_men": getattr(board, own + "_men") & ~origin | (0 if king else target),
            own + "_kings": getattr(board, own + "_kings") & ~origin | (target if king else 0),
            their + "_men": getattr(board, their + "_men") & ~step.captured,
            their + "_kings": getattr(board, their + "_kings") & ~step.captured,
            "turn": BLACK_TURN if board.turn == WHITE_TURN else WHITE_TURN,
        }
    )


def address(value: object) -> object:
    """Return what stands for a pointer to a value: plain Python passes objects by reference."""
    return value
