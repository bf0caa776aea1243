"""What the two versions of the Hub protocol have in common: the driver's side of the conversation.

A dialect turns the engine's lines into messages and our wishes into lines. It knows nothing of processes or
time.
"""

import math
from collections.abc import Sequence
from typing import Literal, Protocol

from hub.messages import Level, Message, Mode
from rules.move import Move
from rules.position import Position


class Dialect(Protocol):
    """One version of the protocol, as the driver of an engine uses it."""

    version: Literal[1, 2]

    def read(self, line: str) -> Message:
        """Read a line of an engine; whatever is no message comes back as `Text`."""

    def set_param(self, name: str, value: str) -> str:
        """Return the line that sets a parameter."""

    def new_game(self) -> str:
        """Return the line that makes the engine forget earlier searches."""

    def position(self, start: Position, moves: Sequence[Move]) -> list[str]:
        """Return the lines for the position after `moves` from `start`."""

    def level(self, level: Level) -> list[str]:
        """Return the lines that limit the next search.

        Raises ValueError for a limit that this version cannot tell.
        """

    def go(self, mode: Mode) -> str:
        """Return the line that starts a search."""


def read_real(text: str) -> float | None:
    """Read a number; None if it is none.

    A decimal comma is taken as a point: a GUI in Java sends what its locale says.
    """
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def read_whole(text: str) -> int | None:
    """Read a whole number; None if it is none."""
    number = read_real(text)
    return None if number is None else int(number)


def format_real(number: float) -> str:
    """Write a number with up to three decimals, and none if it is whole.

    Some engines read whole numbers only.
    """
    return f"{number:.3f}".rstrip("0").rstrip(".")
