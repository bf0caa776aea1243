"""Legal moves and node counts computed by public programs, and the rules cases: all exact."""

import pytest
from known import case, cases, legal_moves, perft_rows

from rules.bitboard import is_compiled
from rules.fen import parse_fen
from rules.perft import perft

pytestmark = pytest.mark.rules
SUITE = 2_000_000 if is_compiled() else 2_000
"""Nodes of the largest count in the suite; the deeper ones are run by `make vectors`."""
MOVE_CASES = [row for row in cases("rules") if "count" in row["expected"]]
PERFT_CASES = [row for row in cases("rules") if "perft" in row["expected"]]


@pytest.mark.parametrize("row", legal_moves(), ids=lambda row: row["name"])
def test_legal_moves(row: dict[str, object]) -> None:
    moves = [move.hub for move in parse_fen(str(row["fen"])).legal_moves()]
    assert moves == row["moves"]
    assert len(moves) == row["count"]


@pytest.mark.parametrize("row", MOVE_CASES, ids=lambda row: row["id"])
def test_move_cases(row: dict[str, dict[str, object]]) -> None:
    expected = row["expected"]
    moves = parse_fen(str(row["input"]["fen"])).legal_moves()
    assert len(moves) == expected["count"]
    assert all(move.is_capture == (expected["kind"] == "capture") for move in moves)
    if "captured_each" in expected:
        assert {len(move.captured) for move in moves} == {expected["captured_each"]}
    if expected["moves"]:
        assert [move.hub for move in moves] == [move["hub"] for move in expected["moves"]]  # type: ignore[attr-defined]


def test_384_captures_and_128_quiet_moves() -> None:
    for name, kind in (("RULES-19", True), ("RULES-20", False)):
        moves = parse_fen(case(name)["input"]["fen"]).legal_moves()
        assert len(set(moves)) == case(name)["expected"]["must"]["count"]
        assert all(move.is_capture == kind for move in moves)


@pytest.mark.parametrize("row", PERFT_CASES, ids=lambda row: row["id"])
def test_perft_cases(row: dict[str, dict[str, object]]) -> None:
    position = parse_fen(str(row["input"]["fen"]))
    counts: list[int] = row["expected"]["perft"]  # type: ignore[assignment]
    known = [nodes for nodes in counts if nodes <= SUITE]
    assert [perft(position, depth) for depth in range(1, len(known) + 1)] == known


def _positions(rows: list[dict[str, object]]) -> dict[str, dict[int, int]]:
    """Group node counts by position."""
    counts: dict[str, dict[int, int]] = {}
    for row in rows:
        counts.setdefault(str(row["fen"]), {})[int(str(row["depth"]))] = int(str(row["nodes"]))
    return counts


@pytest.mark.parametrize(("fen", "counts"), _positions(perft_rows(SUITE)).items())
def test_perft(fen: str, counts: dict[int, int]) -> None:
    position = parse_fen(fen)
    assert {depth: perft(position, depth) for depth in counts} == counts


def test_perft_that_makes_every_move() -> None:
    for row in perft_rows(SUITE // 10):
        assert perft(parse_fen(row["fen"]), row["depth"], bulk=False) == row["nodes"]


@pytest.mark.vectors
@pytest.mark.parametrize(("fen", "counts"), _positions(perft_rows(10**12, 2_000_001)).items())
def test_deep_perft(fen: str, counts: dict[int, int]) -> None:
    position = parse_fen(fen)
    assert {depth: perft(position, depth) for depth in counts} == counts
