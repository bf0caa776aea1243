"""A DXP server and client on real TCP: many peers, limits, sockets, and how it stops."""

import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from ipaddress import ip_network

import pytest
import trio
import trio.lowlevel
import trio.testing
from structlog.testing import capture_logs

from dxp.address import Address, peer_address
from dxp.client import connect
from dxp.codec import encode
from dxp.connection import DxpConnection
from dxp.events import Disconnected, EndAcknowledged, Ending, GameEnded
from dxp.limits import ServerLimits
from dxp.message import Acceptance, Chat, EndReason, GameAccept, GameRequest, Move
from dxp.server import DxpServer
from dxp.state import Role

REQUEST = GameRequest("Probe", "Z", 1, 40)
ACCEPTED = GameAccept("Bonnard", Acceptance.ACCEPTED)
REFUSED = GameAccept("Bonnard", Acceptance.GAME_REFUSED)


async def partner(connection: DxpConnection) -> None:
    """Accept every game and answer every move with 17-21."""
    while True:
        match await connection.receive():
            case GameRequest():
                await connection.accept_game()
            case Move():
                await connection.send_move(Move(17, 21))
            case Disconnected():
                return


async def serve(nursery: trio.Nursery, server: DxpServer) -> Address:
    address: Address = await nursery.start(server.serve)
    return address


Visit = Callable[..., Awaitable[DxpConnection]]


@pytest.fixture
async def visit(nursery: trio.Nursery) -> AsyncIterator[Visit]:
    """Return a function that connects to an address; its connections are closed after the test."""
    connections: list[DxpConnection] = []

    async def connect_to(address: Address, role: Role = "initiator") -> DxpConnection:
        connections.append(await connect(nursery, address.host, address.port, name="Probe", role=role))
        return connections[-1]

    yield connect_to
    for connection in connections:
        await connection.leave()


async def begin(connection: DxpConnection) -> None:
    await connection.request_game(REQUEST)
    assert await connection.receive() == ACCEPTED


async def play_a_move(connection: DxpConnection) -> None:
    await connection.send_move(Move(31, 26))
    assert await connection.receive() == Move(17, 21)


async def test_many_peers_at_once(nursery: trio.Nursery, visit: Visit) -> None:
    limits = ServerLimits(games=20, games_per_address=20)
    address = await serve(nursery, DxpServer(partner, "Bonnard", port=0, limits=limits))
    assert address.host == "127.0.0.1"
    peers = [await visit(address) for _ in range(20)]
    for each in peers:
        await begin(each)
    for each in peers:
        await play_a_move(each)
    for each in peers:
        await each.end_game(EndReason.RESIGN, stop=True)
        assert await each.receive() == EndAcknowledged("answer", stop=True)
        await each.leave()


@pytest.mark.parametrize("limits", [ServerLimits(games=1), ServerLimits(games_per_address=1)])
async def test_a_game_too_many_is_refused_and_may_be_played_later(
    nursery: trio.Nursery, visit: Visit, limits: ServerLimits
) -> None:
    address = await serve(nursery, DxpServer(partner, "Bonnard", port=0, limits=limits))
    first, second = await visit(address), await visit(address)
    await begin(first)
    await second.request_game(REQUEST)
    assert await second.receive() == REFUSED
    assert isinstance(await second.receive(), Chat)
    await first.end_game(EndReason.UNKNOWN)
    await first.receive()
    await begin(second)
    await play_a_move(second)


@pytest.mark.parametrize(
    ("limits", "allow", "why"),
    [
        (ServerLimits(connections=1), (), "1 connections are open"),
        (ServerLimits(connections_per_address=1), (), "1 connections from its address are open"),
        (ServerLimits(), (ip_network("192.0.2.0/24"), ip_network("::1/128")), "its network is not allowed"),
    ],
)
async def test_a_connection_too_many_is_closed(
    nursery: trio.Nursery, visit: Visit, limits: ServerLimits, allow: tuple[()], why: str
) -> None:
    server = DxpServer(partner, "Bonnard", port=0, limits=limits, allow=allow)
    address = await serve(nursery, server)
    with capture_logs() as logs:
        if not allow:
            first = await visit(address)
            await begin(first)
        second = await visit(address)
        assert isinstance(await second.receive(), Disconnected)
    assert why in [line.get("why") for line in logs]
    if not allow:
        await play_a_move(first)
        await first.leave()
        with trio.fail_after(5):
            while not isinstance(await second.receive(), GameAccept):
                await trio.lowlevel.checkpoint()
                second = await visit(address)
                await second.request_game(REQUEST)


async def test_an_allowed_network_is_let_in(nursery: trio.Nursery, visit: Visit) -> None:
    server = DxpServer(partner, "Bonnard", port=0, allow=(ip_network("127.0.0.0/8"),))
    await begin(await visit(await serve(nursery, server)))


async def test_sockets_send_at_once_and_notice_the_dead(nursery: trio.Nursery, visit: Visit) -> None:
    address = await serve(nursery, DxpServer(partner, "Bonnard", port=0))
    connection = await visit(address)
    stream = connection._stream
    assert isinstance(stream, trio.SocketStream)
    assert peer_address(stream) == address
    assert stream.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
    assert stream.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1


async def test_an_initiator_asks_its_peers(nursery: trio.Nursery, visit: Visit) -> None:
    outcomes = trio.open_memory_channel[object](4)

    async def handler(connection: DxpConnection) -> None:
        await connection.request_game(REQUEST)
        await outcomes[0].send(await connection.receive())
        await connection.send_move(Move(31, 26))
        await outcomes[0].send(await connection.receive())

    address = await serve(nursery, DxpServer(handler, "Bonnard", role="initiator", port=0))
    connection = await visit(address, "follower")
    assert await connection.receive() == REQUEST
    await connection.accept_game()
    assert await connection.receive() == Move(31, 26)
    await connection.send_move(Move(17, 21))
    assert await outcomes[1].receive() == GameAccept("Probe", Acceptance.ACCEPTED)
    assert await outcomes[1].receive() == Move(17, 21)
    assert await connection.receive() == GameEnded(EndReason.UNKNOWN, stop=True, in_turn=True)


async def test_a_fault_of_a_handler_ends_its_connection_only(nursery: trio.Nursery, visit: Visit) -> None:
    async def handler(connection: DxpConnection) -> None:
        event = await connection.receive()
        if event == Chat("fail"):
            raise RuntimeError("a bug")
        if isinstance(event, GameRequest):
            await connection.accept_game()
            await partner(connection)

    address = await serve(nursery, DxpServer(handler, "Bonnard", port=0))
    good, bad = await visit(address), await visit(address)
    await begin(good)
    with capture_logs() as logs:
        await bad.send_chat("fail")
        assert await bad.receive() == Disconnected(Ending.CLOSED)
    assert any(line.get("exc_info") for line in logs)
    await play_a_move(good)


def close(stream: trio.SocketStream) -> None:
    """Go away properly."""
    stream.socket.close()


def reset(stream: trio.SocketStream) -> None:
    """Go away with a RST."""
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.socket.close()


def shut(stream: trio.SocketStream) -> None:
    """Go away by halves."""
    stream.socket.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("leave", [close, reset, shut])
@pytest.mark.parametrize("sent", [b"", encode(REQUEST), encode(REQUEST) + b"M0000312600\0"])
async def test_a_peer_may_go_away_in_any_way(
    nursery: trio.Nursery, visit: Visit, leave: Callable[[trio.SocketStream], None], sent: bytes
) -> None:
    endings = trio.open_memory_channel[Ending](1)

    async def handler(connection: DxpConnection) -> None:
        await partner(connection)
        event = await connection.receive()
        assert isinstance(event, Disconnected)
        await endings[0].send(event.why)

    address = await serve(nursery, DxpServer(handler, "Bonnard", port=0))
    with capture_logs() as logs:
        async with await trio.open_tcp_stream(address.host, address.port) as stream:
            if sent:
                await stream.send_all(sent)
            leave(stream)
            with trio.fail_after(5):
                assert await endings[1].receive() in {Ending.CLOSED, Ending.RESET}
    assert not any(line.get("exc_info") for line in logs)
    await begin(await visit(address))


async def test_a_stopping_server_ends_the_games_where_it_is_on_move(visit: Visit) -> None:
    async def ponderous(connection: DxpConnection) -> None:
        await connection.receive()
        await connection.accept_game()
        await trio.sleep_forever()

    async with trio.open_nursery() as serving:
        address = await serve(serving, DxpServer(ponderous, "Bonnard", port=0))
        waiting, moving = await visit(address), await visit(address)
        await begin(moving)
        await begin(waiting)
        await waiting.send_move(Move(31, 26))
        await trio.testing.wait_all_tasks_blocked(0.05)
        started = trio.current_time()
        serving.cancel_scope.cancel()
    assert trio.current_time() - started < 2
    assert await waiting.receive() == GameEnded(EndReason.UNKNOWN, stop=True, in_turn=True)
    assert await waiting.receive() == Disconnected(Ending.CLOSED)
    assert await moving.receive() == Disconnected(Ending.CLOSED)
    with pytest.raises(ConnectionError, match=f"cannot connect to {address}"):
        await visit(address)


async def test_a_port_can_be_used_again_at_once(visit: Visit) -> None:
    port = 0
    for _ in range(3):
        async with trio.open_nursery() as serving:
            address = await serve(serving, DxpServer(partner, "Bonnard", port=port))
            port = address.port
            await begin(await visit(address))
            serving.cancel_scope.cancel()


async def test_a_port_that_is_taken_is_an_error(nursery: trio.Nursery) -> None:
    address = await serve(nursery, DxpServer(partner, "Bonnard", port=0))
    with pytest.raises(OSError, match="in use"):
        await DxpServer(partner, "Bonnard", port=address.port).serve()


@pytest.mark.parametrize("host", ["x" * 64, "a..b"])
async def test_a_text_that_is_no_host_name_is_an_error(nursery: trio.Nursery, host: str) -> None:
    with pytest.raises(OSError, match="no host name"):
        await DxpServer(partner, "Bonnard", host=host, port=0).serve()
    with pytest.raises(ConnectionError, match="no host name"):
        await connect(nursery, host, 1, name="Bonnard")


async def test_a_flood_leaves_other_peers_alone(nursery: trio.Nursery, visit: Visit) -> None:
    address = await serve(nursery, DxpServer(partner, "Bonnard", port=0))
    player = await visit(address)
    await begin(player)
    async with (
        await trio.open_tcp_stream(address.host, address.port) as flooder,
        trio.open_nursery() as flood,
    ):
        flood.start_soon(flooder.send_all, b"CA\0" * 1_000_000)
        started = trio.current_time()
        for _ in range(50):
            await play_a_move(player)
        assert trio.current_time() - started < 2
        flood.cancel_scope.cancel()


def test_addresses_read_as_people_write_them() -> None:
    assert str(Address("127.0.0.1", 27531)) == "127.0.0.1:27531"
    assert str(Address("::1", 27531)) == "[::1]:27531"


async def test_a_fault_in_one_connection_ends_that_one_only(
    nursery: trio.Nursery, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[object] = []

    async def handle(connection: DxpConnection) -> None:
        while True:
            event = await connection.receive()
            if isinstance(event, GameRequest):
                await connection.accept_game()
            elif isinstance(event, Disconnected):
                ended.append(event.why)
                return

    address = await serve(nursery, DxpServer(handle, "Bonnard", port=0))
    second = await visit(address)
    await begin(second)

    def fail(_: object, data: bytes) -> int:
        raise OverflowError(data)

    with monkeypatch.context() as patch, capture_logs() as logs:
        patch.setattr("dxp.session.DxpSession.receive", fail)
        async with await trio.open_tcp_stream(address.host, address.port) as stream:
            await stream.send_all(b"CA\0")
            assert await stream.receive_some() == b""
    assert [line["event"] for line in logs if line["log_level"] == "error"] == ["a connection failed"]
    assert ended == [Ending.RESET]
    await second.end_game(EndReason.RESIGN)
    assert await second.receive() == EndAcknowledged("answer")
