"""A server of ours within the test: real TCP and the real referee, with actors in the place of engines."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import trio
from actors import Actor
from dxp_peer import Peer

from bonnard.engine_pool import EnginePool
from bonnard.game_log import open_game_log
from bonnard.game_room import GameRoom
from bonnard.reception import Reception
from bonnard.serve import dxp_server, serve_conduct
from config.loader import load_settings
from tournament.player import Player
from tournament.record import GameRecord
from tournament.store import MATCH_FILE, Store


@attrs.define
class House:
    """An open server."""

    port: int
    directory: Path
    stop: trio.Event
    reception: Reception
    engines: list[Player]
    peers: list[Peer] = attrs.field(factory=list)

    async def peer(self) -> Peer:
        """Return a new peer that has connected."""
        peer = await Peer.connect(self.port)
        self.peers.append(peer)
        return peer

    def records(self) -> list[GameRecord]:
        """Return the games stored so far, read as another process would read them."""
        with Store.open(self.directory / MATCH_FILE, read_only=True) as store:
            return [game.record for game in store.games()]

    async def record(self, number: int = 1) -> GameRecord:
        """Return a game, counted from 1, as soon as it is stored."""
        with trio.fail_after(10):
            while len(self.records()) < number:  # noqa: ASYNC110 - it comes from another connection to the file
                await trio.sleep(0.01)
        return self.records()[number - 1]


@asynccontextmanager
async def open_house(
    directory: Path, create: Callable[[], Player] = lambda: Actor("Engine"), **flags: object
) -> AsyncIterator[House]:
    """Serve on a free port until the end of the block. Settings are given as `serve__flag=True`."""
    paths = {name.replace("__", "."): value for name, value in flags.items()}
    settings = load_settings(None, {}, {"serve.port": 0, **paths})
    engines: list[Player] = []

    def create_and_note() -> Player:
        engines.append(create())
        return engines[-1]

    stop = trio.Event()
    with open_game_log(str(directory), "serve") as log:
        pool = EnginePool(create_and_note, settings.serve.max_games)
        reception = Reception(GameRoom(pool, serve_conduct(settings), log, stop), settings.serve)
        async with trio.open_nursery() as nursery:
            address = await nursery.start(dxp_server(settings, reception).serve)
            house = House(address.port, directory, stop, reception, engines)
            yield house
            for peer in house.peers:
                await peer.stream.aclose()
            nursery.cancel_scope.cancel()
        await pool.close()
