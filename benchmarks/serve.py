"""The server under load: games at once against peers that answer at once, our engine on the clock of each.

Prints time losses, the lag of the event loop, and the overhead of a move: what the peer waits beyond the
time that our engine took. Usage: python -m benchmarks.serve [GAMES [MINUTES]]; 8 games of a minute a player.
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

import trio

from bonnard.game_log import open_game_log
from bonnard.game_room import GameRoom, engine_pool
from bonnard.log import set_up_logging
from bonnard.reception import Reception
from bonnard.serve import dxp_server, serve_conduct
from config.loader import load_settings
from hub.guard import Guard
from rules.game import Game
from rules.move import Move
from tournament.record import GameRecord
from tournament.store import MATCH_FILE, Store

MOVES = 40
PROBE = 0.005
"""Seconds between two looks at the event loop."""


async def main(games: int, minutes: int) -> None:
    """Serve in this process, with the peers in another one."""
    settings = load_settings(None, {}, {"serve.port": 0, "serve.max_games": games, "engine.tt_size": 32})
    lags: list[float] = []
    with tempfile.TemporaryDirectory() as directory:
        with open_game_log(directory, "serve") as log, Guard() as guard:
            async with trio.open_nursery() as nursery:
                pool = engine_pool(settings, games, nursery, guard)
                await pool.warm_up()
                room = GameRoom(pool, serve_conduct(settings), log, trio.Event())
                address = await nursery.start(dxp_server(settings, Reception(room, settings.serve)).serve)
                nursery.start_soon(watch_lag, lags)
                peers = await trio.run_process(
                    [
                        sys.executable,
                        "-m",
                        "benchmarks.serve",
                        "peers",
                        str(address.port),
                        str(games),
                        str(minutes),
                    ],
                    capture_stdout=True,
                )
                await pool.close()
                nursery.cancel_scope.cancel()
        with Store.open(Path(directory) / MATCH_FILE, read_only=True) as store:
            records = [game.record for game in store.games()]
    waits: dict[str, list[float]] = {}
    for line in peers.stdout.decode().splitlines():
        name, _, seconds = line.rpartition(" ")
        waits.setdefault(name, []).append(float(seconds))
    report(records, lags, waits)


async def watch_lag(lags: list[float]) -> None:
    """Note how much later than asked the event loop comes back."""
    while True:
        asked = trio.current_time()
        await trio.sleep(PROBE)
        lags.append(trio.current_time() - asked - PROBE)


def report(records: list[GameRecord], lags: list[float], waits: dict[str, list[float]]) -> None:
    """Print what was found."""
    overhead = [
        waited - ply.seconds
        for record in records
        for waited, ply in zip(
            waits.get(record.white) or waits[record.black],
            [ply for ply in record.plies if ply.depth is not None],
            strict=False,  # the move that ends a game may not be waited for
        )
    ]
    ours = [ply.seconds for record in records for ply in record.plies if ply.depth is not None]
    late = [remark for record in records for remark in record.remarks if "used" in remark]
    clocks = [ply.clock for record in records for ply in record.plies if ply.depth is not None]
    left = min((clock for clock in clocks if clock is not None), default=0.0)
    print(f"games {len(records)}, moves of ours {len(ours)}, overdrawn clocks {len(late)}")
    print(f"least time left on a clock of ours: {left:.1f} s")
    print(f"results: {', '.join(sorted(record.outcome.reason.value for record in records))}")
    print(f"event-loop lag: {spread(lags)}")
    print(f"overhead a move, beyond the engine: {spread(overhead)}")
    print(f"the engine's time a move: {spread(ours)}")


def spread(seconds: list[float]) -> str:
    """Return median, 99th percentile and maximum in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return f"median {1000 * cuts[49]:.2f} ms, p99 {1000 * cuts[98]:.2f} ms, max {1000 * max(seconds):.2f} ms"


async def play_peers(port: int, games: int, minutes: int) -> None:
    """Play all games at once; print the seconds that each of our moves was waited for."""
    async with trio.open_nursery() as nursery:
        for number in range(games):
            nursery.start_soon(play_peer, port, number, minutes)


async def play_peer(port: int, number: int, minutes: int) -> None:
    """Play random moves without thinking."""
    chance = random.Random(number)  # noqa: S311 - a game, not a secret
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    messages = read_messages(stream)
    ours = number % 2
    name = f"Peer {number}".ljust(32).encode()
    await stream.send_all(b"R01" + name + b"ZW"[ours : ours + 1] + b"%03d%03dA\0" % (minutes, MOVES))
    game = Game()
    asked = time.perf_counter()
    async for message in messages:
        if message[0] == "M":
            print(f"Peer {number}", time.perf_counter() - asked)
            captured = tuple(int(message[at : at + 2]) for at in range(11, len(message), 2))
            game.push(Move(int(message[5:7]), int(message[7:9]), captured))
        elif message[0] == "E":
            await stream.send_all(b"E00\0")
            break
        if message[0] == "C" or game.turn != ours:
            asked = time.perf_counter()
            continue
        if game.outcome() is not None or len(game) >= 2 * MOVES:
            await stream.send_all(b"E00\0")
            break
        move = chance.choice(game.legal_moves())
        game.push(move)
        text = f"M0000{move.from_square:02d}{move.to_square:02d}{len(move.captured):02d}"
        text += "".join(f"{square:02d}" for square in move.captured)
        asked = time.perf_counter()
        await stream.send_all(text.encode() + b"\0")
    await stream.aclose()


async def read_messages(stream: trio.SocketStream) -> AsyncIterator[str]:
    """Yield the messages that come."""
    buffer = b""
    async for data in stream:
        *messages, buffer = (buffer + data).split(b"\0")
        for message in messages:
            yield message.decode()


if __name__ == "__main__":
    set_up_logging("error")
    if sys.argv[1:2] == ["peers"]:
        trio.run(play_peers, *map(int, sys.argv[2:5]))
    else:
        trio.run(main, int(sys.argv[1]) if sys.argv[1:] else 8, int(sys.argv[2]) if sys.argv[2:] else 1)
