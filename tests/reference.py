"""A slow, plain move generator written from rules.md 1 and 2 alone; the fast one is compared with it.

It walks every route of every capture over a 10x10 board, then keeps the longest. It shares nothing with the
kernels: no bitboards, no square arithmetic, no code. Each switch of `Faults` makes one classical mistake; the
tests must see every one of them (rules.md 8).
"""

from collections.abc import Iterator

import attrs

WHITE, BLACK = "W", "B"
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
Cell = tuple[int, int]
Triple = tuple[int, int, tuple[int, ...]]


@attrs.frozen
class Faults:
    """Mistakes to make on purpose."""

    remove_at_once: bool = False
    crown_in_passing: bool = False
    own_square_blocked: bool = False
    no_majority: bool = False
    short_king_landings: bool = False
    list_limit: int | None = None
    jump_twice: bool = False
    """A taken piece may be jumped again (and counts once); the route may end anywhere, or it never would."""


RIGHT = Faults()


def cell(square: int) -> Cell:
    """Return the row and column of a square: five dark squares a row, square 1 in the second column."""
    row, place = divmod(square - 1, 5)
    return row, 2 * place + (1 if row % 2 == 0 else 0)


def square(at: Cell) -> int:
    """Return the square of a row and column."""
    return at[0] * 5 + at[1] // 2 + 1


def on_board(at: Cell) -> bool:
    """Tell whether a row and column are on the board."""
    return 0 <= at[0] <= 9 and 0 <= at[1] <= 9


@attrs.frozen
class State:
    """Pieces by cell ("w", "W", "b", "B"; capitals are kings) and the side to move."""

    pieces: dict[Cell, str]
    turn: str

    @classmethod
    def from_hub(cls, text: str) -> "State":
        """Read a Hub position."""
        pieces = {cell(number): letter for number, letter in enumerate(text[1:], 1) if letter != "e"}
        return cls(pieces, text[0])

    def to_hub(self) -> str:
        """Write a Hub position."""
        return self.turn + "".join(self.pieces.get(cell(number), "e") for number in range(1, 51))

    def after(self, move: Triple) -> "State":
        """Return the state after a move: captured pieces go, a man that ends on the far row is crowned."""
        start, end, captured = move
        pieces = dict(self.pieces)
        piece = pieces.pop(cell(start))
        for taken in captured:
            del pieces[cell(taken)]
        if cell(end)[0] == (0 if self.turn == WHITE else 9):
            piece = piece.upper()
        pieces[cell(end)] = piece
        return State(pieces, BLACK if self.turn == WHITE else WHITE)


def legal_moves(state: State, faults: Faults = RIGHT) -> list[Triple]:
    """Return the legal moves as (from, to, captured), ascending."""
    own = [at for at, piece in state.pieces.items() if piece.upper() == state.turn]
    captures = {triple for at in own for triple in _captures(state, at, faults)}
    if captures:
        most = max(len(captured) for _, _, captured in captures)
        moves = [move for move in captures if len(move[2]) == most or faults.no_majority]
    else:
        moves = [(square(at), square(to), ()) for at in own for to in _steps(state, at)]
    return sorted(moves)[: faults.list_limit]


def _steps(state: State, at: Cell) -> Iterator[Cell]:
    """Yield where a piece can go without capturing."""
    piece = state.pieces[at]
    forward = -1 if state.turn == WHITE else 1
    for down, right in DIAGONALS:
        if piece in "wb" and down != forward:
            continue
        to = at[0] + down, at[1] + right
        while on_board(to) and to not in state.pieces:
            yield to
            if piece in "wb":
                break
            to = to[0] + down, to[1] + right


def _captures(state: State, start: Cell, faults: Faults) -> Iterator[Triple]:
    """Yield the captures of one piece that cannot go on, every (end, captured set) once."""
    board = dict(state.pieces)
    piece = board[start]
    if not faults.own_square_blocked:
        del board[start]  # the piece has left its square
    seen = set()
    waiting: list[tuple[Cell, frozenset[Cell], str]] = [(start, frozenset(), piece)]
    while waiting:
        now = waiting.pop()
        if now in seen:
            continue
        seen.add(now)
        at, taken, piece = now
        jumps = list(_jumps(board, state.turn, now, faults))
        for to, victim in jumps:
            crowned = faults.crown_in_passing and to[0] == (0 if state.turn == WHITE else 9)
            waiting.append((to, taken | {victim}, piece.upper() if crowned else piece))
        if taken and (faults.jump_twice or not jumps):
            yield square(start), square(at), tuple(sorted(map(square, taken)))


def _jumps(
    board: dict[Cell, str], turn: str, now: tuple[Cell, frozenset[Cell], str], faults: Faults
) -> Iterator[tuple[Cell, Cell]]:
    """Yield the landing cell and the victim of each jump."""
    at, taken, piece = now
    for down, right in DIAGONALS:

        def beyond(place: Cell, down: int = down, right: int = right) -> Cell:
            return place[0] + down, place[1] + right

        def empty(place: Cell) -> bool:
            return on_board(place) and (place not in board or (faults.remove_at_once and place in taken))

        victim = beyond(at)
        while piece in "WB" and empty(victim):
            victim = beyond(victim)
        if not on_board(victim) or victim not in board or board[victim].upper() == turn:
            continue
        if victim in taken and (faults.remove_at_once or not faults.jump_twice):
            continue
        landing = beyond(victim)
        while empty(landing):
            yield landing, victim
            if piece in "wb" or faults.short_king_landings:
                break
            landing = beyond(landing)
