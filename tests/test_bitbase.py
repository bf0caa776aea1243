"""The shipped bitbases: public figures, the endgame cases, symmetry, captures, and what they do not know."""

import random
from collections.abc import Iterator
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import bitbase, bitbase_file
from engine.bitbase import Value
from engine.bitbase_file import Counts, Table, class_name, opposite
from rules.fen import parse_fen
from rules.move import Move
from rules.position import Position
from tests import known
from training.bitbase_verify import random_position

CLASSES = [counts for number in (2, 3, 4) for counts in bitbase.classes(number)]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Counts, Table]]:
    """Load the shipped tables; return what the file says of them."""
    loaded = bitbase_file.load(cache=tmp_path_factory.mktemp("cache"))
    yield {table.counts: table for table in loaded}
    bitbase_file.unload()


@pytest.fixture(autouse=True)
def _loaded(tables: dict[Counts, Table]) -> None:
    """Every test of this module asks the shipped tables."""


def counts_of(position: Position) -> Counts:
    """Return the class of a position with white to move."""
    groups = (position.white_men, position.white_kings, position.black_men, position.black_kings)
    men, kings, their_men, their_kings = (len(group) for group in groups)
    return men, kings, their_men, their_kings


def test_every_class_is_there(tables: dict[Counts, Table]) -> None:
    assert set(CLASSES) == set(tables)
    assert bitbase.pieces() == 4


@pytest.mark.parametrize(("number", "positions"), [(2, 8_845), (3, 806_300), (4, 41_971_200)])
def test_the_numbers_of_positions_are_right(tables: dict[Counts, Table], number: int, positions: int) -> None:
    assert positions == sum(table.positions for counts, table in tables.items() if sum(counts) == number)


def test_kings_alone_are_counted_by_the_binomial(tables: dict[Counts, Table]) -> None:
    assert tables[0, 3, 0, 1].positions == comb(50, 3) * 47
    assert tables[0, 2, 0, 2].positions == comb(50, 2) * comb(48, 2)


@pytest.mark.parametrize("row", known.longest_wins(), ids=lambda row: row["fen"])
def test_the_longest_win_of_each_class_is_the_public_one(
    tables: dict[Counts, Table], row: dict[str, object]
) -> None:
    position = parse_fen(str(row["fen"]))
    assert bitbase.value(position) is Value.WIN
    assert bitbase.distance(position) == row["plies"]
    assert tables[counts_of(position)].longest == row["plies"]


ENDGAMES = [case for case in known.cases("engine") if case["expected"].get("value")]
SMALL = [case for case in ENDGAMES if sum(map(str.isalpha, case["input"]["hub_pos"].replace("e", ""))) <= 5]


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case["id"])
def test_endgame_cases_hold(case: dict[str, dict[str, object]]) -> None:
    position, expected = parse_fen(str(case["input"]["fen"])), case["expected"]
    assert bitbase.value(position) == {"win": Value.WIN, "draw": Value.DRAW}[str(expected["value"])]
    assert bitbase.distance(position) == expected.get("plies")


def test_only_the_right_crowning_square_wins() -> None:
    values = {move.short: bitbase.value(after) for move, after in successors(parse_fen("W:W10:BK46"))}
    assert values == {"10-5": Value.LOSS, "10-4": Value.DRAW}


def test_the_wrong_move_of_the_first_case_loses_in_five() -> None:
    (after,) = (after for move, after in successors(parse_fen("W:W33:B2")) if move.short == "33-28")
    assert (bitbase.value(after), bitbase.distance(after)) == (Value.WIN, 5)


def successors(position: Position) -> list[tuple[Move, Position]]:
    """Return each legal move with the position after it."""
    return [(move, position.make(move)) for move in position.legal_moves()]


@given(st.sampled_from(CLASSES), st.integers(0, 1 << 32))
def test_colours_are_alike(counts: Counts, seed: int) -> None:
    position = random_position(counts, random.Random(seed))
    assert bitbase.value(position) is not None
    assert bitbase.value(position) == bitbase.value(position.rotated())
    assert bitbase.distance(position) == bitbase.distance(position.rotated())


@given(st.sampled_from(CLASSES), st.integers(0, 1 << 32))
def test_a_distance_is_odd_for_a_win_and_even_for_a_loss(counts: Counts, seed: int) -> None:
    position = random_position(counts, random.Random(seed))
    plies = bitbase.distance(position)
    parity = {Value.WIN: 1, Value.LOSS: 0, Value.DRAW: None}[bitbase.value(position) or Value.DRAW]
    assert (None if plies is None else plies % 2) == parity


def test_a_win_is_played_to_its_end_by_distance() -> None:
    position = parse_fen("W:WK40,K45,50:BK11")
    for plies in range(31, 0, -1):
        assert bitbase.distance(position) == plies
        wanted = Value.LOSS if plies % 2 else Value.WIN
        choices = [after for _, after in successors(position) if bitbase.value(after) is wanted]
        position = next(after for after in choices if bitbase.distance(after) == plies - 1)
    assert not position.legal_moves()


def test_captures_are_played_out() -> None:
    assert bitbase.value(parse_fen("W:W33:B28")) is Value.WIN
    assert bitbase.distance(parse_fen("W:W33:B28")) == 1


def test_a_side_without_pieces_or_moves_has_lost() -> None:
    assert bitbase.distance(Position.of(black_men=[1], turn=0)) == 0
    assert bitbase.distance(parse_fen("W:W6:B1,K11")) is not None
    blocked = parse_fen("W:W46:B41,37")
    assert not blocked.legal_moves()
    assert (bitbase.value(blocked), bitbase.distance(blocked)) == (Value.LOSS, 0)


def test_more_pieces_are_unknown() -> None:
    for position in (Position.start(), parse_fen("W:W31,32,33:B1,2")):
        assert bitbase.value(position) is None
        assert bitbase.distance(position) is None


def test_names_tell_the_side_to_move_first() -> None:
    assert class_name((1, 2, 0, 1)) == "KKM-K"
    assert opposite((1, 2, 0, 1)) == (0, 1, 1, 2)


def test_a_lone_king_on_the_long_diagonal_holds_against_two() -> None:
    long_diagonal = {5, 10, 14, 19, 23, 28, 32, 37, 41, 46}
    for lone in long_diagonal:
        for pair in combinations((1, 2, 47, 49), 2):
            position = Position.of(white_kings=pair, black_kings=[lone], turn=1)
            if not position.must_capture:
                assert bitbase.value(position) is Value.DRAW


def test_three_kings_only_draw_where_four_win() -> None:
    pair = known.case("ENGINE-14")["expected"]["pair"]
    assert pair["value"] == "draw"
    assert bitbase.value(parse_fen(pair["fen"])) is Value.DRAW
