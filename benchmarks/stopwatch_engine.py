"""A Hub engine that plays random moves and notes when: stopwatch_engine.py LOG SEED [hub].

It waits up to THINK seconds before each move, as an engine does that thinks.

It writes LOG.PID: a line for each note, a JSON list of "asked" or "moved", its nanoseconds, the
position. Nanoseconds are those of the system's monotonic clock.
"asked" is taken when the line of the request's position has been read, "moved" just before the move is
written.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from hub.codec import parse_line
from rules.fen import format_hub, parse_hub
from rules.notation import hub_move

#: Seconds between two lines of one answer.
LINE_GAP = 0.05
THINK = 0.01


def main() -> None:
    """Follow the protocol on stdin and stdout until its end."""
    log, seed = sys.argv[1:3]
    chance = random.Random(int(seed) + os.getpid())  # noqa: S311 - a game, not a secret
    with Path(f"{log}.{os.getpid()}").open("w", encoding="utf-8") as file:
        follow(chance, lambda *note: print(json.dumps(note), file=file, flush=True))


def follow(chance: random.Random, note: Callable[[str, int, str], None]) -> None:
    """Answer each line; notes are written behind the answer, for some drivers end an engine by a kill."""
    position, asked = None, 0
    for line in sys.stdin:
        now = time.perf_counter_ns()
        command = parse_line(line)
        match command.name:
            case "hub":
                # py-draughts loses the second of two lines that come together.
                print("id name=Stopwatch version=1", flush=True)
                time.sleep(LINE_GAP)
                print("wait", flush=True)
            case "init":
                print("ready", flush=True)
            case "ping":
                print("pong", flush=True)
            case "pos":
                asked = now
                position = parse_hub(command.get("pos"))
                for text in command.get("moves").split():
                    position = position.make(hub_move(text, position))
            case "go" if position is not None:
                move = chance.choice(position.legal_moves())
                time.sleep(chance.uniform(0, THINK))
                moved = time.perf_counter_ns()
                print(f"done move={move.hub}", flush=True)
                note("asked", asked, format_hub(position))
                note("moved", moved, format_hub(position.make(move)))
            case "quit":
                break


if __name__ == "__main__":
    main()
