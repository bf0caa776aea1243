"""Position texts in and out: FEN as PDN 3.0 has it, the 51 characters of Hub, and those of DXP.

A reader takes what programs really write (rules.md 6) and refuses the rest with the fault and its column.
What is refused: an unknown side to move, a side that is missing or given twice, a square off the board, used
twice or by both sides, a falling range, a man on its own promotion row, more than 20 pieces of one colour.
A side without pieces is accepted.
"""

import re
from typing import NoReturn

from rules.colour import Colour
from rules.position import Position

SQUARES = 50
PIECES = 20
"""The most pieces that one side has."""
PROMOTION_ROWS = {Colour.WHITE: range(1, 6), Colour.BLACK: range(46, 51)}
"""The squares on which a man of each side is crowned, so that none ever stands there."""

_ITEM = re.compile(r"\s*(K?)\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?", re.IGNORECASE | re.ASCII)
_EXTRA = re.compile(r"\s*[HF]\d+\s*", re.IGNORECASE | re.ASCII)
_COLOURS = {"W": Colour.WHITE, "B": Colour.BLACK}
_SHOWN = 200
"""Characters of a faulty text that an error repeats."""
_HUB_PIECES = "wWbB"
_DXP_PIECES = "wWzZ"


def _shown(text: str) -> str:
    """Quote a text, the beginning of a long one."""
    return repr(text) if len(text) <= _SHOWN else repr(text[:_SHOWN] + "...")


class FenError(ValueError):
    """A text that is no position; `column` (from 1) is where the fault stands."""

    def __init__(self, message: str, text: str, column: int) -> None:
        """Name the fault, its column and the text."""
        super().__init__(f"{message} (column {column} of {_shown(text)})")
        self.message = message
        self.column = column


class _Pieces:
    """The squares of a position while its text is read; every square once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.owners: dict[int, Colour] = {}
        self.kings: set[int] = set()

    def fail(self, message: str, index: int) -> NoReturn:
        raise FenError(message, self.text, index + 1)

    def add(self, square: int, colour: Colour, *, king: bool, index: int) -> None:
        if not 1 <= square <= SQUARES:
            self.fail(f"square {square} is not on the board (1-{SQUARES})", index)
        owner = self.owners.get(square)
        if owner is not None:
            by = "twice" if owner is colour else "by both sides"
            self.fail(f"square {square} is used {by}", index)
        if not king and square in PROMOTION_ROWS[colour]:
            self.fail(f"a {colour.name.lower()} man cannot stand on {square}, where it is crowned", index)
        if sum(other is colour for other in self.owners.values()) == PIECES:
            self.fail(f"{colour.name.lower()} has more than {PIECES} pieces", index)
        self.owners[square] = colour
        if king:
            self.kings.add(square)

    def position(self, turn: Colour) -> Position:
        men: dict[Colour, list[int]] = {Colour.WHITE: [], Colour.BLACK: []}
        kings: dict[Colour, list[int]] = {Colour.WHITE: [], Colour.BLACK: []}
        for square, colour in self.owners.items():
            (kings if square in self.kings else men)[colour].append(square)
        white, black = Colour.WHITE, Colour.BLACK
        return Position.of(men[white], kings[white], men[black], kings[black], turn)


def parse_fen(text: str) -> Position:
    """Read a FEN such as W:W31-50:B1-20 (FenError).

    Colours in either order and letters in either case, ranges, K before a square or a range, leading zeros,
    spaces, a closing dot, the :H and :F fields of lidraughts (their counts are not kept).
    """
    pieces = _Pieces(text)
    body = text.rstrip().removesuffix(".")
    start = len(body) - len(body.lstrip())
    fields = body.split(":")
    turn = _COLOURS.get(fields[0].strip().upper())
    if turn is None:
        pieces.fail("a FEN begins with the side to move, W or B, and a colon", start)
    index = len(fields[0]) + 1
    seen: set[Colour] = set()
    for field in fields[1:]:
        _read_side(pieces, field, index, seen)
        index += len(field) + 1
    for colour in Colour:
        if colour not in seen:
            pieces.fail(f"the {colour.name.lower()} pieces are missing (:{colour.letter}...)", len(body))
    return pieces.position(turn)


def _read_side(pieces: _Pieces, field: str, index: int, seen: set[Colour]) -> None:
    """Read one field after the side to move: a colour letter and its list, or an :H or :F count."""
    body = field.lstrip()
    index += len(field) - len(body)
    colour = _COLOURS.get(body[:1].upper())
    if colour is None:
        if len(seen) == len(Colour) and _EXTRA.fullmatch(body):
            return
        pieces.fail("expected W or B and a list of squares", index)
    if colour in seen:
        pieces.fail(f"the {colour.name.lower()} pieces are given twice", index)
    seen.add(colour)
    index += 1
    items = body[1:]
    if not items.strip():
        return
    for item in items.split(","):
        match = _ITEM.fullmatch(item)
        at = index + len(item) - len(item.lstrip())
        if match is None:
            pieces.fail(f"{_shown(item.strip())} is no square, K and a square, or range of squares", at)
        king, first, last = match.groups()
        squares = range(int(first), int(last or first) + 1)
        if not squares:
            pieces.fail(f"the range {first}-{last} falls", at)
        for square in squares:
            pieces.add(square, colour, king=bool(king), index=at)
        index += len(item) + 1


def format_fen(position: Position) -> str:
    """Write a position as DESIGN.md 7 has it: white first, ascending squares, no ranges, no closing dot."""
    lists = []
    for letter, men, kings in (
        ("W", position.white_men, position.white_kings),
        ("B", position.black_men, position.black_kings),
    ):
        squares = sorted([(square, "") for square in men] + [(square, "K") for square in kings])
        lists.append(letter + ",".join(f"{king}{square}" for square, king in squares))
    return f"{position.turn.letter}:{':'.join(lists)}"


def _parse_letters(text: str, sides: str, letters: str, empty: str) -> Position:
    """Read a side and one letter a square; `letters` are white's man and king, then black's."""
    pieces = _Pieces(text)
    if len(text) != SQUARES + 1:
        pieces.fail(f"a position is a side and {SQUARES} squares, not {len(text)} characters", len(text))
    if text[0] not in sides:
        pieces.fail(f"the side to move is {' or '.join(sides)}, not {text[0]!r}", 0)
    for square, letter in enumerate(text[1:], 1):
        if letter in empty:
            continue
        kind = letters.find(letter)
        if kind < 0:
            pieces.fail(f"{letter!r} is no piece ({letters}{empty})", square)
        pieces.add(square, Colour(kind // 2), king=kind % 2 == 1, index=square)
    return pieces.position(Colour(sides.index(text[0])))


def _format_letters(position: Position, sides: str, letters: str) -> str:
    """Write a side and one letter a square."""
    squares = ["e"] * (SQUARES + 1)
    squares[0] = sides[position.turn]
    groups = (position.white_men, position.white_kings, position.black_men, position.black_kings)
    for letter, group in zip(letters, groups, strict=True):
        for square in group:
            squares[square] = letter
    return "".join(squares)


def parse_hub(text: str) -> Position:
    """Read a Hub position: W or B, then w W b B e for the squares 1 to 50 (FenError)."""
    return _parse_letters(text, "WB", _HUB_PIECES, "e")


def format_hub(position: Position) -> str:
    """Write a Hub position: W or B, then w W b B e for the squares 1 to 50."""
    return _format_letters(position, "WB", _HUB_PIECES)


def parse_dxp(text: str) -> Position:
    """Read the position of a DXP game request: W or Z, then w W z Z e for the squares 1 to 50 (FenError)."""
    return _parse_letters(text, "WZ", _DXP_PIECES, "e")


def format_dxp(position: Position) -> str:
    """Write the position of a DXP game request: W or Z, then w W z Z e for the squares 1 to 50."""
    return _format_letters(position, "WZ", _DXP_PIECES)
