"""Move texts: short, full path, Hub and DXP. Reading takes whatever has one meaning; writing is exact.

Forms (rules.md 4): 32-28, 28x19; a full or partial path 47x38x24x13x36; the Hub form 28x19x23, whose further
squares are those of the taken pieces. A path square is empty and a taken square holds an enemy piece, which
tells the two apart.
"""

import re

import attrs

from rules.fen import SQUARES
from rules.move import Move
from rules.position import Position
from rules.routes import Capture

LONGEST_TEXT = 200
"""Characters of a move text: the longest path, with blanks, is far shorter."""
_SHOWN = 40
_MOVE = re.compile(r"\d{1,3}(?:\s*[-xX:]\s*\d{1,3})+", re.ASCII)
_GLUED = re.compile(r"\d{4}", re.ASCII)
_MARKS = re.compile(r"[!?*()\s]*\Z")
_NUMBER = re.compile(r"\d+")
_HUB = re.compile(r"\d{1,2}(?:-\d{1,2}|(?:x\d{1,2}){2,21})", re.ASCII)
_DXP = re.compile(r"(\d\d)(\d\d)(\d\d)((?:\d\d)*)", re.ASCII)


class MoveTextError(ValueError):
    """A text that is no legal move of the position."""


class AmbiguousMoveError(MoveTextError):
    """A text that fits several legal moves; `candidates` holds them, the message lists their full paths."""

    def __init__(self, text: str, position: Position, candidates: list[Move]) -> None:
        """Name the text and what it may mean."""
        self.candidates = tuple(candidates)
        names = ", ".join(format_move(move, position) for move in candidates)
        super().__init__(f"{text} is ambiguous: {names}")


@attrs.frozen
class Reading:
    """What a move text means, and what is unusual about the text."""

    move: Move
    note: str | None = None
    """Why the text is not as the standard writes it; None when it is."""


def parse_move(text: str, position: Position) -> Move:
    """Read a move of the position (MoveTextError; AmbiguousMoveError lists the candidates).

    Besides the forms of the module: any of - x : as separator, spaces around it, leading zeros, four digits
    without a separator, closing marks such as ! or (?).
    """
    return read_move(text, position).move


def read_move(text: str, position: Position) -> Reading:
    """Read a move as `parse_move` does and tell what was unusual about the text."""
    if len(text) > LONGEST_TEXT:
        raise MoveTextError(f"{text[:_SHOWN]!r}... is no move: it has {len(text)} characters")
    body = _MARKS.sub("", text.strip())
    glued = _GLUED.fullmatch(body)
    if glued:
        squares = [int(body[:2]), int(body[2:])]
    elif _MOVE.fullmatch(body):
        squares = [int(number) for number in _NUMBER.findall(body)]
    else:
        raise MoveTextError(f"{text!r} is no move; accepted are 32-28, 28x19, a path 47x38x24x36, 28x19x23")
    for square in squares:
        if not 1 <= square <= SQUARES:
            raise MoveTextError(f"{body}: square {square} is not on the board (1-{SQUARES})")
    candidates = _candidates(squares, position)
    if not candidates:
        raise MoveTextError(_refusal(body, squares, position))
    if len(candidates) > 1:
        raise AmbiguousMoveError(body, position, candidates)
    return Reading(candidates[0], _note(body, candidates[0], glued=glued is not None))


def _candidates(squares: list[int], position: Position) -> list[Move]:
    """Return the legal moves that a list of squares fits: a path, or from, to and taken pieces."""
    start, second, *further = squares
    if not further:
        return position.moves_between(start, second)
    enemies = "bB" if position.turn.letter == "W" else "wW"
    if all(position.piece_at(square) in enemies for square in further):
        taken = set(further)
        moves = position.moves_between(start, second)
        exact = [move for move in moves if taken == set(move.captured)]
        return exact or [move for move in moves if taken < set(move.captured)]
    moves = position.moves_between(start, squares[-1])
    return [move for move in moves if move.is_capture and Capture(position, move).passes(squares[1:-1])]


def _refusal(body: str, squares: list[int], position: Position) -> str:
    """Say why no legal move fits."""
    colour = position.turn
    own = "wW" if colour.letter == "W" else "bB"
    if position.piece_at(squares[0]) not in own:
        return f"{body} is illegal: no {colour.name.lower()} piece stands on {squares[0]}"
    if position.must_capture and not any(move.from_square == squares[0] for move in position.legal_moves()):
        return f"{body} is illegal: {colour.name.lower()} must capture the most pieces, with another piece"
    if position.must_capture:
        return f"{body} is illegal: {colour.name.lower()} must capture the most pieces"
    return f"{body} is illegal"


def _note(body: str, move: Move, *, glued: bool) -> str | None:
    """Say what is unusual about a move's text."""
    if glued:
        return f"{body} is a move without a separator, {move.short}"
    if any(sign in body for sign in "x:X") and not move.is_capture:
        return f"{body} is a quiet move written with a capture sign"
    if "-" in body and move.is_capture:
        return f"{body} is a capture written with a hyphen"
    return None


def format_move(move: Move, position: Position) -> str:
    """Write a legal move: short, and the full path exactly where the short form fits another move too."""
    if not move.captured or len(position.moves_between(move.from_square, move.to_square)) < 2:  # noqa: PLR2004
        return move.short
    return format_path(move, position)


def format_path(move: Move, position: Position) -> str:
    """Write a legal capture with its full path, whether that is needed or not; a quiet move as 32-28."""
    if not move.captured:
        return move.short
    return "x".join(map(str, Capture(position, move).path()))


def hub_move(text: str, position: Position) -> Move:
    """Read the Hub form exactly: all taken squares, each once, in any order (MoveTextError)."""
    if not _HUB.fullmatch(text):
        raise MoveTextError(
            f"{text!r} is no Hub move; accepted are 32-28 and 28x19x23 with every taken square"
        )
    start, end, *taken = [int(number) for number in _NUMBER.findall(text)]
    return _exact(text, start, end, taken, position)


def format_dxp_move(move: Move) -> str:
    """Write a move as DXP has it after the time field: from, to, number taken, taken squares."""
    numbers = (move.from_square, move.to_square, len(move.captured), *move.captured)
    return "".join(f"{number:02}" for number in numbers)


def parse_dxp_move(text: str, position: Position) -> Move:
    """Read a DXP move after its time field; the taken squares may come in any order (MoveTextError)."""
    match = _DXP.fullmatch(text)
    if not match or len(match[4]) != 2 * int(match[3]):
        raise MoveTextError(
            f"{text!r} is no DXP move: two digits each for from, to, number and taken squares"
        )
    taken = [int(match[4][index : index + 2]) for index in range(0, len(match[4]), 2)]
    return _exact(text, int(match[1]), int(match[2]), taken, position)


def _exact(text: str, start: int, end: int, taken: list[int], position: Position) -> Move:
    """Return the legal move with just this start, end and taken pieces."""
    if 1 <= start <= SQUARES and 1 <= end <= SQUARES:
        move = Move(start, end, taken)
        if len(set(taken)) == len(taken) and position.is_legal(move):
            return move
    raise MoveTextError(f"{text} is no legal move of this position")
