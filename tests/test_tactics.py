"""The combinations of our own making: sound data, and a search that sees most of them at once."""

import json
from pathlib import Path

from engine.searcher import load_weights_once, search_position
from engine.tree import Memory, Tree
from rules.fen import parse_fen

FILE = Path(__file__).with_name("data") / "tactics" / "combinations.jsonl"
COMBINATIONS = [json.loads(line) for line in FILE.read_text().splitlines()]
NODES = 60_000


def test_every_combination_is_a_position_with_that_move() -> None:
    assert len({row["fen"] for row in COMBINATIONS}) == len(COMBINATIONS)
    for row in COMBINATIONS:
        position = parse_fen(row["fen"])
        assert row["best"] in {move.hub for move in position.legal_moves()}
        assert not position.must_capture
        assert row["score"] >= 80
        assert row["score"] - row["second"] >= 60
        assert abs(row["glance"]) <= 80


def test_few_nodes_solve_most_of_them() -> None:
    load_weights_once()
    tree = Tree(Memory(8))
    solved = 0
    for row in COMBINATIONS:
        tree.memory.clear()
        tree.forget()
        move, _, _ = search_position(tree, parse_fen(row["fen"]), nodes=NODES)
        solved += move is not None and move.hub == row["best"]
    assert solved >= 0.6 * len(COMBINATIONS), f"{solved} of {len(COMBINATIONS)}"
