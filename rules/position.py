"""A position: the pieces and the side to move, as Python sees it. The rules behind it are the kernel's."""

import cython

if cython.compiled:
    from cython import address
    from cython.cimports.rules.bitboard import BIT_OF, SQUARE_OF, bits_of, squares_of
    from cython.cimports.rules.board import BLACK_TURN, Board, Step, key, make
    from cython.cimports.rules.move import Move, new_move
    from cython.cimports.rules.movegen import MoveList, can_capture, can_move, generate
else:
    from rules.bitboard import BIT_OF, SQUARE_OF, bits_of, squares_of
    from rules.board import key
    from rules.move import Move, new_move
    from rules.movegen import can_capture, can_move, generate
    from rules.plain import BLACK_TURN, Board, MoveList, Step, address, make

from rules.colour import Colour

NOTHING: tuple = ()
START_MEN = 20


@cython.cclass
class Position:
    """Pieces on squares 1..50 and the side to move; immutable and hashable."""

    def __init__(self) -> None:
        """Set up the start position (FMJD Annex 1, 2.8): black 1-20, white 31-50, white to move."""
        self.board = _board(range(31, 51), (), range(1, START_MEN + 1), (), Colour.WHITE)

    @staticmethod
    def start() -> "Position":
        """Return the start position."""
        return Position()

    @staticmethod
    def of(
        white_men: object = (),
        white_kings: object = (),
        black_men: object = (),
        black_kings: object = (),
        turn: object = Colour.WHITE,
    ) -> "Position":
        """Return a position from squares.

        ValueError names a square out of range, taken twice, a man on the row where it would have been
        crowned, or more than twenty pieces of a side.
        """
        return _wrap(_board(white_men, white_kings, black_men, black_kings, turn))

    @property
    def turn(self) -> Colour:
        """The side to move."""
        return Colour.BLACK if self.board.turn == BLACK_TURN else Colour.WHITE

    @property
    def white_men(self) -> tuple[int, ...]:
        """The squares of the white men, ascending."""
        return squares_of(self.board.white_men)

    @property
    def white_kings(self) -> tuple[int, ...]:
        """The squares of the white kings, ascending."""
        return squares_of(self.board.white_kings)

    @property
    def black_men(self) -> tuple[int, ...]:
        """The squares of the black men, ascending."""
        return squares_of(self.board.black_men)

    @property
    def black_kings(self) -> tuple[int, ...]:
        """The squares of the black kings, ascending."""
        return squares_of(self.board.black_kings)

    @property
    def key(self) -> int:
        """The 64-bit Zobrist key of pieces and side to move."""
        return key(self.board)

    @property
    def must_capture(self) -> bool:
        """Whether the side to move has a capture, which is then compulsory."""
        return bool(can_capture(self.board))

    @property
    def can_move(self) -> bool:
        """Whether the side to move has a legal move; without one it has lost."""
        return bool(can_move(self.board))

    def piece_at(self, square: int) -> str:
        """Return the piece on a square as its Hub letter: w W b B, or e for an empty square."""
        if not 1 <= square <= 50:
            raise ValueError(f"square {square} is not in 1..50")
        one: cython.ulonglong = cython.cast(cython.ulonglong, 1) << BIT_OF[square]
        if self.board.white_men & one:
            return "w"
        if self.board.white_kings & one:
            return "W"
        if self.board.black_men & one:
            return "b"
        return "B" if self.board.black_kings & one else "e"

    def legal_moves(self) -> list[Move]:
        """Return the legal moves ordered by (from, to, captured); without any the side to move has lost."""
        return self.moves_between(0, 0)

    def moves_between(self, from_square: cython.int, to_square: cython.int) -> list[Move]:
        """Return the legal moves from one square to another, in order; 0 stands for any square."""
        found: MoveList
        index: cython.int
        start: cython.int
        end: cython.int
        moves: list = []
        if not cython.compiled:
            found = MoveList()
        generate(self.board, address(found))
        for index in range(found.count):
            start = SQUARE_OF[found.moves[index].from_bit]
            end = SQUARE_OF[found.moves[index].to_bit]
            if (from_square and start != from_square) or (to_square and end != to_square):
                continue
            captured: cython.ulonglong = found.moves[index].captured
            moves.append(new_move(start, end, squares_of(captured) if captured else NOTHING))
        moves.sort()
        return moves

    def is_legal(self, move: Move) -> bool:
        """Tell whether a move is legal here."""
        return move in self.moves_between(move.from_square, move.to_square)

    def make(self, move: Move) -> "Position":
        """Return the position after a legal move (legality is not checked: see `is_legal`, `rules.game`)."""
        step: Step
        if not cython.compiled:
            step = Step()
        step.from_bit = BIT_OF[move.from_square]
        step.to_bit = BIT_OF[move.to_square]
        step.captured = bits_of(move.captured)
        return _wrap(make(self.board, step))

    def rotated(self) -> "Position":
        """Return the same game seen from the other side: board turned by 180 degrees, colours exchanged."""
        return Position.of(
            [51 - square for square in self.black_men],
            [51 - square for square in self.black_kings],
            [51 - square for square in self.white_men],
            [51 - square for square in self.white_kings],
            self.turn.other,
        )

    def __eq__(self, other: object) -> bool:
        """Compare pieces and side to move."""
        if not isinstance(other, Position):
            return NotImplemented
        first: Board = self.board
        second: Board = cython.cast(Position, other).board
        return (
            first.white_men == second.white_men
            and first.white_kings == second.white_kings
            and first.black_men == second.black_men
            and first.black_kings == second.black_kings
            and first.turn == second.turn
        )

    def __hash__(self) -> int:
        """Hash what `__eq__` compares."""
        return hash(key(self.board))

    def __repr__(self) -> str:
        """Return the call that makes this position."""
        return (
            f"Position.of({self.white_men}, {self.white_kings}, {self.black_men}, {self.black_kings},"
            f" {self.turn!s})"
        )

    def __reduce__(self) -> tuple:
        """Pickle as the call that makes this position."""
        return Position.of, (
            self.white_men,
            self.white_kings,
            self.black_men,
            self.black_kings,
            self.turn,
        )


@cython.cfunc
def _wrap(board: Board) -> Position:
    position: Position = Position.__new__(Position)
    position.board = board
    return position


@cython.cfunc
def _board(
    white_men: object, white_kings: object, black_men: object, black_kings: object, turn: object
) -> Board:
    board: Board
    if not cython.compiled:
        board = Board()
    sides = (("white", tuple(white_men), tuple(white_kings)), ("black", tuple(black_men), tuple(black_kings)))
    seen: set = set()
    for name, men, kings in sides:
        if len(men) + len(kings) > START_MEN:
            raise ValueError(f"{name} has {len(men) + len(kings)} pieces: at most {START_MEN} are possible")
        for square in (*men, *kings):
            if not 1 <= square <= 50:
                raise ValueError(f"square {square} is not in 1..50")
            if square in seen:
                raise ValueError(f"square {square} is given twice")
            seen.add(square)
    for square in sides[0][1]:
        if square <= 5:
            raise ValueError(f"white man on {square}: it would have been crowned there")
    for square in sides[1][1]:
        if square >= 46:
            raise ValueError(f"black man on {square}: it would have been crowned there")
    board.white_men = bits_of(sides[0][1])
    board.white_kings = bits_of(sides[0][2])
    board.black_men = bits_of(sides[1][1])
    board.black_kings = bits_of(sides[1][2])
    board.turn = int(turn)
    return board
