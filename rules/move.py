"""A move: where from, where to, and the set of captured squares.

Two routes with the same three are one move (rules.md 1); the squares passed on the way are not part of it.
"""

import cython


@cython.cclass
class Move:
    """A move between squares 1..50, immutable; `captured` holds the taken squares in ascending order."""

    if not cython.compiled:
        __slots__ = ("captured", "from_square", "to_square")

    def __init__(self, from_square: int, to_square: int, captured: object = ()) -> None:
        """Make a move; `captured` may come in any order. Legality is not checked here."""
        if not (1 <= from_square <= 50 and 1 <= to_square <= 50):
            raise ValueError(f"move {from_square} to {to_square}: squares are 1..50")
        self.from_square = from_square
        self.to_square = to_square
        self.captured = tuple(sorted(captured))

    @property
    def is_capture(self) -> bool:
        """Whether the move takes at least one piece."""
        return bool(self.captured)

    @property
    def hub(self) -> str:
        """The Hub form: 32-28, or 28x19x23 with every captured square, ascending."""
        if not self.captured:
            return f"{self.from_square}-{self.to_square}"
        return "x".join(map(str, (self.from_square, self.to_square, *self.captured)))

    @property
    def short(self) -> str:
        """The short form: 32-28 or 28x19. It may be ambiguous; `rules.notation.format_move` never is."""
        return f"{self.from_square}{'x' if self.captured else '-'}{self.to_square}"

    def __str__(self) -> str:
        """Return the short form."""
        return self.short

    def __repr__(self) -> str:
        """Return the call that makes this move."""
        return f"Move({self.from_square}, {self.to_square}, {self.captured})"

    def __eq__(self, other: object) -> bool:
        """Compare start, end and captured set."""
        if not isinstance(other, Move):
            return NotImplemented
        move: Move = cython.cast(Move, other)
        return (
            self.from_square == move.from_square
            and self.to_square == move.to_square
            and self.captured == move.captured
        )

    def __lt__(self, other: object) -> bool:
        """Order by start, end and captured squares."""
        if not isinstance(other, Move):
            return NotImplemented
        move: Move = cython.cast(Move, other)
        if self.from_square != move.from_square:
            return self.from_square < move.from_square
        if self.to_square != move.to_square:
            return self.to_square < move.to_square
        return self.captured < move.captured

    def __hash__(self) -> int:
        """Hash what `__eq__` compares."""
        return hash((self.from_square, self.to_square, self.captured))

    def __reduce__(self) -> tuple:
        """Pickle as the call that makes this move."""
        return Move, (self.from_square, self.to_square, self.captured)


@cython.cfunc
def new_move(from_square: cython.int, to_square: cython.int, captured: tuple) -> Move:
    """Make a move from values known to be right: captured ascending, squares in range."""
    move: Move = Move.__new__(Move)
    move.from_square = from_square
    move.to_square = to_square
    move.captured = captured
    return move
