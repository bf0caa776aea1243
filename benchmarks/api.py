"""The Python API beside py-draughts' board, in one run: new game, list moves, push one; and whole games.

Run by our interpreter it prints both and the ratio; by the peer's, with --peer, what the peer takes.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PEER = Path(".peers/py-draughts/bin/python")
ROUNDS = 5
FIRST = 2000
"""New games in a round."""
PLIES = 60


def best(task: Callable[[], int]) -> float:
    """Return the CPU microseconds of one unit of a task, best of the rounds; the task returns its units."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        units = task()
        times.append((time.process_time() - began) / units)
    return min(times) * 1e6


def measure(new: Callable[[], Any], moves: Callable[[Any], list[Any]]) -> dict[str, float]:
    """Measure a board class: `new` makes one, `moves` lists its moves; both have push and pop."""

    def first() -> int:
        for _ in range(FIRST):
            board = new()
            board.push(moves(board)[0])
        return FIRST

    def game() -> int:
        done = 0
        for choice in range(20):
            board = new()
            played = 0
            while played < PLIES and (listed := moves(board)):
                board.push(listed[choice * 7 % len(listed)])
                played += 1
            for _ in range(played):
                board.pop()
            done += played
        return done

    return {"new game, moves, push": best(first), "ply of a game, pushed and popped": best(game)}


def peer() -> None:
    """Measure py-draughts; its interpreter runs this."""
    from draughts import Board  # type: ignore[import-not-found]  # noqa: PLC0415 - there only

    sys.stdout.write(json.dumps(measure(Board, lambda board: board.legal_moves)))


def main() -> None:
    """Print our figures, the peer's and the ratios."""
    from rules.game import Game  # noqa: PLC0415 - not in the peer's environment

    if not PEER.exists():
        sys.exit("the peer py-draughts is missing: run `make peers`")
    ours = measure(Game, lambda game: game.legal_moves())
    done = subprocess.run([PEER, __file__, "--peer"], capture_output=True, text=True, check=True)
    theirs = json.loads(done.stdout)
    for name, mine in ours.items():
        print(
            f"api: {name}: bonnard {mine:.2f} us, py-draughts {theirs[name]:.2f} us,"
            f" ratio {theirs[name] / mine:.1f} (target 5)"
        )


if __name__ == "__main__":
    peer() if sys.argv[1:] == ["--peer"] else main()
