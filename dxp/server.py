"""A DXP server: accepts peers, limits them, and hands each to a handler."""

import ipaddress
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import attrs
import structlog
import trio

from dxp.address import DEFAULT_HOST, DEFAULT_PORT, Address, listen, peer_address, tune
from dxp.connection import DxpConnection
from dxp.limits import ConnectionLimits, ServerLimits, Slots
from dxp.session import DxpSession
from dxp.state import Role

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

Handler: TypeAlias = Callable[[DxpConnection], Awaitable[None]]
"""What is done with a peer: receive until Disconnected, or leave earlier by returning."""

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


@attrs.define
class DxpServer:
    """A server that is not running yet; `serve` runs it.

    `role` is ours in every session, `name` what peers see of us (32 characters), `takeback` whether BACKREQ
    reaches the handler. With `allow`, peers from other networks are closed at once. A game beyond `limits` is
    refused with code 2, a connection beyond them closed.
    """

    handler: Handler
    name: str
    role: Role = "follower"
    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    takeback: bool = False
    allow: Sequence[Network] = ()
    limits: ServerLimits = attrs.field(factory=ServerLimits)
    connection_limits: ConnectionLimits = attrs.field(factory=ConnectionLimits)
    _peers: Counter[str] = attrs.field(init=False, factory=Counter)
    _slots: Slots = attrs.field(init=False)
    _log: "FilteringBoundLogger" = attrs.field(init=False, factory=structlog.get_logger)

    def __attrs_post_init__(self) -> None:
        """Set up the slots that all connections share."""
        self._slots = Slots(self.limits.games, self.limits.games_per_address)

    async def serve(self, *, task_status: trio.TaskStatus[Address] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled; reports the bound address (port 0 picks a free one).

        When cancelled, no new peer is accepted, handlers are cancelled, and each peer in whose game we are on
        move is sent a GAMEEND before its connection is closed: two seconds at most. OSError if the address is
        taken or not ours.
        """
        listeners = await listen(self.host, self.port)
        host, port = listeners[0].socket.getsockname()[:2]
        task_status.started(Address(host, port))
        await trio.serve_listeners(self._accept, listeners)

    async def _accept(self, stream: trio.SocketStream) -> None:
        """Serve one connection, whatever happens on it."""
        try:
            tune(stream)
            address = peer_address(stream)
        except OSError:
            await trio.aclose_forcefully(stream)
            return
        if refusal := self._refusal(address.host):
            self._log.warning("connection refused", peer=str(address), why=refusal)
            await trio.aclose_forcefully(stream)
            return
        self._peers[address.host] += 1
        try:
            await self._converse(stream, address)
        finally:
            self._peers[address.host] -= 1
            self._peers += Counter()  # forgets those at zero

    def _refusal(self, host: str) -> str:
        """Return why a peer from `host` is not let in, or nothing."""
        if self.allow and not any(ipaddress.ip_address(host) in network for network in self.allow):
            return "its network is not allowed"
        if self._peers.total() >= self.limits.connections:
            return f"{self.limits.connections} connections are open"
        if self._peers[host] >= self.limits.connections_per_address:
            return f"{self.limits.connections_per_address} connections from its address are open"
        return ""

    async def _converse(self, stream: trio.SocketStream, address: Address) -> None:
        connection = DxpConnection(
            stream,
            DxpSession(self.role, self.name, takeback=self.takeback),
            address=address,
            limits=self.connection_limits,
            slots=self._slots,
        )
        connection.log.info("connected")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._run, connection)
            try:
                await self.handler(connection)
            except Exception:
                # A fault of ours in one game must not end the others.
                connection.log.exception("the handler of a connection failed")
            finally:
                await connection.leave()
                nursery.cancel_scope.cancel()

    @staticmethod
    async def _run(connection: DxpConnection) -> None:
        """Run a connection; a fault of ours in it ends this one only."""
        try:
            await connection.run()
        except Exception:
            connection.log.exception("a connection failed")
