"""A game: its moves, who won and why, and the draw rules with their clocks.

Draw rules (FMJD Annex 1, article 6; rules.md 3 and 10): the third occurrence of a position; 25 moves each
of kings only; 16 moves each with three pieces, a king among them, against a lone king; 5 moves each with two
pieces and a king, or one king, against a lone king. The last two are independent clocks: each starts when its
material is first on the board (the move that brings it about is not counted), runs through captures and man
moves, and is dropped when the material is in neither class. "long-diagonal" adds 5 moves each for three
pieces against a lone king that is the only piece on the diagonal 5-46.
A side without a move has lost before any draw counts.
"""

from enum import StrEnum
from typing import Literal, NamedTuple

import attrs

from rules.colour import Colour
from rules.move import Move
from rules.notation import MoveTextError, parse_move
from rules.position import Position

DrawRules = Literal["fmjd", "long-diagonal"]
DRAW_RULES: tuple[DrawRules, ...] = ("fmjd", "long-diagonal")
LONG_DIAGONAL = frozenset((5, 10, 14, 19, 23, 28, 32, 37, 41, 46))
"""The squares of the diagonal from 5 to 46."""
_THIRD = 3
_BEFORE_A_THIRD = 8
"""Plies of kings that the third occurrence of a position takes."""
_MOST_IN_A_CLASS = 4
_FIVE, _SIXTEEN = 3, 4


class Reason(StrEnum):
    """Why a game ended; the values are stored and written to PDN."""

    NO_MOVE = "no move"
    RESIGN = "resign"
    REPETITION = "repetition"
    TWENTY_FIVE_MOVES = "25-move"
    SIXTEEN_MOVES = "16-move"
    FIVE_MOVES = "5-move"
    LONG_DIAGONAL = "long-diagonal"
    AGREEMENT = "agreement"
    MOVE_LIMIT = "move limit"
    ADJUDICATION_BITBASE = "adjudication bitbase"
    ADJUDICATION_SCORE = "adjudication score"
    TIME = "time"
    ILLEGAL_MOVE = "illegal move"
    PROTOCOL_FAULT = "protocol fault"
    CRASH = "crash"
    DISCONNECT = "disconnect"
    STALL = "stall"
    ABORTED = "aborted"


DRAW_LIMITS = {
    Reason.TWENTY_FIVE_MOVES: 50,
    Reason.SIXTEEN_MOVES: 32,
    Reason.FIVE_MOVES: 10,
    Reason.LONG_DIAGONAL: 10,
}
"""Plies that each draw clock allows."""


@attrs.frozen
class Outcome:
    """How a game ended: the winner, None in a draw or without a result, and the reason."""

    winner: Colour | None
    reason: Reason

    @property
    def result(self) -> str:
        """The result as PDN writes it: 2-0, 0-2, 1-1, or * for an aborted game."""
        if self.winner is not None:
            return "2-0" if self.winner is Colour.WHITE else "0-2"
        return "*" if self.reason is Reason.ABORTED else "1-1"


class IllegalMoveError(MoveTextError):
    """A move that is not legal in the position of the game."""


def _lone_king_class(position: Position) -> int:
    """Return 3 or 4, the pieces of a class with a clock (two or three against one king), or 0."""
    white = (len(position.white_men), len(position.white_kings))
    black = (len(position.black_men), len(position.black_kings))
    for lone, (men, kings) in ((white, black), (black, white)):
        if lone == (0, 1) and kings and men + kings < _MOST_IN_A_CLASS:
            return _SIXTEEN if men + kings == _SIXTEEN - 1 else _FIVE
    return 0


def _holds_diagonal(position: Position) -> bool:
    """Tell whether the only piece on the long diagonal is the only piece of its side, a king."""
    white = (*position.white_men, *position.white_kings)
    black = (*position.black_men, *position.black_kings)
    standing = [square for square in (*white, *black) if square in LONG_DIAGONAL]
    if len(standing) != 1:
        return False
    sides = ((white, position.white_kings), (black, position.black_kings))
    return any(len(side) == 1 and tuple(kings) == tuple(standing) for side, kings in sides)


class _Counts(NamedTuple):
    """Plies that each clock has run when a position stands; None while it does not run."""

    pieces: int
    kings_only: int = 0
    sixteen: int | None = None
    five: int | None = None
    diagonal: int | None = None

    def after(self, taken: int, *, king_move: bool, position: Position) -> "_Counts":
        """Return the counts after a move that took so many pieces and led to `position`."""
        pieces = self.pieces - taken
        kings_only = self.kings_only + 1 if king_move and not taken else 0
        if pieces > _MOST_IN_A_CLASS:
            # Most moves of a game change nothing here: no new counts, a third of the time of a push.
            return _Counts(pieces, kings_only) if taken or kings_only != self.kings_only else self
        material = _lone_king_class(position)
        if not material:
            return _Counts(pieces, kings_only)
        return _Counts(
            pieces,
            kings_only,
            _run(self.sixteen, starts=material == _SIXTEEN),
            _run(self.five, starts=material == _FIVE),
            _run(self.diagonal, starts=True) if material == _SIXTEEN and _holds_diagonal(position) else None,
        )


def _run(plies: int | None, *, starts: bool) -> int | None:
    """Return a clock one ply later: a running one goes on, another starts at zero if it may."""
    if plies is None:
        return 0 if starts else None
    return plies + 1


def _first_counts(position: Position) -> _Counts:
    """Return the counts of a start position: its class of material runs from here."""
    groups = (position.white_men, position.white_kings, position.black_men, position.black_kings)
    return _Counts(sum(map(len, groups))).after(0, king_move=False, position=position)


class Game:
    """Moves played from a start position; push and pop cost the same at any length.

    A game can go on after a rule has ended it (records do): whoever runs it asks `outcome` after each move.
    """

    __slots__ = ("_counts", "_legal", "_moves", "_positions", "draw_rules")

    def __init__(self, start: Position | None = None, draw_rules: DrawRules = "fmjd") -> None:
        """Begin at `start`, by default the start position. ValueError for unknown draw rules."""
        if draw_rules not in DRAW_RULES:
            raise ValueError(f"draw rules {draw_rules!r}: accepted are {' and '.join(DRAW_RULES)}")
        position = START if start is None else start
        self.draw_rules: DrawRules = draw_rules
        self._positions = [position]
        self._moves: list[Move] = []
        self._counts = [_START_COUNTS if start is None else _first_counts(position)]
        self._legal: list[Move] | None = None

    @property
    def start(self) -> Position:
        """The position the game began with."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position on the board now."""
        return self._positions[-1]

    @property
    def turn(self) -> Colour:
        """The side to move now."""
        return self._positions[-1].turn

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played."""
        return tuple(self._moves)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions since the last man move or capture, the present one last: those that can repeat."""
        return tuple(self._positions[-self._counts[-1].kings_only - 1 :])

    @property
    def quiet_moves(self) -> tuple[Move, ...]:
        """The moves since the last man move or capture: they lead from `positions[0]` to the present one."""
        return tuple(self._moves[len(self._moves) - self._counts[-1].kings_only :])

    def __len__(self) -> int:
        """Return the number of plies played."""
        return len(self._moves)

    def __bool__(self) -> bool:
        """Return True: a game without moves is a game, and `game or other` must not pass it over."""
        return True

    def legal_moves(self) -> list[Move]:
        """Return the legal moves now, ordered by from, to and captured squares; do not change the list."""
        if self._legal is None:
            self._legal = self._positions[-1].legal_moves()
        return self._legal

    def push(self, move: Move) -> None:
        """Play a move (IllegalMoveError; the game is unchanged then)."""
        position = self._positions[-1]
        legal = position.is_legal(move) if self._legal is None else move in self._legal
        if not legal:
            raise IllegalMoveError(f"{move.hub} is illegal at ply {len(self._moves) + 1}")
        following = position.make(move)
        king_move = position.piece_at(move.from_square) in "WB"
        self._counts.append(
            self._counts[-1].after(len(move.captured), king_move=king_move, position=following)
        )
        self._positions.append(following)
        self._moves.append(move)
        self._legal = None

    def play(self, text: str) -> Move:
        """Read a move in any notation and play it (MoveTextError); return it."""
        move = parse_move(text, self._positions[-1])
        self.push(move)
        return move

    def pop(self) -> Move:
        """Take the last move back and return it. IndexError when none was played."""
        move = self._moves.pop()
        self._positions.pop()
        self._counts.pop()
        self._legal = None
        return move

    def copy(self) -> "Game":
        """Return an independent game with the same start, moves and draw rules."""
        twin = Game(self.start, self.draw_rules)
        twin._positions = self._positions.copy()
        twin._moves = self._moves.copy()
        twin._counts = self._counts.copy()
        return twin

    @property
    def repetitions(self) -> int:
        """How often the present position has stood with the same side to move, this time included."""
        count = self._counts[-1].kings_only
        return self._positions[len(self._positions) - 1 - count :][::-2].count(self._positions[-1])

    def draw_clocks(self) -> dict[Reason, int]:
        """Return the plies left on each draw clock that runs; at 0 the game is drawn."""
        counts = self._counts[-1]
        run = {
            Reason.TWENTY_FIVE_MOVES: counts.kings_only or None,
            Reason.SIXTEEN_MOVES: counts.sixteen,
            Reason.FIVE_MOVES: counts.five,
            Reason.LONG_DIAGONAL: counts.diagonal if self.draw_rules == "long-diagonal" else None,
        }
        return {
            reason: max(0, DRAW_LIMITS[reason] - plies) for reason, plies in run.items() if plies is not None
        }

    def draws(self) -> tuple[Reason, ...]:
        """Return every draw rule that holds now, repetition first; a lost position is not looked at."""
        repetition = (Reason.REPETITION,) if self.repetitions >= _THIRD else ()
        return repetition + tuple(reason for reason, left in self.draw_clocks().items() if not left)

    def outcome(self) -> Outcome | None:
        """Return how the rules end the game now, or None: a side without a move first, then the draws."""
        position = self._positions[-1]
        if not position.can_move:
            return Outcome(position.turn.other, Reason.NO_MOVE)
        counts = self._counts[-1]
        if counts.kings_only < _BEFORE_A_THIRD and counts.sixteen is None and counts.five is None:
            return None
        draws = self.draws()
        return Outcome(None, draws[0]) if draws else None


START = Position.start()
"""The start position."""
_START_COUNTS = _first_counts(START)
