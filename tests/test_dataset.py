"""Files of positions: what was written is read, and a run that was killed at any byte goes on."""

import random
from pathlib import Path

import pytest

from training.arena import RECORD_SIZE
from training.dataset import DatasetError, PositionWriter, read_header, read_records

HEADER = {"nodes": 100, "seed": 1}


def block(seed: int, positions: int) -> bytes:
    """Return records of random bytes."""
    return random.Random(seed).randbytes(positions * RECORD_SIZE)


def written(path: Path, blocks: int) -> bytes:
    """Write some blocks of two games each, and return their records."""
    writer = PositionWriter.open(path, HEADER)
    for number in range(blocks):
        writer.append(2, block(number, 5 + number))
    writer.close()
    return b"".join(block(number, 5 + number) for number in range(blocks))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "positions-0.bin"
    records = written(path, 3)
    assert read_records(path) == records
    assert read_header(path)[0] == HEADER


def test_a_file_cut_anywhere_goes_on_after_its_last_whole_game(tmp_path: Path) -> None:
    whole = tmp_path / "whole.bin"
    records = written(whole, 3)
    data, start = whole.read_bytes(), read_header(whole)[1]
    source = random.Random(2)
    for size in [start, len(data) - 1, *(source.randrange(start, len(data)) for _ in range(40))]:
        path = tmp_path / "cut.bin"
        path.write_bytes(data[:size])
        writer = PositionWriter.open(path, HEADER)
        assert writer.games % 2 == 0
        assert read_records(path) == records[: writer.positions * RECORD_SIZE]
        kept = writer.games // 2
        assert kept < 3
        for number in range(kept, 3):
            writer.append(2, block(number, 5 + number))
        writer.close()
        assert path.read_bytes() == data


def test_a_damaged_block_ends_the_file(tmp_path: Path) -> None:
    path = tmp_path / "positions-0.bin"
    records = written(path, 3)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    assert read_records(path) == records[: (5 + 6) * RECORD_SIZE]


def test_other_settings_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "positions-0.bin"
    written(path, 1)
    with pytest.raises(DatasetError, match="other settings"):
        PositionWriter.open(path, HEADER | {"nodes": 200})


@pytest.mark.parametrize(
    "content", [b"", b"other\n{}\n", b"bonnard positions 1\n{broken\n", b"bonnard positions 1\n[]\n"]
)
def test_another_file_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "positions-0.bin"
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=str(path)):
        read_records(path)
