"""A game against a DXP peer, from either side: an engine from the pool, the referee, the record."""

from typing import Literal

import attrs
import structlog
import trio

from bonnard.endgames import referee_probe
from bonnard.engine_pool import EnginePool
from bonnard.errors import UsageError
from bonnard.game_log import GameLog
from config.schema import Settings
from dxp.codec import encode
from dxp.limits import ConnectionLimits
from dxp.message import GameRequest
from hub.guard import Guard
from rules.clock import TimeControl
from rules.colour import Colour
from rules.fen import FenError, parse_fen
from rules.game import Game
from rules.position import Position
from tournament.conduct import Conduct, Terms
from tournament.dxp_player import DxpPlayer
from tournament.hub_player import HubPlayer
from tournament.player import Player
from tournament.record import GameRecord
from tournament.referee import play_game
from tournament.roster import check_options
from tournament.spec import PlayerOptions, PlayerSpec, SpecError, parse_spec

log = structlog.get_logger()

SECONDS_A_MINUTE = 60.0


class NoEngineError(Exception):
    """Our engine cannot be started, so there is no game."""


@attrs.frozen
class GameRoom:
    """What all games of a service share."""

    pool: EnginePool
    conduct: Conduct
    games: GameLog
    stop: trio.Event

    async def play(self, peer: DxpPlayer, terms: Terms, ours: Colour) -> GameRecord:
        """Play a game in which our engine has the colour `ours`, and store it (NoEngineError).

        A game that is cancelled is stored as far as it went.
        """
        engine = await self.pool.take()
        if engine is None:
            raise NoEngineError
        players: tuple[Player, Player] = (engine, peer) if ours is Colour.WHITE else (peer, engine)
        usable = False
        try:
            record = await play_game(*players, terms, self.conduct, stop=self.stop, on_cut_off=self._store)
            usable = ours not in record.broken
        finally:
            with trio.CancelScope(shield=True):
                await self.pool.give_back(engine, usable=usable)
        await self._store(record)
        return record

    async def _store(self, record: GameRecord) -> None:
        """Write a game into the store, and tell of it."""
        number = await self.games.write(record)
        log.info(
            "game ended",
            game=number,
            white=record.white,
            black=record.black,
            result=record.outcome.result,
            reason=record.outcome.reason.value,
            detail=record.detail,
            plies=len(record.plies),
        )
        for remark in record.remarks:
            log.warning("remark", game=number, remark=remark)


def terms_of(start: Position, minutes: float, moves: int | None, *, last: bool = False) -> Terms:
    """Return the terms that a GAMEREQ states: minutes and moves of a player, for the whole game."""
    control = TimeControl(bank=minutes * SECONDS_A_MINUTE, moves=moves)
    return Terms(start, (control, control), moves, last)


def check_request(name: str, minutes: float, moves: int) -> None:
    """Refuse terms that no GAMEREQ can carry, before anything is started (UsageError)."""
    try:
        encode(GameRequest(name, "W", minutes, moves or None))
    except ValueError as error:
        raise UsageError(
            f"--minutes: {error}; accepted are whole minutes and fractions such as 0.5"
        ) from None


def start_position(fen: str) -> Position:
    """Return the position of a FEN, the standard one for an empty text; UsageError names the fault."""
    if not fen:
        return Position.start()
    try:
        position = parse_fen(fen)
    except FenError as error:
        raise UsageError(f"--fen: {error}") from None
    outcome = Game(position).outcome()
    if outcome is not None:
        raise UsageError(f"--fen: the game is over in this position ({outcome.reason.value})")
    return position


def our_engine(settings: Settings) -> tuple[PlayerSpec, PlayerOptions]:
    """Return who plays our side, and with what; UsageError when it is no engine."""
    try:
        spec = parse_spec(settings.engine.player)
    except SpecError as error:
        raise UsageError(f"--engine: {error}") from None
    if spec.kind not in {"builtin", "hub"}:
        raise UsageError(f"--engine: {spec} is no engine; accepted: builtin or hub:COMMAND")
    options = PlayerOptions(
        threads=settings.engine.threads,
        tt_size=settings.engine.tt_size,
        ponder=settings.engine.ponder,
        nice=settings.engine.nice,
    )
    try:
        check_options(spec, options)
    except SpecError as error:
        raise UsageError(f"the engine {error}") from None
    return spec, options


def engine_pool(settings: Settings, size: int, nursery: trio.Nursery, guard: Guard) -> EnginePool:
    """Return the pool of the engines that play our side."""
    spec, options = our_engine(settings)
    move_time = settings.engine.move_time or None

    def create() -> Player:
        return HubPlayer(spec, options, nursery, guard, move_time=move_time, own_name=True)

    return EnginePool(create, size)


def friendly_conduct(
    settings: Settings,
    *,
    flag: bool = False,
    on_illegal: Literal["win", "retry"] = "win",
    takeback: bool = False,
) -> Conduct:
    """Return how games with DXP peers are conducted outside matches: by the customs of DXP."""
    return Conduct(
        flag="loses" if flag else "remarked",
        margin=settings.dxp.margin,
        stall=settings.dxp.stall,
        on_illegal="loses" if on_illegal == "win" else "retry",
        unproven="aborted",
        agreeing="opponent",
        take_back=takeback,
        restarts=settings.engine.restarts,
        probe=referee_probe(),
    )


def connection_limits(settings: Settings) -> ConnectionLimits:
    """Return what a connection bears."""
    return ConnectionLimits(
        write_timeout=settings.dxp.write,
        acknowledge_timeout=settings.dxp.acknowledgement,
        answer_timeout=settings.dxp.request,
        idle_timeout=settings.dxp.idle,
    )
