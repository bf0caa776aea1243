"""A slow, plain move generator for International draughts, written from the text of the rules alone.

It is a witness to compare others with, made to be read: the board is a string, looked at square by square
along rays, and a capture is a walk over a graph of stops.

Squares are 1..50, square 1 at the top left, White at the bottom. "Rules n" is section n of rules.md, and a
number in brackets, such as (4.11), is the article that section gives.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple, Self, TypeAlias

import attrs

Triple: TypeAlias = tuple[int, int, tuple[int, ...]]
"""From square, to square, captured squares ascending; none are captured in a quiet move (rules 1)."""

EMPTY = "e"
MAN = {"W": "w", "B": "b"}
KING = {"W": "W", "B": "B"}
OPPONENT = {"W": "B", "B": "W"}
FAR_ROW = {"W": range(1, 6), "B": range(46, 51)}
"""By side: the squares where its men are crowned (3.5)."""


def _ray(square: int, row_step: int, column_step: int) -> tuple[int, ...]:
    """Give the squares seen from `square` along one diagonal, nearest first, 0 to 9 of them.

    Row r, counted from the top, holds squares 5r+1 .. 5r+5, on the odd columns if r is even and on the even
    columns if r is odd (rules 2).
    """
    row, place = divmod(square - 1, 5)
    column = 2 * place + (row + 1) % 2
    cells = ((row + n * row_step, column + n * column_step) for n in range(1, 10))
    inside = takewhile(lambda cell: cell[0] in range(10) and cell[1] in range(10), cells)
    return tuple(5 * r + c // 2 + 1 for r, c in inside)


FORWARD = {
    side: {square: (_ray(square, step, -1), _ray(square, step, 1)) for square in range(1, 51)}
    for side, step in (("W", -1), ("B", 1))
}
"""By side and square: the two rays ahead. Those of both sides together are the four diagonals of a square."""
AROUND = {square: FORWARD["W"][square] + FORWARD["B"][square] for square in range(1, 51)}


@attrs.frozen
class Faults:
    """The classical mistakes of rules 2 and 8, as switches: all off is right, each one on is wrong.

    A fault changes the list of moves only: State.after always plays by the right rules.
    """

    remove_at_once: bool = False
    """Captured pieces leave the board during the capture. Right: at its end, until then they block (4.11)."""
    crown_in_passing: bool = False
    """A man that lands on the far row in a capture goes on as a king. Right: it stays a man (4.15)."""
    own_square_blocked: bool = False
    """The square the capturing piece left counts as occupied by a friend. Right: it is empty (rules 1)."""
    no_majority: bool = False
    """Every capture played to its end is a move. Right: only those of the greatest number (4.13)."""
    short_king_landings: bool = False
    """A king lands only on the square directly behind its victim. Right: on any free one there (4.3)."""
    list_limit: int | None = None
    """The sorted list without repeats is cut to so many moves. Right: there is no limit (rules 1)."""
    jump_twice: bool = False
    """A captured piece may be jumped again. Right: never (4.8).

    Jumping again counts for nothing in the majority and is never compulsory, but the move may end with it; to
    turn back over the piece just jumped is possible then. Jumps to and fro could go on for ever, but the walk
    visits each stop once and so ends. Many more stops are within reach: this one may take seconds.
    """


RIGHT = Faults()


@attrs.frozen
class State:
    """A position: the side to move, "W" or "B", and the 50 squares in order, one of e, w, b, W, B each."""

    side: str
    cells: str

    @classmethod
    def from_hub(cls, text: str) -> Self:
        """Read the position text of Hub, 51 characters: side to move, then squares; else ValueError."""
        if re.fullmatch("[WB][ewbWB]{50}", text) is None:
            raise ValueError(f"no Hub position: {text!r}")
        return cls(text[0], text[1:])

    def to_hub(self) -> str:
        """Write the position text of Hub, 51 characters."""
        return self.side + self.cells

    def after(self, move: Triple) -> Self:
        """Play one of the legal moves: only a man that ends on the far row is crowned (3.5)."""
        start, end, taken = move
        cells = list(self.cells)
        piece = cells[start - 1]
        for square in (start, *taken):
            cells[square - 1] = EMPTY
        crowned = piece == MAN[self.side] and end in FAR_ROW[self.side]
        # Placed last: a round trip ends on the square that was just emptied.
        cells[end - 1] = KING[self.side] if crowned else piece
        return attrs.evolve(self, side=OPPONENT[self.side], cells="".join(cells))


class _Stop(NamedTuple):
    """A point of a capture: where the piece stands, what it has taken, whether it moves as a king.

    Nothing else of the route has a say in how it may go on, so routes that meet in a stop go on as one.
    """

    square: int
    taken: frozenset[int]
    king: bool


def legal_moves(state: State, faults: Faults = RIGHT) -> list[Triple]:
    """List the moves of the side to move, ascending; none if blocked or without pieces (7.2.2, 7.2.3)."""
    own = [n for n, piece in enumerate(state.cells, start=1) if piece in (MAN[state.side], KING[state.side])]
    moves = {move for start in own for move in _captures(state, start, faults)}
    if not faults.no_majority:
        # The number alone decides: man and king count one each, and so do they as captors (4.13, 4.14).
        most = max((len(taken) for _, _, taken in moves), default=0)
        moves = {move for move in moves if len(move[2]) == most}
    if not moves:
        # Capturing is compulsory: there are quiet moves only where there is no capture.
        moves = {(start, end, ()) for start in own for end in _steps(state, start)}
    return sorted(moves)[: faults.list_limit]


def _steps(state: State, start: int) -> Iterator[int]:
    """Give the squares a quiet move may end on: a man's next ones ahead, a king's free ones all around."""
    if state.cells[start - 1] == MAN[state.side]:
        rays = [ray[:1] for ray in FORWARD[state.side][start]]
    else:
        rays = list(AROUND[start])
    for ray in rays:
        yield from takewhile(lambda square: state.cells[square - 1] == EMPTY, ray)


def _captures(state: State, start: int, faults: Faults) -> Iterator[Triple]:
    """Give every capture by the piece on `start` that cannot take one more, whatever its number.

    A capture of the greatest number cannot take one more, so none is missing for the majority rule. The same
    triple may come more than once.
    """
    cells = state.cells
    if not faults.own_square_blocked:
        cells = cells[: start - 1] + EMPTY + cells[start:]
    first = _Stop(start, frozenset(), state.cells[start - 1] == KING[state.side])
    found, waiting = {first}, [first]
    while waiting:
        stop = waiting.pop()
        following = set(_jumps(state.side, cells, stop, faults))
        waiting += following - found
        found |= following
        goes_on = any(len(after.taken) > len(stop.taken) for after in following)
        if stop.taken and not goes_on:
            yield start, stop.square, tuple(sorted(stop.taken))


def _jumps(side: str, cells: str, stop: _Stop, faults: Faults) -> Iterator[_Stop]:
    """Give the stops one jump on, over the first piece met on each diagonal; men jump backward too (4.1)."""

    def is_free(square: int) -> bool:
        return cells[square - 1] == EMPTY or (faults.remove_at_once and square in stop.taken)

    for ray in AROUND[stop.square]:
        approach = len(list(takewhile(is_free, ray)))
        beyond = ray[approach + 1 :]
        if not beyond or (approach and not stop.king):
            continue  # nothing to jump, or no room behind it, or too far away for a man
        victim = ray[approach]
        if cells[victim - 1] not in (MAN[OPPONENT[side]], KING[OPPONENT[side]]):
            continue  # own pieces are never jumped (4.7)
        if victim in stop.taken and not faults.jump_twice:
            continue
        landings = list(takewhile(is_free, beyond))
        if faults.short_king_landings or not stop.king:
            landings = landings[:1]
        for square in landings:
            king = stop.king or (faults.crown_in_passing and square in FAR_ROW[side])
            yield _Stop(square, stop.taken | {victim}, king)
