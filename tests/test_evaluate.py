"""The evaluation against a plain one, made from squares, rows and files; and its symmetry."""

import random

import pytest
from diagonals import DIAGONALS, Cell, cell, on_board
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions, random_game, random_position

from engine import evaluate
from engine.assets import folded
from engine.weights import untaught
from rules.position import Position

PLACE = (0, 3, 1, 4, 2, 5)
"""Which pair of base-3 digits a row of a window fills."""
CELLS = 3**12
TERMS_START = 4 * CELLS
FIRST_KING, FURTHER_KING, TURN, SAFE, ATTACKED, BALANCE, KING_SQUARE = (
    TERMS_START + offset for offset in (0, 1, 2, 3, 4, 5, 21)
)
NET = 4251712
UNITS = 32


@pytest.fixture(scope="module")
def table() -> memoryview:
    """Return a table of random weights, in use: every term counts, none like another."""
    source = random.Random(5)
    numbers = bytearray(source.randbytes(2 * evaluate.TABLE_SIZE))
    table = memoryview(numbers).cast("h")
    # The net's sums have 16 bits, and what they come to 32: its weights are smaller.
    for index in range(NET, NET + 4 * 64 * UNITS + UNITS):
        table[index] = source.randint(-300, 300)
    for index in range(NET + 4 * 64 * UNITS + UNITS, evaluate.TABLE_SIZE):
        table[index] = source.randint(-2000, 2000)
    evaluate.use_weights(numbers)
    return table


def plain_terms(position: Position) -> dict[int, int]:
    """Return how often each term counts, from white's view."""
    terms: dict[int, int] = {}

    def add(term: int, value: int) -> None:
        terms[term] = terms.get(term, 0) + value

    for sign, seen in ((1, position), (-1, position.rotated())):
        # Both colours see their own side as white.
        men = {cell(square): 1 for square in seen.white_men} | {cell(square): 2 for square in seen.black_men}
        for window in range(4):
            index = 0
            for row in range(6):
                for side in range(2):
                    at = (row, 2 * (window + side) + (1 - row % 2))
                    index += men.get(at, 0) * 3 ** (2 * PLACE[row] + side)
            add(window * CELLS + index, sign)
        add(BALANCE + lopsided(seen), sign)
        kings = [cell(square) for square in seen.white_kings]
        if kings:
            add(FIRST_KING, sign)
            add(FURTHER_KING, sign * (len(kings) - 1))
            reached = {target for king in kings for target in reach(king, seen)}
            danger = {target for target in reached if attacked(target, seen)}
            add(SAFE, sign * len(reached - danger))
            add(ATTACKED, sign * len(danger))
        for row, file in kings:
            add(KING_SQUARE + 13 * (row // 2) + 6 * (row % 2) + file // 2, sign)
    add(TURN, 1 if position.turn == 0 else -1)
    return terms


def lopsided(seen: Position) -> int:
    """Return how much heavier one wing of white's men is: a man counts one, on the outer two files two."""
    lean = 0
    for square in seen.white_men:
        file = cell(square)[1]
        lean += (1 if file < 5 else -1) + (file < 2) - (file > 7)
    return min(15, abs(lean))


def pieces(seen: Position) -> set[Cell]:
    """Return where any piece is."""
    return {
        cell(square)
        for group in (seen.white_men, seen.white_kings, seen.black_men, seen.black_kings)
        for square in group
    }


def reach(king: Cell, seen: Position) -> list[Cell]:
    """Return the squares that a king sees."""
    full, found = pieces(seen), []
    for down, right in DIAGONALS:
        at = (king[0] + down, king[1] + right)
        while on_board(at) and at not in full:
            found.append(at)
            at = (at[0] + down, at[1] + right)
    return found


def attacked(target: Cell, seen: Position) -> bool:
    """Return whether a black man stands next to a square and the square behind it is free."""
    full, men = pieces(seen), {cell(square) for square in seen.black_men}
    return any(
        (target[0] - down, target[1] - right) in men
        and on_board(behind := (target[0] + down, target[1] + right))
        and behind not in full
        for down, right in DIAGONALS
    )


def divisor(seen: Position) -> int:
    """Return what white's advantage is divided by."""
    white = len(seen.white_men) + len(seen.white_kings)
    black = len(seen.black_men) + len(seen.black_kings)
    if not seen.black_kings:
        return 1
    if white <= 3:
        return 16
    return 2 if len(seen.white_kings) == len(seen.black_kings) and abs(white - black) <= 1 else 1


def net_says(position: Position, table: memoryview) -> tuple[int, int]:
    """Return what the net adds to the opening's and the ending's score, from white's view."""
    seen = position if position.turn == 0 else position.rotated()
    rows = NET, NET + 4 * 64 * UNITS
    sums = list(table[rows[1] : rows[1] + UNITS])
    groups = (seen.white_men, seen.black_men, seen.white_kings, seen.black_kings)
    for kind, squares in enumerate(groups):
        for row, file in map(cell, squares):
            bit = 13 * (row // 2) + 6 * (row % 2) + file // 2
            for unit in range(UNITS):
                sums[unit] += table[rows[0] + (64 * kind + bit) * UNITS + unit]
    said = []
    for factors in (rows[1] + UNITS, rows[1] + 2 * UNITS):
        total = sum(max(0, value) * table[factors + unit] for unit, value in enumerate(sums))
        said.append((total >> 11) * (1 if position.turn == 0 else -1))
    return said[0], said[1]


def plain_score(position: Position, table: memoryview) -> int:
    """Return the score by the definition, with the rounding of integers: towards zero."""
    opening, ending = net_says(position, table)
    for term, value in plain_terms(position).items():
        opening += table[2 * term] * value
        ending += table[2 * term + 1] * value
    stage = min(32, 40 - len(pieces(position)))
    total = opening * (32 - stage) + ending * stage
    divided = divisor(position if total > 0 else position.rotated())
    score = abs(total) // divided // 320 * (1 if total > 0 else -1)
    return score if position.turn == 0 else -score


def samples(seed: int, number: int) -> list[Position]:
    """Return positions with any material, and some from games."""
    source = random.Random(seed)
    made = [random_position(source) for _ in range(number)]
    return made + [random_game(source, source.randint(1, 120)).position for _ in range(number // 4)]


def test_every_term_counts_as_defined(table: memoryview) -> None:
    for position in samples(1, 400):
        assert evaluate.score(position) == plain_score(position, table), position


def test_the_features_are_what_is_weighed(table: memoryview) -> None:
    for position in samples(2, 100):
        found: dict[int, int] = {}
        for term, value in evaluate.features(position):
            found[term] = found.get(term, 0) + value
        expected = plain_terms(position)
        assert {k: v for k, v in found.items() if v} == {k: v for k, v in expected.items() if v}, position


@given(positions())
def test_the_turned_board_has_the_same_score(position: Position) -> None:
    assert evaluate.score(position) == evaluate.score(position.rotated())


@given(positions(), st.integers(0, 2**32))
def test_a_score_depends_on_nothing_else(position: Position, seed: int) -> None:
    before = evaluate.score(position)
    evaluate.score(random_position(random.Random(seed)))
    assert evaluate.score(position) == before


def test_a_table_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="numbers, this one has 4"):
        evaluate.use_weights(bytes(8))


def test_the_untaught_engine_counts_men_and_advancing() -> None:
    evaluate.use_weights(folded(untaught()))
    start = Position.start()
    assert evaluate.score(start) == 0
    one_less = Position.of(start.white_men, (), start.black_men[1:], ())
    assert 95 <= evaluate.score(one_less) <= 105
    behind = Position.of([48, 37], (), [14, 3], ())
    ahead = Position.of([48, 27], (), [14, 3], ())
    assert evaluate.score(ahead) > evaluate.score(behind)
    assert evaluate.score(Position.of((), [48, 27], [14, 3], ())) > 2 * 100
