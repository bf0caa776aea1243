"""A DXP connection on memory streams and a mock clock: times, pacing, endings."""

from collections.abc import AsyncIterator

import attrs
import pytest
import trio
import trio.testing
from structlog.testing import capture_logs
from trio.testing import MemoryReceiveStream, MemorySendStream, MockClock

from dxp.address import Address
from dxp.codec import encode
from dxp.connection import DxpConnection
from dxp.events import Disconnected, EndAcknowledged, Ending, GameEnded
from dxp.limits import ConnectionLimits, Slots
from dxp.message import Acceptance, Chat, EndReason, GameAccept, GameRequest, Malformed, Move
from dxp.session import DxpSession
from dxp.state import LocalProtocolError, Role, State

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
    ours, peer = trio.testing.memory_stream_pair()
    connection = DxpConnection(ours, DxpSession(role, "Bonnard", takeback=True), **settings)  # type: ignore[arg-type]
    nursery.start_soon(connection.run)
    return Wire(connection, peer, nursery)


@pytest.fixture
def clock() -> MockClock:
    return MockClock(autojump_threshold=0)


@pytest.fixture
async def wire(nursery: trio.Nursery) -> AsyncIterator[Wire]:
    wire = wired(nursery)
    yield wire
    await wire.connection.leave()


@pytest.fixture
async def asking(nursery: trio.Nursery) -> AsyncIterator[Wire]:
    """Return a wire on which we are the initiator and have asked for a game."""
    wire = wired(nursery, "initiator")
    assert await wire.connection.request_game(REQUEST)
    await wire.read(encode(REQUEST))
    yield wire
    await wire.connection.leave()


# Pacing


async def test_two_messages_in_a_row_have_a_gap(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.send(MOVE)
    await wire.connection.receive()
    started = trio.current_time()
    await wire.connection.send_move(OUR_MOVE)
    assert await wire.read(b"M0000172100\0") == started
    await wire.connection.send_chat("well played")
    assert await wire.read(b"Cwell played\0") == pytest.approx(started + 0.1)


async def test_no_gap_when_the_peer_said_something_or_the_last_message_is_old(
    clock: MockClock, wire: Wire
) -> None:
    await wire.begin()
    started = trio.current_time()
    for _ in range(5):
        await wire.send(MOVE)
        await wire.connection.receive()
        await wire.connection.send_move(OUR_MOVE)
        assert await wire.read(b"M0000172100\0") == started
    await trio.sleep(0.1)
    await wire.connection.send_chat("still there?")
    assert await wire.read(b"Cstill there?\0") == pytest.approx(started + 0.1)


async def test_a_gap_ends_as_soon_as_the_peer_says_something(clock: MockClock, wire: Wire) -> None:
    await wire.connection.send_chat("one")
    started = trio.current_time()
    wire.nursery.start_soon(wire.connection.send_chat, "two")
    await trio.sleep(0.03)
    await wire.send(b"Cyes?\0")
    await wire.read(b"Cone\0")
    assert await wire.read(b"Ctwo\0") == pytest.approx(started + 0.03)


async def test_a_move_that_comes_in_a_gap_is_stamped_when_it_came(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"B001W\0")
    await wire.read(b"K2\0")
    await wire.send(encode(REQUEST))
    await wire.connection.receive()
    await wire.connection.accept_game()
    wire.nursery.start_soon(wire.connection.send_chat, "hello")
    await trio.sleep(0.02)
    sent_at = trio.current_time()
    await wire.send(MOVE)
    assert await wire.connection.receive() == Move(31, 26)
    assert wire.connection.heard_at == sent_at


# Times


async def test_a_peer_that_never_acknowledges_is_not_waited_for(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    await wire.connection.receive()
    started = trio.current_time()
    await wire.connection.end_game(EndReason.WIN)
    await trio.sleep(4)
    await wire.send(b"Chm\0")
    assert await wire.connection.receive() == Chat("hm")
    assert await wire.connection.receive() == EndAcknowledged("silence")
    assert trio.current_time() == pytest.approx(started + 5)
    await wire.send(b"E00\0")
    await wire.send(encode(REQUEST))
    assert await wire.connection.receive() == REQUEST


async def test_10_a_request_without_an_answer_ends_the_connection(clock: MockClock, asking: Wire) -> None:
    started = trio.current_time()
    await asking.send(b"Cplease wait\0")
    assert await asking.connection.receive() == Chat("please wait")
    assert await asking.connection.receive() == Disconnected(Ending.NO_ANSWER)
    assert trio.current_time() == pytest.approx(started + 30)


async def test_silence_without_a_game_ends_the_connection(clock: MockClock, wire: Wire) -> None:
    started = trio.current_time()
    await trio.sleep(200)
    await wire.send(b"Cstill here\0")
    await wire.connection.receive()
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert trio.current_time() == pytest.approx(started + 500)
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert not await wire.connection.send_chat("hello")
    assert await wire.peer.receive_some() == b""


async def test_silence_in_a_game_is_left_to_the_clocks(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    with trio.move_on_after(100_000) as patience:
        await wire.connection.receive()
    assert patience.cancelled_caught


async def test_the_time_of_idleness_begins_with_the_end_of_the_game(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await trio.sleep(1000)
    await wire.send(b"E00\0")
    assert await wire.connection.receive() == GameEnded(EndReason.UNKNOWN, stop=False, in_turn=True)
    started = trio.current_time()
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert trio.current_time() == pytest.approx(started + 300)


@pytest.mark.parametrize("data", [encode(REQUEST)[:-1], b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
async def test_a_message_without_end_is_not_waited_for(clock: MockClock, wire: Wire, data: bytes) -> None:
    started = trio.current_time()
    await wire.send(data)
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert trio.current_time() == pytest.approx(started + 30)
    assert await wire.peer.receive_some() == b""


async def test_bytes_may_come_slowly_but_not_too_slowly(clock: MockClock, wire: Wire) -> None:
    for byte in encode(REQUEST):
        await trio.sleep(0.01)
        await wire.send(bytes([byte]))
    assert await wire.connection.receive() == REQUEST
    await wire.connection.refuse_game()
    started = trio.current_time()
    for byte in encode(REQUEST)[:2]:
        await wire.send(bytes([byte]))
        await trio.sleep(20)
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert trio.current_time() == pytest.approx(started + 40)


async def test_a_peer_that_plays_no_more_has_a_moment_to_leave(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.send(b"E01\0")
    await wire.connection.receive()
    started = await wire.read(b"E01\0")
    assert await wire.connection.receive() == Disconnected(Ending.GOODBYE)
    assert trio.current_time() == pytest.approx(started + 2)


async def test_a_goodbye_without_a_game_is_honoured_and_not_answered(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"E01\0")
    assert await wire.connection.receive() == Disconnected(Ending.GOODBYE)
    assert await wire.peer.receive_some() == b""


async def test_a_peer_that_always_says_stop_may_play_on(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.send(b"E01\0")
    await wire.connection.receive()
    await trio.sleep(1)
    await wire.send(encode(REQUEST))
    assert await wire.connection.receive() == REQUEST
    await wire.connection.accept_game()
    await wire.read(b"E01\0" + ACCEPT)
    await trio.sleep(10)
    assert wire.connection.session.state is State.PLAYING


# A peer that goes away or stops reading


async def test_24_a_peer_that_closes_after_its_move(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.send(MOVE)
    await wire.peer.send_stream.aclose()
    assert await wire.connection.receive() == Move(31, 26)
    assert await wire.connection.receive() == Disconnected(Ending.CLOSED)
    assert not await wire.connection.send_move(OUR_MOVE)


async def test_22_an_end_and_a_half_close_in_one_breath(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    await wire.send(b"E01\0")
    await wire.peer.send_stream.aclose()
    await wire.connection.receive()
    assert await wire.connection.receive() == GameEnded(EndReason.UNKNOWN, stop=True, in_turn=False)
    assert await wire.connection.receive() == Disconnected(Ending.CLOSED)
    await wire.read(b"E01\0")


async def test_22_an_acknowledgement_that_finds_nobody_is_no_error(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.peer.receive_stream.aclose()
    await wire.send(b"E01\0")
    assert await wire.connection.receive() == GameEnded(EndReason.UNKNOWN, stop=True, in_turn=True)
    await wire.peer.send_stream.aclose()
    assert await wire.connection.receive() == Disconnected(Ending.CLOSED)


async def test_a_peer_that_never_reads_is_given_up(clock: MockClock, nursery: trio.Nursery) -> None:
    ours, _peer = trio.testing.lockstep_stream_pair()
    connection = DxpConnection(ours, DxpSession("follower", "Bonnard"))
    nursery.start_soon(connection.run)
    started = trio.current_time()
    assert not await connection.send_chat("anyone?")
    assert await connection.receive() == Disconnected(Ending.NOT_READING)
    assert trio.current_time() == pytest.approx(started + 5)
    await connection.leave()


async def test_a_move_too_late_is_no_error(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    assert await wire.connection.receive() == Move(31, 26)
    await wire.send(b"E00\0")
    await wire.read(b"E00\0")
    assert not await wire.connection.send_move(OUR_MOVE)
    assert not await wire.connection.end_game(EndReason.WIN)
    assert await wire.connection.receive() == GameEnded(EndReason.UNKNOWN, stop=False, in_turn=False)


async def test_a_move_out_of_turn_is_our_fault(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    with pytest.raises(LocalProtocolError, match="the peer is on move"):
        await wire.connection.send_move(OUR_MOVE)


# Floods


async def test_a_flood_is_slowed_down(clock: MockClock, wire: Wire) -> None:
    started = trio.current_time()
    with capture_logs() as logs:
        wire.nursery.start_soon(wire.send, b"CA\0" * 10_000 + encode(REQUEST))
        while await wire.connection.receive() == Chat("A"):
            pass
    assert len([line for line in logs if line["event"].startswith("flood")]) == 1
    assert len(logs) < 1_000
    assert trio.current_time() - started == pytest.approx((10_001 - 300) / 100, abs=4)


async def test_chat_that_nobody_takes_is_not_kept(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"CA\0" * 1000 + encode(REQUEST))
    await trio.sleep(100)
    chats = 0
    while await wire.connection.receive() == Chat("A"):
        chats += 1
    assert chats == 100


async def test_answers_that_pile_up_stop_the_reading(clock: MockClock, wire: Wire) -> None:
    await wire.send((b"B001W\0" + b"CA\0") * 200 + encode(REQUEST))
    started = trio.current_time()
    while await wire.connection.receive() == Chat("A"):
        pass
    assert trio.current_time() - started > 3
    await wire.read(b"K2\0" * 200)


async def test_noise_ends_the_connection(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"\0" * 1_000)
    assert await wire.connection.receive() == Disconnected(Ending.NOISE)


async def test_what_noise_was_answered_with_does_not_delay_the_end(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"R01\0" * 1_000)
    started = trio.current_time()
    while await wire.peer.receive_some():
        pass
    assert trio.current_time() <= started + 1


async def test_a_message_without_end_ends_the_connection_at_the_cap(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"x" * (1 << 20))
    assert await wire.connection.receive() == Disconnected(Ending.OVERLONG)


# Leaving


async def test_leaving_at_our_turn_ends_the_game(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    started = trio.current_time()
    wire.nursery.start_soon(wire.connection.leave)
    assert await wire.read(b"E01\0") <= started + 0.1
    await wire.send(b"E01\0")
    assert await wire.peer.receive_some() == b""
    assert trio.current_time() <= started + 0.1


async def test_leaving_waits_for_an_answer_but_not_long(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    started = trio.current_time()
    await wire.connection.leave()
    assert trio.current_time() == pytest.approx(started + 2)


async def test_leaving_at_the_peers_turn_says_nothing(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.connection.leave()
    assert await wire.peer.receive_some() == b""
    assert await wire.connection.receive() == Disconnected(Ending.LEFT)


async def test_leaving_before_an_answer_refuses(clock: MockClock, wire: Wire) -> None:
    await wire.send(encode(REQUEST))
    await wire.connection.receive()
    await wire.connection.leave()
    await wire.read(b"A" + b"Bonnard".ljust(32) + b"3\0")
    assert await wire.peer.receive_some() == b""


async def test_an_initiator_leaves_with_a_goodbye(clock: MockClock, asking: Wire) -> None:
    await asking.send(ACCEPTED + b"E00\0")
    assert await asking.connection.receive() == GameAccept("Peer", Acceptance.ACCEPTED)
    await asking.connection.receive()
    await asking.read(b"E00\0")
    await asking.connection.leave()
    await asking.read(b"E01\0")
    assert await asking.peer.receive_some() == b""


async def test_a_cancelled_owner_still_leaves_well(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    with trio.CancelScope() as scope:
        scope.cancel()
        await wire.connection.leave()
    await wire.read(b"E01\0")


async def test_an_unreadable_move_can_be_answered_with_an_end(clock: MockClock, wire: Wire) -> None:
    await wire.begin(b"M00003126\0")
    assert isinstance(await wire.connection.receive(), Malformed)
    assert await wire.connection.end_game(EndReason.WIN)
    await wire.read(b"E30\0")


# Slots


async def test_a_game_beyond_the_slots_is_refused(clock: MockClock, nursery: trio.Nursery) -> None:
    slots = Slots(total=3, per_address=2)
    wires = [wired(nursery, slots=slots, address=Address("10.0.0.1", port)) for port in range(3)]
    await wires[0].begin()
    await wires[1].begin()
    await wires[2].send(encode(REQUEST))
    await wires[2].read(b"A" + b"Bonnard".ljust(32) + b"2\0")
    assert await wires[2].read(b"Ctoo many games are on here, please ask again later\0")
    elsewhere = wired(nursery, slots=slots, address=Address("10.0.0.2", 1))
    await elsewhere.begin()
    await wires[1].send(b"E00\0")
    await wires[1].connection.receive()
    await wires[2].begin()
    for wire in (*wires, elsewhere):
        await wire.connection.leave()
    assert slots.take("10.0.0.1")


async def test_a_slot_is_free_again_after_a_refusal_and_a_disconnect(clock: MockClock, wire: Wire) -> None:
    slots = Slots(total=1, per_address=1)
    wire = wired(wire.nursery, slots=slots)
    await wire.send(encode(REQUEST))
    await wire.connection.receive()
    assert not slots.take("elsewhere")
    await wire.connection.refuse_game()
    assert slots.take("elsewhere")
    slots.free("elsewhere")
    await wire.read(b"A" + b"Bonnard".ljust(32) + b"2\0")
    await wire.begin()
    await wire.peer.aclose()
    assert await wire.connection.receive() == Disconnected(Ending.CLOSED)
    assert slots.take("elsewhere")


async def test_an_initiator_waits_for_a_slot(clock: MockClock, wire: Wire) -> None:
    slots = Slots(total=1, per_address=1)
    wires = [wired(wire.nursery, "initiator", slots=slots) for _ in range(2)]
    await wires[0].connection.request_game(REQUEST)
    wire.nursery.start_soon(wires[1].connection.request_game, REQUEST)
    await wires[1].quiet(20)
    await wires[0].send(b"A" + b"Peer".ljust(32) + b"2\0")
    await wires[0].connection.receive()
    await wires[1].read(encode(REQUEST))
    for each in wires:
        await each.connection.leave()


async def test_limits_are_settings(clock: MockClock, nursery: trio.Nursery) -> None:
    wire = wired(nursery, limits=ConnectionLimits(idle_timeout=7))
    started = trio.current_time()
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert trio.current_time() == pytest.approx(started + 7)
