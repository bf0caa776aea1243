"""Speed of a bitbase probe: python -m benchmarks.bitbase [--best-of N].

"near": a thousand positions of one class, so that their tables are in the processor's cache, as in a search.
"far": two hundred thousand random positions of all classes, so that nearly every probe waits for memory.
"checked" looks for a capture first. Nanoseconds a probe of CPU time on one core, the best of several runs.
"""

import argparse
import random
import time

from engine import bitbase, bitbase_file
from engine.bitbase_file import Counts
from engine.bitbase_review import probe_all
from rules.position import Position
from training.bitbase_verify import random_position

PROBES = 4_000_000
NEAR: Counts = (1, 2, 0, 1)


def quiet_positions(classes: list[Counts], number: int, source: random.Random) -> list[Position]:
    """Return random positions without a capture."""
    found = list[Position]()
    while len(found) < number:
        position = random_position(source.choice(classes), source)
        if not position.must_capture:
            found.append(position)
    return found


def nanoseconds(positions: list[Position], best_of: int, *, quiet: bool) -> float:
    """Return the least CPU time of a probe."""
    rounds = PROBES // len(positions)
    best = float("inf")
    for _ in range(best_of):
        before = time.process_time()
        probe_all(positions, rounds, quiet=quiet)
        best = min(best, time.process_time() - before)
    return best / (rounds * len(positions)) * 1e9


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Speed of a bitbase probe.")
    parser.add_argument("--best-of", type=int, default=5)
    options = parser.parse_args()
    before = time.perf_counter()
    bitbase_file.load()
    print(f"loaded in {time.perf_counter() - before:.3f} s, {bitbase.pieces()} pieces")
    source = random.Random(1)  # noqa: S311 - no secret
    sets = (
        ("near", quiet_positions([NEAR], 1000, source)),
        ("far", quiet_positions(bitbase.classes(4), 200_000, source)),
    )
    for name, positions in sets:
        for quiet in (True, False):
            time_taken = nanoseconds(positions, options.best_of, quiet=quiet)
            print(f"{name:5} {'' if quiet else 'checked':8} {time_taken:6.1f} ns a probe", flush=True)


if __name__ == "__main__":
    main()
