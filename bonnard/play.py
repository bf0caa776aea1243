"""`bonnard play`: ask a DXP server for games, and tell how they ended."""

import json as json_text
from pathlib import Path
from typing import Literal

import attrs
import trio

from bonnard.errors import FailedError, UsageError
from bonnard.game_log import GameLog, open_game_log
from bonnard.game_room import (
    GameRoom,
    NoEngineError,
    check_request,
    connection_limits,
    engine_pool,
    friendly_conduct,
    our_engine,
    start_position,
    terms_of,
)
from bonnard.interrupts import obey_signals
from bonnard.settings import read_settings
from config.schema import Settings
from dxp.client import connect
from hub.guard import Guard
from rules.colour import Colour
from rules.game import Reason
from tournament.dxp_player import DxpPlayer
from tournament.record import GameRecord
from tournament.spec import SpecError, parse_spec

WIN, DRAW = 2, 1
"""Points, as draughts counts them."""

LEAVE = 2.5
"""Seconds for the game to end after a signal."""


def play(
    server: str,
    /,
    *,
    games: int | None = None,
    minutes: float | None = None,
    moves: int | None = None,
    colour: Literal["white", "black", "alternate"] | None = None,
    fen: str | None = None,
    engine: str | None = None,
    threads: int | None = None,
    tt_size: int | None = None,
    move_time: float | None = None,
    ponder: bool | None = None,
    data: str | None = None,
    name: str | None = None,
    json: bool = False,
    config: Path | None = None,
) -> None:
    """Play games against a DXP server, as the initiator, and print the score.

    Parameters
    ----------
    server
        Where it listens, as HOST:PORT.
    games
        Games to play (2).
    minutes
        Minutes of a player for a game (5); fractions only to programs that know them.
    moves
        Moves of a player in a game (75), 0 for no limit.
    colour
        Ours: white, black, or alternate (white first).
    fen
        Start position of every game.
    engine
        Who plays our side: builtin, or hub:COMMAND for any Hub engine.
    threads
        Threads of our engine (1).
    tt_size
        Its transposition table in MB (64).
    move_time
        Seconds for a move at most (0: the clock decides).
    ponder
        Think in the server's time.
    data
        Directory where games are stored (~/.local/share/bonnard/play).
    name
        What the server sees, 32 characters (Bonnard).
    json
        One JSON object a line for each game, then one for the score.
    config
        File with settings (TOML).

    """
    flags = {
        "play.games": games,
        "play.minutes": minutes,
        "play.moves": moves,
        "play.colour": colour,
        "play.fen": fen,
        "engine.player": engine,
        "engine.threads": threads,
        "engine.tt_size": tt_size,
        "engine.move_time": move_time,
        "engine.ponder": ponder,
        "dxp.name": name,
        "data.directory": data,
    }
    settings = read_settings(config, flags)
    host, port = _address(server)
    our_engine(settings)
    start_position(settings.play.fen)
    check_request(settings.dxp.name, settings.play.minutes, settings.play.moves)
    with open_game_log(settings.data.directory, "play") as game_log:
        trio.run(_play_series, settings, host, port, game_log, json)


def _address(text: str) -> tuple[str, int]:
    """Read HOST:PORT; UsageError says what is accepted."""
    try:
        spec = parse_spec(f"dxp:{text}")
    except SpecError:
        raise UsageError(
            f'"{text}" is no server; accepted is HOST:PORT, an IPv6 address in brackets'
        ) from None
    return spec.host, spec.port


@attrs.define
class Score:
    """The score so far, from our side."""

    name: str = "Bonnard"
    opponent: str = "the server"
    won: int = 0
    drawn: int = 0
    lost: int = 0
    unfinished: int = 0

    def add(self, record: GameRecord, ours: Colour) -> None:
        """Count a game."""
        names = (record.white, record.black)
        self.name, self.opponent = names[ours], names[ours.other]
        winner = record.outcome.winner
        if record.outcome.result == "*":
            self.unfinished += 1
        elif winner is None:
            self.drawn += 1
        elif winner is ours:
            self.won += 1
        else:
            self.lost += 1

    @property
    def points(self) -> tuple[int, int]:
        """Our points and theirs: two for a win, one for a draw."""
        return WIN * self.won + DRAW * self.drawn, WIN * self.lost + DRAW * self.drawn

    def __str__(self) -> str:
        """Return the score in one line."""
        ours, theirs = self.points
        unfinished = f", {self.unfinished} without a result" if self.unfinished else ""
        return (
            f"{self.name} {ours} - {theirs} {self.opponent}"
            f"  ({self.won} won, {self.drawn} drawn, {self.lost} lost{unfinished})"
        )


async def _play_series(settings: Settings, host: str, port: int, game_log: GameLog, json: bool) -> None:  # noqa: FBT001
    """Connect and play; the engines and the connection live in one nursery."""
    stop = trio.Event()
    score = Score()
    with Guard() as guard:
        async with trio.open_nursery() as nursery:
            await nursery.start(obey_signals, stop.set, nursery.cancel_scope.cancel, LEAVE)
            pool = engine_pool(settings, 1, nursery, guard)
            room = GameRoom(pool, friendly_conduct(settings), game_log, stop)
            try:
                await pool.warm_up()
                await _play_games(settings, room, nursery, (host, port), score, json=json)
            finally:
                with trio.CancelScope(shield=True):
                    await pool.close()
            nursery.cancel_scope.cancel()
    if json:
        print(json_text.dumps({"score": attrs.asdict(score), "points": score.points}))
    else:
        print(score)
    if stop.is_set():
        raise FailedError("stopped before all games were played")


async def _play_games(
    settings: Settings,
    room: GameRoom,
    nursery: trio.Nursery,
    address: tuple[str, int],
    score: Score,
    *,
    json: bool,
) -> None:
    """Play all games over one connection; FailedError when it ends too soon."""
    terms = settings.play
    start = start_position(terms.fen)
    try:
        connection = await connect(
            nursery, *address, name=settings.dxp.name, limits=connection_limits(settings)
        )
    except ConnectionError as error:
        raise FailedError(str(error)) from None
    peer = DxpPlayer(connection=connection)
    try:
        for number in range(1, terms.games + 1):
            ours = _colour(terms.colour, number)
            last = number == terms.games
            record = await room.play(
                peer, terms_of(start, terms.minutes, terms.moves or None, last=last), ours
            )
            score.add(record, ours)
            _tell(number, record, json=json)
            if room.stop.is_set():
                return
            if _was_refused(record):
                raise FailedError(f"game {number}: {record.detail}")
            if connection.session.stopped and not last:
                raise FailedError(f"the server plays no more games after game {number}")
    except NoEngineError:
        raise FailedError("our engine cannot be started again") from None
    finally:
        await connection.leave()


def _colour(wanted: str, number: int) -> Colour:
    """Return our colour in a game, counted from 1."""
    if wanted == "alternate":
        return Colour.WHITE if number % 2 else Colour.BLACK
    return Colour.WHITE if wanted == "white" else Colour.BLACK


def _was_refused(record: GameRecord) -> bool:
    """Whether there was no game, or there can be no other: refused, or the connection is gone."""
    if record.outcome.reason is Reason.DISCONNECT:
        return True
    return record.outcome.reason is Reason.ABORTED and not record.plies


def _tell(number: int, record: GameRecord, *, json: bool) -> None:
    """Print how a game ended."""
    moves = (len(record.plies) + 1) // 2
    if json:
        line = json_text.dumps(
            {
                "game": number,
                "white": record.white,
                "black": record.black,
                "result": record.outcome.result,
                "reason": record.outcome.reason.value,
                "detail": record.detail,
                "moves": moves,
            }
        )
    else:
        detail = f" ({record.detail})" if record.detail else ""
        line = (
            f"game {number}: {record.white} - {record.black} {record.outcome.result}, "
            f"{record.outcome.reason.value}{detail}, {moves} moves"
        )
    print(line, flush=True)
