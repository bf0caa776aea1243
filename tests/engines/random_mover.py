"""A Hub 2 engine that plays a random legal move at once; the seed is its first argument."""

import random
import sys

from hub.codec import parse_line
from rules.fen import parse_hub
from rules.notation import hub_move


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Follow the protocol on stdin and stdout."""
    chance = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    position = None
    for line in sys.stdin:
        command = parse_line(line)
        match command.name:
            case "hub":
                say("id name=Random version=1 author=Bonnard country=None")
                say("wait")
            case "init":
                say("ready")
            case "ping":
                say("pong")
            case "pos":
                position = parse_hub(command.get("pos"))
                for text in command.get("moves").split():
                    position = position.make(hub_move(text, position))
            case "go":
                move = chance.choice(position.legal_moves())
                say(f"info depth=1 score=0.10 nodes=1 time=0.001 pv={move.hub}")
                say(f"done move={move.hub}")
            case "quit":
                return
        sys.stdout.flush()


if __name__ == "__main__":
    main()
