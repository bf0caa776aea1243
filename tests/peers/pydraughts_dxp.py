"""Whole games of pydraughts' DXP engine, as initiator and client; runs in the peer's own environment.

Arguments: the port and the games; pydraughts is white in the first one, black in the second, and so on. It
plays random moves and checks every move of the server on its own board. Prints a JSON object a line for each
game.
"""

import json
import os
import random
import sys
import threading
import time

import draughts
from draughts.engine import DXPEngine

PATIENCE = 30.0
"""Seconds that the server has for a move."""


def wait_for_answer(engine: DXPEngine) -> bool:
    """Wait for the server's move; False when it ended the game instead."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if engine.receiver.last_move_changed:
            return True
        if not engine.sender.current.started:
            return False
        time.sleep(0.001)
    raise TimeoutError("no move and no end of the game")


def play(port: int, chance: random.Random, *, white: bool) -> dict:
    """Play a game and tell how it ended."""
    engine = DXPEngine(None, {"ip": "127.0.0.1", "port": port, "engine-opened": True, "max-moves": 0}, 60)
    board = draughts.Board()
    ended_by = "pydraughts"
    if white:
        board.push(chance.choice(board.legal_moves()))
    reply = engine.play(board).move
    while True:
        board.push(draughts.Move(board, hub_position_move=reply.hub_position_move))
        if board.is_over():
            break
        move = chance.choice(board.legal_moves())
        board.push(move)
        engine.sender.send_move(move)
        if not wait_for_answer(engine):
            ended_by = "server"
            break
        reply = engine.receiver.last_move
    # It says goodbye at once, and then sleeps for seven seconds before it lets go of the socket.
    threading.Thread(target=engine.quit, daemon=True).start()
    return {
        "name": engine.id["name"],
        "white": white,
        "plies": len(board.move_stack),
        "over": board.is_over(),
        "winner": board.winner(),
        "ended by": ended_by,
    }


def main(port: int, games: int) -> None:
    """Play games with alternating colours."""
    chance = random.Random(7)
    for number in range(games):
        print(json.dumps(play(port, chance, white=number % 2 == 0)), flush=True)  # noqa: T201
    time.sleep(0.2)
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
