"""A game under py-draughts' Hub driver; runs in the peer's own environment.

Arguments: a program that is started with `hub`, the depth, the most plies. Prints the engine's name, the
plies and the result. Raises, and so exits with 1, when the driver is not content.
"""

import sys

from draughts import StandardBoard
from draughts.engines.hub import HubEngine
from loguru import logger


def main(program: str, depth: int, plies: int) -> None:
    """Let the engine play both sides of a game, every move checked by py-draughts."""
    logger.remove()
    board = StandardBoard()
    with HubEngine(program, depth_limit=depth, time_limit=0.1) as engine:
        assert engine.ping()
        for _ in range(plies):
            if board.game_over:
                break
            board.push(engine.get_best_move(board))
        name = engine.info.name
    print(name, len(board._moves_stack), board.result)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
