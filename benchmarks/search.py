"""Depth and speed of the search, beside another Hub engine: python -m benchmarks.search [--peer COMMAND].

    python -m benchmarks.search --seconds 1 --peer './scan hub' --dir DIRECTORY

One thread each, an empty table; ours without bitbases unless --bitbases. Depths of different programs are no
measure of strength: programs count plies, nodes and reductions differently. The last two columns give the
seconds until each first reported the shallower of the two final depths.
"""

import argparse
import functools
import shlex
from collections.abc import Sequence
from pathlib import Path

import attrs
import trio

from engine import bitbase_file
from engine.searcher import load_weights_once
from engine.tree import Memory, Tree, clock
from hub.client import Launch, open_engine
from hub.messages import Info, Level
from rules.fen import parse_fen
from rules.game import Game

POSITIONS = {
    "start": "W:W31-50:B1-20",
    "Woldouby": "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
    "open": (
        "W:W27,28,31,32,33,35,36,37,38,39,40,42,43,45,47,48,49,50:"
        "B2,3,4,6,7,8,9,10,11,12,13,14,16,17,18,19,24,26"
    ),
    "kings": "W:WK46,K48,27,37,38:BK4,8,13,19,24",
}


@attrs.define
class Run:
    """One search: what was reached, and when each depth first was."""

    nodes: int = 0
    seconds: float = 0.0
    score: float = 0.0
    reached: dict[int, float] = attrs.field(factory=dict)

    @property
    def depth(self) -> int:
        """Plies of the last depth told."""
        return max(self.reached, default=0)

    @property
    def speed(self) -> float:
        """Million nodes a second."""
        return self.nodes / self.seconds / 1e6 if self.seconds else 0.0


def ours(fen: str, seconds: float, megabytes: int) -> Run:
    """Search a position with our kernel for some seconds."""
    memory = Memory(megabytes)
    tree = Tree(memory)
    memory.arm()
    tree.set_root(parse_fen(fen), endless=True)
    run = Run()
    began = clock()
    memory.set_deadlines(began + seconds, began + seconds)
    depth = 1
    while tree.run(depth, depth) == depth and depth < 127:  # noqa: PLR2004 - the kernel's limit
        run.reached[depth] = clock() - began
        depth += 1
    run.nodes, run.seconds, run.score = tree.nodes, clock() - began, tree.line(0)[0] / 100
    return run


async def peer(command: str, directory: Path | None, fens: Sequence[str], seconds: float) -> list[Run]:
    """Let a Hub engine search positions for some seconds each."""
    runs = []
    async with open_engine(Launch(tuple(shlex.split(command)), directory, nice=0)) as engine:
        for fen in fens:
            run = Run()

            def note(info: Info, run: Run = run) -> None:
                if info.depth is not None and info.time is not None:
                    run.reached.setdefault(info.depth, info.time)

            await engine.new_game()
            answer = await engine.think(Game(parse_fen(fen)), Level(move_time=seconds), on_info=note)
            run.nodes, run.seconds = answer.info.nodes or 0, answer.info.time or answer.seconds
            run.score = answer.info.score or 0.0
            runs.append(run)
    return runs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0], help="time for each position")
    parser.add_argument("--tt-size", type=int, default=64, help="our transposition table, MB")
    parser.add_argument("--bitbases", action="store_true", help="ours with the shipped bitbases")
    parser.add_argument("--peer", help="command of a Hub engine")
    parser.add_argument("--dir", type=Path, help="directory to run the peer in")
    arguments = parser.parse_args()
    load_weights_once()
    if arguments.bitbases:
        bitbase_file.load()
    for seconds in arguments.seconds:
        own = [ours(fen, seconds, arguments.tt_size) for fen in POSITIONS.values()]
        others: list[Run] = []
        if arguments.peer:
            fens = list(POSITIONS.values())
            others = trio.run(functools.partial(peer, arguments.peer, arguments.dir, fens, seconds))
        show(seconds, own, others)


def show(seconds: float, own: Sequence[Run], others: Sequence[Run]) -> None:
    """Print what was measured for one time."""
    print(f"{seconds:g} s a position    ours: depth  Mnodes   Mnps  score", end="")
    print("    peer: depth  Mnodes   Mnps  score    Mnps ratio  s to depth: ours   peer" if others else "")
    for index, name in enumerate(POSITIONS):
        run = own[index]
        print(f"{name:<24}{run.depth:>7}{run.nodes / 1e6:>8.2f}{run.speed:>7.2f}{run.score:>7.2f}", end="")
        if others:
            other = others[index]
            common = min(run.depth, other.depth)
            print(f"{other.depth:>15}{other.nodes / 1e6:>8.2f}{other.speed:>7.2f}{other.score:>7.2f}", end="")
            ratio = run.speed / other.speed if other.speed else 0.0
            first, second = run.reached.get(common, 0.0), other.reached.get(common, 0.0)
            print(f"{ratio:>14.2f}{common:>10}{first:>8.3f}{second:>7.3f}")
        else:
            print()


if __name__ == "__main__":
    main()
