"""Bitbase files: several tables in one file, ready to be mapped; and loading them for the search.

A file begins with a magic line, the length of a JSON header (8 bytes, little-endian) and the header, which
lists the tables: class, bits a slot, offset, and how many positions are won, drawn and lost. The tables
follow, each at a multiple of 64 bytes. The shipped file, 2 to 4 pieces, is such a file packed
(`engine.assets`). A directory may hold more of them, made by `bonnard bitbase build`: one for each pair of
classes, named like KKM-KM.bitbase.
"""

import json
import mmap
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import attrs

from engine import bitbase
from engine.assets import Packed, mapped

SHIPPED = Path(__file__).with_name("bitbases.bin")
"""The packed file that is shipped."""
SHIPPED_PIECES = 4
"""Up to so many pieces a class has distances and is shipped; beyond it has values only."""
SUFFIX = ".bitbase"
MAGIC = b"bonnard bitbase 1\n"
ALIGNMENT = 64
DISTANCE_BITS = 8

Counts = tuple[int, int, int, int]
"""A material class: men and kings of the side to move, men and kings of the other side."""


Content = bytes | mmap.mmap
"""What a file contains."""


class BitbaseError(Exception):
    """A bitbase file is missing or damaged; the message names it."""


def class_name(counts: Counts) -> str:
    """Return the name of a class, the side to move first: KKM-K is two kings and a man against a king."""
    men, kings, their_men, their_kings = counts
    return f"{'K' * kings}{'M' * men}-{'K' * their_kings}{'M' * their_men}"


def opposite(counts: Counts) -> Counts:
    """Return the class with the sides exchanged."""
    men, kings, their_men, their_kings = counts
    return their_men, their_kings, men, kings


@attrs.frozen
class Table:
    """What a file says of one table. Positions with a capture are counted too, though they are not stored."""

    counts: Counts
    bits: int
    """Bits a slot: 8 distances, 2 values."""
    won: int
    drawn: int
    lost: int
    longest: int
    """Plies of the longest win."""
    offset: int = 0
    """Bytes from the start of the file."""

    @property
    def size(self) -> int:
        """Bytes of the table."""
        number = bitbase.slot_count(self.counts)
        return number if self.bits == DISTANCE_BITS else (number + 3) // 4

    @property
    def positions(self) -> int:
        """The number of positions of the class."""
        return self.won + self.drawn + self.lost

    @classmethod
    def of_header(cls, entry: dict[str, Any]) -> Self:
        """Return the table of a header's entry; ValueError, TypeError or KeyError if it is none."""
        table = cls(**{**entry, "counts": tuple(entry["counts"])})
        numbers = (*table.counts, *attrs.astuple(table)[1:])
        natural = all(isinstance(number, int) and number >= 0 for number in numbers)
        if len(table.counts) != 4 or not natural:
            raise ValueError("not counts")
        if table.bits not in {2, DISTANCE_BITS} or not 2 <= sum(table.counts) <= 5:
            raise ValueError("not a class")
        return table


def encode(
    tables: Sequence[tuple[Table, bytes | bytearray | memoryview]],
) -> Iterable[bytes | bytearray | memoryview]:
    """Return the parts of a file, in order. The offsets of the given tables are ignored."""
    tables = sorted(tables, key=lambda pair: (sum(pair[0].counts), pair[0].counts))
    length = 0
    while True:
        # The header's length depends on the offsets in it, and they on its length: this settles at once.
        at, placed = _aligned(len(MAGIC) + 8 + length), []
        for table, _ in tables:
            placed.append(attrs.evolve(table, offset=at))
            at = _aligned(at + table.size)
        header = json.dumps({"tables": [attrs.asdict(table) for table in placed]}).encode()
        if len(header) <= length:
            break
        length = len(header)
    start = MAGIC + length.to_bytes(8, "little") + header.ljust(length)
    yield start.ljust(_aligned(len(start)), b"\0")
    for _, data in tables:
        yield data
        yield bytes(_aligned(len(data)) - len(data))


def decode(data: Content, name: str) -> list[Table]:
    """Return the tables of a file's content; BitbaseError with `name` if it is damaged."""
    start = len(MAGIC) + 8
    try:
        if data[: len(MAGIC)] != MAGIC:
            raise ValueError("it does not begin as one")  # noqa: TRY301
        length = int.from_bytes(data[len(MAGIC) : start], "little")
        tables = [Table.of_header(entry) for entry in json.loads(data[start : start + length])["tables"]]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BitbaseError(f"{name}: not a bitbase file ({error})") from error
    if any(table.offset + table.size > len(data) for table in tables):
        raise BitbaseError(f"{name}: a bitbase file that is cut short")
    return tables


def write(path: Path, tables: Sequence[tuple[Table, bytes | bytearray | memoryview]]) -> None:
    """Write a file that appears whole or not at all. What a killed writer left is written over."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            file.writelines(encode(tables))
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def attach_file(path: Path) -> list[Table]:
    """Map a file, use its tables and return them; BitbaseError if it is damaged, OSError if unreadable."""
    with path.open("rb") as file:
        try:
            data = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        except ValueError as error:
            raise BitbaseError(f"{path}: an empty file") from error
    return _attach(data, str(path))


def built_directory() -> Path:
    """Return where `bonnard bitbase build` puts tables, under $XDG_DATA_HOME or ~/.local/share."""
    base = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The specification of the variable tells to ignore a relative path.
    base = base if base.is_absolute() else Path.home() / ".local" / "share"
    return base / "bonnard" / "bitbases"


def load(directory: Path | None = None, cache: Path | None = None) -> list[Table]:
    """Use the shipped tables and those in `directory`, for every search of this process; return the tables.

    The search gives `built_directory()`: five pieces are used as soon as they are built; referees need no
    more than what is shipped.

    Loading again costs nothing for what is loaded. `cache` is where the shipped file is unpacked, by
    default the user's cache. AssetError or BitbaseError names a damaged file. Not while a search of this
    process runs.
    """
    if SHIPPED not in _loaded:
        _loaded[SHIPPED] = _attach(mapped(Packed.read(SHIPPED), "bitbases", bytes, cache), str(SHIPPED))
    for path in sorted(directory.glob(f"*{SUFFIX}")) if directory is not None else ():
        if path not in _loaded:
            _loaded[path] = attach_file(path)
    return list({table.counts: table for tables in _loaded.values() for table in tables}.values())


def unload() -> None:
    """Use no table any more. Not while a search of this process runs."""
    bitbase.detach()
    _loaded.clear()


_loaded: dict[Path, list[Table]] = {}


def _attach(data: Content, name: str) -> list[Table]:
    tables = decode(data, name)
    view = memoryview(data)
    for table in tables:
        bitbase.attach(table.counts, view[table.offset : table.offset + table.size], table.bits)
    return tables


def _aligned(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT
