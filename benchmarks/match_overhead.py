"""The time a match costs between an engine's move and the request to the other engine.

    python -m benchmarks.match_overhead [--games 40] [--concurrency 2]

Engines that think up to 10 ms (without using the processor) note, by the system's monotonic clock, when they
move and when they are asked: the figure holds everything between, pipes, referee, rules and the waking of two
processes. The same engines play under py-draughts' Benchmark and pydraughts' tournament (one game at a time:
they know no other), if `make peers` has installed them.
"""

import argparse
import bisect
import json
import shlex
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "benchmarks" / "stopwatch_engine.py"
PEERS = ("py-draughts", "pydraughts")
#: A request later than this (ns) belongs to another game that came to the same position.
SAME_GAME = 2_000_000_000
MEDIAN_LIMIT, TAIL_LIMIT = 1.0, 5.0


def delays(directory: Path) -> list[float]:
    """Return the milliseconds from each move to the next request for that position by another process."""
    asked: dict[str, list[tuple[int, str]]] = defaultdict(list)
    moved: list[tuple[str, int, str]] = []
    for file in directory.glob("log.*"):
        for kind, when, position in map(json.loads, file.read_text().splitlines()):
            if kind == "asked":
                asked[position].append((when, file.name))
            else:
                moved.append((file.name, when, position))
    for requests in asked.values():
        requests.sort()
    found = []
    for name, when, position in moved:
        requests = asked.get(position, [])
        for later, other in requests[bisect.bisect(requests, (when, "")) :]:
            if other != name and later - when < SAME_GAME:
                found.append((later - when) / 1e6)
                break
    return sorted(found)


def play(command: Sequence[str], directory: Path) -> tuple[float, list[float]]:
    """Run a match whose engines write their logs into a directory; return its seconds and the delays."""
    began = time.perf_counter()
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{shlex.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return seconds, delays(directory)


def show(name: str, seconds: float, games: int, found: list[float]) -> float:
    """Print a line and return the median in milliseconds."""
    last = len(found) - 1
    median, tail = found[last // 2], found[round(last * 0.99)]
    print(
        f"{name:28} {len(found):7} moves  median {median:7.3f} ms  p99 {tail:7.3f} ms"
        f"  max {found[-1]:8.3f} ms  {seconds / games * 1000:8.1f} ms a game"
    )
    return median


def main() -> None:
    """Play under each program and print the figures, ours, the peers' and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--concurrency", type=int, default=2)
    options = parser.parse_args()
    medians = {}
    for slots in sorted({1, options.concurrency}):
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            engine = shlex.join([sys.executable, str(ENGINE), str(directory / "log")])
            match = [sys.executable, "-P", "-m", "bonnard", "match", f"a=hub:{engine} 1", f"b=hub:{engine} 2"]
            match += ["--games", str(options.games), "--clock", "1m", "--concurrency", str(slots)]
            match += ["--openings", "2ply", "--out", str(directory / "out")]
            seconds, found = play(match, directory)
            medians[slots] = show(f"bonnard, {slots} games at once", seconds, options.games, found)
            if found[round(0.99 * (len(found) - 1))] > TAIL_LIMIT or medians[slots] > MEDIAN_LIMIT:
                print(
                    f"  beyond the aim: median {MEDIAN_LIMIT} ms, p99 {TAIL_LIMIT} ms (is the machine busy?)"
                )
    for peer in PEERS:
        python = ROOT / ".peers" / peer / "bin" / "python"
        if not python.exists():
            print(f"{peer}: not installed (make peers)")
            continue
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            program = directory / "engine"
            engine = shlex.join([sys.executable, str(ENGINE), str(directory / "log"), "1"])
            program.write_text(f'#!/bin/sh\nexec {engine} "$@"\n')
            program.chmod(0o755)
            games = max(2, options.games // 4)
            command = [
                str(python),
                str(ROOT / "benchmarks" / "match_peers.py"),
                peer,
                str(program),
                str(games),
            ]
            seconds, found = play(command, directory)
            median = show(f"{peer}, one at a time", seconds, games, found)
            print(f"  ratio of the medians: {median / medians[1]:.1f}")


if __name__ == "__main__":
    main()
