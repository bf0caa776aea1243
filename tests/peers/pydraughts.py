"""pydraughts as a process: a request and an answer a line, in JSON. Run by the peer's own interpreter."""

import json
import sys
from typing import Any

from draughts import WHITE, Board, Move  # type: ignore[import-not-found]
from draughts.PDN import PDNReader  # type: ignore[import-not-found]


def result(board: Any) -> str:  # noqa: ANN401 - the peer's class
    """Return the result in international form."""
    winner = board.winner()
    if winner is None:
        return "*"
    return "1-1" if winner == 0 else "2-0" if winner == WHITE else "0-2"


def game(request: dict[str, Any]) -> dict[str, Any]:
    """Play moves in Hub form; tell the legal moves and the result before the first and after each."""
    board = Board(fen=request["fen"])
    legal, results = [], []
    for move in [None, *request["moves"]]:
        if move is not None:
            board.push(Move(board, hub_move=move))
        legal.append([other.hub_move for other in board.legal_moves()])
        results.append(result(board))
    return {"legal": legal, "results": results}


def pdn(request: dict[str, Any]) -> dict[str, Any]:
    """Read games."""
    games = []
    for read in PDNReader(request["pdn"]).games:
        board = Board(fen=read.tags.get("FEN", "startpos"))
        moves = []
        for text in read.moves:
            move = Move(board, pdn_move=text)
            moves.append(move.hub_move)
            board.push(move)
        games.append({"moves": moves, "tags": read.tags})
    return {"games": games}


for line in sys.stdin:
    asked = json.loads(line)
    try:
        answer = pdn(asked) if "pdn" in asked else game(asked)
    except Exception as error:  # noqa: BLE001 - told to the test
        answer = {"error": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
