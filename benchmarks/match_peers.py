"""A match of a Hub engine against itself under another program; runs in the peer's own environment.

Arguments: py-draughts or pydraughts, the engine's program (started with `hub`), the number of games.
"""

import sys


def main() -> None:
    """Play the match."""
    peer, program, games = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if peer == "py-draughts":
        from draughts import Benchmark  # noqa: PLC0415 - the two peers own the same package name
        from draughts.engines.hub import HubEngine  # noqa: PLC0415
        from loguru import logger  # noqa: PLC0415

        logger.remove()
        with HubEngine(program, time_limit=1.0) as one, HubEngine(program, time_limit=1.0) as other:
            Benchmark(one, other, games=games, max_moves=400).run()
    else:
        from draughts.tournament import RoundRobin  # noqa: PLC0415

        players: list[tuple[list[str], str, dict[str, str], None]] = [
            ([program, "hub"], "hub", {}, None),
            ([program, "hub"], "hub", {}, None),
        ]
        RoundRobin("games.pdn", players, 60, 0, games_per_pair=games).play()


if __name__ == "__main__":
    main()
