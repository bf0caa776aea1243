"""Self-play in several processes, each with a file of its own."""

import multiprocessing
import os
import time
from collections.abc import Callable, MutableSequence
from pathlib import Path
from typing import Any

import attrs

from engine import bitbase_file
from engine.assets import folded, unpack_weights
from engine.weights import untaught
from training.arena import RECORD_SIZE, Arena
from training.dataset import PositionWriter

GAMES_IN_A_BLOCK = 64
POSITIONS_IN_A_BLOCK = 32768
POLL_SECONDS = 1.0


@attrs.frozen
class Plan:
    """What is to be played."""

    directory: Path
    """Where the files go: positions-0.bin and so on."""
    positions: int
    """Quiet positions wanted from all processes together."""
    weights: Path | None = None
    """Packed weights to play with; None for an engine that knows nothing."""
    nodes: int = 1000
    """Nodes a move."""
    opening_plies: tuple[int, int] = (4, 14)
    """Least and most random plies at the start of a game."""
    opening_limit: int = 60
    """The score, in 1/100 man, beyond which an opening is thrown away."""
    seed: int = 1
    processes: int = 2
    niceness: int = 19

    def header(self, process: int) -> dict[str, Any]:
        """Return what the file of a process tells about itself."""
        return {
            "engine": "bonnard",
            "weights": "none" if self.weights is None else self.weights.name,
            "nodes": self.nodes,
            "opening_plies": list(self.opening_plies),
            "opening_limit": self.opening_limit,
            "seed": self.seed,
            "process": process,
        }


def load_table(weights: Path | None) -> bytes:
    """Return the table of packed weights, or of none."""
    return folded(untaught() if weights is None else unpack_weights(weights))


def _work(plan: Plan, process: int, progress: MutableSequence[int]) -> None:
    os.nice(plan.niceness)
    bitbase_file.load()
    table = load_table(plan.weights)
    arena = Arena(table, table, plan.nodes, *plan.opening_plies, plan.opening_limit)
    writer = PositionWriter.open(plan.directory / f"positions-{process}.bin", plan.header(process))
    wanted = plan.positions // plan.processes
    buffer = bytearray(POSITIONS_IN_A_BLOCK * RECORD_SIZE)
    parent = multiprocessing.parent_process()
    # A parent that was killed cannot end its processes: they see it themselves.
    while writer.positions < wanted and (parent is None or parent.is_alive()):
        games, size = arena.play(plan.seed * 1000 + process, writer.games, GAMES_IN_A_BLOCK, buffer)
        writer.append(games, memoryview(buffer)[:size])
        progress[2 * process], progress[2 * process + 1] = writer.games, writer.positions
    progress[2 * process], progress[2 * process + 1] = writer.games, writer.positions
    writer.close()


def self_play(plan: Plan, on_progress: Callable[[int, int], None] | None = None) -> tuple[int, int]:
    """Play until the files hold enough positions; return the games and positions in them.

    Files of an earlier run with the same plan are continued. `on_progress` gets both numbers each second.
    RuntimeError if a process fails.
    """
    context = multiprocessing.get_context("spawn")
    progress = context.Array("q", 2 * plan.processes, lock=False)
    workers = [
        context.Process(target=_work, args=(plan, process, progress), daemon=True)
        for process in range(plan.processes)
    ]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        time.sleep(POLL_SECONDS)
        if on_progress is not None:
            on_progress(sum(progress[::2]), sum(progress[1::2]))
    if any(worker.exitcode for worker in workers):
        raise RuntimeError("a process of the self-play failed; its message stands above")
    return sum(progress[::2]), sum(progress[1::2])
