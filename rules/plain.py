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
SINGLE = [1 << bit for bit in range(64)]
DOWN_LEFT, DOWN_RIGHT, UP_LEFT, UP_RIGHT = range(4)

Board = cython.struct(
    white_men=cython.ulonglong,
    white_kings=cython.ulonglong,
    black_men=cython.ulonglong,
    black_kings=cython.ulonglong,
    turn=cython.int,
)
Step = cython.struct(captured=cython.ulonglong, from_bit=cython.int, to_bit=cython.int)
Words = cython.struct(
    men=cython.ulonglong,
    kings=cython.ulonglong,
    their_men=cython.ulonglong,
    their_kings=cython.ulonglong,
)
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


def after(  # noqa: PLR0917
    men: int, kings: int, their_men: int, their_kings: int, turn: int, step: Step
) -> Words:
    """Return the position after a step, seen from the other side."""
    crown = WHITE_CROWN if turn == WHITE_TURN else BLACK_CROWN
    kept = ~step.captured
    if kings & SINGLE[step.from_bit]:
        kings = kings ^ SINGLE[step.from_bit] | SINGLE[step.to_bit]
    else:
        men = men ^ SINGLE[step.from_bit] | SINGLE[step.to_bit]
        men, kings = men & ~crown, kings | men & crown
    return Words(men=their_men & kept, kings=their_kings & kept, their_men=men, their_kings=kings)


def address(value: object) -> object:
    """Return what stands for a pointer to a value: plain Python passes objects by reference."""
    return value
