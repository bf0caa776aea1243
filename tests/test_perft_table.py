"""Node counts with a table, alone and shared by threads: the same as the published ones."""

import pytest
from known import perft_rows

from bonnard.perft import divided
from rules.bitboard import is_compiled
from rules.fen import parse_fen
from rules.perft import perft
from rules.perft_table import PerftTable
from rules.position import Position

pytestmark = pytest.mark.rules
SUITE = 200_000 if is_compiled() else 1_000


def test_one_small_table_for_all_positions() -> None:
    table = PerftTable(1)
    rows = perft_rows(SUITE, 300)
    assert rows
    for row in rows:
        assert table.count(parse_fen(row["fen"]), row["depth"]) == row["nodes"]


@pytest.mark.skipif(not is_compiled(), reason="a million nodes are too many for plain Python")
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_share_a_table(threads: int) -> None:
    table = PerftTable(1)
    for _ in range(2):  # the second time from what the first has left
        counts = divided(Position.start(), 7, threads, table.count)
        assert sum(count for _, count in counts) == 1_049_442


def test_the_same_position_with_the_other_side_to_move_is_another() -> None:
    table = PerftTable(1)
    for fen in ("W:WK46,K28,37,41:BK5,K23,12,8", "B:WK46,K28,37,41:BK5,K23,12,8"):
        for depth in (3, 4, 3):
            assert table.count(parse_fen(fen), depth) == perft(parse_fen(fen), depth)


@pytest.mark.parametrize("megabytes", [0, -1, 1 << 30])
def test_a_table_of_no_size(megabytes: int) -> None:
    with pytest.raises(ValueError, match="accepted are 1 to"):
        PerftTable(megabytes)


def test_depths_at_the_edge() -> None:
    table = PerftTable(1)
    assert table.count(Position.start(), 0) == 1
    assert table.count(Position.start(), 1) == 9
    with pytest.raises(ValueError, match="negative"):
        table.count(Position.start(), -1)
