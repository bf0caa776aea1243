"""Moves as engines and their drivers write them."""

import re

from rules.move import Move
from rules.notation import hub_move, parse_move
from rules.position import Position

_SHORT_CAPTURE = re.compile(r"\d{1,2}x\d{1,2}", re.ASCII)


def read_move(text: str, position: Position) -> Move:
    """Read the Hub form, or a capture without its captured squares where that is one move.

    The squares after the first two are captured squares in any order, never a path. Raises MoveTextError.
    """
    return parse_move(text, position) if _SHORT_CAPTURE.fullmatch(text) else hub_move(text, position)
