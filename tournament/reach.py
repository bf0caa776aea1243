"""How a DXP player of a match is reached: started where it is ours to start, then dialled or waited for."""

from pathlib import Path

import trio

from dxp.address import listen, peer_address, tune
from dxp.client import connect
from dxp.connection import DxpConnection
from dxp.limits import ConnectionLimits
from dxp.session import DxpSession
from hub.errors import EngineStartError
from hub.guard import Guard
from hub.process import EngineProcess
from tournament.spec import PlayerOptions, PlayerSpec

APPEARANCE = 20.0
"""Seconds that a program has to listen, or to connect to us."""

RETRY = 0.1
"""Seconds between attempts to reach a program that is starting."""

OUR_NAME = "Bonnard"


class ReachError(OSError):
    """The program could not be started, or nobody answered; the message is one line."""


class DxpReach:
    """The way to one DXP program. Calling it again starts the program anew, if it is ours to start."""

    def __init__(
        self,
        spec: PlayerSpec,
        options: PlayerOptions,
        nursery: trio.Nursery,
        guard: Guard | None = None,
        limits: ConnectionLimits | None = None,
    ) -> None:
        """Prepare the way; connections and the process will live in `nursery`."""
        self._spec = spec
        self._options = options
        self._nursery = nursery
        self._guard = guard
        self._limits = limits
        self._process: EngineProcess | None = None
        self._listeners: list[trio.SocketListener] = []

    @property
    def port(self) -> int:
        """The port listened on, once it is known; else the one of the SPEC."""
        return self._listeners[0].socket.getsockname()[1] if self._listeners else self._spec.port

    async def __call__(self) -> DxpConnection:
        """Return a connection on which we are the initiator; ReachError says why there is none."""
        if self._spec.kind == "dxp-listen" and not self._listeners:
            # Before the program starts: known ones try to connect once.
            self._listeners = await listen(self._spec.host, self._spec.port)
        await self._start_program()
        with trio.move_on_after(APPEARANCE):
            return await (self._accept() if self._listeners else self._dial())
        verb = "connected to" if self._listeners else "listened at"
        raise ReachError(f"nobody {verb} {self._spec.address} within {APPEARANCE:.0f} s")

    async def close(self) -> None:
        """End the program, if it is ours, and stop listening."""
        if self._process is not None:
            await self._process.end("", 0.0, heard=True)
            self._process = None
        for listener in self._listeners:
            await listener.aclose()
        self._listeners = []

    async def _start_program(self) -> None:
        if not self._options.run:
            return
        if self._process is not None:
            await self._process.end("", 0.0, heard=True)
        directory = Path(self._options.directory) if self._options.directory else None
        try:
            self._process = await EngineProcess.start(
                self._options.run, directory=directory, nice=self._options.nice, guard=self._guard
            )
        except EngineStartError as error:
            raise ReachError(error.detail) from error
        self._nursery.start_soon(self._drain, self._process)

    @staticmethod
    async def _drain(process: EngineProcess) -> None:
        """Read what the program prints, so that it never waits for us."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.drain_stderr)
            while await process.receive():
                pass

    async def _dial(self) -> DxpConnection:
        while True:
            try:
                return await connect(
                    self._nursery, self._spec.host, self._spec.port, name=OUR_NAME, limits=self._limits
                )
            except OSError:
                if self._process is None:
                    raise
                await trio.sleep(RETRY)

    async def _accept(self) -> DxpConnection:
        stream = await self._listeners[0].accept()
        try:
            tune(stream)
            address = peer_address(stream)
        except OSError:  # it is gone already
            await trio.aclose_forcefully(stream)
            raise
        session = DxpSession("initiator", OUR_NAME)
        connection = DxpConnection(stream, session, address=address, limits=self._limits)
        self._nursery.start_soon(connection.run)
        return connection
