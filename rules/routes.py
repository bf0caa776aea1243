"""The ways of a capture over the board: what a written path means, and the path that is written for a move.

A route is the list of the squares where the capturing piece stops: it starts on its square, lands behind each
taken piece, and ends on its end square. A king may have a choice of landing squares; the standard
(rules.md 4) writes the turning square, and where the capture goes straight on the square directly behind the
taken piece.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile

from rules.move import Move
from rules.position import Position

_ROWS = 10
DIRECTIONS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
Direction = tuple[int, int]


def _square(row: int, column: int) -> int:
    """Return the square at a row (0 at the top) and column (0 at the left); 0 when it is off the board."""
    if not (0 <= row < _ROWS and 0 <= column < _ROWS):
        return 0
    return row * 5 + column // 2 + 1


@cache
def ray(square: int, direction: Direction) -> tuple[int, ...]:
    """Return the squares seen from a square in one diagonal direction, the nearest first."""
    row, column = (square - 1) // 5, (square - 1) % 5 * 2
    column += 1 - row % 2
    found: list[int] = []
    while True:
        row, column = row + direction[0], column + direction[1]
        if not (following := _square(row, column)):
            return tuple(found)
        found.append(following)


class Capture:
    """One capture of a position, and its routes.

    Both questions are answered by a search over (square, pieces left to take), every state once: a crowded
    board has more routes than can be walked one by one.
    """

    def __init__(self, position: Position, move: Move) -> None:
        """Take a position and one of its legal captures."""
        self.move = move
        self._king = position.piece_at(move.from_square) in "WB"
        pieces = {*position.white_men, *position.white_kings, *position.black_men, *position.black_kings}
        self._pieces = pieces - {move.from_square}
        self._best = cache(self._smallest)

    def _jumps(self, at: int, left: frozenset[int]) -> Iterator[tuple[Direction, int, tuple[int, ...]]]:
        """Yield each next jump from a square: its direction, the piece taken, the landing squares."""
        for direction in DIRECTIONS:
            squares = ray(at, direction)
            for index, square in enumerate(squares if self._king else squares[:1]):
                if square not in self._pieces:
                    continue
                behind = squares[index + 1 :] if self._king else squares[index + 1 : index + 2]
                landings = tuple(takewhile(lambda landing: landing not in self._pieces, behind))
                if square in left and landings:
                    yield direction, square, landings
                break

    def _smallest(self, at: int, left: frozenset[int], barred: Direction | None) -> tuple[int, ...] | None:
        """Return the smallest list of stops that takes what is left, not starting in the barred direction."""
        if not left:
            return () if at == self.move.to_square else None
        found = None
        for direction, taken, landings in self._jumps(at, left):
            if direction == barred:
                continue
            for landing in landings:
                # Only the first square behind a taken piece may be a stop of a capture that goes straight on.
                rest = self._best(landing, left - {taken}, None if landing == landings[0] else direction)
                if rest is not None and (found is None or (landing, *rest) < found):
                    found = (landing, *rest)
        return found

    def path(self) -> tuple[int, ...]:
        """Return the full path as the standard asks for it.

        Of several routes the smallest is taken, compared square by square: what is written must not depend
        on the way the moves were found.
        """
        stops = self._best(self.move.from_square, frozenset(self.move.captured), None)
        if stops is None:
            raise ValueError(f"{self.move.hub} is no capture of this position")
        return (self.move.from_square, *stops)

    def passes(self, wanted: Sequence[int]) -> bool:
        """Tell whether a route of this capture stops at the wanted squares, in this order, on its way."""

        @cache
        def search(at: int, left: frozenset[int], reached: int) -> bool:
            if not left:
                return at == self.move.to_square and reached == len(wanted)
            return any(
                search(
                    landing,
                    left - {taken},
                    reached + (reached < len(wanted) and len(left) > 1 and wanted[reached] == landing),
                )
                for _, taken, landings in self._jumps(at, left)
                for landing in landings
            )

        return search(self.move.from_square, frozenset(self.move.captured), 0)
