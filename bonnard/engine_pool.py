"""The engines that play our side: as many at once as games are allowed, each a process that is used again."""

from collections.abc import Callable

import structlog
import trio

from bonnard.errors import FailedError
from tournament.player import Player

log = structlog.get_logger()


class EnginePool:
    """Lends engines to games. No more than `size` run at once, idle ones included: that bounds memory."""

    def __init__(self, create: Callable[[], Player], size: int) -> None:
        """Make an empty pool; `create` returns an engine that is not started yet."""
        self._create = create
        self._places = trio.Semaphore(size)
        self._idle: list[Player] = []
        self._all: set[Player] = set()

    async def warm_up(self) -> None:
        """Start one engine, to see that it can be started; FailedError tells why not."""
        engine = self._create()
        self._all.add(engine)
        fault = await engine.open()
        if fault is not None:
            await self._discard(engine)
            raise FailedError(f"the engine {engine.name} cannot be used: {fault.kind}, {fault.detail}")
        self._idle.append(engine)

    async def take(self) -> Player | None:
        """Return a running engine, waiting for a place; None when it cannot be started."""
        await self._places.acquire()
        if self._idle:
            return self._idle.pop()
        engine = self._create()
        self._all.add(engine)
        fault = await engine.open()
        if fault is None:
            return engine
        log.error("engine cannot be started", engine=engine.name, kind=fault.kind, detail=fault.detail)
        await self._discard(engine)
        self._places.release()
        return None

    async def give_back(self, engine: Player, *, usable: bool) -> None:
        """Take an engine back after its game; one that is not usable any more is ended."""
        if usable:
            self._idle.append(engine)
        else:
            await self._discard(engine)
        self._places.release()

    async def close(self) -> None:
        """End all engines, lent ones too."""
        async with trio.open_nursery() as nursery:
            for engine in tuple(self._all):
                nursery.start_soon(self._discard, engine)

    async def _discard(self, engine: Player) -> None:
        self._all.discard(engine)
        await engine.close()
