"""`bonnard serve`: our engine, or any Hub engine, plays whoever connects over DXP."""

import os
import signal
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal

import structlog
import trio
from cyclopts import Parameter

from bonnard.errors import FailedError
from bonnard.game_log import GameLog, open_game_log
from bonnard.game_room import (
    GameRoom,
    check_request,
    connection_limits,
    engine_pool,
    friendly_conduct,
    our_engine,
    start_position,
)
from bonnard.reception import Reception
from bonnard.settings import read_settings
from config.schema import Settings
from dxp.limits import ServerLimits
from dxp.server import DxpServer
from hub.guard import Guard
from tournament.conduct import Conduct

log = structlog.get_logger()

LEAVE = 3.0
"""Seconds for games to end when the server is told to stop; connections and engines have the rest of 5 s."""


def serve(
    *,
    host: str | None = None,
    port: int | None = None,
    engine: str | None = None,
    max_games: int | None = None,
    per_address: int | None = None,
    allow: Annotated[tuple[str, ...] | None, Parameter(negative=())] = None,
    threads: int | None = None,
    tt_size: int | None = None,
    move_time: float | None = None,
    ponder: bool | None = None,
    min_minutes: float | None = None,
    on_illegal: Literal["win", "retry"] | None = None,
    takeback: bool | None = None,
    flag: bool | None = None,
    data: str | None = None,
    name: str | None = None,
    role: Literal["follower", "initiator"] | None = None,
    minutes: float | None = None,
    moves: int | None = None,
    games: int | None = None,
    fen: str | None = None,
    config: Path | None = None,
) -> None:
    """Play whoever connects over DXP, until Ctrl-C or SIGTERM.

    The first line on stdout, when peers may connect, is: listening on HOST:PORT.

    Parameters
    ----------
    host
        Address to listen on (127.0.0.1). With 0.0.0.0 or :: anybody who reaches it may play: see --allow.
    port
        Port to listen on (27531); 0 picks a free one.
    engine
        Who plays our side: builtin, or hub:COMMAND for any Hub engine.
    max_games
        Games at once (8); more requests are refused with code 2.
    per_address
        Games at once from one address (8).
    allow
        A network that may connect, such as 192.0.2.0/24; may be given several times. None given: all may.
    threads
        Threads of one game (1).
    tt_size
        Transposition table of one game, in MB (64).
    move_time
        Seconds for a move at most (0: the clock decides).
    ponder
        Think in the peer's time.
    min_minutes
        A request for less time, 000 too, is accepted and played with this much (0.5).
    on_illegal
        What an illegal move of the peer does: our win, or it is asked to try again.
    takeback
        Grant requests to take moves back.
    flag
        A peer that oversteps its time loses; else it is remarked in the record.
    data
        Directory where games are stored (~/.local/share/bonnard/serve).
    name
        What peers see, 32 characters (Bonnard).
    role
        follower: peers ask for games. initiator: we ask whoever connects, on these terms:
    minutes
        Minutes of a player for a game (5), as initiator.
    moves
        Moves of a player in a game (75), 0 for no limit, as initiator.
    games
        Games with each peer (2), colours alternate, as initiator.
    fen
        Start position, as initiator.
    config
        File with settings (TOML).

    """
    flags = {
        "serve.host": host,
        "serve.port": port,
        "serve.max_games": max_games,
        "serve.per_address": per_address,
        "serve.allow": allow,
        "serve.min_minutes": min_minutes,
        "serve.on_illegal": on_illegal,
        "serve.takeback": takeback,
        "serve.flag": flag,
        "serve.role": role,
        "serve.minutes": minutes,
        "serve.moves": moves,
        "serve.games": games,
        "serve.fen": fen,
        "engine.player": engine,
        "engine.threads": threads,
        "engine.tt_size": tt_size,
        "engine.move_time": move_time,
        "engine.ponder": ponder,
        "dxp.name": name,
        "data.directory": data,
    }
    settings = read_settings(config, flags)
    our_engine(settings)
    start_position(settings.serve.fen)
    check_request(settings.dxp.name, settings.serve.minutes, settings.serve.moves)
    with open_game_log(settings.data.directory, "serve") as game_log:
        trio.run(run_server, settings, game_log)


async def run_server(settings: Settings, game_log: GameLog) -> None:
    """Serve until SIGINT or SIGTERM; games that are on then are ended and recorded as aborted."""
    stop = trio.Event()
    with Guard() as guard:
        async with trio.open_nursery() as engines:
            pool = engine_pool(settings, settings.serve.max_games, engines, guard)
            try:
                await _serve_until_stopped(settings, GameRoom(pool, serve_conduct(settings), game_log, stop))
            finally:
                with trio.CancelScope(shield=True):
                    await pool.close()


async def _serve_until_stopped(settings: Settings, room: GameRoom) -> None:
    reception = Reception(room, settings.serve)
    async with trio.open_nursery() as nursery:
        await nursery.start(_obey_signals, room.stop, nursery.cancel_scope)
        await room.pool.warm_up()
        await _open_doors(settings, reception, nursery)
        await room.stop.wait()
        with trio.move_on_after(LEAVE):
            await reception.wait_quiet()
        # Connections still open are closed politely by the server as it is cancelled.
        nursery.cancel_scope.cancel()


async def _open_doors(settings: Settings, reception: Reception, nursery: trio.Nursery) -> None:
    """Listen, and tell so: first what the games may use, then the line on stdout that callers wait for."""
    limits = settings.serve
    log.info(
        "limits",
        games=limits.max_games,
        threads=limits.max_games * settings.engine.threads,
        cores=os.cpu_count(),
        table_megabytes=limits.max_games * settings.engine.tt_size,
        data=str(reception.data_directory),
    )
    try:
        address = await nursery.start(dxp_server(settings, reception).serve)
    except OSError as error:
        fault = error.strerror or str(error)
        raise FailedError(f"cannot listen on {limits.host}:{limits.port}: {fault}") from None
    print(f"listening on {address}", flush=True)


def serve_conduct(settings: Settings) -> Conduct:
    """Return how the games of a server are conducted."""
    terms = settings.serve
    return friendly_conduct(settings, flag=terms.flag, on_illegal=terms.on_illegal, takeback=terms.takeback)


def dxp_server(settings: Settings, reception: Reception) -> DxpServer:
    """Return the server that the settings describe, with its peers handed to `reception`."""
    limits = settings.serve
    return DxpServer(
        handler=reception.receive,
        name=settings.dxp.name,
        role=limits.role,
        host=limits.host,
        port=limits.port,
        takeback=limits.takeback,
        allow=[ip_network(text, strict=False) for text in limits.allow],
        limits=ServerLimits(games=limits.max_games, games_per_address=limits.per_address),
        connection_limits=connection_limits(settings),
    )


async def _obey_signals(
    stop: trio.Event,
    everything: trio.CancelScope,
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Set `stop` at the first SIGINT or SIGTERM; cancel everything at the second."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        task_status.started()
        async for number in signals:
            if stop.is_set():
                everything.cancel()
            log.info("stopping", signal=signal.Signals(number).name)
            stop.set()
