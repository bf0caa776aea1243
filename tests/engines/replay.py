"""A Hub engine that says what a recorded engine said: `replay.py CAPTURE`.

The lines after `hub`, `init` and `ping` are those of the recording; the first search gets everything from the
first recorded `go` to its answer, the second search the second, and so on.
"""

import json
import sys
from pathlib import Path

GO = ("go", "ponder", "analyse")
ANSWERS = ("done", "move")


def read(path: str) -> dict[str, list[list[str]]]:
    """Return what was said after each command, in the order of the recording; all kinds of `go` are one."""
    said: dict[str, list[list[str]]] = {}
    searching = False
    for row in map(json.loads, Path(path).read_text().splitlines()):
        line = row["data"].rstrip("\n")
        word = line.split(" ")[0]
        if row["dir"] == "gui>engine":
            if not searching:
                searching = word in GO
                said.setdefault("go" if searching else word, []).append([])
                current = said["go" if searching else word][-1]
        elif "event" not in row and not (searching and word == "pong"):
            current.append(line)
            searching = searching and word not in ANSWERS
    return said


def main() -> None:
    """Answer each command with what was recorded after it."""
    said = read(sys.argv[1])
    for line in sys.stdin:
        word = line.split(" ")[0].strip()
        if word == "quit":
            return
        word = "go" if word in GO else word
        answers = said.get(word, [])
        if word in ("go", "hub", "init", "ping") and answers:
            for answer in answers.pop(0) if word == "go" else answers[0]:
                sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
