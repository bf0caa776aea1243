"""The two sides of the game."""

from enum import IntEnum


class Colour(IntEnum):
    """A side: white starts and moves up the board, to squares 1-5; black moves down, to 46-50."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> "Colour":
        """The opponent of this side."""
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE

    @property
    def letter(self) -> str:
        """The letter of this side in FEN and Hub texts: "W" or "B"."""
        return "W" if self is Colour.WHITE else "B"
