"""Speed of the move generator beside others: python -m benchmarks.perft [--peer COMMAND] [--best-of N].

COMMAND is a program that counts from depth 1 to a depth, with {fen}, {depth} and, where it knows the
difference, {bulk} (replaced by the word after `--bulk-flag`, or by nothing), for example

    --peer 'other/perft {bulk} -c {depth} {fen}' --bulk-flag=-b

Figures are millions of leaves a second of CPU time on one core, without a hash table, the best of several
runs, ours and the peer's in turn. "made": every leaf position is built. "listed": the last ply's moves are
written to the list by the generator that the search uses, and its length is taken.
"""

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import time

from rules.fen import parse_fen
from rules.perft import perft

# Positions, depths and counts of published perft tests; the king endgame is ours. All counts are checked.
POSITIONS = (
    ("start", "W:W31-50:B1-20", 9, 41_022_423),
    ("Woldouby", "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26", 13, 9_872_645),
    (
        "king middlegame",
        "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
        7,
        9_041_010,
    ),
    ("king endgame", "W:WK46,K28,37,41:BK5,K23,12,8", 8, 4_197_151),
)


def ours(fen: str, depth: int, expected: int, *, bulk: bool) -> float:
    """Return our million leaves a CPU second; the count must be right."""
    position = parse_fen(fen)
    before = time.process_time()
    nodes = perft(position, depth, bulk=bulk)
    seconds = time.process_time() - before
    if nodes != expected:
        sys.exit(f"{fen} depth {depth}: {nodes} leaves, {expected} are right")
    return nodes / seconds / 1e6


def peer(template: str, fen: str, depth: int, bulk_word: str) -> float:
    """Return a peer's million leaves a CPU second over depths 1 to `depth`."""
    command = [word.format(fen=fen, depth=depth, bulk=bulk_word) for word in shlex.split(template)]
    child = subprocess.Popen([word for word in command if word], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{command[0]} ended with status {child.returncode}")
    nodes = sum(perft(parse_fen(fen), shallower) for shallower in range(1, depth + 1))
    return nodes / (usage.ru_utime + usage.ru_stime) / 1e6


def main() -> None:
    """Print the table and, with a peer, the ratios and their geometric mean."""
    parser = argparse.ArgumentParser(description="Speed of the move generator beside other programs.")
    parser.add_argument("--peer", help="a program's command with {fen} {depth} {bulk}")
    parser.add_argument("--bulk-flag", default="", help="what {bulk} stands for when leaves are only listed")
    parser.add_argument("--best-of", type=int, default=5)
    options = parser.parse_args()
    for bulk in (False, True):
        ratios = []
        for name, fen, depth, expected in POSITIONS:
            mine = theirs = 0.0
            for _ in range(options.best_of):
                mine = max(mine, ours(fen, depth, expected, bulk=bulk))
                if options.peer:
                    theirs = max(theirs, peer(options.peer, fen, depth, options.bulk_flag if bulk else ""))
            line = f"{'listed' if bulk else 'made':6} {name:15} depth {depth:2} {mine:7.1f} Mnps"
            if options.peer:
                ratios.append(mine / theirs)
                line += f"   peer {theirs:7.1f} Mnps   ratio {mine / theirs:.2f}"
            print(line, flush=True)
        if ratios:
            mean = statistics.geometric_mean(ratios)
            print(f"{'listed' if bulk else 'made':6} geometric mean of the ratios {mean:.2f}")


if __name__ == "__main__":
    main()
