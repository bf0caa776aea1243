"""Time to depth of several threads beside one: python -m benchmarks.threads [--threads N] [--seconds S].

Every position is searched from an empty table, a ply deeper than the first depth that takes one thread S
seconds; the figure is the geometric mean of the ratios of wall time. Searches of several threads differ from
run to run: take the mean of several. As many cores must be free as there are threads.
"""

import argparse
import math

from engine.limits import Limits
from engine.searcher import Searcher
from rules.fen import parse_fen
from rules.game import Game

POSITIONS = (
    "B:W24,28,31,32,35,36,37,38,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,20,21,29",
    "B:W27,32,33,34,35,36,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,8,9,10,11,12,13,14,15,16,18,19,20",
    "B:W26,31,35,36,37,38,39,40,41,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,10,11,12,13,14,15,16,20,24",
    "W:W26,31,32,33,34,38,39,40,41,42,43,45,47,48,49,50:B1,2,4,5,6,8,9,10,11,14,16,17,19,21,22,25",
    "B:W22,27,33,34,35,36,40,41,42,45,46,47,48,49,50:B1,2,3,5,6,8,9,10,11,13,15,16,18,19,24",
    "B:W27,31,34,35,36,38,40,41,45,46,47,48,49,50:B1,2,3,6,7,8,9,11,13,15,16,17,20,22",
    "W:W26,27,31,36,37,38,39,43,44,45,46,47,48:B1,2,3,6,8,9,11,12,13,14,15,16,20",
    "B:W26,32,33,35,36,38,39,42,44,45,46,49:B1,2,3,4,6,8,9,10,13,14,16,19",
    "W:W33,35,38,41,42,43,44,45,46,47,48:B2,3,4,6,8,9,10,13,16,18,21",
    "W:W15,30,32,34,35,36,38,42,43,48:B3,4,6,9,16,17,18,21,26,27",
    "W:W24,27,31,32,37,38,42,48,50:B6,8,10,12,13,14,16,25,35",
    "W:W27,28,32,33,39,42,49,50:B4,9,12,14,16,17,18,21",
    "B:W16,21,26,27,35,42,43:B7,8,11,12,13,14,18",
    "W:W26,33,43,44,45,47:B1,3,4,9,13,24",
    "B:W23,31,33,35,36,37,38,39,40,41,42,43,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,13,14,15,16,20,22,24",
    "W:W31,33,35,36,38,39,40,42,43,44,45,46,48,49,50:B1,3,4,5,6,7,8,9,10,11,15,16,20,22,24,28",
    "B:W19,23,26,33,36,37,40,41,42,46,47,48,49,50:B1,2,3,5,6,8,9,11,12,14,15,16,17",
    "B:W17,29,33,35,36,38,39,42,43,44,45,48:B6,7,8,9,13,14,15,18,19,20,24",
    "B:W14,32,34,35,37,42,47,48,49:B5,6,10,12,15,17,19,23,26,36",
    "B:WK21,37,40,44,48,49:B4,6,13,14,15,18,19,25,35",
    "B:W23,24,31,36,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
    "B:W24,25,26,27,34,36,37,38,39,42,44,45,48,49,50:B3,5,6,8,9,10,11,13,14,15,16,17,18,23",
    "B:WK5,22,34,35,36,37,38,39,41,42,43,44,46:B1,3,7,9,11,12,13,15,16,23,24,26",
    "W:W26,31,36,37,38,39,44,48,49,50:B3,8,9,13,14,15,16,17,21,30,35",
)
"""From self-play, with 12 to 38 pieces, a search of 20,000 nodes within 0.6 men."""


def seconds_to_depth(searcher: Searcher, fen: str, depth: int) -> float:
    """Return the wall time of a search from nothing."""
    searcher.new_game()
    return searcher.search(Game(parse_fen(fen)), Limits(depth=depth)).time


def depth_for(searcher: Searcher, fen: str, seconds: float) -> int:
    """Return one ply more than the first depth that takes the searcher so long, from an empty table.

    That first depth itself would be one that happens to be dear to one thread.
    """
    searcher.new_game()
    return searcher.search(Game(parse_fen(fen)), Limits(move_time=seconds)).depth + 2


def main() -> None:
    """Print the times of each position and the mean ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.2, help="for one thread")
    parser.add_argument("--runs", type=int, default=3, help="of each position; the figure is the mean")
    arguments = parser.parse_args()
    alone, together = Searcher(1), Searcher(arguments.threads)
    logs = []
    for fen in POSITIONS:
        depth = depth_for(alone, fen, arguments.seconds)
        one = sum(seconds_to_depth(alone, fen, depth) for _ in range(arguments.runs))
        many = sum(seconds_to_depth(together, fen, depth) for _ in range(arguments.runs))
        logs.append(math.log(many / one))
        print(
            f"{depth:3} plies {one / arguments.runs:8.3f} s {many / arguments.runs:8.3f} s"
            f"   x {many / one:.2f}   {fen}"
        )
    mean = sum(logs) / len(logs)
    spread = math.sqrt(sum((log - mean) ** 2 for log in logs) / (len(logs) - 1) / len(logs))
    print(
        f"geometric mean x {math.exp(mean):.3f} with {arguments.threads} threads"
        f" (95 %: {math.exp(mean - 1.96 * spread):.3f} to {math.exp(mean + 1.96 * spread):.3f})"
    )


if __name__ == "__main__":
    main()
