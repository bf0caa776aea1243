"""`bonnard moves`: the legal moves of a position."""

import sys

from bonnard.errors import UsageError
from rules.fen import FenError, parse_fen
from rules.position import Position


def read_fen(text: str) -> Position:
    """Return the position of a FEN given on the command line (UsageError)."""
    try:
        return parse_fen(text)
    except FenError as error:
        raise UsageError(f"FEN: {error}") from None


def moves(fen: str, /) -> None:
    """Print the legal moves of a position, one a line in Hub notation, ordered by from, to, captured.

    Parameters
    ----------
    fen
        The position, such as W:W31-50:B1-20.

    """
    for move in read_fen(fen).legal_moves():
        sys.stdout.write(f"{move.hub}\n")
