"""A running DXP connection on memory streams, and the peer at the other end."""

import attrs
import trio
import trio.testing
from trio.testing import MemoryReceiveStream, MemorySendStream

from dxp.codec import encode
from dxp.connection import DxpConnection
from dxp.message import GameRequest, Move
from dxp.session import DxpSession
from dxp.state import Role

REQUEST = GameRequest("Probe", "Z", 1, 40)
ACCEPT = b"A" + b"Bonnard".ljust(32) + b"0\0"
ACCEPTED = b"A" + b"Peer".ljust(32) + b"0\0"
MOVE = b"M0000312600\0"
OUR_MOVE = Move(17, 21)

PeerStream = trio.StapledStream[MemorySendStream, MemoryReceiveStream]


@attrs.define
class Wire:
    """A running connection and the peer's end of its stream."""

    connection: DxpConnection
    peer: PeerStream
    nursery: trio.Nursery

    async def send(self, data: bytes) -> None:
        """Send as the peer."""
        await self.peer.send_all(data)

    async def read(self, data: bytes) -> float:
        """Read exactly `data` and return when it was complete."""
        found = b""
        while len(found) < len(data):
            chunk = await self.peer.receive_some(len(data) - len(found))
            assert chunk, f"the stream ended after {found!r}"
            found += chunk
        assert found == data
        return trio.current_time()

    async def quiet(self, seconds: float) -> None:
        """Make sure that nothing is sent for a time."""
        with trio.move_on_after(seconds) as patience:
            data = await self.peer.receive_some()
            raise AssertionError(f"{data!r} was sent")
        assert patience.cancelled_caught

    async def begin(self, data: bytes = b"") -> None:
        """Start a game: the peer is initiator and white."""
        await self.send(encode(REQUEST) + data)
        assert await self.connection.receive() == REQUEST
        assert await self.connection.accept_game()
        await self.read(ACCEPT)


def wired(nursery: trio.Nursery, role: Role = "follower", **settings: object) -> Wire:
    """Return a running connection and its peer."""
    ours, peer = trio.testing.memory_stream_pair()
    connection = DxpConnection(ours, DxpSession(role, "Bonnard", takeback=True), **settings)  # type: ignore[arg-type]
    nursery.start_soon(connection.run)
    return Wire(connection, peer, nursery)
