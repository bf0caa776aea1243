"""The game that a PDN reader is in: when it begins and ends, where its moves go, what was wrong with it."""

import re

import attrs

from rules.fen import FenError, parse_fen
from rules.game import START
from rules.pdn_game import POINTS, Line, PdnGame, Problem
from rules.pdn_text import PdnText
from rules.position import Position

LONGEST_GAME = 1 << 24
"""Characters of a game: more is an error, so that no file fills the memory."""
MOST_WARNINGS = 50
"""Warnings kept for a game."""
Where = int | tuple[int, int]
"""An offset in the window, or a line and column."""


@attrs.define
class Place:
    """Where moves go: a line, the position at its end and the one before its last move."""

    line: Line
    position: Position
    before: Position
    live: bool
    """Whether moves are taken: not in the header, and not after an error."""

    @classmethod
    def at(cls, position: Position, *, live: bool) -> "Place":
        """Return a new line of moves from a position."""
        return cls(Line(position), position, position, live)


class State:
    """One game at a time, from its first token to its end."""

    def __init__(self, text: PdnText) -> None:
        """Take the window whose tokens will come; it tells their places."""
        self._text = text
        self._count = 0
        self._reset()

    def _reset(self) -> None:
        self._game: PdnGame | None = None
        self._main = Place.at(START, live=False)
        self._here = self._main
        self._stack: list[Place] = []
        self._begun = False
        self._tag_places: dict[str, tuple[int, int]] = {}
        self._tag_line = 0
        self._began_at = 0

    def _opened(self, offset: int) -> PdnGame:
        """Return the game that is read, a new one at its first token."""
        if self._game is None:
            self._game = PdnGame(line=self._main.line, first_line=self._text.place(offset)[0])
            self._began_at = self._text.passed + offset
        return self._game

    def _problem(self, message: str, where: Where) -> Problem:
        line, column = self._text.place(where) if isinstance(where, int) else where
        return Problem(line, column, message)

    def fail(self, message: str, where: Where) -> None:
        """Record an error, if it is the first of the game, and take no more moves on this line."""
        game = self._opened(where if isinstance(where, int) else 0)
        if game.error is None:
            game.error = self._problem(message, where)
        self._here.live = False

    def _warn(self, message: str, where: Where) -> None:
        warnings = self._opened(where if isinstance(where, int) else 0).warnings
        if len(warnings) < MOST_WARNINGS:
            warnings.append(self._problem(message, where))

    def check_length(self) -> None:
        """Give up on a game that grows without end; to be called when the window has moved."""
        if self._game is not None and self._text.passed - self._began_at > LONGEST_GAME:
            self.fail(f"the game is longer than {LONGEST_GAME} characters", 0)
            self._stack = []
            self._here = self._main = Place.at(START, live=False)
            self._game.line = self._main.line

    def _begin(self, offset: int) -> bool:
        """Take the header as complete at the first word of the moves; return whether moves are taken."""
        game = self._opened(offset)
        if self._begun:
            return self._here.live
        self._begun = True
        kind = game.tags.get("GameType", "20")
        number = re.match(r"\s*0*(\d*)", kind)
        if number is None or number[1] != "20":
            self.fail(
                f"GameType {kind} is another game: only 20, International draughts, is read",
                self._tag_places["GameType"],
            )
        elif "FEN" in game.tags:
            self._set_start(game.tags["FEN"], self._tag_places["FEN"])
        self._main.live = game.error is None
        return self._main.live

    def _set_start(self, fen: str, where: Where) -> None:
        """Put a position on the board before the first move."""
        try:
            position = parse_fen(fen)
        except FenError as error:
            self.fail(f"FEN: {error}", where)
            return
        self._main.line.start = self._main.position = self._main.before = position

    def finish(self, end: str | None, offset: int) -> PdnGame | None:
        """Close the game and return it; None when nothing of a game was met. `end` is its last token."""
        game = self._game
        if game is None or (end is None and not game.tags and not self._begun and game.error is None):
            self._reset()
            return None
        self._begin(offset)
        game.end = end
        if self._stack:
            self.fail("variation not closed", offset)
        if game.error is None:
            self._check_result(game, end, offset)
        self._count += 1
        self._reset()
        return game

    def _check_result(self, game: PdnGame, end: str | None, offset: int) -> None:
        if end is None:
            self._warn("the game has no end: a result or *", offset)
            return
        tag = game.tags.get("Result", "*")
        if "*" not in {end, tag} and POINTS.get(tag) != POINTS.get(end):
            self._warn(f"the Result tag says {tag}, the moves end with {end}", offset)
