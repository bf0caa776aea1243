"""A game under pydraughts' Hub driver; runs in the peer's own environment.

Arguments as for py_draughts_hub.py. Each move is asked for with the same short clock.
"""

import sys

import draughts
import draughts.engine


def main(program: str, plies: int) -> None:
    """Let the engine play both sides of a game, every move checked by pydraughts."""
    game = draughts.Board()
    engine = draughts.engine.HubEngine([program, "hub"])
    engine.init()
    engine.configure({"threads": 1, "tt-size": 18})
    limit = draughts.engine.Limit(time=0.1, inc=0.005)
    for _ in range(plies):
        if game.is_over():
            break
        game.push(engine.play(game, limit, ponder=False).move)
    engine.quit()
    engine.kill_process()
    print(engine.id["name"], len(game.move_stack), game.is_over())  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[3]))
