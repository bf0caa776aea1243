"""py-draughts as a process: a request and an answer a line, in JSON. Run by the peer's own interpreter."""

import json
import sys
from typing import Any

import draughts  # type: ignore[import-not-found]

draughts.logger.disable("draughts")
RESULTS = {"1-0": "2-0", "0-1": "0-2", "1/2-1/2": "1-1", "-": "*"}


def hub(move: Any) -> str:  # noqa: ANN401 - the peer's class
    """Return a move in Hub form."""
    start, end = move.square_list[0] + 1, move.square_list[-1] + 1
    if not move.captured_list:
        return f"{start}-{end}"
    return "x".join(map(str, [start, end, *sorted(square + 1 for square in move.captured_list)]))


def game(request: dict[str, Any]) -> dict[str, Any]:
    """Play moves in Hub form; tell the legal moves and the result before the first and after each."""
    board = draughts.Board.from_fen(request["fen"])
    legal, results = [], []
    for wanted in [None, *request["moves"]]:
        if wanted is not None:
            board.push(next(move for move in board.legal_moves if hub(move) == wanted))
        legal.append([hub(move) for move in board.legal_moves])
        results.append(RESULTS[board.result])
    return {"legal": legal, "results": results}


def pdn(request: dict[str, Any]) -> dict[str, Any]:
    """Read one game."""
    board = draughts.Board.from_pdn(request["pdn"])
    return {"games": [{"moves": [hub(move) for move in board._moves_stack], "fen": board.fen}]}


for line in sys.stdin:
    asked = json.loads(line)
    try:
        answer = pdn(asked) if "pdn" in asked else game(asked)
    except Exception as error:  # noqa: BLE001 - told to the test
        answer = {"error": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
