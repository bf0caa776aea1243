"""The folding of unfolded weights: a cell is the sum of its own part, two small windows and single men."""

import array
import random

import pytest

from engine.evaluate import TABLE_SIZE
from engine.weights import PARTS, PARTS_SIZE, fold

CELLS, SMALL_CELLS, SINGLES, NET_SIZE = 3**12, 3**8, 24, (4 * 64 + 3) * 32
PLACE = (0, 3, 1, 4, 2, 5)


def test_a_cell_is_the_sum_of_its_parts() -> None:
    source = random.Random(3)
    parts = array.array("h", [source.randint(-900, 900) for _ in range(PARTS_SIZE)])
    table = array.array("h", bytes(2 * TABLE_SIZE))
    fold(parts, table)
    sizes = [size for _, size in PARTS]
    small, singles, terms, net = (sum(sizes[:part]) for part in (1, 2, 3, 4))
    for _ in range(2000):
        window, stage = source.randrange(4), source.randrange(2)
        contents = [[source.randrange(3) for _ in range(2)] for _ in range(6)]
        cell = sum(
            contents[row][side] * 3 ** (2 * PLACE[row] + side) for row in range(6) for side in range(2)
        )
        expected = parts[2 * (window * CELLS + cell) + stage]
        for half in range(2):
            digits = [contents[row][side] for row in range(2 * half, 2 * half + 4) for side in range(2)]
            index = sum(digit * 3**place for place, digit in enumerate(digits))
            expected += parts[small + 2 * ((2 * window + half) * SMALL_CELLS + index) + stage]
        for row in range(6):
            for side in range(2):
                if contents[row][side]:
                    single = 12 * (contents[row][side] - 1) + 2 * PLACE[row] + side
                    expected += parts[singles + 2 * (window * SINGLES + single) + stage]
        assert table[2 * (window * CELLS + cell) + stage] == expected
    assert table[2 * 4 * CELLS : 2 * 4 * CELLS + net - terms] == parts[terms:net]
    assert table[-NET_SIZE:] == parts[net:]


def test_sums_beyond_the_range_are_cut() -> None:
    parts = array.array("h", [20000] * PARTS_SIZE)
    table = array.array("h", bytes(2 * TABLE_SIZE))
    fold(parts, table)
    assert max(table) == 32767
    assert table[0] == 32767  # an empty window: 3 x 20000
    assert table[-1] == 20000


def test_buffers_of_the_wrong_size_are_refused() -> None:
    with pytest.raises(ValueError, match="weights have"):
        fold(bytes(10), bytearray(2 * TABLE_SIZE))
