"""The search kernel against plain minimax, on symmetric, crowded and decided positions."""

import random
from collections.abc import Iterator

import pytest

from engine import evaluate
from engine.assets import folded, load_weights
from engine.searcher import load_weights_once, search_position
from engine.tree import Memory, Tree
from engine.weights import untaught
from rules.fen import parse_fen
from rules.move import Move
from rules.position import Position

WIN = 10_000
EVAL_LIMIT = 4_000
CROWDED = "W:WK16,K46,K49:B9,10,13,17,18,20,24,27,28,29,31,38,39,41,42"


@pytest.fixture(scope="module", autouse=True)
def _weights() -> None:
    load_weights_once()


def plain_tree(*, table: bool) -> Tree:
    """Return a search without reductions, pruning, extensions and what another test loaded of bitbases."""
    memory = Memory(1)
    memory.set_options(reductions=False, pruning=False, extensions=False, table=table, bitbases=False)
    return Tree(memory)


def quiet(position: Position, alpha: int, beta: int, ply: int) -> int:
    """Return the quiescence score: all captures, then the evaluation."""
    moves = position.legal_moves()
    if moves and not position.must_capture:
        return max(-EVAL_LIMIT, min(EVAL_LIMIT, evaluate.score(position)))
    best = ply - WIN
    for move in moves:
        best = max(best, -quiet(position.make(move), -beta, -max(alpha, best), ply + 1))
        if best >= beta:
            break
    return best


def minimax(
    position: Position, depth: int, alpha: int = -WIN, beta: int = WIN, line: tuple[int, ...] = ()
) -> int:
    """Return the score of a position by alpha-beta alone, which is minimax; `line` are the keys before it."""
    ply = len(line)
    if position.key in line:
        return 0
    if depth == 0:
        return quiet(position, alpha, beta, ply)
    moves = position.legal_moves()
    best = ply - WIN
    for move in moves:
        score = -minimax(position.make(move), depth - 1, -beta, -max(alpha, best), (*line, position.key))
        best = max(best, score)
        if best >= beta:
            break
    return best


def random_positions(seed: int, count: int, *, kings: bool) -> Iterator[Position]:
    """Play games at random and stop somewhere, most of them before kings appear."""
    chance = random.Random(seed)
    while count:
        position = Position.start()
        for _ in range(chance.randrange(8, 90)):
            moves = position.legal_moves()
            if not moves:
                break
            position = position.make(chance.choice(moves))
        has_kings = bool(position.white_kings or position.black_kings)
        if position.legal_moves() and has_kings == kings:
            count -= 1
            yield position


@pytest.mark.parametrize(
    ("depth", "count"),
    [(1, 400), (2, 300), (3, 180), (4, 80), (5, 30), (6, 10)],
    ids=str,
)
def test_what_is_left_without_selection_is_minimax(depth: int, count: int) -> None:
    with_table, without_table = plain_tree(table=True), plain_tree(table=False)
    for kings in (False, True):
        for position in random_positions(depth, count // 2, kings=kings):
            expected = minimax(position, depth)
            with_table.memory.clear()
            for tree in (without_table, with_table):
                _, score, completed = search_position(tree, position, depth=depth)
                assert score == expected, (position, completed)


def test_a_position_and_its_mirror_image_have_the_same_score() -> None:
    # Without selection: what is pruned may depend on the order of the moves, which is no mirror image.
    tree = plain_tree(table=False)
    for kings in (False, True):
        for position in random_positions(5, 20, kings=kings):
            scores = [search_position(tree, image, depth=3)[1] for image in (position, position.rotated())]
            assert scores[0] == scores[1], position


def test_one_thread_searches_the_same_tree_twice() -> None:
    tree = Tree(Memory(4))
    found = []
    for _ in range(2):
        tree.memory.clear()
        tree.forget()
        found.append((*search_position(tree, Position.start(), depth=9), tree.nodes))
    assert found[0] == found[1]


def test_an_evaluation_is_remembered_for_one_search_only() -> None:
    position = parse_fen("W:W31-50:B1-20")
    tree = plain_tree(table=False)
    learned = search_position(tree, position, depth=4)
    try:
        evaluate.use_weights(folded(untaught()))
        other = search_position(tree, position, depth=4)
        assert other == search_position(plain_tree(table=False), position, depth=4)
        assert other != learned
    finally:
        load_weights()
    assert search_position(tree, position, depth=4) == learned


def test_a_node_limit_is_exact() -> None:
    tree = Tree(Memory(4))
    for nodes in (10, 100, 5_000, 33_333):
        tree.memory.clear()
        move, _, _ = search_position(tree, Position.start(), nodes=nodes)
        assert tree.nodes == nodes
        assert move in Position.start().legal_moves()


def test_384_captures_neither_break_nor_stall_it() -> None:
    position = parse_fen(CROWDED)
    assert len(position.legal_moves()) == 384
    tree = Tree(Memory(4))
    move, _, depth = search_position(tree, position, nodes=300_000)
    assert move in position.legal_moves()
    assert depth >= 3


def played(start: Position, *texts: str) -> tuple[Position, list[Move]]:
    """Play moves in the short form; return what stands then, and the moves."""
    position, line = start, []
    for text in texts:
        (move,) = (legal for legal in position.legal_moves() if legal.short == text)
        line.append(move)
        position = position.make(move)
    return position, line


def test_a_losing_side_repeats_the_position() -> None:
    start = parse_fen("W:WK2,46,47,48:BK50")
    position, line = played(start, "2-8", "50-45", "8-2")
    tree = Tree(Memory(4))
    move, score, _ = search_position(tree, start, line, depth=1)
    assert (move.short, score) == ("45-50", 0)
    tree.memory.clear()
    _, score, _ = search_position(tree, position, depth=1)
    assert score < -100


def test_a_draw_clock_that_runs_out_is_a_draw() -> None:
    # 5-move rule: with one ply left nothing but an immediate win counts.
    start = parse_fen("W:WK1,K2:BK50")
    tree = Tree(Memory(4))
    _, line = played(start, *("1-7", "50-44", "7-1", "44-50") * 2, "1-7")
    _, score, _ = search_position(tree, start, line, depth=6)
    assert score == 0


def test_a_decided_game_is_told_with_its_distance() -> None:
    tree = Tree(Memory(4))
    _, score, _ = search_position(tree, parse_fen("W:W10:BK46"), depth=8)
    assert score == WIN - 3
    move, score, depth = search_position(tree, parse_fen("W:W6:B1"), depth=5)
    assert (move, score, depth) == (None, -WIN, 0)
