"""Generation of the bitbases: which class when, by how many threads, in how much memory; and packing them.

Classes are solved in pairs, a class with its opposite. A pair needs the tables of fewer pieces (captures)
and of as many pieces with fewer men (crownings), so pairs go by pieces and men; those alike in both do not
need each other and may run at the same time. A solved pair is written to a file of its own: a build that
was ended goes on behind its last file.
"""

import fcntl
import hashlib
import json
import lzma
import os
from array import array
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from engine import bitbase, bitbase_build, bitbase_file
from engine.bitbase_file import (
    DISTANCE_BITS,
    SHIPPED_PIECES,
    SUFFIX,
    BitbaseError,
    Counts,
    Table,
    class_name,
    opposite,
)

MEGABYTE = 1 << 20
POLL = 0.2
"""Seconds between two reports of progress."""


@attrs.frozen
class Pair:
    """A class and its opposite, solved together; in `counts` the stronger side moves."""

    counts: Counts

    @property
    def classes(self) -> tuple[Counts, ...]:
        """The classes, one where a class is its own opposite."""
        both = (self.counts, opposite(self.counts))
        return both[:1] if both[0] == both[1] else both

    @property
    def slots(self) -> int:
        """Slots of all its classes."""
        return sum(bitbase.slot_count(counts) for counts in self.classes)

    @property
    def megabytes(self) -> int:
        """Memory that solving it takes: two bytes a slot and the tables; mapped files come on top."""
        return self.slots * 9 // 4 // MEGABYTE + 8

    def path(self, directory: Path) -> Path:
        """Return its file."""
        return directory / f"{class_name(self.counts)}{SUFFIX}"


@attrs.frozen
class Progress:
    """How far a build is."""

    done: int
    """Slots of finished pairs and, in part, of running ones."""
    total: int
    running: tuple[str, ...]
    """Names of the pairs that are being solved."""


def schedule(pieces: int) -> list[list[Pair]]:
    """Return the pairs of exactly `pieces` pieces in stages; a stage needs those before it."""
    stages: dict[int, list[Pair]] = {}
    for counts in bitbase.classes(pieces):
        men, kings, their_men, their_kings = counts
        if (men + kings, kings, counts) >= (their_men + their_kings, their_kings, opposite(counts)):
            stages.setdefault(men + their_men, []).append(Pair(counts))
    return [sorted(stages[men], key=lambda pair: -pair.slots) for men in sorted(stages)]


def _pairs(numbers: Iterable[int]) -> list[Pair]:
    return [pair for number in numbers for stage in schedule(number) for pair in stage]


def build(
    pieces: int,
    directory: Path,
    *,
    jobs: int = 1,
    megabytes: int = 1024,
    report: Callable[[Progress], None] = lambda _: None,
) -> list[Table]:
    """Make the tables of 2 to `pieces` pieces in `directory`, if not yet there, and return them all.

    The shipped tables serve a build of five pieces as they are; otherwise all begins from nothing. `jobs`
    threads run side by side as long as their pairs need no more than `megabytes` together. The tables stay
    in use. MemoryError if a single pair needs more, OSError if a file cannot be written, BitbaseError if
    one is damaged.
    """
    bitbase_file.unload()
    directory.mkdir(parents=True, exist_ok=True)
    numbers = range(2, pieces + 1)
    tables: list[Table] = []
    if pieces > SHIPPED_PIECES and bitbase_file.SHIPPED.exists():
        tables = bitbase_file.load()
        numbers = range(SHIPPED_PIECES + 1, pieces + 1)
    pairs = _pairs(numbers)
    largest = max(pairs, key=lambda pair: pair.megabytes)
    if largest.megabytes > megabytes:
        name = class_name(largest.counts)
        raise MemoryError(f"{name} needs {largest.megabytes} MB of memory, and {megabytes} MB are allowed")
    builder = _Builder(directory, jobs, megabytes, report, total=sum(pair.slots for pair in pairs))
    with _alone(directory):
        for stage in (stage for number in numbers for stage in schedule(number)):
            builder.finish(stage)
            for pair in stage:
                tables += bitbase_file.attach_file(pair.path(directory))
    return tables


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Lock a directory; the lock goes with the process."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BitbaseError(f"{directory}: another build is at work there") from None
        yield
    finally:
        os.close(handle)


@attrs.define
class _Builder:
    """A build under way."""

    directory: Path
    jobs: int
    megabytes: int
    report: Callable[[Progress], None]
    total: int
    done: int = 0

    def finish(self, stage: list[Pair]) -> None:
        """Solve the pairs of a stage that have no file. An exception, Ctrl-C too, stops all of them first."""
        queue = [pair for pair in stage if not pair.path(self.directory).exists()]
        self.done += sum(pair.slots for pair in stage if pair not in queue)
        running: dict[Future[None], tuple[Pair, array[int]]] = {}
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                while queue or running:
                    while pair := self._next(queue, [pair for pair, _ in running.values()]):
                        counter = array("q", [0, 0])
                        running[pool.submit(_solve, pair, self.directory, counter)] = (pair, counter)
                    for future in wait(running, POLL, FIRST_COMPLETED).done:
                        pair, _ = running.pop(future)
                        future.result()
                        self.done += pair.slots
                    self._tell(list(running.values()))
            finally:
                for _, counter in running.values():
                    counter[1] = 1

    def _next(self, queue: list[Pair], running: list[Pair]) -> Pair | None:
        """Take the largest pair that may run beside the running ones out of the queue."""
        free = self.megabytes - sum(pair.megabytes for pair in running)
        fitting = [pair for pair in queue if pair.megabytes <= free]
        if not fitting or len(running) == self.jobs:
            return None
        queue.remove(fitting[0])
        return fitting[0]

    def _tell(self, running: "list[tuple[Pair, array[int]]]") -> None:
        # To start its slots is about half of the work of a pair.
        begun = sum(min(counter[0], pair.slots) // 2 for pair, counter in running)
        names = tuple(class_name(pair.counts) for pair, _ in running)
        self.report(Progress(self.done + begun, self.total, names))


def _solve(pair: Pair, directory: Path, counter: "array[int]") -> None:
    """Solve a pair and write its file. `counter` is the kernel's: slots started, and a flag that stops it."""
    buffers = [
        (bytearray(bitbase.slot_count(counts)), bytearray(bitbase.slot_count(counts)))
        for counts in pair.classes
    ]
    bitbase_build.solve(pair.counts, (*buffers[0], *buffers[-1]), counter)
    bits = DISTANCE_BITS if sum(pair.counts) <= SHIPPED_PIECES else 2
    shape = bitbase_build.distances if bits == DISTANCE_BITS else bitbase_build.values
    tables = []
    for counts, (levels, states) in zip(pair.classes, buffers, strict=True):
        table = Table(counts, bits, *bitbase_build.tally(levels, states))
        tables.append((table, shape(levels, states)))
    bitbase_file.write(pair.path(directory), tables)


def pack(directory: Path, path: Path, provenance: dict[str, Any]) -> int:
    """Write the tables of 2 to 4 pieces in `directory` as the packed file to ship; return its size in bytes.

    `provenance` tells how they were made. BitbaseError names a file that is missing or damaged.
    """
    tables = list[tuple[Table, bytes]]()
    for pair in _pairs(range(2, SHIPPED_PIECES + 1)):
        source = pair.path(directory)
        if not source.exists():
            raise BitbaseError(f"{source} is missing: build it first")
        data = source.read_bytes()
        found = bitbase_file.decode(data, str(source))
        tables += [(table, data[table.offset : table.offset + table.size]) for table in found]
    plain = b"".join(bitbase_file.encode(tables))
    header = {"kind": "bitbases", "sha256": hashlib.sha256(plain).hexdigest(), "provenance": provenance}
    # No byte of a table depends on those around it by position: contexts of position only dilute the
    # statistics.
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "pb": 0}]
    packed = json.dumps(header).encode() + b"\n" + lzma.compress(plain, filters=filters)
    path.write_bytes(packed)
    return len(packed)
