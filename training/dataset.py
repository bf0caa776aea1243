"""Files of positions from self-play: a header, then blocks of whole games with length and checksum.

A writer that is killed leaves at most one broken block at the end; it is cut off when the file is opened
again, and the games go on with the number after the last whole one.
"""

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Self

import attrs

from training.arena import RECORD_SIZE

MAGIC = b"bonnard positions 1\n"
BLOCK = struct.Struct("<IIII")
"""Of a block: games, bytes unpacked, bytes packed, CRC-32 of the packed bytes."""


class DatasetError(Exception):
    """A file of positions cannot be used; the message names the file and the reason."""


@attrs.define
class PositionWriter:
    """A file of positions that grows by whole games."""

    file: IO[bytes]
    games: int
    """Games in the file: the number of the next one."""
    positions: int

    @classmethod
    def open(cls, path: Path, header: dict[str, Any]) -> Self:
        """Start a file, or go on with one that has the same header; DatasetError if it has another."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            file = path.open("w+b")
            file.write(MAGIC + json.dumps(header).encode() + b"\n")
            file.flush()
            return cls(file, 0, 0)
        found, start = read_header(path)
        if found != header:
            raise DatasetError(f"{path}: was made with other settings ({found}); name another directory")
        file = path.open("r+b")
        file.seek(start)
        games = positions = 0
        end = start
        for block_games, data in _blocks(file):
            games += block_games
            positions += len(data) // RECORD_SIZE
            end = file.tell()
        file.truncate(end)
        file.seek(end)
        return cls(file, games, positions)

    def append(self, games: int, records: bytes | bytearray | memoryview) -> None:
        """Add a block of games."""
        packed = zlib.compress(records, 1)
        self.file.write(BLOCK.pack(games, len(records), len(packed), zlib.crc32(packed)) + packed)
        self.file.flush()
        self.games += games
        self.positions += len(records) // RECORD_SIZE

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def read_header(path: Path) -> tuple[dict[str, Any], int]:
    """Return the header of a file of positions, and where its blocks start; DatasetError if it is none."""
    with path.open("rb") as file:
        if file.readline() != MAGIC:
            raise DatasetError(f"{path}: is not a file of positions (version 1)")
        try:
            header = json.loads(file.readline())
        except ValueError as error:
            raise DatasetError(f"{path}: the header is damaged") from error
        if not isinstance(header, dict):
            raise DatasetError(f"{path}: the header is damaged")
        return header, file.tell()


def _blocks(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield games and records of each whole block; the file then stands behind it."""
    while len(head := file.read(BLOCK.size)) == BLOCK.size:
        games, size, packed_size, checksum = BLOCK.unpack(head)
        packed = file.read(packed_size)
        if len(packed) < packed_size or zlib.crc32(packed) != checksum:
            return
        data = zlib.decompress(packed)
        if len(data) != size:
            return
        yield games, data


def read_records(path: Path) -> bytes:
    """Return all records of a file of positions, which may still be growing."""
    _, start = read_header(path)
    with path.open("rb") as file:
        file.seek(start)
        return b"".join(data for _, data in _blocks(file))
