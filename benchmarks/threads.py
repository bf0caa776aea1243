"""Time to depth of several threads beside one: python -m benchmarks.threads [--threads N] [--depth PLIES].

Every position is searched from an empty table; the figure is the geometric mean of the ratios of wall time.
Threads share the table and nothing else, so their searches differ from run to run: take the mean of several.
"""

import argparse
import math

from engine.limits import Limits
from engine.searcher import Searcher
from rules.fen import parse_fen
from rules.game import Game

POSITIONS = (
    "W:W31-50:B1-20",
    "W:W27,28,31,32,33,35,36,37,38,39,40,42,43,45,47,48,49,50:B2,3,4,6,7,8,9,10,11,12,13,14,16,17,18,19,24,26",
    "B:W27,28,32,37,38,39,42,43,48:B3,8,9,12,13,14,18,19,24",
    "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
    "B:W26,31,33,34,36,37,38,39,40,42,43,45,47,48,49,50:B1,2,3,4,6,8,9,10,11,13,14,15,16,18,19,23",
    "W:W28,30,32,33,35,37,38,39,42,43,45,48:B6,8,9,11,13,14,16,17,18,19,23,24",
    "W:WK46,K48,27,37,38:BK4,8,13,19,24",
    "B:W22,28,32,33,37,38,43,48:B7,9,12,13,16,18,19,26",
)


def seconds_to_depth(searcher: Searcher, fen: str, depth: int) -> float:
    """Return the wall time of a search from nothing."""
    searcher.new_game()
    return searcher.search(Game(parse_fen(fen)), Limits(depth=depth)).time


def main() -> None:
    """Print the times of each position and the mean ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--depth", type=int, default=18)
    parser.add_argument("--runs", type=int, default=3, help="of each position; the figure is the mean")
    arguments = parser.parse_args()
    alone, together = Searcher(1), Searcher(arguments.threads)
    logs = []
    for fen in POSITIONS:
        one = sum(seconds_to_depth(alone, fen, arguments.depth) for _ in range(arguments.runs))
        many = sum(seconds_to_depth(together, fen, arguments.depth) for _ in range(arguments.runs))
        logs.append(math.log(many / one))
        print(f"{one / arguments.runs:8.3f} s {many / arguments.runs:8.3f} s   x {many / one:.2f}   {fen}")
    print(f"geometric mean x {math.exp(sum(logs) / len(logs)):.3f} with {arguments.threads} threads")


if __name__ == "__main__":
    main()
