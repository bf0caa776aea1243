"""The right answers of the tests: vectors computed by public programs, cases from their issues."""

import json
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


@cache
def _load(name: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads((DATA / name).read_text())


def case(name: str) -> dict[str, Any]:
    """Return a case of cases.json by its id, such as RULES-01."""
    return next(row for row in _load("cases/cases.json") if row["id"] == name)


def cases(kind: str) -> list[dict[str, Any]]:
    """Return the cases of a kind, such as "rules"."""
    return [row for row in _load("cases/cases.json") if row["kind"] == kind]


def legal_moves() -> list[dict[str, Any]]:
    """Return the positions whose legal moves are known, all of them in Hub form."""
    rows: list[dict[str, Any]] = _load("legal_moves.json")
    return rows


def perft_rows(most: int, least: int = 0) -> list[dict[str, Any]]:
    """Return the node counts from `least` to `most` nodes."""
    return [row for row in _load("perft.json") if least <= row["nodes"] <= most]


def pdn_files() -> list[dict[str, Any]]:
    """Return what each file of data/pdn holds."""
    rows: list[dict[str, Any]] = _load("pdn/expected.json")
    return rows


def longest_wins() -> list[dict[str, Any]]:
    """Return a position with the longest win, and its plies, for each material class of 2 to 4 pieces."""
    rows: list[dict[str, Any]] = _load("longest_wins.json")
    return rows
