"""How soon a Hub engine is ready, and answers `ping` and `stop` while it searches on all processors.

    python -m benchmarks.hub_latency [--tries 1000] [COMMAND of another Hub engine, such as scan hub]

Without a command the peer is dame-rs, if `make peers` has installed it. Its search has one thread.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import trio

from hub.client import Engine, Launch, open_engine
from hub.messages import Level
from rules.fen import parse_fen
from rules.game import Game

ROOT = Path(__file__).parent.parent
OURS = (sys.executable, "-P", "-m", "bonnard", "hub")
DAME = ROOT / ".peers" / "dame-rs" / "bin" / "dame"
STARTS = 5
MIDDLE_GAME = "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26"


def summary(seconds: Sequence[float]) -> tuple[float, float, float]:
    """Return median, 99th percentile and maximum in milliseconds."""
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return (
        1000 * ordered[last // 2],
        1000 * ordered[round(last * 0.99)],
        1000 * ordered[-1],
    )


async def start_times(launch: Launch) -> list[float]:
    """Return the seconds from the start of a process to its `ready`."""
    seconds = []
    for _ in range(STARTS):
        began = time.perf_counter()
        async with open_engine(launch):
            seconds.append(time.perf_counter() - began)
    return seconds


async def ping_times(engine: Engine, tries: int) -> list[float]:
    """Return the seconds from ping to pong during one endless search."""
    await engine.ponder(Game(parse_fen(MIDDLE_GAME)), Level(time=3600))
    seconds = [await engine.ping() for _ in range(tries)]
    await engine.stop()
    return seconds


async def stop_times(engine: Engine, tries: int) -> list[float]:
    """Return the seconds from the sent stop to the answer, each after 20 ms of search."""
    seconds = []
    for _ in range(tries):
        await engine.ponder(Game(parse_fen(MIDDLE_GAME)), Level(time=3600))
        search = engine.conversation.search
        assert search  # noqa: S101 - just begun
        await trio.sleep(0.02)
        began = trio.current_time()
        await engine.stop()
        seconds.append(max(0.0, search.done_at - began))
    return seconds


async def measure(launch: Launch, tries: int) -> dict[str, tuple[float, float, float]]:
    """Return the summary of each measurement."""
    found = {"ready": summary(await start_times(launch))}
    async with open_engine(launch) as engine:
        found["ping"] = summary(await ping_times(engine, tries))
        found["stop"] = summary(await stop_times(engine, tries))
    return found


def main() -> None:
    """Measure ours and a peer in one run, and print both and the ratio of the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=1000)
    parser.add_argument("peer", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    peer = arguments.peer or ([str(DAME), "hub"] if DAME.exists() else [])
    threads = str(os.cpu_count() or 1)
    ours = trio.run(measure, Launch(OURS, directory=ROOT, parameters={"threads": threads}), arguments.tries)
    theirs = None
    if peer:
        theirs = trio.run(measure, Launch(tuple(peer), parameters={"threads": threads}), arguments.tries)
    print(
        f"{'ms':7}{'median':>9}{'p99':>9}{'max':>9}   {'peer: median':>12}{'p99':>9}{'max':>9}   ours / peer"
    )
    for name, figures in ours.items():
        line = f"{name:7}" + "".join(f"{figure:9.2f}" for figure in figures)
        if theirs:
            other = theirs[name]
            line += (
                f"   {other[0]:12.2f}{other[1]:9.2f}{other[2]:9.2f}   {figures[0] / max(other[0], 1e-3):.2f}"
            )
        print(line)


if __name__ == "__main__":
    main()
