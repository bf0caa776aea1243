"""What a PDN game holds once it is read, or before it is written."""

import re
from collections.abc import Iterable

import attrs

from rules.colour import Colour
from rules.game import START, DrawRules, Game
from rules.move import Move
from rules.position import Position

POINTS = {
    "2-0": (2, 0),
    "1-1": (1, 1),
    "0-2": (0, 2),
    "0-0": (0, 0),
    "1-0": (2, 0),
    "1/2-1/2": (1, 1),
    "0-1": (0, 2),
}
"""Points of white and black for each result a game can end with: the international form and that of chess."""

_CLOCK = re.compile(r"\[%clock\s+([wW])([\d:.]+)\s+([bB])([\d:.]+)\s*\]")
_CLK = re.compile(r"\[%clk\s+([\d:.]+)\s*\]")
_SECONDS_A_UNIT = 60


@attrs.frozen
class Problem:
    """An error or a warning about a PDN text, and where it stands; line and column count from 1."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        """Return "line 3, column 5: message"."""
        return f"line {self.line}, column {self.column}: {self.message}"


@attrs.frozen
class ClockReading:
    """Seconds left as a comment tells them; None where it does not."""

    white: float | None = None
    black: float | None = None
    running: Colour | None = None
    """The side whose clock runs: the capital letter of %clock."""
    mover: float | None = None
    """The clock of the side that has just moved (%clk)."""


@attrs.define
class Annotation:
    """What stands after a move, or before the first one."""

    comments: list[str] = attrs.field(factory=list)
    """Texts between braces, as they are."""
    marks: list[str] = attrs.field(factory=list)
    """! and ? marks, * (forced) and glyphs such as $7."""
    variations: list["Line"] = attrs.field(factory=list)
    """Other moves instead of the one annotated."""

    @property
    def clock(self) -> ClockReading | None:
        """The clocks that the comments tell (%clock of lidraughts, %clk of PGN), or None."""
        text = " ".join(self.comments)
        try:
            if both := _CLOCK.search(text):
                white, white_time, black, black_time = both.groups()
                running = {(True, False): Colour.WHITE, (False, True): Colour.BLACK}
                return ClockReading(
                    parse_seconds(white_time),
                    parse_seconds(black_time),
                    running.get((white.isupper(), black.isupper())),
                )
            if one := _CLK.search(text):
                return ClockReading(mover=parse_seconds(one[1]))
        except ValueError:
            return None
        return None


def parse_seconds(text: str) -> float:
    """Read h:mm:ss, mm:ss or seconds (ValueError)."""
    seconds = 0.0
    for part in text.split(":"):
        seconds = seconds * _SECONDS_A_UNIT + float(part)
    return seconds


def format_seconds(seconds: float) -> str:
    """Write whole seconds as h:mm:ss, the form of %clk and %clock."""
    minutes, rest = divmod(round(seconds), _SECONDS_A_UNIT)
    hours, minutes = divmod(minutes, _SECONDS_A_UNIT)
    return f"{hours}:{minutes:02}:{rest:02}"


@attrs.define
class Line:
    """Moves from a position, with what is said about them; annotations[0] stands before the first move."""

    start: Position = START
    moves: list[Move] = attrs.field(factory=list)
    annotations: dict[int, Annotation] = attrs.field(factory=dict)

    def annotation(self, ply: int) -> Annotation:
        """Return the annotation after a ply, a new one if there is none yet."""
        return self.annotations.setdefault(ply, Annotation())

    def final(self) -> Position:
        """Return the position after the last move."""
        position = self.start
        for move in self.moves:
            position = position.make(move)
        return position


@attrs.define
class PdnGame:
    """One game of a PDN text; with an error, `line` holds what was read before it."""

    tags: dict[str, str] = attrs.field(factory=dict)
    line: Line = attrs.field(factory=Line)
    end: str | None = None
    """The token that ended the moves: a result or *; None when it is missing."""
    warnings: list[Problem] = attrs.field(factory=list)
    error: Problem | None = None
    first_line: int = 1
    """The line of the text on which the game begins."""

    @classmethod
    def of(
        cls,
        moves: Iterable[Move],
        *,
        tags: dict[str, str] | None = None,
        start: Position = START,
        result: str = "*",
        comments: dict[int, str] | None = None,
    ) -> "PdnGame":
        """Make a game to be written: `comments` by ply, the 0th before the first move."""
        line = Line(start, list(moves))
        for ply, text in (comments or {}).items():
            line.annotation(ply).comments.append(text)
        return cls({**(tags or {}), "Result": result}, line, "*")

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self.line.start

    @property
    def moves(self) -> list[Move]:
        """The moves of the game, without variations."""
        return self.line.moves

    @property
    def result(self) -> str:
        """The end token; the Result tag's value where the token is * or missing; * without either."""
        if self.end is not None and self.end != "*":
            return self.end
        return self.tags.get("Result", "*")

    @property
    def points(self) -> tuple[int, int] | None:
        """White's and black's points; None for *, and for a result in a form that is not known."""
        return POINTS.get(self.result)

    def game(self, draw_rules: DrawRules = "fmjd") -> Game:
        """Return the moves as a game, with its clocks and its outcome."""
        game = Game(self.start, draw_rules)
        for move in self.moves:
            game.push(move)
        return game
