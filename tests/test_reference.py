"""The kernels against the slow reference, and the reference against its own classical mistakes."""

import os
import random
from typing import Any

import pytest
from known import case, legal_moves
from reference import RIGHT, Faults, State
from reference import legal_moves as slow_moves
from strategies import random_position

from rules.bitboard import is_compiled
from rules.fen import format_hub, parse_fen
from rules.position import Position

pytestmark = pytest.mark.rules
SUITE = 20_000 if is_compiled() else 1_000
LONG = 1_000_000


def check(position: Position) -> None:
    """Compare moves and one position after them with the reference."""
    state = State.from_hub(format_hub(position))
    moves = position.legal_moves()
    expected = slow_moves(state)
    assert [(move.from_square, move.to_square, move.captured) for move in moves] == expected
    assert position.must_capture == any(captured for _, _, captured in expected)
    assert position.can_move == bool(expected)
    if moves:
        move = moves[len(moves) // 2]
        after = state.after((move.from_square, move.to_square, move.captured))
        assert format_hub(position.make(move)) == after.to_hub()


def test_random_positions() -> None:
    source = random.Random(2026)
    for _ in range(SUITE):
        check(random_position(source))


@pytest.mark.vectors
def test_a_million_random_positions() -> None:
    source = random.Random(os.environ.get("BONNARD_SEED", "1"))
    for _ in range(LONG):
        check(random_position(source))


def agrees(fen: str, faults: Faults) -> bool:
    """Tell whether the reference with some faults gives the right moves of a position."""
    position = parse_fen(fen)
    right = [(move.from_square, move.to_square, move.captured) for move in position.legal_moves()]
    return slow_moves(State.from_hub(format_hub(position)), faults) == right


@pytest.mark.parametrize("row", legal_moves(), ids=lambda row: row["name"])
def test_the_reference_knows_the_vectors(row: dict[str, Any]) -> None:
    state = State.from_hub(format_hub(parse_fen(row["fen"])))
    moves = [
        "x".join(map(str, (start, end, *taken))) if taken else f"{start}-{end}"
        for start, end, taken in slow_moves(state)
    ]
    assert moves == row["moves"]


MUTANTS = {
    "remove at once": (Faults(remove_at_once=True), "RULES-06"),
    "crown in passing": (Faults(crown_in_passing=True), "midpromo"),
    "own square blocked": (Faults(own_square_blocked=True), "RULES-04"),
    "no majority": (Faults(no_majority=True), "RULES-13"),
    "short king landings": (Faults(short_king_landings=True), "RULES-13"),
    "list too small": (Faults(list_limit=256), "RULES-19"),
    "captured piece jumped twice": (Faults(jump_twice=True), "RULES-16"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_caught(name: str) -> None:
    faults, where = MUTANTS[name]
    if where.startswith("RULES"):
        fens = [case(where)["input"]["fen"]]
    else:
        fens = [row["fen"] for row in legal_moves() if where in row["tags"]]
    assert all(agrees(fen, RIGHT) for fen in fens)
    assert not all(agrees(fen, faults) for fen in fens)
