"""dame-rs as a process: a request and an answer a line, in JSON. Run by the peer's own interpreter."""

import json
import sys
from typing import Any

import dame  # type: ignore[import-not-found]


def game(request: dict[str, Any]) -> dict[str, Any]:
    """Play moves in Hub form; tell the legal moves and the result before the first and after each."""
    board = dame.Board(request["fen"])
    legal, results = [], []
    for move in [None, *request["moves"]]:
        if move is not None:
            board.push(move)
        outcome = board.outcome()
        legal.append([other.hub() for other in board.legal_moves])
        results.append(outcome.result() if outcome else "*")
    return {"legal": legal, "results": results}


for line in sys.stdin:
    try:
        answer = game(json.loads(line))
    except BaseException as error:  # noqa: BLE001 - a Rust panic is no Exception
        answer = {"error": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
