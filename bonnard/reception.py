"""What `serve` does with a peer: answer its game requests, or make its own, and have the games played."""

from pathlib import Path

import trio

from bonnard.game_room import GameRoom, NoEngineError, start_position, terms_of
from config.schema import Serve
from dxp.connection import DxpConnection
from dxp.events import Disconnected
from dxp.message import Acceptance, GameRequest
from rules.colour import Colour
from rules.fen import FenError, parse_dxp
from rules.game import Game
from rules.position import Position
from tournament.conduct import Terms
from tournament.dxp_player import DxpPlayer

LAST_MOMENT = 0.5
"""Seconds for a peer to acknowledge the end of its game when the server is stopping."""


class RequestError(ValueError):
    """A game request that cannot be played; the message goes to the peer."""


class Reception:
    """Receives the peers of a server."""

    def __init__(self, room: GameRoom, settings: Serve) -> None:
        """Have games played in `room` on the terms of `settings`."""
        self._room = room
        self._settings = settings
        self._busy = 0
        self._quiet = trio.Event()
        self._quiet.set()

    @property
    def data_directory(self) -> Path:
        """Where the games are stored."""
        return self._room.games.directory

    async def receive(self, connection: DxpConnection) -> None:
        """Deal with a peer until it leaves, or has played the games that we wanted."""
        if connection.session.role == "initiator":
            await self._ask_for_games(connection)
        else:
            await self._answer_requests(connection)
        if self._room.stop.is_set():
            await connection.leave(LAST_MOMENT)

    async def wait_quiet(self) -> None:
        """Wait until no game is on."""
        while self._busy:
            await self._quiet.wait()

    async def _answer_requests(self, connection: DxpConnection) -> None:
        """Play the games that the peer asks for."""
        while True:
            event = await connection.receive()
            if isinstance(event, Disconnected):
                return
            if isinstance(event, GameRequest):
                await self._answer(connection, event)
            if self._room.stop.is_set():
                return

    async def _answer(self, connection: DxpConnection, request: GameRequest) -> None:
        """Play a requested game or refuse it."""
        if self._room.stop.is_set():
            await connection.refuse_game(Acceptance.NEVER, "this server is stopping")
            return
        try:
            terms = read_request(request, self._settings.min_minutes)
        except RequestError as error:
            connection.log.info("game refused", peer_name=request.name, why=str(error))
            await connection.refuse_game(Acceptance.GAME_REFUSED, str(error))
            return
        ours = Colour.WHITE if request.follower_colour == "W" else Colour.BLACK
        try:
            await self._play(DxpPlayer(connection=connection), terms, ours)
        except NoEngineError:
            await connection.refuse_game(Acceptance.GAME_REFUSED, "no engine is available")

    async def _ask_for_games(self, connection: DxpConnection) -> None:
        """Ask the peer for our number of games, with alternating colours; we have white first."""
        settings = self._settings
        start = start_position(settings.fen)
        player = DxpPlayer(connection=connection)
        ours = Colour.WHITE
        for number in range(1, settings.games + 1):
            last = number == settings.games
            terms = terms_of(start, settings.minutes, settings.moves or None, last=last)
            try:
                await self._play(player, terms, ours)
            except NoEngineError:
                return
            if connection.session.stopped or self._room.stop.is_set():
                return
            ours = ours.other

    async def _play(self, player: DxpPlayer, terms: Terms, ours: Colour) -> None:
        self._busy += 1
        self._quiet = trio.Event()
        try:
            await self._room.play(player, terms, ours)
        finally:
            self._busy -= 1
            if not self._busy:
                self._quiet.set()


def read_request(request: GameRequest, min_minutes: float) -> Terms:
    """Return the terms that a GAMEREQ asks for; RequestError says why it cannot be played."""
    start = Position.start()
    if request.position is not None:
        try:
            start = parse_dxp(request.position)
        except FenError as error:
            raise RequestError(f"the position cannot be played: {error.message}") from None
    if Game(start).outcome() is not None:
        raise RequestError("the position cannot be played: the game is over in it")
    return terms_of(start, max(request.minutes, min_minutes), request.moves)
