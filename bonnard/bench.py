"""`bonnard bench`: a fixed-depth node signature of the search, and its speed.

The signature changes exactly when the search's tree does. It is taken with the untaught weights, without
bitbases and on one thread, so that new weights or tables do not touch it.
"""

import json as json_text
import sys
import time

from bonnard.errors import UsageError
from engine.assets import folded
from engine.evaluate import use_weights
from engine.searcher import search_position
from engine.tree import Memory, Tree
from engine.weights import untaught
from rules.fen import parse_fen

DEPTH = 12
DEEPEST = 40
TABLE_MB = 16

# Openings, crowded middlegames, combinations, kings against men, and kings alone.
POSITIONS = (
    "W:W31-50:B1-20",
    "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
    "W:W27,28,31,32,33,35,36,37,38,39,40,42,43,45,47,48,49,50:B2,3,4,6,7,8,9,10,11,12,13,14,16,17,18,19,24,26",
    "B:W27,28,32,37,38,39,42,43,48:B3,8,9,12,13,14,18,19,24",
    "W:W31,33,34,35,37,38,39,40:B8,16,17,18,19,22,26,27",
    "W:WK46,K48,27,37,38:BK4,8,13,19,24",
    "B:WK1,22,28,33:BK45,K50,14",
    "W:WK16,K46,K49:B9,10,13,17,18,20,24,27,28,29,31,38,39,41,42",
)


def measure(depth: int) -> tuple[int, float]:
    """Search every position `depth` plies deep from an empty table; return all nodes and seconds."""
    use_weights(folded(untaught()))
    tree = Tree(Memory(TABLE_MB))
    nodes = 0
    began = time.perf_counter()
    for fen in POSITIONS:
        tree.memory.clear()
        tree.forget()
        search_position(tree, parse_fen(fen), depth=depth)
        nodes += tree.nodes
    return nodes, time.perf_counter() - began


def bench(*, depth: int = DEPTH, json: bool = False) -> None:
    """Print the nodes of fixed searches (a signature of the search's tree) and the speed.

    The line is: signature, seconds, million nodes a second.

    Parameters
    ----------
    depth
        Plies of every search; only figures of the same depth compare.
    json
        Print one JSON object instead.

    """
    if not 1 <= depth <= DEEPEST:
        raise UsageError(f"depth {depth}: accepted are 1 to {DEEPEST} plies")
    nodes, seconds = measure(depth)
    speed = nodes / seconds / 1e6
    if json:
        line = json_text.dumps(
            {"depth": depth, "nodes": nodes, "seconds": round(seconds, 3), "mnps": round(speed, 3)}
        )
    else:
        line = f"{nodes} {seconds:.3f} {speed:.2f}"
    sys.stdout.write(line + "\n")
