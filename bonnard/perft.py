"""`bonnard perft`: count the move sequences of a position, the test and the speed of the move generator."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from bonnard.errors import UsageError
from bonnard.moves import read_fen
from rules.move import Move
from rules.perft import perft as count
from rules.perft_table import MOST_MEGABYTES, PerftTable
from rules.position import Position

START = "W:W31-50:B1-20"
MOST_THREADS = 256
DEEPEST = 60
Counter = Callable[[Position, int], int]


def perft(depth: int, /, *, fen: str = START, divide: bool = False, threads: int = 1, hash: int = 0) -> None:  # noqa: A002
    """Count the move sequences of DEPTH plies; last line: depth, nodes, seconds, million nodes a second.

    Parameters
    ----------
    depth
        Plies; every position in the last ply is counted, by the length of its parent's move list.
    fen
        The position to count from.
    divide
        Print each first move with its count first.
    threads
        Threads among which the first two plies are dealt out.
    hash
        Megabytes of a table for positions met again, shared by the threads; 0 for none.

    """
    if not 0 <= depth <= DEEPEST:
        raise UsageError(f"depth {depth}: accepted are 0 to {DEEPEST} plies")
    if not 1 <= threads <= MOST_THREADS:
        raise UsageError(
            f"threads {threads}: accepted are 1 to {MOST_THREADS} (this machine has {os.cpu_count()})"
        )
    if not 0 <= hash <= MOST_MEGABYTES:
        raise UsageError(f"hash {hash}: accepted are 0 to {MOST_MEGABYTES} MB")
    position = read_fen(fen)
    try:
        counter = PerftTable(hash).count if hash else count
    except MemoryError:
        raise UsageError(f"hash {hash}: this machine has no {hash} MB free") from None
    began = time.perf_counter()
    if divide and depth:
        nodes = 0
        for move, counted in divided(position, depth, threads, counter):
            sys.stdout.write(f"{move.hub} {counted}\n")
            nodes += counted
    else:
        nodes = _count(position, depth, threads, counter)
    seconds = time.perf_counter() - began
    speed = nodes / seconds / 1e6 if seconds > 0 else 0.0
    sys.stdout.write(f"{depth} {nodes} {seconds:.3f} {speed:.2f}\n")


def _count(position: Position, depth: int, threads: int, counter: Counter) -> int:
    if threads == 1 or not depth:
        return counter(position, depth)
    return sum(counted for _, counted in divided(position, depth, threads, counter))


def divided(
    position: Position, depth: int, threads: int, counter: Counter = count
) -> Iterator[tuple[Move, int]]:
    """Yield each first move with the count below it; `depth` is at least 1."""
    first = [(move, position.make(move)) for move in position.legal_moves()]
    if depth == 1:
        yield from ((move, 1) for move, _ in first)
        return
    with ThreadPoolExecutor(threads) as pool:
        # Two plies make enough pieces of work for any number of threads to be busy until the end.
        jobs = [
            [pool.submit(counter, following.make(reply), depth - 2) for reply in following.legal_moves()]
            for _, following in first
        ]
        for (move, _), replies in zip(first, jobs, strict=True):
            yield move, sum(job.result() for job in replies)
