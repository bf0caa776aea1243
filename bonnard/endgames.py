"""What the bitbases tell the referee."""

from typing import Literal

from bonnard.errors import FailedError
from engine import bitbase, bitbase_file
from engine.assets import AssetError
from engine.bitbase import Value
from rules.position import Position
from tournament.conduct import Probe, Verdict

WORDS: dict[Value, Literal["win", "draw", "loss"]] = {
    Value.WIN: "win",
    Value.DRAW: "draw",
    Value.LOSS: "loss",
}


def referee_probe() -> Probe:
    """Load the shipped bitbases, now and not in a game, and return what asks them; FailedError if damaged."""
    try:
        bitbase_file.load()
    except AssetError as error:
        raise FailedError(str(error)) from None
    return verdict


def verdict(position: Position) -> Verdict | None:
    """Return what the loaded bitbases say of a position; None for too many pieces."""
    value = bitbase.value(position)
    if value is None:
        return None
    return Verdict(WORDS[value], bitbase.distance(position))
