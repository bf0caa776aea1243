"""Verification of bitbases: their counts, and positions played out by the rules.

The sample is independent of the generator: positions are set up at random, their moves are made by `rules`,
and what the tables say of a position must be what a search over two plies finds. `full` compares every
position with its successors in the kernel; where distances are stored that proves the tables.
"""

import random
from collections.abc import Iterable, Sequence

import attrs

from engine import bitbase, bitbase_review
from engine.bitbase_file import DISTANCE_BITS, Counts, Table
from rules.colour import Colour
from rules.fen import format_fen
from rules.position import Position

FAULTS_TOLD = 3
WHITE_CROWN, BLACK_CROWN = 5, 46
"""The last and the first square on which no white and no black man stands."""
SOONEST = 1000
"""The score of a win that is there."""


@attrs.frozen
class Report:
    """What was found about a table."""

    table: Table
    sampled: int
    """Positions that were played out."""
    compared: bool
    """Whether every position was compared with its successors."""
    faults: tuple[str, ...]
    """What is wrong, the first few."""


def verify(
    tables: Sequence[Table], *, sample: int = 100, seed: int = 1, full: bool = False
) -> Iterable[Report]:
    """Check loaded tables one by one: the counts, `sample` random positions, and with `full` all of them."""
    generator = random.Random(seed)  # noqa: S311
    for table in tables:
        faults = list[str]()
        exact = table.bits == DISTANCE_BITS
        won, drawn, lost, longest, wrong = bitbase_review.review(table.counts, compare=full, exact=exact)
        if (won, drawn, lost) != (table.won, table.drawn, table.lost):
            told = (table.won, table.drawn, table.lost)
            faults.append(f"counts are {(won, drawn, lost)}, and should be {told}")
        if exact and longest != table.longest:
            faults.append(f"the longest win has {longest} plies, and should have {table.longest}")
        if wrong:
            faults.append(f"{wrong} positions do not follow from their successors")
        for _ in range(sample):
            position = random_position(table.counts, generator)
            if not follows(position, exact=exact):
                faults.append(f"{format_fen(position)} does not follow from the positions after its moves")
        yield Report(table, sample, full, tuple(faults[:FAULTS_TOLD]))


def random_position(counts: Counts, generator: random.Random) -> Position:
    """Return a position of a class, all alike likely, with either side to move."""
    turn = generator.choice(list(Colour))
    men, kings, their_men, their_kings = counts
    white, black = ((men, kings), (their_men, their_kings))[:: 1 if turn is Colour.WHITE else -1]
    while True:
        squares = generator.sample(range(1, 51), sum(counts))
        groups = [[squares.pop() for _ in range(number)] for number in (*white, *black)]
        if min(groups[0], default=6) > WHITE_CROWN and max(groups[2], default=45) < BLACK_CROWN:
            return Position.of(groups[0], groups[1], groups[2], groups[3], turn)


def follows(position: Position, *, exact: bool) -> bool:
    """Tell whether a position's value, and its distance where `exact`, is that of a search over two plies."""
    stored, found = score(position), search(position, 2)
    return stored == found if exact else _sign(stored) == _sign(found)


def search(position: Position, depth: int) -> int:
    """Return the score of a position by plain search over `depth` plies, with the bitbases at the leaves."""
    moves = position.legal_moves()
    if not moves:
        return -SOONEST
    if depth == 0:
        return score(position)
    best = max(-search(position.make(move), depth - 1) for move in moves)
    return best - _sign(best)  # the end is one ply further away


def score(position: Position) -> int:
    """Return what the bitbases say: 0 for a draw, else SOONEST less the plies to the end, below 0 for a loss.

    Without a distance as if the end were here. LookupError if the bitbases do not know the position.
    """
    value = bitbase.value(position)
    if value is None:
        raise LookupError(f"no bitbase is loaded for {format_fen(position)}")
    return value * (SOONEST - (bitbase.distance(position) or 0))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
